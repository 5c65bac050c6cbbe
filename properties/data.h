// Data: what is read, what was acknowledged, what is left behind.
#pragma once

#include <algorithm>

#include <fencecheck/model/applies.h>
#include <fencecheck/model/property.h>
#include <fencecheck/model/seen.h>

namespace fencecheck {

namespace detail {
/// What a process read as the basis of its later changes, and whether somebody else has changed it since.
struct Basis {
  static constexpr std::string_view field_names[] = {"has a basis", "it was overtaken"};
  Flag read;
  Flag overtaken;
};

/// Notes what a visit means for everybody's basis. `changed`: the visit, or fault, changed what the property is about.
template <class Scene>
void follow_basis(const Happening& h, Scene& scene, bool changed) {
  auto* self = scene.self();
  if (changed) {
    scene.for_each_process([&](auto& process) {
      Basis& basis = scene.ledger_of(process).basis;
      if (&process != self && basis.read) basis.overtaken = true;
    });
  }
  if (self != nullptr && h.is_visit() && h.basis && !h.turned_away()) scene.ledger_of(*self).basis = {true, false};
}
}  // namespace detail

/// Who reads, computes and writes does not overwrite what he has not read.
struct NoLostUpdate {
  static constexpr PropertyInfo info{
      .name = "no-lost-update",
      .subject = Subject::accepted_write,
      .claim = "A write that was computed from what its worker read is never accepted over a write that came after.",
      .violation =
          "{component} accepted {worker}'s write under {grant}, which was computed from what it had read before "
          "another's write arrived: that one is lost.",
      .boundary =
          "nothing in the step that writes compares what was read. A token says whose write is newer, and not "
          "whether the row is still what the write was computed from: compare the version that was read as well, or "
          "let the read itself tell the store the newer token.",
      .source =
          "etcd-io/etcd#11457 (Jepsen): a read-modify-write under a lock loses elements; Berenson et al., A critique "
          "of ANSI SQL isolation levels (1995), P4",
      .needs = "a store whose rows hold a Value, and a visit that is a basis: as_basis(…)",
      .situation = "a write whose basis was overtaken comes to a store, and is turned away",
      .not_said = "anything of a write that was computed from nothing",
      .broken_by = "read-before-claim",
      .held_by = "claim-before-read"};

  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"has a basis", "it was overtaken"};
    detail::Basis basis;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>() && reads_a_basis<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    const bool wrote = h.is_visit() && h.wrote != 0;
    bool lost = false;
    bool overtaken = false;
    if (h.is_visit()) {
      detail::Basis& own = scene.ledger_of(*scene.self()).basis;
      overtaken = own.read && own.overtaken;
      lost = wrote && overtaken;
      if (wrote) own = {};
    }
    detail::follow_basis(h, scene, wrote);
    if (lost) return Judgement::violated;
    return overtaken && h.visited != 0 && h.turned_away() ? Judgement::handled : Judgement::nothing;
  }
};

/// What was decided from a snapshot is done only while the snapshot is still true.
struct SnapshotStillCurrent {
  static constexpr PropertyInfo info{
      .name = "snapshot-still-current",
      .subject = Subject::stale_decision,
      .claim = "A change that was decided from a snapshot is made only while nobody has changed what was read.",
      .violation = "{worker} changed {component} by a decision from a snapshot that was no longer current.",
      .source =
          "riverqueue/river#1302, oban-bg/oban#1496, quartz-scheduler/quartz#107: reapers and recoverers that read, "
          "and update by id later",
      .needs = "a visit that is a basis: as_basis(…)",
      .situation = "a decision from a snapshot that is no longer current comes to a store, and changes nothing",
      .not_said = "that the decision was right when it was made",
      .broken_by = "reaper-by-id",
      .held_by = "reaper-compares-snapshot"};

  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"has a snapshot", "it was overtaken"};
    detail::Basis basis;
  };

  template <class D>
  static constexpr bool applies() {
    return reads_a_basis<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    bool overtaken = false;
    if (h.is_visit() && !h.basis) {
      detail::Basis& own = scene.ledger_of(*scene.self()).basis;
      overtaken = own.read && own.overtaken && h.visited != 0;
      if (h.changed != 0) own = {};
    }
    detail::follow_basis(h, scene, h.changed != 0);
    if (!overtaken) return Judgement::nothing;
    if (h.changed != 0) return Judgement::violated;
    return h.visit_over ? Judgement::handled : Judgement::nothing;
  }
};

