// Requests with ids: what may happen to an operation that is sent more than once.
#pragma once

#include <algorithm>

#include <fencecheck/model/applies.h>
#include <fencecheck/model/lease_set.h>
#include <fencecheck/model/property.h>

namespace fencecheck {

/// Which operations of which leases something is true of. An owner has two.
struct OperationSet {
  static constexpr std::string_view field_names[] = {"first operations, leases to 7", "first operations, leases from 8",
                                                     "second operations, leases to 7",
                                                     "second operations, leases from 8"};
  LeaseSet first;
  LeaseSet second;

  bool has(const Happening& h) const { return (h.operation == 2 ? second : first).has(h.operation_of); }
  void insert(const Happening& h) { (h.operation == 2 ? second : first).insert(h.operation_of); }
};

/// One logical operation has at most one effect, however often it is sent.
struct OneRequestOneEffect {
  static constexpr PropertyInfo info{
      .name = "one-request-one-effect",
      .subject = Subject::repeated_effect,
      .claim = "One logical operation has at most one effect, however often it is sent and by whomever.",
      .violation = "{worker}'s step had an effect that its operation had had before, in step {effect-step}.",
      .source =
          "IETF draft on the Idempotency-Key header; marin-community/marin#8556 and akash-network/console#3449: a "
          "retry after a lost reply",
      .needs = "a store whose rows hold an Effect",
      .situation = "an operation whose effect has happened comes again, and has none",
      .not_said = "that the effect happens at all",
      .broken_by = "retry-with-new-id",
      .held_by = "retry-with-same-id"};

  struct Ledger {
    static constexpr std::string_view field_names[] = {"done 1a", "done 1b", "done 2a", "done 2b"};
    OperationSet done;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_an_effect<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit() || h.visited == 0) return Judgement::nothing;
    OperationSet& done = scene.ledger().done;
    const bool again = done.has(h);
    if (h.added == 0) {  // an answer, and no effect, from where the effect would be
      const bool answered = h.visit_over && h.reply != Reply::next && !h.basis;
      const bool there = (h.visited & stores_with_an_effect<typename Scene::Design>()) != 0;
      return again && answered && there ? Judgement::handled : Judgement::nothing;
    }
    done.insert(h);
    return again ? Judgement::violated : Judgement::nothing;
  }
};

/// The same id with another payload is refused, and changes nothing.
struct ChangedPayloadIsRefused {
  static constexpr PropertyInfo info{
      .name = "changed-payload-is-refused",
      .claim = "A request that carries the id of an operation and another payload is refused, and changes nothing.",
      .violation = "{component} did not refuse {worker}'s request, although it carries an id with another payload.",
      .source = "IETF draft on the Idempotency-Key header: a reused key with another fingerprint is an error",
      .needs = "a visit that sends a changed payload: with_changed_payload(…)",
      .situation = "a request with a used id and another payload comes, and is refused",
      .not_said = "anything of the first use of an id, whose payload nobody knows yet",
      .broken_by = "id-without-fingerprint",
      .held_by = "retry-with-same-id"};

  struct StoreLedger {
    static constexpr std::string_view field_names[] = {"applied 1a", "applied 1b", "applied 2a", "applied 2b"};
    OperationSet applied;
  };

  template <class D>
  static constexpr bool applies() {
    return detail::any_entry<D>([](const auto& entry) { return entry.manner.changed_payload; });
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit() || h.visited == 0 || !h.lease.exists()) return Judgement::nothing;
    OperationSet& applied = scene.store_ledger(h.first_store()).applied;
    const bool known = applied.has(h);
    if (h.changed_data()) applied.insert(h);
    if (!known || !h.changed_payload || !h.visit_over) return Judgement::nothing;
    return h.turned_away() && !h.changed_data() ? Judgement::handled : Judgement::violated;
  }
};

