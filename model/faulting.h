// What can happen in a world beside the steps of its programs, and when.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fencecheck/model/stepping.h>

namespace fencecheck::detail {

/// One action of a world, for the world itself.
struct ActionInfo {
  ActionKind kind = ActionKind::worker_step;
  std::size_t number = 0;  ///< of the step, the store, the declared fault, or the place under way
};

/// Whether a fault is one process's own, and so the move of an actor.
constexpr bool is_of_a_process(ActionKind kind) { return kind == ActionKind::crash || kind == ActionKind::drift; }

/// The faults of design D that no step of a program is part of.
template <class D, class Properties>
class Faulting {
 public:
  using Steps = Stepping<D, Properties>;
  using StateType = typename Steps::StateType;
  using ProcessType = typename Steps::ProcessType;

  explicit Faulting(const Steps& steps) : steps_(steps) {}

  /// Makes the fault happen to `state`, and judges what it did. `actor`: the process that it befalls, if it befalls
  /// one. False where it cannot happen; `state` is then spoilt.
  bool take(StateType& state, const ActionInfo& action, int actor, explorer::Targets& targets) const {
    Happening happening;
    happening.kind = action.kind;
    happening.holder_before = Steps::holder(state);
    ProcessType* self = nullptr;
    if constexpr (Steps::Judging::any_after()) {
      const StateType before = state;
      if (!happen(state, action, actor, self)) return false;
      happening.changed = Steps::changed_stores(before, state);
    } else {
      if (!happen(state, action, actor, self)) return false;
    }
    steps_.forget_field(state);
    happening.newest = state.newest;
    happening.holder_after = Steps::holder(state);
    happening.lease = self == nullptr ? Lease{} : self->lease;
    happening.forgot = action.kind == ActionKind::crash;
    if (happening.forgot) die(*self);
    targets = Steps::Judging::after(state, happening, self, bounds().workers);
    if (happening.forgot) self->ledgers = {};
    return true;
  }

  static constexpr auto restore_visit() {
    if constexpr (requires { D::restore_issuer; }) {
      return D::restore_issuer;
    } else {
      return at(issuer, D::Issuer::restore);
    }
  }

