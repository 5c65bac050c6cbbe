// Why a counterexample ends badly: which boundary failed, and what held all the same.
#pragma once

#include <string>
#include <vector>

#include <fencecheck/model/property.h>
#include <fencecheck/report/telling.h>

namespace fencecheck {

/// One sentence on why the last step is bad.
std::string why_bad(const ToldRun& run, const PropertyInfo& property);

/// Which comparison is missing, comes too early, or compares what proves nothing; a sentence or two.
std::string failed_boundary(const ToldRun& run, const PropertyInfo& property);

/// What held in the same run, a sentence each. `others` are the properties that were judged beside the violated one;
/// bit i of a step's targets stands for the i-th property of the design.
std::vector<std::string> what_held(const ToldRun& run, const std::vector<PropertyText>& properties,
                                   const PropertyInfo& violated);

}  // namespace fencecheck
