// A lock without tokens, and workers that write only while their own clock says that the lease holds. The lock service
// restarts and has forgotten who holds: it grants nothing until every lease of before must have ended.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct GraceAfterRestart {
  static constexpr std::string_view name = "grace-after-restart";
  static constexpr std::string_view summary =
      "a lock service restarts without its lock table, and waits for a lease's length before it grants";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .node_losses = 1};

  static constexpr Ticks lease_length{2};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"holder", "time left", "forgotten"};
      Unique holder;
      Ticks left;
      Flag forgotten;  // somebody may hold, and the lock service does not know who
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr bool may_expire(const Record& lock) { return lock.left == Ticks{}; }
    static constexpr void expire(Record& lock) { lock = {}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock = {};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists() || (lock.forgotten && lock.left > Ticks{})) return Reply::wait;
      lock = {grant.handle, lease_length, false};
      memory.left = lease_length;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is known to be the caller's own", !lock.forgotten && lock.holder == r.handle)) {
        return Reply::refused;
      }
      lock = {};
      return Reply::accepted;
    });
  };
  using Record = Issuer::Record;

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write = step("write while the own clock allows it",
                                       [](Row& row, const Request& r, const Memory& memory, Guards& check) {
                                         if (!check("the lease holds by the worker's own clock", believes(memory)))
                                           return Reply::refused;
                                         row = {r.value};
                                         return Reply::accepted;
                                       });
  };

  using Stores = stores<Table>;
  using OwnProperties = properties<OneHolderAtATime>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));

  static constexpr auto restart = step("restarts without its lock table, and waits", [](Record& lock) {
    lock.left = lease_length;
    lock.forgotten = true;
    return Reply::accepted;
  });
  static constexpr auto faults = declared(node_loss(at(issuer, restart)));
};

}  // namespace fencecheck::designs
