#include <fencecheck/report/files.h>

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fencecheck/model/world.h>

namespace fencecheck {
namespace {

[[noreturn]] void cannot(const std::string& what, const std::string& path, int error) {
  throw UsageError(fmt::format("cannot {} '{}': {}", what, path, std::strerror(error)));
}

// What is at `path`, through symbolic links; a folder is refused, since no file can be written or read there.
std::filesystem::file_status status_of(const char* what, const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::status_known(status) || (error && std::filesystem::exists(status))) {
    cannot(what, path, error.value());
  }
  if (std::filesystem::is_directory(status)) cannot(what, path, EISDIR);
  return status;
}

// A device or a pipe is written to as it is; it cannot be replaced.
bool is_special(const std::filesystem::file_status& status) {
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

// What a new file may be read and written by, as the user wants it.
std::filesystem::perms standard_permissions() {
  const mode_t mask = umask(0);
  umask(mask);
  return std::filesystem::perms{0666U & ~mask};
}

// A new, empty file beside `path`, so that renaming it to `path` stays within one file system.
std::string make_temporary(const std::string& path) {
  std::string name = path + ".XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) cannot("write", path, errno);
  close(file);
  return name;
}

int write_to(const std::string& path, const std::string& content) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  return out ? 0 : errno != 0 ? errno : EIO;
}

}  // namespace

void require_writable(const std::string& path) {
  const std::filesystem::file_status status = status_of("write", path);
  if (std::filesystem::exists(status) && access(path.c_str(), W_OK) != 0) cannot("write", path, errno);
  if (!is_special(status)) std::filesystem::remove(make_temporary(path));
}

void write_file(const std::string& path, const std::string& content) {
  require_writable(path);
  const std::filesystem::file_status status = status_of("write", path);
  if (is_special(status)) {
    if (const int failure = write_to(path, content); failure != 0) cannot("write", path, failure);
    return;
  }
  const bool exists = std::filesystem::exists(status);
  const std::string target = exists ? std::filesystem::canonical(path).string() : path;
  const std::string temporary = make_temporary(target);
  int failure = write_to(temporary, content);
  std::error_code error;
  if (failure == 0) {
    std::filesystem::permissions(temporary, exists ? status.permissions() : standard_permissions(), error);
    if (!error) std::filesystem::rename(temporary, target, error);
    failure = error.value();
  }
  if (failure == 0) return;
  std::filesystem::remove(temporary);
  cannot("write", path, failure);
}

std::string read_file(const std::string& path) {
  status_of("read", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) cannot("read", path, errno);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

}  // namespace fencecheck
