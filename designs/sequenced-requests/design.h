// Two requests of one owner under one token, each with a number. The store takes none that is numbered below one that
// it has seen under the same token.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct SequencedRequests {
  static constexpr std::string_view name = "sequenced-requests";
  static constexpr std::string_view summary =
      "requests of one owner are numbered, and the store takes none out of order";

  struct Memory {
    static constexpr std::string_view field_names[] = {"sequence number"};
    Count<2> sequence;
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "its sequence number", "value"};
      Token highest;
      Count<2> sequence;
      Value value;
    };

    static constexpr auto compare_and_write = [](Row& row, const Request& r, const Memory& sent, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      if (!check("the token is newer, or the number is higher",
                 r.token > row.highest || sent.sequence > row.sequence)) {
        return Reply::refused;
      }
      row = {r.token, sent.sequence, r.value};
      return Reply::accepted;
    };
    static constexpr auto first = step("first request: compare and write", compare_and_write);
    static constexpr auto second = step("second request: compare and write", compare_and_write);
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto number = locally(step("number the next request", [](Memory& memory) {
    memory.sequence.add();
    return Reply::next;
  }));

  static constexpr auto worker = program(acquire, number, go_on_after(request<1>(at(store<0>, Table::first))), number,
                                         go_on_after(request<2>(at(store<0>, Table::second))), finally(release));
};

}  // namespace fencecheck::designs
