// The row compares nothing. A worker keeps its deadline on disk, as a point on a clock that starts anew with the
// machine. After a restart that point is in the future again.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DeadlineAfterReboot {
  static constexpr std::string_view name = "deadline-after-reboot";
  static constexpr std::string_view summary =
      "a deadline that was kept from before a restart, on a clock that started anew";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .crashes = 1};

  static constexpr Ticks lease_length{2};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }
  /// The deadline is read from disk, and the clock has begun at zero.
  static Memory after_crash(const Memory& memory) { return {believes(memory) ? lease_length : Ticks{}}; }

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"holder", "time left"};
      Unique holder;
      Ticks left;
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

    static constexpr auto acquire =
        step("acquire, unless a kept deadline is ahead", [](Record& lock, Grant& grant, Memory& memory, Guards& check) {
          if (check("a kept deadline is ahead by the own clock", believes(memory))) return Reply::accepted;
          if (lock.holder.exists()) return Reply::wait;
          lock = {grant.handle, lease_length};
          memory.left = lease_length;
          return Reply::granted;
        });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock = {};
      return Reply::accepted;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write =
        step("write while the own clock allows it", [](Row& row, const Request& r, Memory& memory, Guards& check) {
          if (!check("the lease holds by the worker's own clock", believes(memory))) return Reply::refused;
          row = {r.value};
          memory.left = Ticks{};  // the work is done, and the deadline removed from the disk
          return Reply::accepted;
        });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
