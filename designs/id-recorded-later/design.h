// The effect and the record of the request id are two transactions. Whoever asks again between them is taken for new.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IdRecordedLater {
  static constexpr std::string_view name = "id-recorded-later";
  static constexpr std::string_view summary = "the request id is recorded in a step after the effect";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "mails", "last id"};
      Token highest;
      Value value;
      Effect mails;
      RequestId id;
    };

    static constexpr auto apply = step("compare, look up and apply", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      if (!check("the id is new", row.id != r.id)) return Reply::accepted;
      row.value = r.value;
      row.mails.add();
      return Reply::next;
    });
    static constexpr auto record = step("record the id", [](Row& row, const Request& r) {
      row.id = r.id;
      return Reply::accepted;
    });
    static constexpr auto write = steps(apply, record);
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
