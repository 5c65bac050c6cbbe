// The reference: the store compares the token and writes in one step. The other designs of the catalogue change as
// little of it as they can, so that a difference between two files is the difference between two designs.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FencedRow {
  static constexpr std::string_view name = "fenced-row";
  static constexpr std::string_view summary = "the store compares the token and writes, in one step: the reference";

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
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
