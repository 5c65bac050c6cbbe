#include <fencecheck/report/files.h>

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <filesystem>
#include <sstream>

#include <fencecheck/model/world.h>

namespace fencecheck {
namespace {

[[noreturn]] void cannot(const std::string& what, const std::string& path, int error) {
  throw UsageError(fmt::format("cannot {} '{}': {}", what, path, std::strerror(error)));
}

// A device or a pipe is written to as it is; it cannot be replaced.
bool is_special(const std::string& path) {
  return std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
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
  if (std::filesystem::is_directory(path)) cannot("write", path, EISDIR);
  if (!is_special(path)) std::filesystem::remove(make_temporary(path));
}

void write_file(const std::string& path, const std::string& content) {
  require_writable(path);
  if (is_special(path)) {
    if (const int failure = write_to(path, content); failure != 0) cannot("write", path, failure);
    return;
  }
  const std::string target = std::filesystem::exists(path) ? std::filesystem::canonical(path).string() : path;
  const std::string temporary = make_temporary(target);
  int failure = write_to(temporary, content);
  std::error_code error;
  if (failure == 0) {
    std::filesystem::permissions(temporary, std::filesystem::perms{0644}, error);
    std::filesystem::rename(temporary, target, error);
    failure = error.value();
  }
  if (failure == 0) return;
  std::filesystem::remove(temporary);
  cannot("write", path, failure);
}

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) cannot("read", path, EISDIR);
  std::ifstream in(path, std::ios::binary);
  if (!in) cannot("read", path, errno);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

}  // namespace fencecheck
