// A newer owner's request does not meet a condition of the domain, and the whole transaction is rolled back, with it
// the token that the store had just learnt.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct PreconditionRollsBack {
  static constexpr std::string_view name = "precondition-rolls-back";
  static constexpr std::string_view summary =
      "a request that fails for another reason than its token leaves no trace of its token";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "filled", "value"};
      Token highest;
      Flag filled;
      Value value;
    };

    static constexpr auto take_out = step("compare, and take out", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
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
