// The store is fenced, and says nothing of it: a write that changes no row is no error.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct StaleToldAsSuccess {
  static constexpr std::string_view name = "stale-told-as-success";
  static constexpr std::string_view summary = "a stale write is answered like one that was done";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::accepted;
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
