// The store is fenced, and has one error for two things: the token is old, or the request took too long.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct StaleToldAsTimeout {
  static constexpr std::string_view name = "stale-told-as-timeout";
  static constexpr std::string_view summary = "a stale write is answered like one that timed out";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::unknown;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
