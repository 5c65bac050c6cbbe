// The row is fenced, and a release looks before it deletes: it compares what it *read* with its own handle. By the time
// of the delete the lock can be another's.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReadCompareDelete {
  static constexpr std::string_view name = "read-compare-delete";
  static constexpr std::string_view summary = "a release reads the lock, compares what it read, then deletes by name";

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
  static constexpr auto delete_lock =
      step("delete the lock", [](Record& lock, const Memory& memory, const Request& r, Guards& check) {
        if (!check("the lock was the caller's own when it was read", memory.holder == r.handle)) return Reply::refused;
        lock.holder = Unique{};
        return Reply::accepted;
      });

  static constexpr auto worker = program(acquire, write<0>, finally(at(issuer, steps(read_lock, delete_lock))));
};

}  // namespace fencecheck::designs
