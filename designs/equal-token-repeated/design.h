// The fenced row takes an equal token, as it must: an owner has more than one request. A request that comes twice has
// an equal token as well.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct EqualTokenRepeated {
  static constexpr std::string_view name = "equal-token-repeated";
  static constexpr std::string_view summary = "the fenced row takes a repeated request of the newest owner again";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails"};
      Token highest;
      Value value;
      Effect mails;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      row.value = r.value;
      row.mails.add();
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker = program(acquire, retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
