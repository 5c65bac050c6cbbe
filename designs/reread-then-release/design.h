// The row is fenced, and a release is conditional in one step, on the wrong thing: it compares the lock with what it
// *read a moment ago*, and never with its own handle.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RereadThenRelease {
  static constexpr std::string_view name = "reread-then-release";
  static constexpr std::string_view summary = "a release reads the lock again, and releases whatever it read";

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

  static constexpr auto read_lock = step("read the lock", [](const Record& lock, Memory& memory) {
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
