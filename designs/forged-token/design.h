// The fenced row, and one request with a token that no lock service handed out, far above all others.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ForgedToken {
  static constexpr std::string_view name = "forged-token";
  static constexpr std::string_view summary = "a token that nobody handed out reaches the fenced row";

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
  static constexpr auto forger = program(write<0>);
};

}  // namespace fencecheck::designs
