// Under which fewest faults each property of a design breaks.
//
// The faults form a lattice: a set of them with a count for each, ordered by inclusion. A property that breaks under a
// set breaks under every larger one, since no fault has to happen; so the answer is the minimal sets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/report/verdict.h>

namespace fencecheck {

/// A minimal set of faults under which a property breaks, and a shortest run that shows it.
struct FewestFaults {
  std::vector<std::string> faults;  ///< "expiry", "lost reply", "2 crashes"; empty: it needs none
  Bounds bounds;
  ToldRun run;
};

struct MatrixRow {
  std::string property;
  std::vector<FewestFaults> sets;  ///< empty: no set within reach breaks it
  bool holds_under_all = false;    ///< not even all faults at once, one of each, break it
};

struct MatrixResult {
  std::string design;
  Bounds bounds;        ///< workers and leases; no faults
  int most_faults = 0;  ///< larger sets were not tried
  std::uint64_t searches = 0;
  bool complete = true;  ///< false: a search was cut off, or ended with an error, so a set may be missing
  std::vector<MatrixRow> rows;
};

struct MatrixOptions {
  Bounds bounds;
  SwitchValues switches;
  int most_faults = 2;
  std::uint64_t max_states = 2'000'000;  ///< of one search
};

/// Searches the lattice for one design. Only properties that apply are in the result.
MatrixResult matrix(const Design& design, const MatrixOptions& options);

std::string matrix_text(const std::vector<MatrixResult>& results);
std::string matrix_markdown(const std::vector<MatrixResult>& results);
std::string matrix_json(const std::vector<MatrixResult>& results, const std::vector<const DesignText*>& designs);

}  // namespace fencecheck
