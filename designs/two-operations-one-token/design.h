// One token, two operations, each with a request id: the token says how new the owner is, the id says which of its
// operations this is.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TwoOperationsOneToken {
  static constexpr std::string_view name = "two-operations-one-token";
  static constexpr std::string_view summary = "an owner has one token and a request id for each operation";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails", "last id"};
      Token highest;
      Value value;
      Effect mails;
      RequestId id;
    };

    static constexpr auto write = step("compare, apply and record", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      if (!check("the id is new", row.id != r.id)) return Reply::accepted;
      row.value = r.value;
      row.mails.add();
      row.id = r.id;
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker =
      program(acquire, request<1>(retry(write<0>)), request<2>(retry(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
