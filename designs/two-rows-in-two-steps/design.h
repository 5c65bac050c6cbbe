// A transfer: two rows that belong together, both fenced, written one after the other.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TwoRowsInTwoSteps {
  static constexpr std::string_view name = "two-rows-in-two-steps";
  static constexpr std::string_view summary = "two rows that belong together are written in two steps";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write this row", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::next;
    });
  };
  using Row = Table::Row;

  using Issuer = CountingIssuer;
  using Stores = stores<Table, Table>;
  using OwnProperties = properties<NoHalfChange>;
  static Seen read(const Row& debit, const Row& credit) { return Seen().part(debit.value).part(credit.value); }

  static constexpr auto transfer = steps(at(store<0>, Table::write), at(store<1>, Table::write));
  static constexpr auto worker = program(acquire, transfer, finally(release));
};

}  // namespace fencecheck::designs
