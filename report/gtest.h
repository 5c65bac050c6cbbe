// Claims about a design as GoogleTest assertions, one line each:
//
//   EXPECT_TRUE(holds<MyDesign>("no-stale-write", {.workers = 3, .leases = 4}));
//   EXPECT_TRUE(breaks<MyDesign>("successor-fences-at-issue", 4, {.workers = 2, .leases = 3}));
//
// A claim that fails prints the counterexample.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <fencecheck/properties/design_of.h>
#include <fencecheck/report/story.h>
#include <fencecheck/report/verdict.h>

namespace fencecheck {

namespace detail {
template <class D>
::testing::AssertionResult claim(const std::string& property, const Bounds& bounds, const SwitchValues& switches,
                                 bool (*as_claimed)(const PropertyResult&, int), int steps) {
  const DesignOf<D> design;
  CheckOptions options;
  options.bounds = bounds;
  options.switches = switches;
  options.properties = {property};
  options.want_witnesses = true;
  const CheckResult result = check(design, options);
  const std::string report = text_report(result, design.text(), {.color = false, .witnesses = true});
  return (as_claimed(result.properties.front(), steps) ? ::testing::AssertionSuccess() : ::testing::AssertionFailure())
         << "\n"
         << report;
}
}  // namespace detail

/// `property` holds for D within `bounds`, and not vacuously.
template <class D>
::testing::AssertionResult holds(const std::string& property, const Bounds& bounds, const SwitchValues& switches = {}) {
  return detail::claim<D>(
      property, bounds, switches,
      [](const PropertyResult& result, int) { return result.verdict == Verdict::holds && !result.vacuous; }, 0);
}

/// `property` breaks for D within `bounds`, in at most `steps` steps.
template <class D>
::testing::AssertionResult breaks(const std::string& property, int steps, const Bounds& bounds,
                                  const SwitchValues& switches = {}) {
  return detail::claim<D>(
      property, bounds, switches,
      [](const PropertyResult& result, int most) { return result.trace && result.trace->length() <= most; }, steps);
}

}  // namespace fencecheck
