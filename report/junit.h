// Results as a JUnit XML file, which CI servers read: a suite for each design, a case for each property.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

/// One property as a test case.
struct JUnitCase {
  enum class Outcome { passed, failed, error, skipped };
  std::string name;
  Outcome outcome = Outcome::passed;
  std::string message;  ///< one line
  std::string details;  ///< many lines, such as the counterexample
};

struct JUnitSuite {
  std::string name;
  double seconds = 0;
  std::vector<JUnitCase> cases;
};

/// The whole file.
std::string junit_report(const std::vector<JUnitSuite>& suites);

}  // namespace fencecheck
