// A fencing token is taken for a request id: an equal token means that this was done before. An owner has one token and
// many operations.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TokenAsRequestId {
  static constexpr std::string_view name = "token-as-request-id";
  static constexpr std::string_view summary = "an equal token is taken for a repeated request";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails"};
      Token highest;
      Value value;
      Effect mails;
    };

    static constexpr auto write = step("compare, apply and record", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      if (!check("the token is new", r.token > row.highest)) return Reply::accepted;
      row.highest = r.token;
      row.value = r.value;
      row.mails.add();
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
