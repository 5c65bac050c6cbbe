// A newer owner's request does not meet a condition of the domain. The store raises its highest token all the same, and
// commits that.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct PreconditionRaisesFirst {
  static constexpr std::string_view name = "precondition-raises-first";
  static constexpr std::string_view summary =
      "a request that fails for another reason than its token raises the highest token";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "filled", "value"};
      Token highest;
      Flag filled;
      Value value;
    };

    static constexpr auto take_out = step("compare, and take out", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      if (!check("there is something to take out", row.filled)) return Reply::refused;
      row = {r.token, false, r.value};
      return Reply::accepted;
    });
    static constexpr auto put_in = step("compare, and put in", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, true, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<NewerRequestFencesOlder, HonestAnswers>;
  static constexpr auto worker = program(acquire, go_on_after(request<1>(at(store<0>, Table::take_out))),
                                         request<2>(at(store<0>, Table::put_in)), finally(release));
};

}  // namespace fencecheck::designs