/// An owner's requests take effect in the order in which they were sent.
struct RequestsInOrder {
  static constexpr PropertyInfo info{
      .name = "requests-in-order",
      .subject = Subject::order,
      .claim = "A store never accepts an owner's earlier request after it has accepted a later one of the same owner.",
      .violation = "{component} accepted {worker}'s earlier request after the later one of the same owner.",
      .source = "Apache Kafka, KIP-98: a producer's sequence numbers; HDFS quorum journal: the IPC serial must grow",
      .needs = "a program with a second request of the same owner: request<2>(…)",
      .situation = "an owner's earlier request comes after the later one was accepted, and is turned away",
      .not_said = "anything of requests of different owners: those are what tokens are for",
      .broken_by = "overtaken-request",
      .held_by = "sequenced-requests"};

  struct StoreLedger {
    static constexpr std::string_view field_names[] = {"of lease", "the later one accepted"};
    Lease of;
    Flag later;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>() && detail::any_entry<D>([](const auto& entry) { return entry.manner.request == 2; });
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit() || h.visited == 0 || !h.lease.exists()) return Judgement::nothing;
    StoreLedger& ledger = scene.store_ledger(h.first_store());
    const bool overtaken = ledger.of == h.lease && ledger.later && h.operation == 1;
    if (h.wrote == 0) return overtaken && h.turned_away() ? Judgement::handled : Judgement::nothing;
    if (!overtaken) ledger = {h.lease, h.operation == 2};
    return overtaken ? Judgement::violated : Judgement::nothing;
  }
};

/// What a store answers is what it did.
struct HonestAnswers {
  static constexpr PropertyInfo info{
      .name = "honest-answers",
      .subject = Subject::answer,
      .claim =
          "A refusal changed nothing, an acceptance is in the data, stale is told as neither a time-out nor a success, "
          "and what was applied before is not told as somebody else's.",
      .violation = "{component} answered {worker} `{answer}`, and that is not what it did.",
      .source =
          "Apache Kafka, KAFKA-9911: one error meant both fenced and timed out; apache/iceberg#11866 and "
          "apache/arrow-rs-object-store#852: a conflict that was one's own success",
      .needs = "a store whose rows hold a Value or an Effect",
      .situation = "a request that is stale, or was applied before, is answered as what it is",
      .not_said = "that an answer arrives",
      .broken_by = "stale-told-as-timeout",
      .held_by = "fenced-row-tells"};

  struct StoreLedger {
    static constexpr std::string_view field_names[] = {
        "highest accepted lease", "last accepted lease", "applied 1a", "applied 1b", "applied 2a", "applied 2b"};
    Lease highest;
    Lease last;
    OperationSet applied;
  };
  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"changed data in this visit"};
    Flag changed;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>() || stores_an_effect<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit() || h.visited == 0) return Judgement::nothing;
    StoreLedger& ledger = scene.store_ledger(h.first_store());
    Flag& changed = scene.ledger_of(*scene.self()).changed;
    const bool older = h.lease.exists() && h.lease < ledger.highest;
    // Its result is still there; an operation of all leases may be asked for under a newer one than that which did it.
    const bool still_there = h.lease == ledger.last || (!h.operation_of.exists() && h.lease >= ledger.last);
    const bool repeated = ledger.applied.has(h) && still_there;
    if (h.changed_data()) {
      changed = true;
      ledger.highest = std::max(ledger.highest, h.lease);
      ledger.last = h.lease;
      ledger.applied.insert(h);
    }
    const bool did = changed;
    if (h.visit_over) changed = false;
    switch (h.reply) {
      case Reply::accepted: return did || repeated ? told(repeated) : Judgement::violated;
      case Reply::stale: return did ? Judgement::violated : told(older);
      case Reply::refused: return did || (repeated && !h.changed_payload) ? Judgement::violated : told(older);
      case Reply::unknown: return older || did ? Judgement::violated : Judgement::nothing;
      default: return Judgement::nothing;
    }
  }

 private:
  static Judgement told(bool situation) { return situation ? Judgement::handled : Judgement::nothing; }
};

}  // namespace fencecheck
