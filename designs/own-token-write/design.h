// The row is fenced. Before it writes, a worker reads the lock's record again and sends the token that it finds there,
// but only if the record is still its own.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OwnTokenWrite {
  static constexpr std::string_view name = "own-token-write";
  static constexpr std::string_view summary =
      "a worker fetches the current token before it writes, and stops if the lease is not its own any more";

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

  static constexpr auto fetch_token = step(
      "fetch the current token", [](const Record& lock, const Request& r, Credentials& credentials, Guards& check) {
        if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
        credentials.token = lock.counter;
        return Reply::next;
      });

  static constexpr auto worker = program(acquire, at(issuer, fetch_token), write<0>, finally(release));
};

}  // namespace fencecheck::designs
