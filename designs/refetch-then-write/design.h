// The row is fenced. Before it writes, a worker reads the lock's record again and sends the token that it finds there.
// The comparison is kept, and says nothing: an old owner sends the new owner's token.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RefetchThenWrite {
  static constexpr std::string_view name = "refetch-then-write";
  static constexpr std::string_view summary =
      "a worker fetches the current token before it writes, and sends it, whosever it is";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto fetch_token = step("fetch the current token", [](const Record& lock, Credentials& credentials) {
    credentials.token = lock.counter;
    return Reply::next;
  });

  static constexpr auto worker = program(acquire, at(issuer, fetch_token), write<0>, finally(release));
};

}  // namespace fencecheck::designs
