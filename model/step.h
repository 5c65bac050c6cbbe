// Steps and programs: how a design says what its components do and in what order a worker visits them.
//
// One lambda is one step: one atomic visit of a program to a component. Anything at all may happen between two steps.
//
//   step("compare and write", [](Row& row, const Request& r, Guards& check) { …; return Reply::accepted; })
//
// A step's parameters say what it touches. First come the rows or records of the components it visits, in order; after
// them, as many of these as it needs, in any order:
//
//   const Request&   what the worker sends: its token, its handle, the payload, its name
//   Guards&          names the conditions that the step decides by
//   Grant&           what a lock service hands out (only in a step that grants)
//   Memory&          the worker's local memory, where the design declares a `struct Memory`
//   const Switches&  the design's own switches, where it declares a `struct Switches`
//
// A record taken by const reference is a question; by plain reference, something that may be changed.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <fencecheck/model/types.h>

namespace fencecheck {

/// What a step answers, and with it where the worker goes on.
enum class Reply : std::uint8_t {
  next,      ///< go on with the next step
  accepted,  ///< this visit is over, and did what was asked: go on behind the last step of `steps(…)`
  granted,   ///< the lock service gave a lease: go on like `accepted`
  stale,     ///< turned away because of the token: go on with `finally(…)`, or start anew
  refused,   ///< turned away for another reason: go on like `stale`
  wait,      ///< not possible now: nothing happens, and the worker stays where it is
};

/// What a worker sends with each visit.
struct Request {
  Token token;    ///< the token of its grant
  Unique handle;  ///< the handle of its grant
  Value value;    ///< its payload: fresh, so that storing it is seen
  Owner owner;    ///< the name that the worker gives itself
};

/// What a lock service hands out. The step stores `handle` with its record, and sets `token` if it has one to give.
struct Grant {
  Unique handle;  ///< given by the world: unlike every other grant's
  Token token;    ///< set by the step
};

/// The outcome of one named condition.
struct GuardOutcome {
  std::string_view name;
  bool passed = false;
};

/// Names the conditions of a step, so that a run can be told with them: `if (!check("token not older", …)) …`.
class Guards {
 public:
  Guards() = default;
  explicit Guards(std::vector<GuardOutcome>* log) : log_(log) {}

  /// Gives back `condition`. `name` says what holds when it is true.
  bool operator()(std::string_view name, bool condition) {
    ++asked_;
    if (log_ != nullptr) log_->push_back({name, condition});
    return condition;
  }

  int asked() const { return asked_; }

 private:
  std::vector<GuardOutcome>* log_ = nullptr;
  int asked_ = 0;
};

// --- components ------------------------------------------------------------------------------------------------------

/// The lock service, as a component that a step visits.
struct TheIssuer {};
/// Store number S (from 0) of the design.
template <int S>
struct TheStore {
  static constexpr int index = S;
};
inline constexpr TheIssuer issuer{};
template <int S>
inline constexpr TheStore<S> store{};

// --- steps -----------------------------------------------------------------------------------------------------------

/// A step that is not yet bound to a component.
template <class Action>
struct UnboundStep {
  std::string_view name;
  Action action;
};

/// A step and the components that it visits, all in the same atomic instant.
template <class Action, class... Components>
struct Visit {
  std::string_view name;
  Action action;
};

/// Steps that are one visit in several steps: `accepted` leaves all of them, `next` goes on with the next.
template <class... Steps>
struct StepGroup {
  std::tuple<Steps...> steps;
};

/// One step, named for traces and coverage. `action` is a lambda without captures.
template <class Action>
constexpr UnboundStep<Action> step(std::string_view name, Action action) {
  static_assert(std::is_empty_v<Action>,
                "fencecheck: a step is a lambda without captures; what it needs to remember "
                "belongs in a row, in the record, or in the worker's Memory");
  return {name, action};
}

/// Several steps of one visit; anything may happen between them.
template <class... Steps>
constexpr StepGroup<Steps...> steps(Steps... parts) {
  return {{parts...}};
}

/// One step that visits several components at once: `together(name, action, issuer, store<0>)`. It claims that the real
/// system has one transaction over all of them, and `fencecheck show` prints the claim.
template <class Action, class... Components>
constexpr Visit<Action, Components...> together(std::string_view name, Action action, Components...) {
  static_assert(sizeof...(Components) >= 2,
                "fencecheck: together(…) names the components that one step visits; "
                "for a single one use at(component, step)");
  return {name, action};
}

/// Binds a step, or each of several, to a component: `at(issuer, step)`, `at(store<1>, step)`.
template <class Component, class Action>
constexpr Visit<Action, Component> at(Component, UnboundStep<Action> unbound) {
  return {unbound.name, unbound.action};
}
template <class Component, class... Steps>
constexpr auto at(Component component, StepGroup<Steps...> group) {
  return std::apply([&](auto... each) { return steps(at(component, each)...); }, group.steps);
}

// --- programs --------------------------------------------------------------------------------------------------------

/// The issuer's own `acquire` and `release`, and store S's own `write`.
struct AcquireItem {};
struct ReleaseItem {};
template <int S>
struct WriteItem {};
inline constexpr AcquireItem acquire{};
inline constexpr ReleaseItem release{};
template <int S = 0>
inline constexpr WriteItem<S> write{};

template <class... Items>
struct FinallyItem {
  std::tuple<Items...> items;
};
template <class Item>
struct GoOnItem {
  Item item;
};
template <class Predicate, class... Items>
struct WhenItem {
  Predicate predicate;
  std::tuple<Items...> items;
};
template <class... Items>
struct SequenceItem {
  std::tuple<Items...> items;
};
template <class... Items>
struct Program {
  std::tuple<Items...> items;
};

/// What a worker does, over and over: its items in order, then it forgets its grant and its memory and starts anew.
template <class... Items>
constexpr Program<Items...> program(Items... items) {
  return {{items...}};
}

/// The part of a program that a worker goes on with after it was turned away; it passes it at the end in any case.
template <class... Items>
constexpr FinallyItem<Items...> finally(Items... items) {
  return {{items...}};
}

/// A visit after which the worker goes on with its program even when it was turned away.
template <class Item>
constexpr GoOnItem<Item> go_on_after(Item item) {
  return {item};
}

/// Items that a program has only where `predicate(switches)` is true.
template <class Predicate, class... Items>
constexpr WhenItem<Predicate, Items...> when(Predicate predicate, Items... items) {
  return {predicate, {items...}};
}

/// Items one after another, as if each stood in the program itself.
template <class... Items>
constexpr SequenceItem<Items...> in_order(Items... items) {
  return {{items...}};
}

// --- stores ----------------------------------------------------------------------------------------------------------

/// The stores of a design, numbered from 0. Each is a struct with a `struct Row` and its steps.
template <class... S>
struct stores {
  static constexpr int count = sizeof...(S);
  template <int I>
  using at = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<S...>>;
};

}  // namespace fencecheck
