// The table of many designs, a line each.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/report/expectation.h>

namespace fencecheck {

struct TableRow {
  const CheckResult* result = nullptr;
  const Expectation* expectation = nullptr;  ///< null: nothing is expected of it
};

/// For each design its states, how many properties hold, how many of those vacuously (their situation never arose), and
/// what breaks, with the length of the shortest run, or is unknown. `!!` marks what was not expected.
std::string table(const std::vector<TableRow>& rows, bool color);

}  // namespace fencecheck
