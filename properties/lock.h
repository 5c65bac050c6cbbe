// The lock service and what workers believe of it.
#pragma once

#include <fencecheck/model/applies.h>
#include <fencecheck/model/lease_set.h>
#include <fencecheck/model/property.h>

namespace fencecheck {

/// Which leases were granted and have neither ended nor been given back.
struct OneHolderAtATime {
  static constexpr PropertyInfo info{
      .name = "one-holder-at-a-time",
      .subject = Subject::second_holder,
      .claim =
          "The lock service never has a second holder while a lease that it granted has neither ended nor been given "
          "back; shared holders exclude only others that are not.",
      .violation = "the lock has a second holder, although an earlier lease has neither ended nor been given back.",
      .source = "the mutual exclusion that Redlock claims (Redis documentation, Distributed locks with Redis)",
      .needs = "a lock service",
      .situation = "a lease is granted after another one has ended",
      .not_said = "that the old holder has stopped working: no lock service can promise that",
      .broken_by = "redlock-with-amnesia",
      .held_by = "redlock"};

  struct Ledger {
    static constexpr std::string_view field_names[] = {"alone, to 7", "alone, from 8", "shared, to 7",
                                                       "shared, from 8"};
    LeaseSet alone;
    LeaseSet shared;
  };

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    Ledger& ledger = scene.ledger();
    if (h.granted && h.again) {  // which is for nobody but the one who was granted it
      bool other = false;
      for (int w = 0; w < scene.workers(); ++w) {
        other |= &scene.worker(w) != scene.self() && scene.worker(w).lease == h.lease;
      }
      return other ? Judgement::violated : Judgement::nothing;
    }
    if (h.granted) {
      const bool second = !ledger.alone.empty() || (!h.shared && !ledger.shared.empty());
      (h.shared ? ledger.shared : ledger.alone).insert(h.lease);
      if (second) return Judgement::violated;
      return h.lease.number() > 1 ? Judgement::handled : Judgement::nothing;
    }
    // A shared holder gives its lease back while the lock's record may name another one as the holder.
    const bool by_holder =
        h.may_free && (h.holder_before == h.lease || (ledger.shared.has(h.lease) && !h.turned_away()));
    if (h.kind == ActionKind::expiry || by_holder) {
      const bool given_up = h.holder_before.exists() && h.holder_after != h.holder_before;
      const Lease ended = h.kind == ActionKind::expiry ? h.holder_before : h.lease;
      if (given_up || ledger.shared.has(ended)) {
        ledger.alone.erase(ended);
        ledger.shared.erase(ended);
      }
      return Judgement::nothing;
    }
    // A restore that brings a holder back whose lease had ended, beside another.
    const bool back = h.holder_after.exists() && h.holder_after != h.holder_before && !ledger.alone.has(h.holder_after);
    return back && !ledger.alone.empty() ? Judgement::violated : Judgement::nothing;
  }
};

/// While a worker believes that it holds, it does.
struct BeliefContainment {
  static constexpr PropertyInfo info{
      .name = "belief-containment",
      .subject = Subject::belief,
      .claim = "While a worker believes that its lease holds, the lock service says so too.",
      .violation = "from here on a worker believes that it holds, and the lock service does not.",
      .source =
          "C. Gray, D. Cheriton, Leases (SOSP 1989): the holder's term ends before the granter's; denoland/celld#132, "
          "redisson#3636: workers that are not told",
      .needs = "a belief: static bool believes(const Memory&)",
      .situation = "a lease ends at the lock service after its worker has stopped believing in it",
      .not_said = "that nothing sent before is still under way",
      .broken_by = "belief-without-margin",
      .held_by = "belief-with-margin"};

  template <class D>
  static constexpr bool applies() {
    return has_belief<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    bool wrong = false;
    for (int w = 0; w < scene.workers(); ++w) {
      const auto& worker = scene.worker(w);
      wrong |= worker.lease.exists() && Scene::Design::believes(worker.memory) && worker.lease != scene.holder();
    }
    if (wrong) return Judgement::violated;
    return h.kind == ActionKind::expiry ? Judgement::handled : Judgement::nothing;
  }
};

