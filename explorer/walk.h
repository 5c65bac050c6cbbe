// Seeded random walks, for spaces beyond the bounds of an exhaustive search, and for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <fencecheck/explorer/model.h>
#include <fencecheck/explorer/search.h>

namespace fencecheck::explorer {

/// A generator of its own, so that the same seed gives the same walks with every compiler and library
/// (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in 0 .. bound - 1; `bound` must not be 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t state_;
};

/// One walk: from an initial state, every enabled move equally likely, until nothing can move or `max_steps` are done.
/// `visit(move, targets, state)` is told of each step and of the state that it led to.
Run random_walk(const Model& model, SplitMix& random, int max_steps,
                const std::function<void(Move, Targets, const std::byte*)>& visit);

struct WalkOptions {
  std::uint64_t walks = 0;
  std::uint64_t seed = 0;
  int max_steps = 0;
  double seconds = 1e18;  ///< wall-clock time
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(std::uint64_t walks, std::uint64_t steps, double seconds)> progress;  ///< about once a second
};

struct WalkResult {
  std::uint64_t walks = 0;
  std::uint64_t steps = 0;
  int longest = 0;
  std::vector<std::uint64_t> fired;
  std::array<std::optional<Run>, max_targets> first_met;  ///< the shortest walk that met each target, cut off there
  StoppedBy stopped_by = StoppedBy::nothing;
  double seconds = 0;
};

WalkResult random_walks(const Model& model, const WalkOptions& options);

}  // namespace fencecheck::explorer
