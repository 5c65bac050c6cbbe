// A fenced row, and a release in two steps that is right: it reads the lock, compares the holder that it *read* with
// its own grant, and frees the lock if nothing has changed since.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FetchedHolderRelease {
  static constexpr std::string_view name = "fetched-holder-release";
  static constexpr std::string_view summary =
      "a release reads the lock, compares its holder with the own grant, and deletes what it read";

  static constexpr Bounds bounds{.workers = 3, .leases = 4};

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

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  struct Memory {
    static constexpr std::string_view field_names[] = {"holder read"};
    Unique holder;
  };

  static constexpr auto read_lock =
      step("read the lock", [](const Record& lock, const Request& r, Memory& memory, Guards& check) {
        if (!check("the holder that was read is the caller's own", lock.holder == r.handle)) return Reply::refused;
        memory.holder = lock.holder;
        return Reply::next;
      });
  static constexpr auto release_lock =
      step("release the lock that was read", [](Record& lock, const Memory& memory, Guards& check) {
        if (!check("the lock is still as it was read", lock.holder == memory.holder)) return Reply::refused;
        lock.holder = Unique{};
        return Reply::accepted;
      });

  static constexpr auto worker = program(acquire, write<0>, finally(at(issuer, steps(read_lock, release_lock))));
};

}  // namespace fencecheck::designs
