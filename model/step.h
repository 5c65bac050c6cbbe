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
//   Credentials&     what the worker sends as its own from now on: for one that adopts what it has read
//   const Reachability&  whether the lock service can be reached; a step that visits it and does not ask waits until
//                    it can
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
  accepted,  ///< this visit is over, and did what was asked: go on behind the last step of `steps(…)`. From a store
             ///< it means that the data is in; a visit that brings no data answers `next`
  granted,   ///< the lock service gave a lease: go on like `accepted`
  stale,     ///< turned away because of the token: go on with `finally(…)`, or start anew
  refused,   ///< turned away for another reason: go on like `stale`
  unknown,   ///< the caller does not learn what became of it: go on with `on_unknown(…)`, or like `stale`
  again,     ///< begin this visit anew
  wait,      ///< not possible now: nothing happens, and the worker stays where it is
};
constexpr std::size_t reply_count = static_cast<std::size_t>(Reply::wait) + 1;

/// What a worker sends with each visit.
struct Request {
  Token token;    ///< the token of its grant
  Unique handle;  ///< the handle of its grant
  Value value;    ///< its payload: fresh, so that storing it is seen
  Owner owner;    ///< the name that the worker gives itself
  RequestId id;   ///< the operation that it wants: the same for each attempt, unless the program says otherwise
  Fingerprint fingerprint;  ///< what that operation is about
};

/// What a worker sends as its own. A step that overwrites it adopts what is not the worker's.
struct Credentials {
  Token token;
};

/// Whether the lock service answers at all.
struct Reachability {
  bool reachable = true;
};

/// What a lock service hands out. The step stores `handle` with its record, and sets `token` if it has one to give. A
/// step that hands out the grant that is held already, since the same caller asks once more, sets `handle` and `token`
/// to that grant's.
struct Grant {
  Unique handle;        ///< given by the world: unlike every other grant's; or that of the grant handed out again
  Token token;          ///< set by the step
  bool shared = false;  ///< set by the step: other shared grants may stand beside it
};

/// The outcome of one named condition.
struct GuardOutcome {
  std::string_view name;
  bool passed = false;
};

/// Somebody who looks on while a step decides: notes its conditions, and may overrule one.
class GuardWatch {
 public:
  virtual ~GuardWatch() = default;
  virtual bool decide(std::string_view name, bool condition) = 0;
};

/// Names the conditions of a step, so that a run can be told with them: `if (!check("token not older", …)) …`.
class Guards {
 public:
  Guards() = default;
  explicit Guards(GuardWatch* watch) : watch_(watch) {}

  /// Gives back `condition`. `name` says what holds when it is true.
  bool operator()(std::string_view name, bool condition) {
    ++asked_;
    return watch_ == nullptr ? condition : watch_->decide(name, condition);
  }

  int asked() const { return asked_; }

 private:
  GuardWatch* watch_ = nullptr;
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

/// A step inside the worker itself: it visits no component.
template <class Action>
constexpr Visit<Action> locally(UnboundStep<Action> unbound) {
  return {unbound.name, unbound.action};
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

/// The part of a program that a worker goes on with after it was turned away; it passes it at the end in any case. A
/// worker that was not granted the lock starts anew instead: it has nothing to tidy away.
template <class... Items>
constexpr FinallyItem<Items...> finally(Items... items) {
  return {{items...}};
}

/// A visit after which the worker goes on with its program even when it was turned away.
template <class Item>
constexpr GoOnItem<Item> go_on_after(Item item) {
  return {item};
}

/// What a program says of a visit beside the visit itself.
struct Manner {
  int request = 0;               ///< which of its owner's operations it is for; 0: not said, the first
  bool new_id = false;           ///< sent under another id than the operation's own
  bool changed_payload = false;  ///< sent with another payload under the same id
  bool basis = false;            ///< what it reads is the basis of later changes to the same store
  bool retry = false;            ///< made anew when its reply was lost

  constexpr int operation() const { return request == 0 ? 1 : request; }

  constexpr Manner with(const Manner& other) const {
    return {other.request != 0 ? other.request : request, new_id || other.new_id,
            changed_payload || other.changed_payload, basis || other.basis, retry || other.retry};
  }
};
template <class Item>
struct MannerItem {
  Item item;
  Manner manner;
};
template <class Item, class... Recovery>
struct OnUnknownItem {
  Item item;
  std::tuple<Recovery...> recovery;
};

/// A visit for operation number N (1 or 2) of its owner, and so under that operation's request id. Visits are for the
/// first one unless a program says otherwise.
template <int N, class Item>
constexpr MannerItem<Item> request(Item item) {
  static_assert(N == 1 || N == 2, "fencecheck: an owner has the operations 1 and 2");
  return {item, {.request = N}};
}

/// A visit that makes up another request id for its operation, as a retry by mistake does.
template <class Item>
constexpr MannerItem<Item> under_new_id(Item item) {
  return {item, {.new_id = true}};
}

/// A visit that sends another payload, and so another fingerprint, under its operation's id.
template <class Item>
constexpr MannerItem<Item> with_changed_payload(Item item) {
  return {item, {.changed_payload = true}};
}

/// A visit whose reading of a store is what the program decides by when it changes that store later.
template <class Item>
constexpr MannerItem<Item> as_basis(Item item) {
  return {item, {.basis = true}};
}

/// A visit that is made anew, from its first step, as long as its reply is lost.
template <class Item>
constexpr MannerItem<Item> retry(Item item) {
  return {item, {.retry = true}};
}

/// A visit, and what the program does next where its reply was lost; then it goes on as if all was well.
template <class Item, class... Recovery>
constexpr OnUnknownItem<Item, Recovery...> on_unknown(Item item, Recovery... recovery) {
  return {item, {recovery...}};
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

/// A program that runs once in a world, beside all workers and without a lease of its own: a reaper, a collector of
/// garbage, somebody who repairs.
template <class... Items>
struct NamedProgram {
  std::string_view name;
  Program<Items...> program;
};
template <class... Items>
constexpr NamedProgram<Items...> named(std::string_view name, Program<Items...> items) {
  return {name, items};
}

/// The programs of a design that no worker runs: `static constexpr auto others = programs(named("reaper", …), …)`.
template <class... Named>
constexpr std::tuple<Named...> programs(Named... each) {
  return {each...};
}

/// A fault of the design's own.
template <class V>
struct DeclaredFault {
  Fault kind;
  V visit;
};

/// Evidence that is cleaned up at some time: `static constexpr auto faults = declared(cleanup(at(store<0>, step(…))))`.
template <class V>
constexpr DeclaredFault<V> cleanup(V visit) {
  return {Fault::cleanup, visit};
}

/// A node that forgets what it held.
template <class V>
constexpr DeclaredFault<V> node_loss(V visit) {
  return {Fault::node_loss, visit};
}

template <class... Each>
constexpr std::tuple<Each...> declared(Each... each) {
  return {each...};
}

// --- stores ----------------------------------------------------------------------------------------------------------

/// The stores of a design, numbered from 0. Each is a struct with a `struct Row` and its steps, and perhaps with what
/// the row holds at the beginning, `static constexpr Row begins()`; else its fields are all empty. A store of objects
/// each of which has one owner, so that a write there replaces nobody's, says `static constexpr bool an_object_each =
/// true`.
template <class... S>
struct stores {
  static constexpr int count = sizeof...(S);
  template <int I>
  using at = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<S...>>;
};

}  // namespace fencecheck
