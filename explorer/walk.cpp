#include <fencecheck/explorer/walk.h>

#include <algorithm>
#include <bit>
#include <chrono>

namespace fencecheck::explorer {

std::uint64_t SplitMix::next() {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint64_t SplitMix::below(std::uint64_t bound) {
  const std::uint64_t fair = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;  // a multiple of bound
  std::uint64_t drawn = next();
  while (drawn >= fair) drawn = next();
  return drawn % bound;
}

Run random_walk(const Model& model, SplitMix& random, int max_steps,
                const std::function<void(Move, Targets, const std::byte*)>& visit) {
  const std::size_t bytes = model.state_bytes();
  const std::vector<std::byte> initial = model.initial_states();
  Successors successors(bytes, model.max_successors());
  Run run;
  run.initial = random.below(initial.size() / bytes);
  std::vector<std::byte> state(initial.begin() + static_cast<std::ptrdiff_t>(run.initial * bytes),
                               initial.begin() + static_cast<std::ptrdiff_t>((run.initial + 1) * bytes));
  for (int step = 0; step < max_steps; ++step) {
    successors.clear();
    model.expand(state.data(), 1, successors);
    if (successors.size() == 0) break;
    const std::size_t chosen = random.below(successors.size());
    std::copy_n(successors.state(chosen), bytes, state.begin());
    run.moves.push_back(successors.move(chosen));
    visit(successors.move(chosen), successors.targets(chosen), state.data());
  }
  return run;
}

WalkResult random_walks(const Model& model, const WalkOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto started = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - started).count(); };
  double last_progress = 0;
  SplitMix random(options.seed);
  WalkResult result;
  result.fired.assign(model.action_count(), 0);
  for (; result.walks < options.walks; ++result.walks) {
    if (options.interrupted != nullptr && *options.interrupted) result.stopped_by = StoppedBy::interrupt;
    if (elapsed() > options.seconds) result.stopped_by = StoppedBy::time;
    if (result.stopped_by != StoppedBy::nothing) break;
    if (options.progress && elapsed() - last_progress > 1) {
      last_progress = elapsed();
      options.progress(result.walks, result.steps, last_progress);
    }
    std::array<int, max_targets> met_at{};  // 0: not met in this walk
    int steps = 0;
    const Run run = random_walk(model, random, options.max_steps, [&](Move move, Targets targets, const std::byte*) {
      ++steps;
      ++result.fired[move.action];
      for (; targets != 0; targets &= targets - 1) {
        int& first = met_at[static_cast<std::size_t>(std::countr_zero(targets))];
        if (first == 0) first = steps;
      }
    });
    result.steps += static_cast<std::uint64_t>(steps);
    result.longest = std::max(result.longest, steps);
    for (std::size_t t = 0; t < met_at.size(); ++t) {
      if (met_at[t] == 0) continue;
      std::optional<Run>& best = result.first_met[t];
      if (best && static_cast<int>(best->moves.size()) <= met_at[t]) continue;
      best = run;
      best->moves.resize(static_cast<std::size_t>(met_at[t]));
    }
  }
  result.seconds = elapsed();
  return result;
}

}  // namespace fencecheck::explorer
