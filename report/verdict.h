// Checking a design: the search (or random walks), and the verdict on each property.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fencecheck/explorer/search.h>
#include <fencecheck/explorer/walk.h>
#include <fencecheck/model/world.h>
#include <fencecheck/report/telling.h>

namespace fencecheck {

enum class Verdict {
  holds,           ///< every state within the bounds was visited
  violated,        ///< there is a run that breaks it
  unknown,         ///< a search limit was met first
  not_applicable,  ///< the design has nothing that it could judge
};

const char* to_string(Verdict verdict);

struct PropertyResult {
  PropertyInfo info;
  Verdict verdict = Verdict::unknown;
  bool vacuous = false;          ///< holds, but its situation never arose
  std::optional<ToldRun> trace;  ///< the counterexample: shortest after a search, shortest walk after a simulation
  std::optional<int> witness_length;
  std::optional<ToldRun> witness;  ///< of a `holds` that is not vacuous, where asked for
};

/// Random walks instead of a search.
struct Simulation {
  std::uint64_t walks = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;
};

struct CheckResult {
  std::string design;
  Bounds bounds;
  SwitchValues switches;  ///< every switch of the design
  bool symmetry = false;
  bool complete = false;
  explorer::StoppedBy stopped_by = explorer::StoppedBy::nothing;
  std::optional<Simulation> simulation;
  std::uint64_t states = 0;  ///< this and the next five are 0 after a simulation
  std::uint64_t transitions = 0;
  int depth = 0;
  std::uint64_t full_states = 0;
  std::uint64_t full_transitions = 0;
  std::vector<std::pair<std::string, std::uint64_t>> actions;  ///< how often each fired
  std::vector<PropertyResult> properties;
  std::string account;  ///< what a real store had to do; empty without one

  double seconds = 0;  ///< this and the next two vary from run to run
  int threads = 1;
  std::uint64_t peak_memory_bytes = 0;  ///< of the whole process so far
};

struct CheckOptions {
  Bounds bounds;
  SwitchValues switches;
  std::vector<std::string> properties;  ///< empty: all that apply, and those that are always listed
  bool symmetry = true;
  int threads = 1;
  bool stop_at_first = false;
  bool want_traces = true;
  bool want_witnesses = false;
  explorer::Limits limits;
  std::optional<Simulation> simulate;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const explorer::Progress&)> progress;
};

/// lock-becomes-free is judged on the graph of all states, which is unpacked; with more states than this it is unknown.
constexpr std::size_t most_graph_states = 2'000'000;

/// Random walks end after this many steps unless max_depth says otherwise.
constexpr int standard_walk_steps = 200;

/// Checks `design`. Throws UsageError on a bound, switch or property that there is not, or a memory limit that is too
/// small to begin with.
CheckResult check(const Design& design, const CheckOptions& options);

/// The exit code that a result stands for: 0 all hold, 12 a safety property is violated, 13 only lock-becomes-free is,
/// 2 one is unknown.
int exit_code(const CheckResult& result);

/// "compare and write (store)": an action's name in lists, unlike every other action's.
std::vector<std::string> action_labels(const World& world);

}  // namespace fencecheck
