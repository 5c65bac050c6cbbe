// The store remembers the id of what it applied and not what that was. Another payload under the same id is answered
// with the first one's result.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IdWithoutFingerprint {
  static constexpr std::string_view name = "id-without-fingerprint";
  static constexpr std::string_view summary = "the store remembers a request id without what the request asked for";

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
  static constexpr auto worker =
      program(acquire, retry(write<0>), go_on_after(with_changed_payload(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
