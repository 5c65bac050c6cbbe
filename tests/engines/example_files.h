// The design files of examples/stores, for tests that go through all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace fencecheck::tests {

inline std::vector<std::string> example_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FENCECHECK_EXAMPLE_STORES)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::string path_of_example(const std::string& name) {
  return std::string(FENCECHECK_EXAMPLE_STORES) + "/" + name + ".toml";
}

/// A name for GoogleTest, which wants letters, digits and underscores.
inline std::string test_name(std::string file) {
  std::replace(file.begin(), file.end(), '-', '_');
  return file;
}

}  // namespace fencecheck::tests
