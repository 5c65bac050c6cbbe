// One owner, one token, two requests: each reads, computes and writes. The first is still under way when the second
// reads.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReadModifyWrite {
  static constexpr std::string_view name = "read-modify-write";
  static constexpr std::string_view summary =
      "requests of one owner read, compute and write, and only their token is compared";

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto read = step("read", [](const Row&) { return Reply::next; });
    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;

  static constexpr auto read_row = as_basis(at(store<0>, Table::read));
  static constexpr auto worker = program(acquire, read_row, go_on_after(request<1>(write<0>)), read_row,
                                         go_on_after(request<2>(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
