// The table of many designs: designs down, properties across.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/report/expectation.h>

namespace fencecheck {

struct TableRow {
  const CheckResult* result = nullptr;
  const Expectation* expectation = nullptr;  ///< null: nothing is expected of it
};

/// A cell is `holds`, `vacuous` (holds, but its situation never arose), the length of the shortest run that breaks the
/// property, `unknown`, or `-` where the property does not apply. `!!` marks what was not expected.
std::string table(const std::vector<TableRow>& rows, bool color);

}  // namespace fencecheck
