#include "reference.h"

#include <algorithm>
#include <compare>
#include <set>
#include <stdexcept>
#include <utility>

namespace fencecheck::reference {
namespace {

// ---- State --------------------------------------------------------------------------------------------------------

enum class Phase { idle, ready, checked, done };

struct Worker {
  Phase phase = Phase::idle;
  int at = 0;  // the store it writes next, 1..S; 0 when idle or done
  int token = 0;
  int lease = 0;
  auto operator<=>(const Worker&) const = default;
};

struct Store {
  int max_token = 0;
  int value = 0;  // the lease whose write it holds
  int saved_max_token = 0;
  int saved_value = 0;
  int high = 0;  // ghost: the newest lease ever accepted; a restore does not touch it
  auto operator<=>(const Store&) const = default;
};

// A request that is on its way although its worker went on: the worker as it was.
struct UnderWay {
  int action = 0;
  Worker sender;
  auto operator<=>(const UnderWay&) const = default;
};

struct State {
  int counter = 0;
  int holder = 0;  // the lease now held, or 0
  int saved_counter = 0;
  int issued = 0;     // ghost: the newest lease
  int top_token = 0;  // ghost: the highest token ever issued
  std::vector<Worker> workers;
  std::vector<Store> stores;
  int issuer_restores_left = 0;
  int store_restores_left = 0;
  int crashes_left = 0;
  int lost_replies_left = 0;
  int late_requests_left = 0;
  int duplicates_left = 0;
  int lock_losses_left = 0;
  std::multiset<UnderWay> under_way;
  auto operator<=>(const State&) const = default;
};

State initial(const Setup& setup) {
  if (setup.workers < 1 || setup.stores < 1) {
    throw std::invalid_argument("a setup needs at least one worker and one store");
  }
  State state;
  state.workers.resize(static_cast<std::size_t>(setup.workers));
  state.stores.resize(static_cast<std::size_t>(setup.stores));
  state.issuer_restores_left = setup.issuer_restores;
  state.store_restores_left = setup.store_restores;
  state.crashes_left = setup.crashes;
  state.lost_replies_left = setup.lost_replies;
  state.late_requests_left = setup.late_requests;
  state.duplicates_left = setup.duplicates;
  state.lock_losses_left = setup.lock_losses;
  return state;
}

std::size_t store_index(const Worker& worker) { return static_cast<std::size_t>(worker.at - 1); }

// ---- Actions: each takes a copy of the state and gives it back changed --------------------------------------------

enum class Action {
  acquire,
  expire,
  check,
  write,
  release,
  issuer_backup,
  issuer_restore,
  store_backup,
  store_restore,
  crash,
  give_up,  // a late request is sent
  lock_loss
};

struct Step {
  Action action;
  Worker worker;  // who acts, as it was before
  bool rejected;  // a check or a write that was refused
  State after;
};

bool checks_in_its_own_step(const Setup& setup) {
  return setup.check == Check::lease || setup.check == Check::separate;
}

bool compares_tokens(const Setup& setup) { return setup.check == Check::separate || setup.check == Check::atomic; }

bool is_stale(const Setup& setup, const State& state, const Worker& worker) {
  const int max_token = state.stores.at(store_index(worker)).max_token;
  return setup.equal == Equal::accept ? worker.token < max_token : worker.token <= max_token;
}

State acquire(const Setup& setup, State state, std::size_t w) {
  ++state.issued;
  ++state.counter;
  state.holder = state.issued;
  state.top_token = std::max(state.top_token, state.counter);
  state.workers.at(w) = Worker{Phase::ready, 1, state.counter, state.issued};
  if (setup.reg == Register::yes) {
    for (Store& store : state.stores) store.max_token = std::max(store.max_token, state.counter);
  }
  return state;
}

State expire(State state) {
  state.holder = 0;
  return state;
}

State pass_check(State state, std::size_t w) {
  state.workers.at(w).phase = Phase::checked;
  return state;
}

State reject(State state, std::size_t w) {
  state.workers.at(w).phase = Phase::done;
  state.workers.at(w).at = 0;
  return state;
}

State accept(const Setup& setup, State state, std::size_t w) {
  Worker& worker = state.workers.at(w);
  Store& store = state.stores.at(store_index(worker));
  store.value = worker.lease;
  store.high = std::max(store.high, worker.lease);
  if (compares_tokens(setup)) store.max_token = worker.token;  // unconditionally: `separate` may move it back
  const bool was_last_store = worker.at == setup.stores;
  worker.phase = was_last_store ? Phase::done : Phase::ready;
  worker.at = was_last_store ? 0 : worker.at + 1;
  return state;
}

State release(const Setup& setup, State state, std::size_t w) {
  if (setup.release == Release::name || state.holder == state.workers.at(w).lease) state.holder = 0;
  state.workers.at(w) = Worker{};
  return state;
}

// What a worker does that was not told what became of its step: it releases, or, where that was the step, starts anew.
State go_on_untold(State state, std::size_t w, const Worker& before) {
  const bool has_work = before.phase == Phase::ready || before.phase == Phase::checked;
  Worker& worker = state.workers.at(w);
  worker = has_work ? Worker{Phase::done, 0, before.token, before.lease} : Worker{};
  return state;
}

State issuer_backup(State state) {
  state.saved_counter = state.counter;
  return state;
}

State issuer_restore(State state) {
  state.counter = state.saved_counter;
  state.holder = 0;
  --state.issuer_restores_left;
  return state;
}

State store_backup(State state, std::size_t s) {
  Store& store = state.stores.at(s);
  store.saved_max_token = store.max_token;
  store.saved_value = store.value;
  return state;
}

State store_restore(State state, std::size_t s) {
  Store& store = state.stores.at(s);
  store.max_token = store.saved_max_token;
  store.value = store.saved_value;
  --state.store_restores_left;
  return state;
}

// ---- Which actions are enabled ------------------------------------------------------------------------------------

// The step that comes next for a worker, if it can be taken: at most one.
std::vector<Step> next_step(const Setup& setup, const State& state, std::size_t w) {
  std::vector<Step> steps;
  const Worker& worker = state.workers.at(w);
  const auto add = [&](Action action, bool rejected, State after) {
    steps.push_back(Step{action, worker, rejected, std::move(after)});
  };
  if (worker.phase == Phase::idle && state.holder == 0 && state.issued < setup.leases) {
    add(Action::acquire, false, acquire(setup, state, w));
  }
  if (worker.phase == Phase::ready && checks_in_its_own_step(setup)) {
    const bool rejected = setup.check == Check::lease ? state.holder != worker.lease : is_stale(setup, state, worker);
    add(Action::check, rejected, rejected ? reject(state, w) : pass_check(state, w));
  }
  if (worker.phase == (checks_in_its_own_step(setup) ? Phase::checked : Phase::ready)) {
    const bool rejected = setup.check == Check::atomic && is_stale(setup, state, worker);
    add(Action::write, rejected, rejected ? reject(state, w) : accept(setup, state, w));
  }
  if (worker.phase == Phase::done) add(Action::release, false, release(setup, state, w));
  return steps;
}

void add_worker_steps(const Setup& setup, const State& state, std::size_t w, std::vector<Step>& steps) {
  const Worker& worker = state.workers.at(w);
  for (const Step& step : next_step(setup, state, w)) {
    steps.push_back(step);
    if (state.lost_replies_left > 0) {
      steps.push_back(step);
      steps.back().after = go_on_untold(step.after, w, worker);
      --steps.back().after.lost_replies_left;
    }
    if (step.action == Action::acquire) continue;  // a grant is never late
    const UnderWay copy{static_cast<int>(step.action), worker};
    if (state.duplicates_left > 0) {
      steps.push_back(step);
      steps.back().after.under_way.insert(copy);
      --steps.back().after.duplicates_left;
    }
    if (state.late_requests_left > 0) {
      State after = go_on_untold(state, w, worker);
      after.under_way.insert(copy);
      --after.late_requests_left;
      steps.push_back(Step{Action::give_up, worker, false, std::move(after)});
    }
  }
  if (state.crashes_left > 0 && worker != Worker{}) {
    State after = state;
    after.workers.at(w) = Worker{};
    --after.crashes_left;
    steps.push_back(Step{Action::crash, worker, false, std::move(after)});
  }
}

// Each request under way arrives as if its sender, as it was, took the step now; nobody is told.
void add_arrivals(const Setup& setup, const State& state, std::vector<Step>& steps) {
  const std::size_t ghost = state.workers.size();
  for (const UnderWay& request : state.under_way) {
    State before = state;
    before.under_way.erase(before.under_way.find(request));
    before.workers.push_back(request.sender);
    for (Step& step : next_step(setup, before, ghost)) {
      step.after.workers.pop_back();
      steps.push_back(std::move(step));
    }
  }
}

std::vector<Step> enabled_steps(const Setup& setup, const State& state) {
  std::vector<Step> steps;
  const auto add = [&](Action action, State after) {
    steps.push_back(Step{action, Worker{}, false, std::move(after)});
  };

  for (std::size_t w = 0; w < state.workers.size(); ++w) add_worker_steps(setup, state, w, steps);
  add_arrivals(setup, state, steps);
  if (state.lock_losses_left > 0 && (state.counter != 0 || state.holder != 0)) {
    State after = state;
    after.counter = after.holder = 0;
    --after.lock_losses_left;
    add(Action::lock_loss, std::move(after));
  }
  if (setup.expiry && state.holder != 0) add(Action::expire, expire(state));
  if (state.issuer_restores_left > 0 && state.saved_counter != state.counter) {
    add(Action::issuer_backup, issuer_backup(state));
    add(Action::issuer_restore, issuer_restore(state));
  }
  for (std::size_t s = 0; s < state.stores.size(); ++s) {
    const Store& store = state.stores.at(s);
    const bool differs = store.saved_max_token != store.max_token || store.saved_value != store.value;
    if (state.store_restores_left > 0 && differs) {
      add(Action::store_backup, store_backup(state, s));
      add(Action::store_restore, store_restore(state, s));
    }
  }
  return steps;
}

// ---- Properties: each judges one step, on the state before it -----------------------------------------------------

using Findings = std::array<bool, property_count>;

// A token is compared in the check step of `separate` and in the write step of `atomic`.
bool compares_a_token(const Setup& setup, const Step& step) {
  return (setup.check == Check::separate && step.action == Action::check) ||
         (setup.check == Check::atomic && step.action == Action::write);
}

Findings violations(const Setup& setup, const State& before, const Step& step) {
  const Worker& worker = step.worker;
  Findings found{};
  if (step.action == Action::write && !step.rejected) {
    found[no_stale_write] = worker.lease < before.stores.at(store_index(worker)).high;
    found[successor_fences_at_issue] = worker.lease != before.issued;
  }
  if (step.action == Action::release) {
    const bool cleared = before.holder != 0 && step.after.holder == 0;
    found[no_foreign_release] = cleared && before.holder != worker.lease;
  }
  if (compares_a_token(setup, step) && step.rejected) found[newest_never_rejected] = worker.lease == before.issued;
  if (step.action == Action::acquire) found[tokens_increase] = step.after.counter <= before.top_token;
  return found;
}

// What a property is about arose in this step, and went well. Where this never happens, a property that holds was
// never put to the test.
Findings handled_situations(const Setup& setup, const State& before, const Step& step) {
  const Worker& worker = step.worker;
  Findings found{};
  if (step.rejected) {  // by its token or by its lease, in the check or in the write
    found[no_stale_write] = worker.lease < before.stores.at(store_index(worker)).high;
    found[successor_fences_at_issue] = worker.lease < before.issued;
  }
  if (step.action == Action::release) {
    const bool foreign = before.holder != 0 && before.holder != worker.lease;
    found[no_foreign_release] = foreign && step.after.holder == before.holder;
  }
  if (compares_a_token(setup, step) && !step.rejected) found[newest_never_rejected] = worker.lease == before.issued;
  if (step.action == Action::acquire) {
    found[tokens_increase] = before.top_token > 0 && step.after.counter > before.top_token;
  }
  return found;
}

// ---- Search -------------------------------------------------------------------------------------------------------

struct Reachable {
  std::set<State> states;
  int depth = 0;
};

// Breadth-first by levels: level n holds the states whose shortest run has n actions. For every transition it calls
// on_step(length, before, step), where `length` counts the actions up to and including this step; it never decreases.
template <class OnStep>
Reachable search(const Setup& setup, OnStep on_step) {
  std::set<State> seen{initial(setup)};
  std::vector<const State*> level{&*seen.begin()};  // a std::set never moves its elements
  int depth = 0;
  while (true) {
    std::vector<const State*> next_level;
    for (const State* before : level) {
      for (const Step& step : enabled_steps(setup, *before)) {
        on_step(depth + 1, *before, step);
        const auto [place, is_new] = seen.insert(step.after);
        if (is_new) next_level.push_back(&*place);
      }
    }
    if (next_level.empty()) return {std::move(seen), depth};
    level = std::move(next_level);
    ++depth;
  }
}

void keep_first(Lengths& lengths, const Findings& found, int length) {
  for (std::size_t p = 0; p < property_count; ++p) {
    if (found[p] && !lengths[p]) lengths[p] = length;
  }
}

State with_sorted_workers(State state) {
  std::sort(state.workers.begin(), state.workers.end());
  return state;
}

std::string name(Phase phase) {
  constexpr std::array names = {"idle", "ready", "checked", "done"};
  return names.at(static_cast<std::size_t>(phase));
}

std::string text(const State& state) {
  const auto number = [](int n) { return std::to_string(n); };
  std::string out = "counter=" + number(state.counter) + " holder=" + number(state.holder);
  out += " saved=" + number(state.saved_counter) + " issued=" + number(state.issued);
  out += " top=" + number(state.top_token);
  int w = 0;
  for (const Worker& worker : state.workers) {
    out += " | w" + number(++w) + ": " + name(worker.phase);
    for (int field : {worker.at, worker.token, worker.lease}) out += " " + number(field);
  }
  int s = 0;
  for (const Store& store : state.stores) {
    out += " | s" + number(++s) + ":";
    for (int field : {store.max_token, store.value, store.saved_max_token, store.saved_value, store.high}) {
      out += " " + number(field);
    }
  }
  return out + " | ir=" + number(state.issuer_restores_left) + " sr=" + number(state.store_restores_left);
}

}  // namespace

Result explore(const Setup& setup) {
  Result result;
  const Reachable reachable = search(setup, [&](int length, const State& before, const Step& step) {
    ++result.transitions;
    keep_first(result.lengths, violations(setup, before, step), length);
    keep_first(result.situations, handled_situations(setup, before, step), length);
  });
  std::set<State> sorted;
  for (const State& state : reachable.states) sorted.insert(with_sorted_workers(state));
  result.states = reachable.states.size();
  result.depth = reachable.depth;
  result.states_up_to_symmetry = sorted.size();
  return result;
}

std::vector<std::string> all_states(const Setup& setup) {
  const Reachable reachable = search(setup, [](int, const State&, const Step&) {});
  std::vector<std::string> lines;
  lines.reserve(reachable.states.size());
  for (const State& state : reachable.states) lines.push_back(text(state));
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace fencecheck::reference
