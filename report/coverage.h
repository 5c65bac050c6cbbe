// What of a design was used within the bounds: a step that can never happen, or a condition that never came true (or
// never false), says that the bounds are too small for it, or that it is not needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fencecheck/model/world.h>

namespace fencecheck {

struct GuardCoverage {
  std::size_t action = 0;  ///< the step that names the condition
  std::string name;
  bool was_true = false;
  bool was_false = false;
};

struct Coverage {
  bool complete = true;                 ///< false: there were more states than looked at
  std::vector<std::uint64_t> happened;  ///< of each action of the world, how often, workers being interchangeable
  std::vector<GuardCoverage> guards;    ///< in the order of the steps, and in each as they are first met
};

/// Takes every transition of the world once, one state at a time.
Coverage cover(const World& world, std::size_t max_states);

/// "write (store)": a step, wherever it stands in the programs.
std::string step_label(const World& world, std::size_t action);

/// What was never used, a sentence each: `"release" (issuer) never happens`, `"the token is not older" in "write"
/// (store) is never false`.
std::vector<std::string> gaps(const World& world, const Coverage& coverage);

}  // namespace fencecheck
