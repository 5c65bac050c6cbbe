// A request id is taken for a fencing token: the store knows what it has seen, and everything else is new to it,
// however old its sender.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IdInsteadOfToken {
  static constexpr std::string_view name = "id-instead-of-token";
  static constexpr std::string_view summary = "the store looks at the request id, and not at the token";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value", "mails", "id 1", "id 2"};
      Value value;
      Effect mails;
      std::array<RequestId, 2> ids;

      bool knows(RequestId id) const { return ids[0] == id || ids[1] == id; }
      void remember(RequestId id) { (ids[0].exists() ? ids[1] : ids[0]) = id; }
    };

    static constexpr auto write = step("look up, apply and record", [](Row& row, const Request& r, Guards& check) {
      if (!check("the id is new", !row.knows(r.id))) return Reply::accepted;
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