/// What a reader puts together is of one owner, at every moment.
struct ReaderNeverSeesAMix {
  static constexpr PropertyInfo info{
      .name = "reader-never-sees-a-mix",
      .subject = Subject::reader,
      .claim = "At no moment does a reader see parts of different owners.",
      .violation = "from here on a reader sees parts that different leases wrote.",
      .source =
          "apache/iceberg and delta-io: unique files and one pointer; M. Kleppmann (2016) speaks of one store only",
      .needs = "a reader: static Seen read(const Row&, …), of something other than a log",
      .situation = "a reader sees something complete that a lease wrote",
      .not_said = "that what it sees is the newest",
      .broken_by = "fixed-paths-fenced",
      .held_by = "pointer-to-versions"};

  template <class D>
  static constexpr bool applies() {
    return has_reader<D>() && !readers_see_all_writes<D>();
  }

  template <class Scene>
  static Judgement after(const Happening&, Scene& scene) {
    const Seen seen = scene.read();
    if (seen.is_mix()) return Judgement::violated;
    return seen.is_complete() ? Judgement::handled : Judgement::nothing;
  }
};

/// The same when everybody has stopped.
struct ReaderNeverSeesAMixAtRest {
  static constexpr PropertyInfo info{
      .name = "reader-never-sees-a-mix-at-rest",
      .subject = Subject::reader,
      .claim = "When nobody is in the middle of anything, a reader does not see parts of different owners.",
      .violation =
          "from here on a reader sees parts that different leases wrote, and nobody is there to complete them.",
      .source = "the weaker claim of fixed paths that are all fenced: torn while one is half way",
      .needs = "a reader: static Seen read(const Row&, …), of something other than a log",
      .situation = "everybody has stopped, and a reader sees something complete that a lease wrote",
      .not_said = "what a reader sees in between",
      .broken_by = "fixed-path-file",
      .held_by = "pointer-to-versions"};

  template <class D>
  static constexpr bool applies() {
    return ReaderNeverSeesAMix::applies<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    return scene.at_rest() ? ReaderNeverSeesAMix::after(h, scene) : Judgement::nothing;
  }
};

/// What a pointer leads to is there.
struct NoDanglingPointer {
  static constexpr PropertyInfo info{
      .name = "no-dangling-pointer",
      .subject = Subject::reader,
      .claim = "At no moment does a reader follow a published pointer to something that is not there.",
      .violation = "from here on a reader is led to something that is not there.",
      .source =
          "apache/iceberg#11866: the metadata file that is current was deleted by a committer who thought it failed",
      .needs = "a reader that follows a pointer: static constexpr bool follows_a_pointer = true",
      .situation = "a reader sees something complete that a lease wrote",
      .not_said = "that everything which nothing points to is removed in the end",
      .broken_by = "conflict-means-failure",
      .held_by = "ask-before-cleanup"};

  template <class D>
  static constexpr bool applies() {
    return has_reader<D>() && follows_a_pointer<D>();
  }

  template <class Scene>
  static Judgement after(const Happening&, Scene& scene) {
    const Seen seen = scene.read();
    if (seen.is_missing()) return Judgement::violated;
    return seen.is_complete() ? Judgement::handled : Judgement::nothing;
  }
};

/// What a store said yes to stays, unless a newer write replaces it.
struct AcknowledgedWriteSurvives {
  static constexpr PropertyInfo info{
      .name = "acknowledged-write-survives",
      .subject = Subject::reader,
      .claim = "A write that was acknowledged is what a reader sees, until another write is accepted.",
      .violation = "a write that had been acknowledged is no longer there.",
      .source =
          "slatedb/slatedb#352: a fence removed by garbage collection; Vanlightly, BookKeeper in TLA+: an entry "
          "acknowledged after the ledger was closed",
      .needs = "a reader: static Seen read(const Row&, …)",
      .situation = "an acknowledged write is there after something else happened",
      .not_said = "that a write which nobody was told of survives",
      .broken_by = "store-restored",
      .held_by = "fenced-row-tells"};

  struct Ledger {
    static constexpr std::string_view field_names[] = {"acknowledged, to 7", "acknowledged, from 8"};
    LeaseSet acknowledged;
  };

  template <class D>
  static constexpr bool applies() {
    return has_reader<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    LeaseSet& acknowledged = scene.ledger().acknowledged;
    const Seen seen = scene.read();
    // Of a log none may go, else the last one stays.
    constexpr bool all = readers_see_all_writes<typename Scene::Design>();
    const bool told = h.is_visit() && h.lease.exists() && h.told && h.reply == Reply::accepted;
    const bool now = told && seen.has(h.lease);
    if (!all && (now || (h.is_visit() && h.wrote != 0 && seen.has(h.lease)))) acknowledged = {};
    if (now) acknowledged.insert(h.lease);
    // A write may also be acknowledged into a part of a log that nobody will read.
    bool lost = all && told && h.wrote != 0 && !now;
    for (int lease = 1; lease <= max_leases; ++lease) {
      if (acknowledged.has(Lease(lease)) && !seen.has(Lease(lease))) {
        acknowledged.erase(Lease(lease));
        lost = true;
      }
    }
    if (lost) return Judgement::violated;
    return acknowledged.empty() || now ? Judgement::nothing : Judgement::handled;
  }
};

