// The coordinator counts on from the epoch in its memory. Each start whose append to the log fails has used one up, and
// epochs are few.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AppendFailsEpoch {
  static constexpr std::string_view name = "append-fails-epoch";
  static constexpr std::string_view summary = "an epoch is used up by every start that fails";

  struct Issuer {
    static constexpr std::string_view name = "coordinator";
    static constexpr Token last_epoch = Token(3);  // stands for the 32767 of a 16-bit epoch

    struct Record {
      static constexpr std::string_view field_names[] = {"epoch in the log", "epoch in memory", "holder"};
      Token in_log;
      Token in_memory;
      Unique holder;
    };
    struct Backup {
      static constexpr std::string_view field_names[] = {"epoch in the log"};
      Token in_log;
      friend constexpr bool operator==(const Backup&, const Backup&) = default;
    };

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record& lock) { return {lock.in_log}; }

    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.in_log, saved.in_log, Unique{}};
      return Reply::accepted;
    });
    static constexpr auto append_fails =
        step("an owner's start raises the epoch, and the log takes no append", [](Record& lock) {
          if (lock.holder.exists() || lock.in_memory == last_epoch) return Reply::wait;
          lock.in_memory = lock.in_memory.next();
          return Reply::next;
        });
    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Guards& check) {
      if (lock.holder.exists()) return Reply::wait;
      if (!check("an epoch is left", lock.in_memory < last_epoch)) return Reply::refused;
      lock.in_memory = lock.in_memory.next();
      lock.in_log = lock.in_memory;
      lock.holder = grant.handle;
      grant.token = lock.in_log;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };

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

  using Stores = stores<Table>;
  using OwnProperties = properties<FreeLockIsGranted>;
  static constexpr auto faults = declared(node_loss(at(issuer, Issuer::append_fails)));
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