  /// Calls f(fault) for each fault that the design declares, with its number as a template parameter.
  template <class F>
  static constexpr void for_each_declared(F&& f) {
    if constexpr (requires { D::faults; }) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (f.template operator()<I>(std::get<I>(D::faults)), ...);
      }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(D::faults)>>>{});
    }
  }

 private:
  const Bounds& bounds() const { return steps_.bounds(); }

  static bool is_left(const StateType& state, Fault fault) { return state.left[static_cast<std::size_t>(fault)] != 0; }

  bool happen(StateType& state, const ActionInfo& action, int actor, ProcessType*& self) const {
    switch (action.kind) {
      case ActionKind::expiry: return expire(state);
      case ActionKind::backup:
      case ActionKind::restore:
        return action.number == 0 ? restore_issuer(state, action.kind) : restore_store(state, action);
      case ActionKind::tick: return tick(state);
      case ActionKind::drift: return drift(state, actor);
      case ActionKind::crash: return crash(state, actor, self);
      case ActionKind::lock_loss: return lose_lock(state);
      case ActionKind::outage: return begin_outage(state);
      case ActionKind::end_of_outage: return std::exchange(state.unreachable, std::uint8_t{0}) != 0;
      case ActionKind::catch_up: return catch_up(state);
      case ActionKind::declared: return declared(state, action.number);
      default: return false;
    }
  }

  bool expire(StateType& state) const {
    if (!bounds().expiry || !D::Issuer::holder(state.issuer).exists()) return false;
    if constexpr (requires { D::Issuer::may_expire(state.issuer); }) {
      if (!D::Issuer::may_expire(state.issuer)) return false;
    }
    D::Issuer::expire(state.issuer);
    return true;
  }

  // Neither makes sense while the backup is what the component holds anyway.
  bool restore_issuer(StateType& state, ActionKind kind) const {
    const typename D::Issuer::Backup current = D::Issuer::backup(state.issuer);
    if (!is_left(state, Fault::issuer_restore) || same_fields(current, state.issuer_backup)) return false;
    if (kind == ActionKind::backup) {
      state.issuer_backup = current;
      return true;
    }
    run(state, restore_visit());
    return Steps::spend(state, Fault::issuer_restore);
  }

  bool restore_store(StateType& state, const ActionInfo& action) const {
    bool taken = false;
    Steps::for_each_store([&]<std::size_t S>() {
      auto& row = get<S>(state.rows);
      auto& backup = get<S>(state.row_backups);
      if (S + 1 != action.number || !is_left(state, Fault::store_restore) || same_fields(row, backup)) return;
      taken = true;
      if (action.kind == ActionKind::backup) {
        backup = row;
        return;
      }
      row = backup;
      if (!explorer::mutated(explorer::Mutant::restore_keeps_budget)) Steps::spend(state, Fault::store_restore);
    });
    return taken;
  }

  // --- clocks --------------------------------------------------------------------------------------------------------

  /// Counts down what one clock measures. False where nothing runs on it.
  template <class Part>
  static bool count_down(Part& part) {
    bool counted = false;
    for_each_field(part, [&](auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Ticks>) {
        counted |= field != Ticks{};
        field.count_down();
      }
    });
    return counted;
  }

  bool tick(StateType& state) const {
    bool counted = count_down(state.issuer);
    Steps::for_each_store([&]<std::size_t S>() { counted |= count_down(get<S>(state.rows)); });
    for (ProcessType& process : state.processes) counted |= count_down(process.memory);
    return counted;
  }

  bool drift(StateType& state, int actor) const {
    if (!Steps::spend(state, Fault::clock_drift)) return false;
    if (actor < 0) return count_down(state.issuer);
    return count_down(state.processes[steps_.process_of(actor)].memory);
  }

  // --- what dies, what is lost ---------------------------------------------------------------------------------------

  bool crash(StateType& state, int actor, ProcessType*& self) const {
    ProcessType& process = state.processes[steps_.process_of(actor)];
    ProcessType dead = process;
    die(dead);
    if (same_fields(dead, process) || !Steps::spend(state, Fault::crash)) return false;
    self = &process;
    return true;
  }

  static void die(ProcessType& process) {
    typename Steps::Memory kept{};
    if constexpr (requires { D::after_crash(process.memory); }) kept = D::after_crash(process.memory);
    Steps::forget(process);
    process.memory = kept;
  }

  bool lose_lock(StateType& state) const {
    const typename D::Issuer::Record none{};
    if (same_fields(none, state.issuer)) return false;
    state.issuer = none;
    return Steps::spend(state, Fault::lock_loss);
  }

  bool begin_outage(StateType& state) const {
    if (state.unreachable != 0) return false;
    state.unreachable = 1;
    return Steps::spend(state, Fault::outage);
  }

  bool catch_up(StateType& state) const {
    if (!is_left(state, Fault::stale_read) || same_fields(state.replica, state.issuer)) return false;
    state.replica = state.issuer;
    return true;
  }

  bool declared(StateType& state, std::size_t number) const {
    const StateType before = state;
    bool taken = false;
    for_each_declared([&]<std::size_t I>(const auto& fault) {
      if (I != number || !is_left(state, fault.kind)) return;
      if (run(state, fault.visit) == Reply::wait || same_fields(before, state)) return;
      taken = Steps::spend(state, fault.kind);
    });
    return taken;
  }

  template <class V>
  Reply run(StateType& state, const V& visit) const {
    using Parameters = typename CallTraits<decltype(visit.action)>::Parameters;
    static_assert(
        !has_parameter<Request, Parameters> && !has_parameter<Grant, Parameters> &&
            !has_parameter<Credentials, Parameters> && !has_parameter<typename Steps::Memory, Parameters>,
        "fencecheck: a restore is nobody's visit, nor is another fault: it takes rows, records, const Backup& "
        "and const Switches&, no Request, Grant, Credentials or Memory");
    Call<D, StateType> call{state, steps_.switches(), nullptr};
    return invoke(visit, call);
  }

  const Steps& steps_;
};

}  // namespace fencecheck::detail
