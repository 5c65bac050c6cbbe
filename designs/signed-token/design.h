// The fenced row, and tokens that only the lock service can sign. A token without a signature is turned away before it
// is compared.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct SignedToken {
  static constexpr std::string_view name = "signed-token";
  static constexpr std::string_view summary = "the store takes only tokens that the lock service has signed";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      // The handle stands for the signature: a forger has none.
      if (!check("the token is signed by the lock service", r.handle.exists())) return Reply::refused;
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
