// The row compares nothing. A worker renews its lease over and over, as long as it runs, and believes in it until
// somebody tells it that it is gone. Renewing changes how long it holds, not whether it is late.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct LongerLease {
  static constexpr std::string_view name = "longer-lease";
  static constexpr std::string_view summary =
      "a lease that is renewed any number of times, and a row that compares nothing";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  static constexpr Ticks lease_length{2};

  struct Memory {
    static constexpr std::string_view field_names[] = {"holding, for all it was told"};
    Flag holding;
  };
  static bool believes(const Memory& memory) { return memory.holding; }

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
      memory.holding = true;
      return Reply::granted;
    });
    static constexpr auto renew = step("renew", [](Record& lock, const Request& r, Memory& memory, Guards& check) {
      if (!memory.holding) return Reply::wait;
      memory.holding = check("the lock is the caller's own", lock.holder == r.handle);
      if (!memory.holding) return Reply::refused;
      lock.left = lease_length;
      return Reply::accepted;
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

    static constexpr auto write = step("write", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
      if (!check("nobody has said that the lease is gone", memory.holding)) return Reply::refused;
      row = {r.value};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
  static constexpr auto beside = program(at(issuer, Issuer::renew));
};

}  // namespace fencecheck::designs
