// A design without a mistake; each snippet beside it changes one thing.
#pragma once

#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>

namespace fencecheck::tests {

struct GoodTable {
  struct Row {
    Token highest;
    Value value;
  };
  static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
    if (!check("the token is not older", r.token >= row.highest)) return Reply::stale;
    row = {r.token, r.value};
    return Reply::accepted;
  });
};

struct Good {
  static constexpr std::string_view name = "good";
  using Issuer = CountingIssuer;
  using Stores = stores<GoodTable>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::tests
