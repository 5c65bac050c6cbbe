// A worker counts the lease's time on its own clock and writes only while that clock says that it holds. It counts as
// much as the lock service does, so a clock that is a tick slow is enough.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct BeliefWithoutMargin {
  static constexpr std::string_view name = "belief-without-margin";
  static constexpr std::string_view summary =
      "a worker trusts its own clock for the end of its lease, to the last tick";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .clock_drifts = 1};

  static constexpr Ticks lease_length{3};
  static constexpr Ticks believed_length{3};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }

  struct Issuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "time left"};
      Token counter;
      Unique holder;
      Ticks left;
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr bool may_expire(const Record& lock) { return lock.left == Ticks{}; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }

    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.counter, Unique{}, Ticks{}};
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {lock.counter.next(), grant.handle, lease_length};
      grant.token = lock.counter;
      memory.left = believed_length;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      lock.left = Ticks{};
      return Reply::accepted;
    });
  };

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
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
