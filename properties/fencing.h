// The five properties of fencing: what a lock service and the stores behind it must keep.
#pragma once

#include <algorithm>
#include <array>

#include <fencecheck/explorer/mutants.h>
#include <fencecheck/model/applies.h>
#include <fencecheck/model/property.h>

namespace fencecheck {

/// A store that took a write of a newer lease takes none of an older one.
struct NoStaleWrite {
  static constexpr PropertyInfo info{
      .name = "no-stale-write",
      .subject = Subject::accepted_write,
      .claim = "Once a store has accepted a write under a newer lease, it never accepts one under an older lease.",
      .violation =
          "{component} accepted {worker}'s write under {grant}, although it had accepted one under the "
          "newer {newer-write} in step {newer-write-step}.",
      .source =
          "M. Kleppmann, How to do distributed locking (2016); M. Burrows, The Chubby lock service (OSDI 2006), "
          "section 2.4 on sequencers",
      .needs = "a store whose rows hold a Value",
      .situation =
          "a request under a lease older than one whose write the store has accepted reaches the store, and "
          "is turned away",
      .not_said =
          "that an old owner's write is refused from the moment a newer lease is granted: until the newer "
          "owner has written, nothing newer is known to the store (successor-fences-at-issue asks for that); nor "
          "anything of a store in which each owner writes an object of its own (an_object_each)",
      .broken_by = "unfenced-row",
      .held_by = "fenced-row",
      .always_listed = true};

  struct StoreLedger {
    static constexpr std::string_view field_names[] = {"highest accepted lease"};
    Lease highest;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>();
  }

  static Judgement at_store(const StoreVisit& visit, StoreLedger& ledger) {
    const bool older = visit.replaces && visit.lease < ledger.highest;
    if (!visit.wrote) return older && visit.turned_away() ? Judgement::handled : Judgement::nothing;
    if (!explorer::mutated(explorer::Mutant::stale_ledger)) ledger.highest = std::max(ledger.highest, visit.lease);
    return older ? Judgement::violated : Judgement::nothing;
  }
};

/// Nobody ends a lease but the one he was granted.
struct NoForeignRelease {
  static constexpr PropertyInfo info{
      .name = "no-foreign-release",
      .subject = Subject::freed_lock,
      .claim = "A worker that releases frees the lock only while its own grant holds it.",
      .violation = "{worker} freed the lock while {holder} held it; its own grant is {grant}.",
      .source =
          "Redis documentation, Distributed locks with Redis: delete the key only if the value is still one's own",
      .needs = "a step that releases the lock",
      .situation = "a worker comes to release while somebody else's grant holds the lock, and the lock is left alone",
      .not_said = "that a lock which nobody holds becomes free to take in the end",
      .broken_by = "delete-by-name",
      .held_by = "fenced-row",
      .always_listed = true};

  template <class D>
  static constexpr bool applies() {
    return releases<D>();
  }

  static Judgement at_issuer(const IssuerVisit& visit) {
    if (!visit.may_change || !visit.holder_before.exists() || visit.holder_before == visit.lease) {
      return Judgement::nothing;
    }
    return visit.holder_after == visit.holder_before ? Judgement::handled : Judgement::violated;
  }
};

/// From the moment a newer lease is granted, no older one's write is accepted.
struct SuccessorFencesAtIssue {
  static constexpr PropertyInfo info{
      .name = "successor-fences-at-issue",
      .subject = Subject::accepted_write,
      .claim = "From the moment a newer lease is granted, no store accepts a write under an older one.",
      .violation =
          "{component} accepted {worker}'s write under {grant}, although the newer {newest} had been "
          "granted in step {newest-step}.",
      .source =
          "the gap between granting a token and its first arrival at the store: HDFS quorum journal epochs and "
          "BookKeeper ledger fencing close it by telling the stores first",
      .needs = "a store whose rows hold a Value",
      .situation = "a request under a lease that is no longer the newest reaches a store, and is turned away",
      .not_said =
          "that data is damaged: a store that compares tokens by itself may break this and still keep "
          "no-stale-write",
      .broken_by = "fenced-row",
      .held_by = "register-with-grant",
      .always_listed = true};

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>();
  }

  static Judgement at_store(const StoreVisit& visit) {
    if (visit.lease >= visit.newest) return Judgement::nothing;
    if (visit.wrote) return Judgement::violated;
    return visit.turned_away() ? Judgement::handled : Judgement::nothing;
  }
};