/// A visit of several steps is done whole or not at all.
struct NoHalfChange {
  static constexpr PropertyInfo info{
      .name = "no-half-change",
      .subject = Subject::other,
      .claim = "A visit that changes data in several steps is never given up between them.",
      .violation = "{worker} gave up after a part of its visit had changed data: half a change stays behind.",
      .boundary =
          "the visit changes data in more than one step, and nothing undoes the first where the next never comes. They "
          "belong into one transaction.",
      .source = "J. Gray, The transaction concept (1981): all or nothing",
      .needs = "a visit of several steps that write: steps(…)",
      .situation = "a worker gives up, or dies, in a visit that has changed nothing yet, or all",
      .not_said = "that others cannot see the half while the visit goes on",
      .broken_by = "two-rows-in-two-steps",
      .held_by = "two-rows-in-one-transaction"};

  struct ProcessLedger {
    static constexpr std::string_view field_names[] = {"half done"};
    Flag half;
  };

  template <class D>
  static constexpr bool applies() {
    return stores_a_value<D>();
  }

  template <class Scene>
  static Judgement after(const Happening& h, Scene& scene) {
    if (scene.self() == nullptr) return Judgement::nothing;
    Flag& half = scene.ledger_of(*scene.self()).half;
    const bool given_up = h.kind == ActionKind::crash || (h.visit_over && h.turned_away());
    if (given_up) {
      const bool broken = half;
      half = false;
      return broken ? Judgement::violated : Judgement::handled;
    }
    if (h.visit_over) {
      half = false;
    } else if (h.wrote != 0) {
      half = true;
    }
    return Judgement::nothing;
  }
};

/// Opt-in. What a reader sees is never an older owner's again.
struct ReaderNeverGoesBack {
  static constexpr PropertyInfo info{
      .name = "reader-never-goes-back",
      .subject = Subject::reader,
      .claim = "After a reader has seen what a newer lease wrote, none sees what an older one wrote in its place.",
      .violation = "from here on a reader sees what an older lease wrote, where a newer one's was before.",
      .source = "D. Terry et al., Session guarantees for weakly consistent replicated data (1994): monotonic reads",
      .needs = "a reader: static Seen read(const Row&, …)",
      .situation = "a reader sees what a lease wrote after another",
      .not_said = "that a reader ever sees the newest",
      .broken_by = "device-without-condition",
      .held_by = "device-follows-row"};

  struct Ledger {
    static constexpr std::string_view field_names[] = {"newest lease seen"};
    Lease newest;
  };

  template <class D>
  static constexpr bool applies() {
    return has_reader<D>();
  }

  template <class Scene>
  static Judgement after(const Happening&, Scene& scene) {
    const Seen seen = scene.read();
    Lease newest;
    for (int lease = 1; lease <= max_leases; ++lease) {
      if (seen.has(Lease(lease))) newest = Lease(lease);
    }
    Lease& before = scene.ledger().newest;
    if (newest < before) return Judgement::violated;
    const bool another = before.exists() && newest != before;
    before = newest;
    return another ? Judgement::handled : Judgement::nothing;
  }
};

/// What a design calls settled can be reached from everywhere: what is outside the store comes to agree with
/// what is inside.
struct SettlesInTheEnd {
  static constexpr PropertyInfo info{
      .name = "settles-in-the-end",
      .subject = Subject::liveness,
      .claim = "From every reachable state there is a way to one in which what the stores say agrees.",
      .violation = "from here on what the stores say can never agree again, whatever happens.",
      .source =
          "H. Garcia-Molina, K. Salem, Sagas (SIGMOD 1987): what cannot be in one transaction is completed or "
          "compensated",
      .needs = "what the design calls settled: static bool settled(const Row&, …)",
      .situation = "what the stores say agrees",
      .not_said = "that the way is taken: somebody may stand still for ever",
      .broken_by = "mail-after-commit",
      .held_by = "outbox-with-key"};

  template <class D>
  static constexpr bool applies() {
    return says_what_is_settled<D>();
  }

  template <class Scene>
  static Judgement after(const Happening&, Scene& scene) {
    return scene.settled() ? Judgement::handled : Judgement::nothing;
  }
};

}  // namespace fencecheck
