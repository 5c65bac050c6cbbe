// Two requests of one owner under one token, sent in order. The first is given up at its sender, and arrives after the
// second.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OvertakenRequest {
  static constexpr std::string_view name = "overtaken-request";
  static constexpr std::string_view summary = "two requests of one owner can overtake each other";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto compare_and_write = [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    };
    static constexpr auto first = step("first request: compare and write", compare_and_write);
    static constexpr auto second = step("second request: compare and write", compare_and_write);
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, go_on_after(request<1>(at(store<0>, Table::first))),
                                         go_on_after(request<2>(at(store<0>, Table::second))), finally(release));
};

}  // namespace fencecheck::designs
