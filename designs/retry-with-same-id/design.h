// A store that remembers the request it has applied, in the transaction that applies it. A worker whose reply was lost
// sends the same request again.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RetryWithSameId {
  static constexpr std::string_view name = "retry-with-same-id";
  static constexpr std::string_view summary = "token, request id and effect in one transaction; a retry keeps its id";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails", "last id", "its fingerprint"};
      Token highest;
      Value value;
      Effect mails;
      RequestId id;
      Fingerprint fingerprint;
    };

    static constexpr auto write =
        step("compare, look up, apply and record", [](Row& row, const Request& r, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          if (!check("the id is new", row.id != r.id)) {
            if (!check("the payload is the recorded one", row.fingerprint == r.fingerprint)) return Reply::refused;
            row.highest = r.token;
            return Reply::accepted;
          }
          row.highest = r.token;
          row.value = r.value;
          row.mails.add();
          row.id = r.id;
          row.fingerprint = r.fingerprint;
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker =
      program(acquire, retry(write<0>), go_on_after(with_changed_payload(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
