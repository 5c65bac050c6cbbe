// Read, compute, write, each write compared with the highest token, and the read is a claim: it raises the highest
// token in the same step. From what the new owner has read on, no older write is let in.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ClaimBeforeRead {
  static constexpr std::string_view name = "claim-before-read";
  static constexpr std::string_view summary = "claim and read in one step, compute, compare and write";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto read =
        step("raise the highest token and read", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          row.highest = r.token;
          return Reply::next;
        });

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, as_basis(at(store<0>, Table::read)), write<0>, finally(release));
};

}  // namespace fencecheck::designs
