// One lease carries two keys, each of which guards a row that compares nothing. Both keys are lost with the lease; the
// part of the worker that uses the second one is not told.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct SharedLease {
  static constexpr std::string_view name = "shared-lease";
  static constexpr std::string_view summary = "one lease carries two keys, and its owner gives up only the first";

  static constexpr Bounds bounds{.workers = 2, .leases = 2};

  enum class GivesUp : std::uint8_t { first, both, last = both };
  struct Switches {
    GivesUp gives_up = GivesUp::first;
  };
  static constexpr auto switches =
      std::tuple(choice("gives-up", "which key's work ends with the lease", &Switches::gives_up, {"first", "both"}));

  static constexpr Ticks lease_length{2};

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

    static constexpr auto acquire = step("acquire both keys", [](Record& lock, Grant& grant, Memory& memory) {
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

  template <int Key>
  struct Guarded {
    static constexpr std::string_view name = Key == 1 ? "row of the first key" : "row of the second key";
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write =
        step("write", [](Row& row, const Request& r, const Memory& memory, const Switches& s, Guards& check) {
          const bool looks = Key == 1 || s.gives_up == GivesUp::both;
          if (looks && !check("the lease holds by the worker's own clock", believes(memory))) return Reply::refused;
          row = {r.value};
          return Reply::accepted;
        });
  };

  using Stores = stores<Guarded<1>, Guarded<2>>;
  static constexpr auto worker = program(acquire, go_on_after(write<0>), go_on_after(write<1>), finally(release));
};

}  // namespace fencecheck::designs
