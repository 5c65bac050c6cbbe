// The row compares nothing. A worker reads the clock, computes until when it will hold, and then writes that into the
// lock's record. It stands still in between.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct NowBeforePause {
  static constexpr std::string_view name = "now-before-pause";
  static constexpr std::string_view summary =
      "the end of a lease is computed from a time that was read before the lock is taken";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  static constexpr Ticks lease_length{1};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock", "computed end"};
    Ticks left;
    Ticks computed;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }

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

    static constexpr auto acquire = step("take the lock until then", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {grant.handle, memory.computed};
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

    static constexpr auto write = step("write while the own clock allows it",
                                       [](Row& row, const Request& r, const Memory& memory, Guards& check) {
                                         if (!check("the lease holds by the worker's own clock", believes(memory)))
                                           return Reply::refused;
                                         row = {r.value};
                                         return Reply::accepted;
                                       });
  };

  using Stores = stores<Table>;

  static constexpr auto read_clock = locally(step("read the clock and compute the end", [](Memory& memory) {
    memory.computed = lease_length;
    return Reply::next;
  }));
  static constexpr auto worker = program(read_clock, acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
