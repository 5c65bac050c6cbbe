// Mutants of a design: each named guard and each boundary taken away, one at a time. A property that held and breaks
// then is what notices the loss; where none does, the guard is not needed within these bounds, or no property sees it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fencecheck/report/expectation.h>
#include <fencecheck/report/verdict.h>

namespace fencecheck {

struct Caught {
  std::string property;
  int trace_length = 0;
};

struct MutantResult {
  std::string name;  ///< what was taken away, a sentence: `"the token is not older" in write (store) always passes`
  /// The properties that held in the design and break in the mutant, shortest run first.
  std::vector<Caught> caught_by;
  std::optional<ToldRun> run;  ///< the shortest of them
  bool complete = true;        ///< the search was not cut off
};

struct MutationResult {
  std::string design;
  Bounds bounds;
  std::vector<MutantResult> mutants;
};

struct MutationOptions {
  Bounds bounds;
  SwitchValues switches;
  std::uint64_t max_states = 2'000'000;  ///< of one search
};

/// Makes and checks every mutant of `design`.
MutationResult mutate(const Design& design, const MutationOptions& options);

/// Every mutant that is not as expected, a sentence each: one that is caught by other properties than the named one, or
/// by none, or survives without a reason; one that nothing is expected of; one that there is no more.
std::vector<std::string> unexpected(const MutationResult& result, const std::vector<ExpectedMutant>& expected);

}  // namespace fencecheck
