// The row compares nothing. A worker keeps grant and deadline on disk, the deadline as a point on a clock that starts
// anew with the machine. After a restart that point is further ahead than it was.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DeadlineAfterReboot {
  static constexpr std::string_view name = "deadline-after-reboot";
  static constexpr std::string_view summary =
      "a deadline that was kept from before a restart, on a clock that started anew";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  enum class Deadline : std::uint8_t { kept, forgotten, last = forgotten };
  struct Switches {
    Deadline deadline = Deadline::kept;
  };
  static constexpr auto switches =
      std::tuple(choice("deadline", "what a worker does after a restart with the deadline on its disk",
                        &Switches::deadline, {"kept", "forgotten"}));

  static constexpr Ticks lease_length{2};

  struct Memory {  // all of it on disk
    static constexpr std::string_view field_names[] = {"time left on its own clock", "restarted"};
    Ticks left;
    Flag restarted;
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

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {grant.handle, lease_length};
      memory = {lease_length, false};
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
  static constexpr auto worker = program(acquire, write<0>, finally(release));

  /// Once in a lease the machine restarts, and the worker goes on with what it finds on its disk.
  static constexpr auto beside =
      program(locally(step("restarts, and its clock begins at zero", [](Memory& memory, const Switches& s) {
        if (memory.left == Ticks{} || memory.restarted) return Reply::wait;
        memory = {s.deadline == Deadline::kept ? lease_length : Ticks{}, true};
        return Reply::next;
      })));
};

}  // namespace fencecheck::designs
