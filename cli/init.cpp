// `fencecheck init`
#include <fmt/core.h>

#include <filesystem>
#include <system_error>

#include "starter_files.h"

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/files.h>

namespace fencecheck {

int init_command(const std::string& directory) {
  if (directory.empty()) throw UsageError("init '': the name of the folder is empty");
  const std::filesystem::path target(directory);
  std::error_code error;
  if (std::filesystem::exists(target, error) &&
      (!std::filesystem::is_directory(target) || !std::filesystem::is_empty(target, error))) {
    throw UsageError(
        fmt::format("init {}: it is there already, and not an empty folder; nothing was written", directory));
  }
  std::filesystem::create_directories(target, error);
  if (error) throw UsageError(fmt::format("init {}: cannot make the folder: {}", directory, error.message()));
  for (const auto& [name, content] : starter_files) write_file((target / name).string(), content);
  fmt::print(
      "{0} holds a design of a store, its command and its tests. Next:\n"
      "  cmake -B {0}/build -S {0} && cmake --build {0}/build\n"
      "  {0}/build/my-store check\n"
      "  ctest --test-dir {0}/build --output-on-failure\n"
      "The store is in {0}/my_store.h: change its write step to what yours really does.\n",
      directory);
  return 0;
}

}  // namespace fencecheck
