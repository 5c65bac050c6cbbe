// One run of a world, taken step by step by the names of its actions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fencecheck/model/world.h>

namespace fencecheck::tests {

class Play {
 public:
  explicit Play(const World& world) : world_(world), state_(world.initial_states()) {}

  /// Worker `worker` (from 0) takes its next step, which must be `action`.
  StepTold step(int worker, std::string_view action) {
    StepTold told;
    if (!try_step(worker, action, told)) {
      throw std::logic_error("worker " + std::to_string(worker) + " cannot take '" + std::string(action) + "' but '" +
                             next_step(worker) + "'");
    }
    return told;
  }
  bool can(int worker, std::string_view action) const {
    StepTold told;
    return Play(*this).try_step(worker, action, told);
  }

  /// A fault of a component: 0 is the issuer, 1 + s is store s.
  StepTold fault(ActionKind kind, int component) {
    StepTold told;
    if (!try_fault(kind, component, told)) {
      throw std::logic_error("this fault cannot happen to component " + std::to_string(component));
    }
    return told;
  }
  bool can_fault(ActionKind kind, int component) const {
    StepTold told;
    return Play(*this).try_fault(kind, component, told);
  }

  /// A fault of one worker's, or another process's.
  StepTold fault_of(ActionKind kind, int actor) {
    StepTold told;
    if (!try_fault_of(kind, actor, told)) {
      throw std::logic_error("this fault cannot happen to process " + std::to_string(actor));
    }
    return told;
  }
  bool can_fault_of(ActionKind kind, int actor) const {
    StepTold told;
    return Play(*this).try_fault_of(kind, actor, told);
  }

  StateTold told() const { return world_.tell(state_.data()); }
  std::string next_step(int worker) const { return told().workers.at(static_cast<std::size_t>(worker)).next_step; }

  /// The numbers of the fields of a component, in order.
  std::vector<int> fields(std::size_t component) const { return numbers(told().components.at(component).fields); }
  std::vector<int> memory(std::size_t worker) const { return numbers(told().workers.at(worker).memory); }

  /// How many transitions lead out of this state.
  std::size_t successors() const {
    explorer::Successors out(world_.state_bytes(), world_.max_successors());
    world_.expand(state_.data(), 1, out);
    return out.size();
  }

  const std::vector<std::byte>& state() const { return state_; }

 private:
  static std::vector<int> numbers(const std::vector<FieldTold>& fields) {
    std::vector<int> result;
    for (const FieldTold& field : fields) result.push_back(field.number);
    return result;
  }

  // Several actions of a program may share a name; the worker's place says which one is meant.
  bool try_step(int worker, std::string_view action, StepTold& told) {
    const std::vector<StepText>& actions = world_.actions();
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const explorer::Move move{static_cast<std::int16_t>(worker), static_cast<std::uint16_t>(a)};
      if (actions[a].name == action && world_.take(state_.data(), move, told)) return true;
    }
    return false;
  }

  bool try_fault_of(ActionKind kind, int actor, StepTold& told) {
    const std::vector<StepText>& actions = world_.actions();
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const explorer::Move move{static_cast<std::int16_t>(actor), static_cast<std::uint16_t>(a)};
      if (actions[a].kind == kind && world_.take(state_.data(), move, told)) return true;
    }
    return false;
  }

  bool try_fault(ActionKind kind, int component, StepTold& told) {
    const std::vector<StepText>& actions = world_.actions();
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const explorer::Move move{explorer::Move::environment, static_cast<std::uint16_t>(a)};
      if (actions[a].kind == kind && !actions[a].components.empty() && actions[a].components.front() == component &&
          world_.take(state_.data(), move, told)) {
        return true;
      }
    }
    return false;
  }

  const World& world_;
  std::vector<std::byte> state_;
};

}  // namespace fencecheck::tests
