// The row is fenced. The lock service's backup holds who has the lock, too: after a restore an owner of long ago has it
// again, and the present one has not.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct HolderInBackup {
  static constexpr std::string_view name = "holder-in-backup";
  static constexpr std::string_view summary =
      "a restored lock service knows again who held the lock at the time of the backup";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .issuer_restores = 1};

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  struct Issuer : CountingIssuer {
    struct Backup {
      static constexpr std::string_view field_names[] = {"counter", "holder"};
      Token counter;
      Unique holder;
    };
    static constexpr Backup backup(const Record& lock) { return {lock.counter, lock.holder}; }

    static constexpr auto restore = step("restored from backup, holder and all", [](Record& lock, const Backup& saved) {
      lock = {saved.counter, saved.holder};
      return Reply::accepted;
    });
  };

  /// What is over is over.
  struct EndedLeaseStaysEnded {
    static constexpr PropertyInfo info{
        .name = "ended-lease-stays-ended",
        .claim = "A lease that has expired or was given back never holds the lock again.",
        .violation = "the lock is held again by a lease that had ended.",
        .situation = "a restore brings back a holder whose lease has not ended"};
    struct Ledger {
      static constexpr std::string_view field_names[] = {"ended, to 7", "ended, from 8"};
      LeaseSet ended;
    };
    template <class Scene>
    static Judgement after(const Happening& h, Scene& scene) {
      LeaseSet& ended = scene.ledger().ended;
      const bool ends = h.kind == ActionKind::expiry || (h.may_free && h.holder_before == h.lease);
      if (ends && h.holder_before.exists() && h.holder_after != h.holder_before) ended.insert(h.holder_before);
      if (h.kind != ActionKind::restore || !h.holder_after.exists()) return Judgement::nothing;
      return ended.has(h.holder_after) ? Judgement::violated : Judgement::handled;
    }
  };

  using Stores = stores<Table>;
  using OwnProperties = properties<OneHolderAtATime, EndedLeaseStaysEnded>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
