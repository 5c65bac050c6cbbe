// `>` where `>=` belongs: a token is good for one write. The worker writes twice under its lease, as anyone does who
// holds a lock for more than a single request.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RefuseEqualTokens {
  static constexpr std::string_view name = "refuse-equal-tokens";
  static constexpr std::string_view summary = "the store wants a token newer than the highest, not one as new";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is newer than the highest seen", r.token > row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, write<0>, finally(release));
};

}  // namespace fencecheck::designs
