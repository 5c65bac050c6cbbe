// Token, request id and effect in one transaction, and the id is looked up first. An owner whose write was replaced
// long ago asks again, and is told that all went well.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct LookupBeforeCompare {
  static constexpr std::string_view name = "lookup-before-compare";
  static constexpr std::string_view summary = "the request id is looked up before the token is compared";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails", "id 1", "id 2"};
      Token highest;
      Value value;
      Effect mails;
      std::array<RequestId, 2> ids;

      bool knows(RequestId id) const { return ids[0] == id || ids[1] == id; }
      void remember(RequestId id) { (ids[0].exists() ? ids[1] : ids[0]) = id; }
    };

    static constexpr auto write =
        step("look up, compare, apply and record", [](Row& row, const Request& r, Guards& check) {
          if (!check("the id is new", !row.knows(r.id))) return Reply::accepted;
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          row.highest = r.token;
          row.value = r.value;
          row.mails.add();
          row.remember(r.id);
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker = program(acquire, retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
