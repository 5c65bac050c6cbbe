// What a property sees, and what it says.
//
// A property is a struct with an `info` and one or more of `at_issuer`, `at_store` and `after`: it judges a visit, or
// the state after anything that happened, by what really happened to the data, which the world observes, not by what
// the design's code says of itself. What it must remember it declares as a `Ledger` (one for the world), a
// `StoreLedger` (one for each store) or a `ProcessLedger` (one for each worker, other program and request under way),
// plain structs of field types; no design can read them, and they are part of the state only where the property is
// judged.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fencecheck/model/action.h>
#include <fencecheck/model/step.h>
#include <fencecheck/model/types.h>

namespace fencecheck {

/// What one visit says of a property.
enum class Judgement : std::uint8_t {
  nothing,   ///< the visit is not the property's business
  handled,   ///< the situation that the property is about arose, and was handled as claimed
  violated,  ///< the claim is broken by this very step
};

/// A worker's visit to one store, as it really happened.
struct StoreVisit {
  int store = 0;
  Lease lease;         ///< the lease under which the worker acts
  Lease newest;        ///< the newest lease granted so far
  Token token;         ///< the token that it sent
  bool wrote = false;  ///< the payload sent is now in the store's data
  Reply reply = Reply::next;
  bool compared = false;  ///< the step decided by at least one named condition
  bool replaces = true;   ///< a write replaces what others wrote; else each owner writes an object of its own there

  bool turned_away() const { return reply == Reply::stale || reply == Reply::refused; }
};

/// Anything that happened, a fault or a visit, as it really was. Components are numbered as everywhere: 0 is the
/// issuer, 1 + s is store s; sets of stores have bit s for store s.
struct Happening {
  ActionKind kind = ActionKind::worker_step;
  Lease lease;   ///< under which the process acts; after a grant the new one
  Lease newest;  ///< the newest lease granted so far
  Token token;   ///< that was sent
  RequestId id;
  Fingerprint fingerprint;
  int operation = 0;             ///< which operation of its lease's owner the visit was for, 1 or 2
  Lease operation_of;            ///< that lease; none where an operation is the same for all
  Reply reply = Reply::next;     ///< of the component
  bool told = true;              ///< the reply reached the caller
  bool changed_payload = false;  ///< another payload than the operation's own was sent
  bool basis = false;            ///< the visit reads what its program decides by
  bool visit_over = true;        ///< it was the last step of its visit
  bool forgot = false;           ///< the process starts anew: its program is over, or it crashed
  bool granted = false;
  bool again = false;     ///< of a grant: an earlier one, handed out once more
  bool shared = false;    ///< of a grant
  bool may_free = false;  ///< a step that may change the lock's record, and does not grant
  Lease holder_before;
  Lease holder_after;
  std::uint32_t visited = 0;  ///< stores
  std::uint32_t wrote = 0;    ///< stores into which the payload went
  std::uint32_t added = 0;    ///< stores in which an effect was added to
  std::uint32_t changed = 0;  ///< stores of which any field changed

  bool is_visit() const { return fencecheck::is_visit(kind); }
  bool changed_data() const { return wrote != 0 || added != 0; }

  /// Of those visited; there must be one.
  std::size_t first_store() const { return static_cast<std::size_t>(std::countr_zero(visited)); }
  bool turned_away() const { return reply == Reply::stale || reply == Reply::refused; }
};

/// A worker's visit to the lock service, as it really happened.
struct IssuerVisit {
  Lease lease;              ///< the lease under which the worker acts; none before it has one
  Lease newest;             ///< the newest lease before this step
  bool granted = false;     ///< a new grant; not an earlier one that is handed out again
  Token token;              ///< of the new grant
  bool may_change = false;  ///< the step may change the record: not a mere question, not a grant
  Lease holder_before;      ///< whose grant held the lock
  Lease holder_after;
  Reply reply = Reply::next;
};

/// What kind of step can break a property: decides how a counterexample's end is explained.
enum class Subject : std::uint8_t {
  accepted_write,
  freed_lock,
  turned_away,
  new_grant,
  repeated_effect,
  answer,
  stale_decision,
  reader,
  belief,
  own_token,
  order,  ///< of one owner's requests
  second_holder,
  liveness,  ///< not judged by a step, but by where the states that follow can lead
  other,
};

/// What a property is, in words; all but the name may be left out.
struct PropertyInfo {
  std::string_view name;  ///< as on the command line: lower case with hyphens
  Subject subject = Subject::other;
  std::string_view claim = {};  ///< one sentence
  /// Why the last step of a counterexample is bad, one sentence. `{worker}`, `{component}`, `{grant}`, `{token}`,
  /// `{holder}`, `{newest}`, `{newest-step}`, `{newer-write}`, `{newer-write-step}`, `{highest-token}`,
  /// `{effect-step}`,
  /// `{answer}` stand for what the run has; empty: the claim itself is given.
  std::string_view violation = {};
  /// Which boundary failed, where that is the same in every run; empty: it is found by looking at the run.
  std::string_view boundary = {};
  std::string_view source = {};     ///< where the idea is from
  std::string_view needs = {};      ///< what a design must have for the property to apply
  std::string_view situation = {};  ///< what must arise for a `holds` not to be vacuous
  std::string_view not_said = {};   ///< what it does not say
  std::string_view broken_by = {};  ///< a design of the catalogue that breaks it
  std::string_view held_by = {};    ///< and one that holds
  bool always_listed = false;       ///< in results where it does not apply, too
};

/// A list of properties, as a type.
template <class... P>
struct properties {
  static constexpr std::size_t count = sizeof...(P);
  static_assert(count <= 32, "fencecheck: a world judges at most 32 properties");
};

template <class A, class B>
struct joined_properties;
template <class... A, class... B>
struct joined_properties<properties<A...>, properties<B...>> {
  using type = properties<A..., B...>;
};

/// Bits of explorer::Targets: property i violated, and its situation handled.
constexpr int violated_target(std::size_t property) { return static_cast<int>(property); }
constexpr int handled_target(std::size_t property) { return static_cast<int>(property) + 32; }

}  // namespace fencecheck
