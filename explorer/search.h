// Exhaustive breadth-first search over any Model, by levels.
//
// A level is every state whose shortest distance from an initial state is the same. Levels are expanded one after
// another, each by all threads together, so a target (a property violated, a situation that arose) is first met at the
// length of the shortest run to it, and every figure of the result is the same for any number of threads. Limits stop
// the search at the end of a level, for the same reason.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fencecheck/explorer/model.h>
#include <fencecheck/explorer/packing.h>
#include <fencecheck/explorer/state_store.h>

namespace fencecheck::explorer {

/// What a search may use up. None of them makes a pass: a search that met one is not `complete`.
struct Limits {
  std::uint64_t max_states = ~std::uint64_t{0};
  int max_depth = 0x7fffffff;                      ///< actions in a run
  double seconds = 1e18;                           ///< wall-clock time
  std::uint64_t memory_bytes = ~std::uint64_t{0};  ///< of the store of seen states
};

/// How far a search has come.
struct Progress {
  int depth = 0;  ///< the level that is being expanded
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  ///< of the levels that are done
  std::uint64_t waiting = 0;      ///< states of this level
  double seconds = 0;
};

struct SearchOptions {
  int threads = 1;
  bool symmetry = false;
  Targets stop_at = 0;  ///< end with the level in which one of these was first met
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;  ///< looked at often; ends the search when it becomes true
  std::function<void(const Progress&)> progress;   ///< called about once a second by one thread
};

enum class StoppedBy { nothing, target, max_states, max_depth, time, memory, interrupt };

/// "max-states" and so on: the words of the command line and of JSON.
const char* to_string(StoppedBy reason);

struct SearchResult {
  std::uint64_t states = 0;                               ///< different states found, up to symmetry where that is on
  std::uint64_t transitions = 0;                          ///< generated successors, duplicates included
  int depth = 0;                                          ///< actions from an initial state to the last new state
  std::uint64_t full_states = 0;                          ///< what `states` would be without symmetry
  std::uint64_t full_transitions = 0;                     ///< what `transitions` would be without symmetry
  std::vector<std::uint64_t> fired;                       ///< transitions by each action
  std::array<std::optional<int>, max_targets> first_met;  ///< length of the shortest run to each target
  StoppedBy stopped_by = StoppedBy::nothing;
  bool complete() const { return stopped_by == StoppedBy::nothing; }

  double seconds = 0;             ///< wall-clock time of the search
  std::uint64_t store_bytes = 0;  ///< memory of the store of seen states at its end
};

/// A run of the model from an initial state: which one, and the moves.
struct Run {
  std::size_t initial = 0;
  std::vector<Move> moves;
};

/// A state came up in which a field holds a number that its bits have no room for. Nothing is lost silently: the search
/// ends with this.
class FieldOverflow : public std::runtime_error {
 public:
  FieldOverflow() : std::runtime_error("a field of a state has outgrown its bits") {}
};

/// One search: the store of seen states lives as long as it does, so that runs can be rebuilt and states looked up.
class Search {
 public:
  /// `model` must outlive the search. Throws std::invalid_argument where a limit has no room for the start.
  Search(const Model& model, SearchOptions options);
  ~Search();

  /// Runs the search; once.
  const SearchResult& run();
  const SearchResult& result() const { return result_; }

  /// A shortest run to each of the targets in `wanted`, lowest first; all must have been met. Among equally short runs
  /// the one is given that, from its start, prefers a move of the process that moved last, then the lower action, then
  /// the lower process. Moves are those of real, not of canonical states.
  std::vector<Run> shortest_runs(Targets wanted) const;

  /// Whether the search found this state (or its canonical form).
  bool contains(const std::byte* state) const;

 private:
  struct Hand;  // what one thread works with

  // A run of blocks that lie side by side in the level. Neighbours have successors in common, so a thread that stays
  // among them finds most of them in its own caches; when its share is done it helps with the others'.
  struct alignas(64) Share {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  class Backward;

  void start();
  bool expand_level(bool insert);
  void work(Hand& hand, bool insert);
  void share_out_level(int hands);
  bool take_block(int thread, Range& block);
  void take_blocks(Hand& hand, bool insert);
  void watch_state_limit();
  void expand_batch(Hand& hand, Range batch, bool insert);
  void pack_successors(Hand& hand);
  void advance(Hand& hand, std::size_t part);
  void insert_waiting(Hand& hand);
  void tally(Hand& hand, std::size_t parents);
  void collect(bool count_transitions);
  bool must_stop(Hand& hand);
  bool limit_hit();
  void weigh_unexpanded();
  void report_progress();
  double elapsed() const;
  std::uint32_t look_up(Hand& hand, std::byte* state) const;

  const Model& model_;
  SearchOptions options_;
  Packing packing_;
  std::uint64_t state_limit_;  // the smaller of max_states and what the memory limit has room for
  bool memory_is_tighter_ = false;
  mutable Crew crew_;
  StateStore store_;
  mutable std::vector<std::unique_ptr<Hand>> hands_;
  std::vector<std::vector<Range>> levels_;  // levels_[d]: the states at depth d
  std::vector<Range> blocks_;               // the level that is being expanded, in pieces
  std::vector<Share> shares_;               // for each thread the part of `blocks_` that it begins with
  std::atomic<int> stop_{0};                // a StoppedBy that ends the search within a level
  SearchResult result_;
  double started_ = 0;
  double last_progress_ = 0;
};

}  // namespace fencecheck::explorer
