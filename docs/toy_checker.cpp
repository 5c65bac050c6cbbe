// Can a late request from an old owner hurt my data?
//
// Worker A takes a lock, pauses, and the lock expires. Worker B takes the lock and writes. Then A wakes up, still
// believes that it is the owner, and writes over B's work. The cure is a token: the lock hands out 1, 2, 3, ..., and
// the store refuses a token older than that of the data it holds. Does it matter *how* the store compares? This
// program tries every possible order of events, for two workers, one store and two grants of the lock:
//     c++ -std=c++20 toy_checker.cpp && ./a.out
//
// A *state* is everything that there is to know at one moment: the lock, the workers, the store.
// A *step* is one atomic change of the state. Between two steps anything else may happen, for any length of time.
// A *property* judges one step. Ours: no write is accepted whose token is older than one accepted before.
//
// The search is breadth-first: it visits the states one step away from the start, then those two steps away, and so
// on. So the first bad step that it meets ends a shortest run to one; and when it meets none, there is none.
//
// The real checker knows more faults and properties, and is made for millions of states: it packs a state into a few
// bytes, expands states in blocks, visits only one of two states that are equal but for the workers' names (symmetry),
// and stores no parents, because the levels of the search are enough to rebuild a run: see docs/internals.md.
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <vector>

enum class Store { compares_nothing, compares_then_writes, compares_and_writes };  // the last one in a single step
enum class Phase { idle, ready, compared, done };

struct Worker {
  Phase phase = Phase::idle;
  int token = 0;  // the one that came with its lock, kept even when that has expired; 0 when idle
  auto operator<=>(const Worker&) const = default;
};

struct State {
  int newest = 0;                   // the newest token that was handed out
  int holder = 0;                   // the token of the lock's owner, 0 when the lock is free
  std::array<Worker, 2> workers{};  // A and B
  int stored = 0;                   // the token of the data that the store holds
  int highest = 0;                  // the highest token ever accepted: the property reads it, the store cannot
  auto operator<=>(const State&) const = default;
};

struct Step {
  std::string text;
  State after;
  bool violates = false;  // the property
};

// Each of these gets a copy of the state before the step, and turns it into the state after.
Step acquire(State s, std::size_t w) {
  s.holder = ++s.newest;
  s.workers[w] = {Phase::ready, s.newest};
  return {"gets the lock with token " + std::to_string(s.newest), s};
}

Step expire(State s) {  // the worker's record stays as it is: nobody tells it, and that is the whole problem
  s.holder = 0;
  return {"The lock expires, and its owner does not notice", s};
}

Step compare(State s, std::size_t w) {
  const bool refused = s.workers[w].token < s.stored;
  s.workers[w].phase = refused ? Phase::done : Phase::compared;
  return {refused ? "has its token compared: too old" : "has its token compared: fine", s};
}

Step write(State s, std::size_t w, Store store) {
  auto& [phase, token] = s.workers[w];
  phase = Phase::done;
  if (store == Store::compares_and_writes && token < s.stored) return {"writes: refused", s};
  const bool violates = token < s.highest;
  s.stored = token;
  s.highest = std::max(s.highest, token);
  return {violates ? "writes: accepted, and newer work is lost" : "writes: accepted", s, violates};
}

Step release(State s, std::size_t w) {
  if (s.holder == s.workers[w].token) s.holder = 0;  // by now the lock may be somebody else's
  s.workers[w] = {};
  return {"is done and releases its lock", s};
}

std::vector<Step> possible_steps(Store store, const State& s) {
  std::vector<Step> steps;
  for (std::size_t w : {0u, 1u}) {
    const auto add = [&](const Step& step) {
      steps.push_back({(w == 0 ? "A " : "B ") + step.text, step.after, step.violates});
    };
    const Phase phase = s.workers[w].phase;
    if (phase == Phase::idle && s.holder == 0 && s.newest < 2) add(acquire(s, w));
    if (phase == Phase::ready && store == Store::compares_then_writes) add(compare(s, w));
    if (phase == Phase::ready && store != Store::compares_then_writes) add(write(s, w, store));
    if (phase == Phase::compared) add(write(s, w, store));
    if (phase == Phase::done) add(release(s, w));
  }
  if (s.holder != 0) steps.push_back(expire(s));
  return steps;
}

struct Arrival {  // how the search first came to a state
  State parent;
  std::string step;
};

std::vector<std::string> run_to(State s, const std::string& last_step, const std::map<State, Arrival>& seen) {
  std::vector<std::string> run{last_step};
  for (; s != State{}; s = seen.at(s).parent) run.insert(run.begin(), seen.at(s).step);
  return run;
}

void check(const std::string& title, Store store) {
  std::map<State, Arrival> seen{{State{}, {}}};
  std::vector<std::string> counterexample;
  for (std::queue<State> to_visit({State{}}); !to_visit.empty(); to_visit.pop()) {
    const State before = to_visit.front();
    for (const Step& step : possible_steps(store, before)) {
      // The first violation is a shortest one. The search goes on all the same, to count the states.
      if (step.violates && counterexample.empty()) counterexample = run_to(before, step.text, seen);
      if (seen.try_emplace(step.after, Arrival{before, step.text}).second) to_visit.push(step.after);
    }
  }
  std::cout << title << (counterexample.empty() ? ": holds (" : ": violated (") << seen.size() << " states)\n";
  for (int n = 0; const std::string& line : counterexample) std::cout << "  " << ++n << ". " << line << '\n';
}

int main() {
  check("The store compares nothing", Store::compares_nothing);
  check("The store compares in a step of its own", Store::compares_then_writes);
  check("The store compares and writes in one step", Store::compares_and_writes);
}
