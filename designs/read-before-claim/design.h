// Read, compute, write, each write compared with the highest token. The new owner reads before the store has heard of
// it: the old owner's write is still let in between, and is then written over by what was computed without it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReadBeforeClaim {
  static constexpr std::string_view name = "read-before-claim";
  static constexpr std::string_view summary = "read, compute, compare and write: the read does not tell the token";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto read = step("read", [](const Row&) { return Reply::next; });

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, as_basis(at(store<0>, Table::read)), write<0>, finally(release));
};

}  // namespace fencecheck::designs
