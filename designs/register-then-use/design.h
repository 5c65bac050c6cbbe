// The new owner tells the store of its token before it does anything else, one step after the token was granted.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RegisterThenUse {
  static constexpr std::string_view name = "register-then-use";
  static constexpr std::string_view summary = "the new owner registers its token at the store, a step after the grant";

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
    static constexpr auto claim = step("register the token", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, at(store<0>, Table::claim), write<0>, finally(release));
};

}  // namespace fencecheck::designs
