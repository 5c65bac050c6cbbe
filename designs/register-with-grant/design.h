// Granting a lease and raising the store's highest token are one transaction: there is no moment in which the new owner
// exists and the store does not know it.
#pragma once

#include <algorithm>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RegisterWithGrant {
  static constexpr std::string_view name = "register-with-grant";
  static constexpr std::string_view summary = "granting a lease registers its token at the store, in one transaction";

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
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto acquire_and_register = together(
      "acquire and register the token",
      [](Record& lock, Table::Row& row, Grant& grant) {
        const Reply reply = Issuer::acquire.action(lock, grant);
        if (reply == Reply::granted) row.highest = std::max(row.highest, grant.token);
        return reply;
      },
      issuer, store<0>);

  static constexpr auto worker = program(acquire_and_register, write<0>, finally(release));
};

}  // namespace fencecheck::designs
