// The store refuses an equal token, and remembers request ids, so that a repeated request gets its answer. An owner's
// second operation is refused all the same.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RefuseEqualWithIds {
  static constexpr std::string_view name = "refuse-equal-with-ids";
  static constexpr std::string_view summary = "the store wants a newer token for each operation, and remembers ids";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails", "last id"};
      Token highest;
      Value value;
      Effect mails;
      RequestId id;
    };

    static constexpr auto write =
        step("compare, look up, apply and record", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          if (!check("the id is new", row.id != r.id)) return Reply::accepted;
          if (!check("the token is newer than the highest seen", r.token > row.highest)) return Reply::stale;
          row.highest = r.token;
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
