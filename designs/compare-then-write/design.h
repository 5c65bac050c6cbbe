// The right comparison one step too early: the highest token is read and compared, and the row is then updated without
// a condition.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CompareThenWrite {
  static constexpr std::string_view name = "compare-then-write";
  static constexpr std::string_view summary = "the store compares the token in one step and writes in the next";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto compare = step("compare", [](const Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      return Reply::next;
    });
    static constexpr auto write_row = step("write", [](Row& row, const Request& r) {
      row = {r.token, r.value};
      return Reply::accepted;
    });
    static constexpr auto write = steps(compare, write_row);
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
