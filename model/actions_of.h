// The actions of a world, in the order of their numbers: the steps of all programs, the faults, the other ways in which
// a step can be taken, the arrivals of requests under way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fencecheck/model/faulting.h>

namespace fencecheck::detail {

template <class D, class Properties>
class ActionsOf {
 public:
  using Steps = Stepping<D, Properties>;

  /// `stores`: how many are in use.
  ActionsOf(const Steps& steps, std::size_t stores) : steps_(steps), stores_(stores) {
    describe_steps(std::make_index_sequence<Steps::step_count>{});
    describe_faults();
    describe_variants();
  }

  const std::vector<StepText>& texts() const { return actions_; }
  const ActionInfo& info(std::size_t action) const { return infos_[action]; }

  /// The moves of all faults that no step of a program is part of.
  const std::vector<explorer::Move>& faults() const { return fault_moves_; }

  /// The other ways in which step number `step` can be taken.
  const std::vector<std::uint16_t>& variants(std::size_t step) const { return variants_[step]; }

  std::size_t arrival(std::size_t slot) const { return first_arrival_ + slot; }

 private:
  using Memory = typename Steps::Memory;

  template <std::size_t... I>
  void describe_steps(std::index_sequence<I...>) {
    (add_step<I>(), ...);
  }

  template <std::size_t I>
  void add_step() {
    constexpr const auto& entry = std::get<I>(Steps::program);
    StepText text;
    text.name = std::string(entry.visit.name);
    text.components = component_numbers(entry.visit);
    text.program = entry.program;
    text.program_name = program_name(entry.program);
    text.first_of_visit = entry.first_of_group;
    text.in_finally = entry.in_finally;
    text.go_on = entry.go_on;
    text.recovers = entry.recovers;
    text.in_recovery = entry.in_recovery;
    text.first_of_recovery = entry.first_of_recovery;
    text.manner = entry.manner;
    text.present = entry.conditions.hold(steps_.switches());
    text.may_change = changed_components(entry.visit);
    text.grants = grants(entry.visit);
    text.asks_issuer = asks_issuer(entry.visit);
    add(std::move(text), I);
  }

  template <class Action, class... C>
  static std::vector<int> changed_components(const Visit<Action, C...>& visit) {
    using Parameters = typename CallTraits<Action>::Parameters;
    const std::vector<int> all = component_numbers(visit);
    std::vector<int> changed;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((std::is_const_v<std::remove_reference_t<typename NthType<K, Parameters>::type>> ? void()
                                                                                        : changed.push_back(all[K])),
       ...);
    }(std::index_sequence_for<C...>{});
    return changed;
  }

  static std::string program_name(int program) {
    if (program == forger_program) return "forger";
    std::string name;
    if constexpr (other_count<D>() != 0) {
      int number = first_other;
      std::apply(
          [&](const auto&... other) { ((number++ == program ? void(name = std::string(other.name)) : void()), ...); },
          D::others);
    }
    return name;
  }

  template <class Action, class... C>
  static std::vector<int> component_numbers(const Visit<Action, C...>&) {
    const auto number = []<class One>(One) {
      if constexpr (std::is_same_v<One, TheIssuer>) {
        return 0;
      } else {
        return 1 + One::index;
      }
    };
    (void)number;
    return {number(C{})...};
  }

  void add(StepText text, std::size_t number) {
    infos_.push_back({text.kind, number});
    actions_.push_back(std::move(text));
  }

  // A fault that no process is the actor of unless `of_processes`.
  void add_fault(ActionKind kind, std::string_view name, std::vector<int> components, std::size_t number, bool present,
                 bool of_processes = false) {
    StepText text;
    text.kind = kind;
    text.name = std::string(name);
    text.components = std::move(components);
    text.present = present;
    const auto action = static_cast<std::uint16_t>(actions_.size());
    add(std::move(text), number);
    if (!present) return;
    if (!of_processes) {
      fault_moves_.push_back({explorer::Move::environment, action});
      return;
    }
    steps_.for_each_actor([&](std::size_t p, int actor) {
      if (Steps::program_of(p) != forger_program) {
        fault_moves_.push_back({static_cast<std::int16_t>(actor), action});
      }
    });
  }