/// Fencing never turns away the one who is in the right.
struct NewestNeverRejected {
  static constexpr PropertyInfo info{
      .name = "newest-never-rejected",
      .subject = Subject::turned_away,
      .claim = "A store never answers `stale` to the owner of the newest lease.",
      .violation = "{component} turned {worker} away as stale, although its lease {grant} is the newest of all.",
      .source = "etcd-io/etcd#11788: a store that demands equality with the first version turns every later owner away",
      .needs = "a store whose rows hold a Value",
      .situation = "the owner of the newest lease reaches a store that compares, and is let through",
      .not_said = "that the newest owner makes progress: a store may refuse it for a reason that is not its token",
      .broken_by = "first-version-wins",
      .held_by = "fenced-row",
      .always_listed = true};

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>();
  }

  static Judgement at_store(const StoreVisit& visit) {
    if (!visit.lease.exists() || visit.lease != visit.newest) return Judgement::nothing;
    if (visit.reply == Reply::stale) return Judgement::violated;
    return visit.compared && !visit.turned_away() ? Judgement::handled : Judgement::nothing;
  }
};

/// Every grant's token is larger than all tokens before it.
struct TokensIncrease {
  static constexpr PropertyInfo info{
      .name = "tokens-increase",
      .subject = Subject::new_grant,
      .claim =
          "Every grant carries a token larger than every token handed out before it, over the issuer's whole life.",
      .violation =
          "{worker} was granted {grant} with token {token}, although token {highest-token} had been "
          "handed out before.",
      .source = "etcd-io/etcd#16028: a restored snapshot took the revisions back and handed them out again",
      .needs = "an issuer whose grants carry a Token",
      .situation = "a token is handed out after another one, and is larger",
      .not_said = "that any store compares the tokens",
      .broken_by = "issuer-restored-as-is",
      .held_by = "issuer-resumes-above-issued",
      .always_listed = true};

  struct Ledger {
    static constexpr std::string_view field_names[] = {"highest token issued"};
    Token highest;
  };

  template <class D>
  static constexpr bool applies() {
    return hands_out_tokens<D>();
  }

  static Judgement at_issuer(const IssuerVisit& visit, Ledger& ledger) {
    if (!visit.granted) return Judgement::nothing;
    const Token before = ledger.highest;
    ledger.highest = std::max(before, visit.token);
    if (visit.token <= before) return Judgement::violated;
    return before.exists() ? Judgement::handled : Judgement::nothing;
  }
};

/// Opt-in. What a store has heard of a newer owner, it keeps, whatever it answered him.
struct NewerRequestFencesOlder {
  static constexpr PropertyInfo info{
      .name = "newer-request-fences-older",
      .subject = Subject::other,
      .claim =
          "Once a store has answered a request under a newer lease, be it with a refusal, it never accepts a write "
          "under an older one.",
      .violation =
          "{component} accepted {worker}'s write under {grant}, although it had answered a request under a newer lease "
          "before.",
      .boundary =
          "a store that answers a newer owner, whatever the answer is, has to keep that owner's token in the same "
          "step; here nothing of it was kept, and the comparison in the last step could not know of it.",
      .source =
          "HDFS quorum journal: an epoch above the promised one is made durable before anything else is looked at",
      .needs = "a store whose rows hold a Value",
      .situation =
          "a request under a lease older than one whose request the store has answered reaches the store, and is "
          "turned away",
      .not_said = "anything of a newer owner from whom the store has not heard (successor-fences-at-issue does)",
      .broken_by = "precondition-rolls-back",
      .held_by = "precondition-raises-first"};

  struct StoreLedger {
    static constexpr std::string_view field_names[] = {"highest lease answered"};
    Lease highest;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>();
  }

  static Judgement at_store(const StoreVisit& visit, StoreLedger& ledger) {
    const bool older = visit.lease < ledger.highest;
    if (visit.wrote || visit.turned_away() || visit.reply == Reply::accepted) {
      ledger.highest = std::max(ledger.highest, visit.lease);
    }
    if (visit.wrote) return older ? Judgement::violated : Judgement::nothing;
    return older && visit.turned_away() ? Judgement::handled : Judgement::nothing;
  }
};

using FencingProperties =
    properties<NoStaleWrite, NoForeignRelease, SuccessorFencesAtIssue, NewestNeverRejected, TokensIncrease>;

}  // namespace fencecheck
