// A store of one's own: a table whose row carries the token of the last write.
#pragma once

#include <fencecheck/fencecheck.h>

struct MyStore {
  static constexpr std::string_view name = "my-store";
  static constexpr std::string_view summary = "a table row that compares the token in the same UPDATE";

  struct Table {
    static constexpr std::string_view name = "table";
    struct Row {
      static constexpr std::string_view field_names[] = {"token", "report"};
      fencecheck::Token token;
      fencecheck::Value report;
    };
    // UPDATE reports SET token = :token, report = :report WHERE token <= :token
    static constexpr auto write =
        fencecheck::step("conditional update", [](Row& row, const fencecheck::Request& r, fencecheck::Guards& check) {
          if (!check("the row's token is not newer", row.token <= r.token)) return fencecheck::Reply::stale;
          row = {r.token, r.value};
          return fencecheck::Reply::accepted;
        });
  };

  using Issuer = fencecheck::CountingIssuer;  // one lock with a lease; every grant carries the next number
  using Stores = fencecheck::stores<Table>;
  static constexpr auto worker =
      fencecheck::program(fencecheck::acquire, fencecheck::write<0>, fencecheck::finally(fencecheck::release));
};