  void describe_faults() {
    using Faults = Faulting<D, Properties>;
    const Bounds& b = steps_.bounds();
    add_fault(ActionKind::expiry, "lease expires", {0}, 0, b.expiry);
    add_fault(ActionKind::backup, "backup taken", {0}, 0, b.issuer_restores > 0);
    add_fault(ActionKind::restore, Faults::restore_visit().name, component_numbers(Faults::restore_visit()), 0,
              b.issuer_restores > 0);
    for (std::size_t s = 1; s <= stores_; ++s) {
      const int component = static_cast<int>(s);
      add_fault(ActionKind::backup, "backup taken", {component}, s, b.store_restores > 0);
      add_fault(ActionKind::restore, "restored from backup", {component}, s, b.store_restores > 0);
    }
    if (has_ticks()) add_fault(ActionKind::tick, "a tick passes", {0}, 0, true);
    if (b.clock_drifts > 0) {
      constexpr bool issuer_has_clock = has_field<Ticks, typename D::Issuer::Record>();
      constexpr bool workers_have_clock = has_field<Ticks, Memory>();
      if (issuer_has_clock) add_fault(ActionKind::drift, "only the clock of the lock service ticks", {0}, 0, true);
      if (workers_have_clock) add_fault(ActionKind::drift, "only this clock ticks", {}, 0, true, true);
    }
    if (b.crashes > 0) add_fault(ActionKind::crash, "dies, and starts anew", {}, 0, true, true);
    if (b.lock_losses > 0) add_fault(ActionKind::lock_loss, "the lock's record is deleted", {0}, 0, true);
    if (b.outages > 0) {
      add_fault(ActionKind::outage, "cannot be reached from here on", {0}, 0, true);
      add_fault(ActionKind::end_of_outage, "can be reached again", {0}, 0, true);
    }
    if (b.stale_reads > 0) add_fault(ActionKind::catch_up, "the replica catches up", {0}, 0, true);
    Faults::for_each_declared([&]<std::size_t I>(const auto& fault) {
      const int left = budget(b, fault.kind);
      if (left > 0) add_fault(ActionKind::declared, fault.visit.name, component_numbers(fault.visit), I, true);
    });
  }

  static constexpr bool has_ticks() {
    return has_field<Ticks, typename D::Issuer::Record>() || any_store_has<Ticks, typename D::Stores> ||
           has_field<Ticks, Memory>();
  }

  /// The other ways in which a step can be taken.
  void describe_variants() {
    variants_.resize(Steps::step_count);
    const auto add_variant = [&](ActionKind kind, std::size_t step, const char* how) {
      StepText text = actions_[step];
      text.kind = kind;
      text.name += how;
      variants_[step].push_back(static_cast<std::uint16_t>(actions_.size()));
      add(std::move(text), step);
    };
    for (std::size_t i = 0; i < Steps::step_count; ++i) {
      const StepText& text = actions_[i];
      if (!text.present || text.components.empty()) continue;
      const bool may_come_late = !text.grants;
      const bool question = text.asks_issuer;
      if (steps_.bounds().lost_replies > 0) add_variant(ActionKind::lost_reply, i, ", its reply lost");
      if (steps_.bounds().late_requests > 0 && may_come_late)
        add_variant(ActionKind::sent_late, i, ", given up and still under way");
      if (steps_.bounds().duplicates > 0 && may_come_late)
        add_variant(ActionKind::duplicate, i, ", a copy still under way");
      if (steps_.bounds().stale_reads > 0 && question)
        add_variant(ActionKind::stale_read, i, ", answered by a replica that lags");
    }
    first_arrival_ = actions_.size();
    for (int slot = 0; slot < steps_.places_under_way(); ++slot) {
      StepText text;
      text.kind = ActionKind::arrival;
      text.name = "a request that was under way arrives";
      text.components = {0};
      add(std::move(text), static_cast<std::size_t>(slot));
    }
  }

  const Steps& steps_;
  std::size_t stores_;
  std::vector<StepText> actions_;
  std::vector<ActionInfo> infos_;
  std::vector<explorer::Move> fault_moves_;
  std::vector<std::vector<std::uint16_t>> variants_;  // of each step
  std::size_t first_arrival_ = 0;
};

}  // namespace fencecheck::detail
