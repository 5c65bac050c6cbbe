// Shortest runs, rebuilt from the levels of a search that stored nothing for them.
//
// Backward: level by level from the deepest, every state is expanded again, and marked with the targets that can still
// be met from it in exactly the steps that are left. Forward: one walk over real states picks, among the moves that
// keep the target in reach, the one that the rule prefers. A shortest run passes each level once, so only a successor
// in the very next level counts.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <tuple>

#include <fencecheck/explorer/hand.h>
#include <fencecheck/explorer/mutants.h>

namespace fencecheck::explorer {
namespace {

template <class F>
void for_each_target(Targets targets, F f) {
  for (; targets != 0; targets &= targets - 1) f(static_cast<std::size_t>(std::countr_zero(targets)));
}

// Who moved last before anybody has; a fault is no process, so it does not count as one that moved last either.
constexpr std::int16_t nobody = Move::environment - 1;

bool within(const std::vector<Range>& level, std::uint32_t position) {
  return std::any_of(level.begin(), level.end(),
                     [&](const Range& range) { return range.begin <= position && position < range.end; });
}

}  // namespace

// The marks, and both passes over them.
class Search::Backward {
 public:
  Backward(const Search& search, Targets wanted) : search_(search), wanted_(wanted) {
    for_each_target(wanted, [&](std::size_t target) { depth_ = std::max(depth_, length(target)); });
    for (int d = 0; d < depth_; ++d) {
      for (const Range& range : level(d)) bound_ = std::max(bound_, range.end);
    }
    marks_.assign(bound_, 0);
  }

  void mark() {
    for (int d = depth_ - 1; d >= 0; --d) mark_level(d);
  }

  Run forward(std::size_t target) const {
    const Model& model = search_.model_;
    Hand& hand = *search_.hands_[0];
    Run run;
    const std::vector<std::byte> initial = model.initial_states();
    std::vector<std::byte> state(model.state_bytes());
    for (std::size_t i = 0;; ++i) {
      std::copy_n(initial.data() + i * state.size(), state.size(), state.begin());
      std::copy(state.begin(), state.end(), hand.successors.state(0));
      if ((mark_of(search_.look_up(hand, hand.successors.state(0))) >> target & 1) == 0) continue;
      run.initial = i;
      break;
    }
    std::int16_t last_actor = nobody;
    for (int d = 0; d < length(target); ++d) {
      const Move move = preferred(target, d, state, last_actor);
      run.moves.push_back(move);
      if (move.actor != Move::environment) last_actor = move.actor;
    }
    if (mutated(Mutant::trace_off_by_one)) run.moves.erase(run.moves.begin());
    return run;
  }

 private:
  const std::vector<Range>& level(int depth) const { return search_.levels_[static_cast<std::size_t>(depth)]; }
  int length(std::size_t target) const { return search_.result_.first_met[target].value(); }
  Targets mark_of(std::uint32_t position) const { return position < bound_ ? marks_[position] : 0; }

  // The wanted targets whose shortest run is longer than, or exactly, `depth` actions.
  Targets longer_than(int depth) const {
    Targets result = 0;
    for_each_target(wanted_, [&](std::size_t t) { result |= length(t) > depth ? Targets{1} << t : 0; });
    return result;
  }
  Targets as_long_as(int depth) const { return longer_than(depth - 1) & ~longer_than(depth); }

  // Marks of one level read only those of the next, so all of a level's are written at its end.
  void mark_level(int d) {
    const std::vector<Range>& ranges = level(d);
    const int hands = size_of(ranges) < 10'000 ? 1 : search_.crew_.size();
    std::vector<std::vector<std::pair<std::uint32_t, Targets>>> found(static_cast<std::size_t>(hands));
    search_.crew_.run(hands, [&](int thread) {
      Hand& hand = *search_.hands_[static_cast<std::size_t>(thread)];
      for (const Range& range : ranges) {
        const auto batch = static_cast<std::uint32_t>(Hand::batch_states);
        const std::uint32_t step = batch * static_cast<std::uint32_t>(hands);
        for (std::uint32_t begin = range.begin + batch * static_cast<std::uint32_t>(thread); begin < range.end;
             begin += step) {
          const std::uint32_t end = std::min(range.end, begin + batch);
          mark_batch(hand, d, {begin, end}, found[static_cast<std::size_t>(thread)]);
        }
      }
    });
    for (const auto& part : found) {
      for (const auto& [position, targets] : part) marks_[position] |= targets;
    }
  }

  void mark_batch(Hand& hand, int d, Range batch, std::vector<std::pair<std::uint32_t, Targets>>& found) const {
    const std::size_t count = batch.end - batch.begin;
    const Targets now = as_long_as(d + 1);
    const Targets later = longer_than(d + 1);
    Successors& successors = hand.successors;
    search_.packing_.unpack(search_.store_.key(batch.begin), count, hand.parents.data());
    successors.clear();
    search_.model_.expand(hand.parents.data(), count, successors);
    for (std::size_t i = 0; i < successors.size(); ++i) {
      Targets reached = successors.targets(i) & now;
      if (later != 0) reached |= mark_of(search_.look_up(hand, successors.state(i))) & later;
      if (reached != 0) found.emplace_back(batch.begin + successors.parent(i), reached);
    }
  }

  // The move that the rule prefers among those that keep `target` in reach; `state` moves on with it.
  Move preferred(std::size_t target, int d, std::vector<std::byte>& state, std::int16_t last_actor) const {
    Hand& hand = *search_.hands_[0];
    Successors& successors = hand.successors;
    successors.clear();
    search_.model_.expand(state.data(), 1, successors);
    const auto rank = [&](Move move) { return std::tuple(move.actor != last_actor, move.action, move.actor); };
    std::optional<Move> best;
    std::vector<std::byte> best_state(state.size());
    std::vector<std::byte> copy(state.size());
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const Move move = successors.move(i);
      if (best && rank(move) >= rank(*best) && !mutated(Mutant::trace_takes_any_step)) continue;
      std::copy_n(successors.state(i), copy.size(), copy.begin());
      if (!keeps_in_reach(hand, target, d, i)) continue;
      best = move;
      best_state = copy;
    }
    if (!best) throw std::logic_error("no move leads on to a target that the search met");
    state = best_state;
    return *best;
  }

  bool keeps_in_reach(Hand& hand, std::size_t target, int d, std::size_t i) const {
    if (d + 1 == length(target)) return (hand.successors.targets(i) >> target & 1) != 0;
    const std::uint32_t position = search_.look_up(hand, hand.successors.state(i));
    return (mark_of(position) >> target & 1) != 0 && within(level(d + 1), position);
  }

  const Search& search_;
  Targets wanted_;
  int depth_ = 0;
  std::uint32_t bound_ = 0;
  std::vector<Targets> marks_;
};

std::vector<Run> Search::shortest_runs(Targets wanted) const {
  std::vector<Run> runs;
  if (wanted == 0) return runs;
  Backward backward(*this, wanted);
  backward.mark();
  for_each_target(wanted, [&](std::size_t target) { runs.push_back(backward.forward(target)); });
  return runs;
}

}  // namespace fencecheck::explorer
