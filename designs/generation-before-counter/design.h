// A generation stands in front of the counter, and it is raised, in places that no backup holds, whenever either side
// is restored. Row and requests are compared by both numbers. Raised on one side only it does not help.
#pragma once

#include <algorithm>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct GenerationBeforeCounter {
  static constexpr std::string_view name = "generation-before-counter";
  static constexpr std::string_view summary =
      "a generation in front of the counter, raised at lock service and store when either is restored";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .issuer_restores = 1, .node_losses = 1};

  enum class Raised : std::uint8_t { both, issuer, store, last = store };
  struct Switches {
    Raised raised = Raised::both;
  };
  static constexpr auto switches = std::tuple(choice("raised", "where a restore, of either side, raises the generation",
                                                     &Switches::raised, {"both", "issuer", "store"}));

  using Generation = Count<3>;
  /// What a worker sends beside its token.
  struct Memory {
    static constexpr std::string_view field_names[] = {"generation"};
    Generation generation;
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"generation", "highest", "value"};
      Generation generation;
      Token highest;
      Value value;
    };

    static constexpr auto write =
        step("compare and write", [](Row& row, const Request& r, const Memory& sent, Guards& check) {
          if (!check("the generation is not an older one", sent.generation >= row.generation)) return Reply::refused;
          if (!check("the token is not older than the highest seen in its generation",
                     sent.generation > row.generation || r.token >= row.highest)) {
            return Reply::stale;
          }
          row = {sent.generation, r.token, r.value};
          return Reply::accepted;
        });
  };

  struct Issuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"generation", "counter", "holder"};
      Generation generation;  // not in Backup
      Token counter;
      Unique holder;
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {lock.generation, lock.counter.next(), grant.handle};
      grant.token = lock.counter;
      memory.generation = lock.generation;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr void raise(Record& lock, Table::Row& row, const Switches& s) {
    Generation next = std::max(lock.generation, row.generation);
    next.add();
    if (s.raised != Raised::store) lock.generation = next;
    if (s.raised != Raised::issuer) row = {next, Token{}, row.value};
  }
  static constexpr auto restore_issuer = together(
      "lock service restored, generation raised",
      [](Record& lock, Table::Row& row, const Issuer::Backup& saved, const Switches& s) {
        lock.counter = saved.counter;
        lock.holder = Unique{};
        raise(lock, row, s);
        return Reply::accepted;
      },
      issuer, store<0>);
  static constexpr auto restore_store = together(
      "store restored from an empty backup, generation raised",
      [](Record& lock, Table::Row& row, const Switches& s) {
        row = {};
        raise(lock, row, s);
        return Reply::accepted;
      },
      issuer, store<0>);
  static constexpr auto faults = declared(node_loss(restore_store));

  /// Whoever is granted the lock after a restore can work.
  struct RestoreLetsNewOwnersIn {
    static constexpr PropertyInfo info{
        .name = "restore-lets-new-owners-in",
        .subject = Subject::turned_away,
        .claim = "The store never turns away the owner of the newest lease if it was granted after the last restore.",
        .violation =
            "{component} turned {worker} away, although {grant} is the newest and was granted after the restore.",
        .situation = "the newest owner, granted after a restore, writes"};
    struct Ledger {
      static constexpr std::string_view field_names[] = {"newest at the last restore"};
      Lease newest;
    };
    template <class Scene>
    static Judgement after(const Happening& h, Scene& scene) {
      Lease& at_restore = scene.ledger().newest;
      if (h.kind == ActionKind::restore || h.kind == ActionKind::declared) at_restore = h.newest;
      if (!h.is_visit() || h.visited == 0 || h.lease != h.newest || h.lease <= at_restore) return Judgement::nothing;
      if (h.turned_away()) return Judgement::violated;
      return at_restore.exists() ? Judgement::handled : Judgement::nothing;
    }
  };
  using OwnProperties = properties<RestoreLetsNewOwnersIn>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
