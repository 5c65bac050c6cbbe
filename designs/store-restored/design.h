// The fenced row, and a backup of the store from which it is restored: with the row its highest token goes back.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct StoreRestored {
  static constexpr std::string_view name = "store-restored";
  static constexpr std::string_view summary =
      "the fenced store is restored from a backup, and its highest token with it";

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
