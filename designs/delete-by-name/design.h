// The row is fenced, and a release deletes the lock by its name, whoever holds it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct DeleteByName {
  static constexpr std::string_view name = "delete-by-name";
  static constexpr std::string_view summary = "a release deletes the lock by its name, whoever holds it";

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

  static constexpr auto delete_lock = step("delete the lock by name", [](Record& lock) {
    lock.holder = Unique{};
    return Reply::accepted;
  });

  static constexpr auto worker = program(acquire, write<0>, finally(at(issuer, delete_lock)));
};

}  // namespace fencecheck::designs
