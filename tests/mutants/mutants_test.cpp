// Every deliberate fault of the checker is noticed by a named check, and without the fault that check is content.
//
// The checks are those of the ordinary tests (tests/support/checks.h); here they meet a library that was compiled with
// its mutants (explorer/mutants.h), one of which is switched on at a time.
#include <fencecheck/explorer/mutants.h>

#include <iostream>
#include <string>

#include <gtest/gtest.h>

#include "../reference/golden_file.h"
#include "../support/checks.h"
#include "../support/core_world.h"

namespace fencecheck::tests {
namespace {

using explorer::Mutant;
using reference::Check;

/// Which check notices a mutant.
struct Detector {
  const char* mutant;
  const char* name;
  testing::AssertionResult (*check)();
};

/// A small golden row with restores of both kinds, where all properties but no-foreign-release are broken.
testing::AssertionResult golden_row_is_met() {
  for (const reference::GoldenRow& row : reference::read_golden(GOLDEN_FILE)) {
    if (row.name == "W2_S1_L3_IR1_SR1_separate_accept_compare_no") return core_agrees(row.setup, row.result, 1);
  }
  return testing::AssertionFailure() << "the row is not in the file";
}

testing::AssertionResult symmetry_of_core_agrees_with_full_search() {
  return symmetry_agrees_with_full_search(*core_world({.workers = 3, .leases = 3, .check = Check::atomic}), 1);
}

constexpr Mutant last_mutant = Mutant::restore_keeps_budget;

// A switch without a default, so that a new mutant does not compile before it has a detector here.
Detector detector_of(Mutant mutant) {
  switch (mutant) {
    case Mutant::none: break;
    case Mutant::lost_successor: return {"lost_successor", "grid_is_counted", [] { return grid_is_counted(5, 1); }};
    case Mutant::inexact_comparison:
      return {"inexact_comparison", "store_tells_keys_of_one_hash_apart",
              [] { return store_tells_keys_of_one_hash_apart(3); }};
    case Mutant::narrow_field:
      return {"narrow_field", "core_state_takes_90_bits", [] { return core_state_takes_90_bits(); }};
    case Mutant::growth_loses_state:
      return {"growth_loses_state", "store_keeps_the_distinct_keys",
              [] { return store_keeps_the_distinct_keys(2, 3, 50'000); }};
    case Mutant::depth_off_by_one: return {"depth_off_by_one", "golden_row_is_met", [] { return golden_row_is_met(); }};
    case Mutant::limit_is_a_pass:
      return {"limit_is_a_pass", "state_limit_stops_the_grid", [] { return state_limit_stops_the_grid(1); }};
    case Mutant::dropped_target: return {"dropped_target", "alarm_is_met", [] { return alarm_is_met(13); }};
    case Mutant::trace_off_by_one:
      return {"trace_off_by_one", "core_runs_replay",
              [] { return core_runs_replay({.workers = 2, .leases = 2, .check = Check::separate}); }};
    case Mutant::trace_takes_any_step:
      return {"trace_takes_any_step", "run_prefers_who_moved_last", [] { return run_prefers_who_moved_last(); }};
    case Mutant::wrong_orbit:
      return {"wrong_orbit", "symmetry_agrees_with_full_search",
              [] { return symmetry_of_core_agrees_with_full_search(); }};
    case Mutant::symmetry_forgets_memory:
      return {"symmetry_forgets_memory", "renamed_runs_of_core_meet", [] { return renamed_runs_of_core_meet(); }};
    case Mutant::stale_ledger: return {"stale_ledger", "golden_row_is_met", [] { return golden_row_is_met(); }};
    case Mutant::same_value_is_no_write:
      return {"same_value_is_no_write", "second_write_of_one_value_is_seen",
              [] { return second_write_of_one_value_is_seen(); }};
    case Mutant::restore_keeps_budget:
      return {"restore_keeps_budget", "golden_row_is_met", [] { return golden_row_is_met(); }};
  }
  return {"none", "nobody", [] { return testing::AssertionSuccess(); }};
}

class Mutants : public testing::TestWithParam<int> {
 protected:
  void TearDown() override { explorer::activate_mutant(Mutant::none); }
};

TEST_P(Mutants, ItsDetectorNoticesItAndIsContentWithoutIt) {
  const auto mutant = static_cast<Mutant>(GetParam());
  const Detector detector = detector_of(mutant);
  EXPECT_TRUE(detector.check()) << detector.name << " complains without any fault";
  explorer::activate_mutant(mutant);
  const testing::AssertionResult result = detector.check();
  EXPECT_FALSE(result) << detector.name << " does not notice " << detector.mutant;
  std::cout << detector.name << " says of " << detector.mutant << ": " << std::string(result.message()).substr(0, 200)
            << std::endl;
  explorer::activate_mutant(Mutant::none);
  EXPECT_TRUE(detector.check()) << detector.name << " complains after the fault was switched off";
}

INSTANTIATE_TEST_SUITE_P(, Mutants, testing::Range(1, static_cast<int>(last_mutant) + 1), [](const auto& mutant) {
  const Detector detector = detector_of(static_cast<Mutant>(mutant.param));
  return std::string(detector.mutant) + "_is_caught_by_" + detector.name;
});

}  // namespace
}  // namespace fencecheck::tests
