// A transfer: two rows that belong together, written in the transaction that compares the token.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TwoRowsInOneTransaction {
  static constexpr std::string_view name = "two-rows-in-one-transaction";
  static constexpr std::string_view summary =
      "one transaction compares the token and writes two rows that belong together";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };
  };
  using Row = Table::Row;

  using Issuer = CountingIssuer;
  using Stores = stores<Table, Table>;
  using OwnProperties = properties<NoHalfChange>;
  static Seen read(const Row& debit, const Row& credit) { return Seen().part(debit.value).part(credit.value); }

  static constexpr auto transfer = together(
      "compare and write both rows",
      [](Row& debit, Row& credit, const Request& r, Guards& check) {
        if (!check("the token is not older than the highest seen", r.token >= debit.highest)) return Reply::stale;
        debit = {r.token, r.value};
        credit = {r.token, r.value};
        return Reply::accepted;
      },
      store<0>, store<1>);
  static constexpr auto worker = program(acquire, transfer, finally(release));
};

}  // namespace fencecheck::designs
