// The row compares nothing. The lock service grants a shorter lease than the worker asked for, or tells its end on a
// clock that is not the worker's; the worker counts what it likes to.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct BeliefLongerThanLease {
  static constexpr std::string_view name = "belief-longer-than-lease";
  static constexpr std::string_view summary =
      "a worker counts the lease that it asked for, not the one that it was granted";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  enum class Counts : std::uint8_t { asked, other_clock, granted, last = granted };
  struct Switches {
    Counts counts = Counts::asked;
  };
  static constexpr auto switches =
      std::tuple(choice("counts",
                        "what the worker takes for the length of its lease: what it asked for; a deadline on "
                        "another node's clock, which is two ticks behind its own; what was granted",
                        &Switches::counts, {"asked", "other-clock", "granted"}));

  static constexpr Ticks asked_length{6};
  static constexpr Ticks granted_length{3};
  static constexpr Ticks length_on_other_clock{5};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
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

    static constexpr auto acquire =
        step("ask for six ticks, be granted three", [](Record& lock, Grant& grant, Memory& memory, const Switches& s) {
          if (lock.holder.exists()) return Reply::wait;
          lock = {grant.handle, granted_length};
          memory.left = s.counts == Counts::asked         ? asked_length
                        : s.counts == Counts::other_clock ? length_on_other_clock
                                                          : granted_length;
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
};

}  // namespace fencecheck::designs