/// A worker sends the token that it was granted, and no other.
struct OwnTokenOnly {
  static constexpr PropertyInfo info{
      .name = "own-token-only",
      .subject = Subject::own_token,
      .claim = "A worker sends the token that was granted to it, never one that it read somewhere.",
      .violation = "{worker} sent token {token}, which was not granted to it.",
      .source =
          "Azure/azure-event-hubs-dotnet#115: a host that had lost its lease fetched the current one before each "
          "checkpoint, and so used the new owner's",
      .needs = "a step that overwrites what the worker sends: Credentials&",
      .situation = "a worker sends its own token after a newer one was granted",
      .not_said = "that a store looks at it",
      .broken_by = "refetch-then-write",
      .held_by = "own-token-write"};

  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"token granted"};
    Token granted;
  };

  template <class D>
  static constexpr bool applies() {
    return detail::any_entry<D>([](const auto& entry) { return detail::takes<Credentials>(entry.visit); });
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit()) return Judgement::nothing;
    ProcessLedger& ledger = scene.ledger_of(*scene.self());
    if (h.granted) {
      ledger.granted = scene.self()->token;
      return Judgement::nothing;
    }
    if (h.visited == 0 || !h.lease.exists()) return Judgement::nothing;
    if (h.token != ledger.granted) return Judgement::violated;
    return h.lease < h.newest ? Judgement::handled : Judgement::nothing;
  }
};

/// A shared holder writes nothing.
struct OnlyExclusiveWrites {
  static constexpr PropertyInfo info{
      .name = "only-exclusive-writes",
      .subject = Subject::accepted_write,
      .claim = "A store accepts no write under a lease that was granted as shared.",
      .violation = "{component} accepted {worker}'s write under {grant}, which is a shared lease.",
      .boundary = "a shared lease carries a token like any other: what is to be compared is its mode as well.",
      .source = "M. Burrows, The Chubby lock service (OSDI 2006): a sequencer names the lock's mode",
      .needs = "a lock service that grants shared leases",
      .situation = "a shared holder's write comes to a store, and is turned away",
      .not_said = "that an exclusive holder is alone: one-holder-at-a-time says that",
      .broken_by = "shared-holder-writes",
      .held_by = "sequencer-with-mode"};

  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"shared"};
    Flag shared;
  };

  template <class D>
  static constexpr bool applies() {
    return requires { D::Issuer::grants_shared; };
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (!h.is_visit()) return Judgement::nothing;
    Flag& shared = scene.ledger_of(*scene.self()).shared;
    if (h.granted) shared = h.shared;
    if (!shared || h.visited == 0) return Judgement::nothing;
    if (h.wrote != 0) return Judgement::violated;
    return h.turned_away() ? Judgement::handled : Judgement::nothing;
  }
};

/// Opt-in. Who asks for a free lock gets it.
struct FreeLockIsGranted {
  static constexpr PropertyInfo info{
      .name = "free-lock-is-granted",
      .claim = "The lock service never turns a worker away that asks for the lock while nobody holds it.",
      .violation = "the lock service turned {worker} away although nobody holds the lock.",
      .source = "apache/kafka#8239 (KAFKA-9666): no epoch is left, so no producer can start",
      .needs = "a lock service",
      .situation = "a worker asks for the lock while nobody holds it, and gets it",
      .not_said = "that a worker which waits is served in the end",
      .broken_by = "append-fails-epoch",
      .held_by = "append-fails-epoch-kept"};

  static Judgement at_issuer(const IssuerVisit& visit) {
    if (visit.granted && !visit.holder_before.exists()) return Judgement::handled;
    const bool turned_away = visit.reply == Reply::stale || visit.reply == Reply::refused;
    const bool asks = !visit.lease.exists() && !visit.may_change;
    return turned_away && asks && !visit.holder_before.exists() ? Judgement::violated : Judgement::nothing;
  }
};

/// From everywhere there is a way to a free lock.
struct LockBecomesFree {
  static constexpr PropertyInfo info{
      .name = "lock-becomes-free",
      .subject = Subject::liveness,
      .claim = "From every reachable state there is a way to one in which the lock is free.",
      .violation = "from here on the lock can never be free again, whatever happens.",
      .source = "C. Gray, D. Cheriton, Leases (SOSP 1989): a lease ends by itself when its holder dies",
      .needs = "a lock service",
      .situation = "the lock is free",
      .not_said = "that the way is taken: somebody may stand still for ever",
      .broken_by = "lock-without-lease",
      .held_by = "lock-with-lease"};

  template <class Scene>
  static Judgement after(const Happening&, Scene& scene) {
    return scene.holder().exists() ? Judgement::nothing : Judgement::handled;
  }
};

}  // namespace fencecheck
