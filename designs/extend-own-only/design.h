// The row compares nothing. A worker reads, extends its lease, and writes while its own clock says that the lease
// holds. An extension is refused where the lock is not the worker's own any more.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ExtendOwnOnly {
  static constexpr std::string_view name = "extend-own-only";
  static constexpr std::string_view summary = "a lease is extended only where it is still the caller's own";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  static constexpr Ticks lease_length{1};

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

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {grant.handle, lease_length};
      memory.left = lease_length;
      return Reply::granted;
    });
    static constexpr auto extend = step("extend", [](Record& lock, const Request& r, Memory& memory, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock = {r.handle, lease_length};
      memory.left = lease_length;
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

    static constexpr auto read = step("read", [](const Row&) { return Reply::next; });
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
  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, Table::read)), at(issuer, Issuer::extend), write<0>, finally(release));
};

}  // namespace fencecheck::designs
