// The store is that of retry-with-same-id. The worker's library makes up a request id for each attempt, so the store
// has no way to know the second attempt for a second attempt.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RetryWithNewId {
  static constexpr std::string_view name = "retry-with-new-id";
  static constexpr std::string_view summary = "the store remembers request ids, and a retry comes under a new one";

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
          if (!check("the id is new", row.id != r.id)) {
            row.highest = r.token;
            return Reply::accepted;
          }
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
  static constexpr auto worker = program(acquire, on_unknown(write<0>, under_new_id(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
