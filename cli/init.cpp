// `fencecheck init`
#include <fmt/core.h>
#include <fmt/format.h>
#include <boost/algorithm/string/replace.hpp>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "starter_files.h"

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/files.h>
#include <fencecheck/report/names.h>

namespace fencecheck {

namespace {

/// A design file for a store of the kind `engine`.
int init_design_file(const std::string& path, const std::string& engine) {
  std::vector<std::string> kinds;
  for (const auto& [kind, content] : starter_stores) {
    kinds.emplace_back(kind);
    if (engine != kind) continue;
    if (std::filesystem::exists(path)) {
      throw UsageError(fmt::format("init {}: it is there already; nothing was written", path));
    }
    write_file(path,
               boost::algorithm::replace_all_copy(std::string(content), fmt::format("starter-{}.toml", engine), path));
    fmt::print(
        "{0} describes a store, and says in [expect] which properties hold and which does not. Next:\n"
        "  {1} check {0}\n"
        "Then change its statements to what your store really runs, and check again.\n",
        path, program_name());
    return 0;
  }
  throw UsageError(engine.empty() ? fmt::format("init {}: say which store it is for: --engine {}", path,
                                                fmt::join(kinds, ", or --engine "))
                                  : fmt::format("init {}: --engine: {}", path, unknown_name("engine", engine, kinds)));
}

}  // namespace

int init_command(const std::string& directory, const std::string& engine) {
  if (directory.ends_with(".toml")) return init_design_file(directory, engine);
  if (!engine.empty()) {
    throw UsageError(fmt::format("init {}: --engine is for a design file: name one that ends in .toml", directory));
  }
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
