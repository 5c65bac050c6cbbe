// The design files of examples/stores, each checked on its real store: what it expects of itself, and exact figures.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fencecheck/engines/file_design.h>
#include <fencecheck/report/expectation.h>
#include <fencecheck/report/story.h>
#include <fencecheck/report/verdict.h>

#include "example_files.h"

namespace fencecheck::tests {
namespace {

using engines::DesignFile;
using engines::ExpectedVerdict;
using engines::FileDesign;

/// States, transitions and depth of each file, whatever the machine.
nlohmann::json figures() { return nlohmann::json::parse(std::ifstream(FENCECHECK_STORE_FIGURES)); }

CheckResult checked(const FileDesign& design) {
  CheckOptions options;
  options.bounds = design.standard_bounds();
  return check(design, options);
}

class EachFile : public testing::TestWithParam<std::string> {};

TEST_P(EachFile, IsAsItSays) {
  const FileDesign design(engines::read_design_file(path_of_example(GetParam())));
  CheckResult result;
  try {
    result = checked(design);
  } catch (const engines::EngineMissing& missing) {
    GTEST_SKIP() << missing.what();
  }
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(design.file().expected.empty()) << "a file says what it expects";
  for (const ExpectedVerdict& expected : design.file().expected) {
    for (const PropertyResult& each : result.properties) {
      if (each.info.name != expected.property) continue;
      EXPECT_EQ(to_string(each.verdict), expected.verdict) << expected.property;
      if (expected.steps && each.trace) {
        EXPECT_EQ(each.trace->length(), *expected.steps) << expected.property;
      }
      EXPECT_FALSE(each.vacuous) << expected.property;
    }
  }
  const nlohmann::json found{result.states, result.transitions, result.depth};
  EXPECT_EQ(found, figures().value(GetParam(), nlohmann::json())) << "states, transitions, depth";
}

INSTANTIATE_TEST_SUITE_P(Examples, EachFile, testing::ValuesIn(example_files()),
                         [](const auto& file) { return test_name(file.param); });

}  // namespace
}  // namespace fencecheck::tests
