// The reference once more, judged by what it answers and by what a reader finds.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FencedRowTells {
  static constexpr std::string_view name = "fenced-row-tells";
  static constexpr std::string_view summary = "the fenced row: stale is told as stale, and what was acknowledged stays";

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
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static Seen read(const Table::Row& row) { return Seen().part(row.value); }
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
