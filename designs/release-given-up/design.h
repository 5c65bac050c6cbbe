// A release that finds no connection is given up. Its process goes on as if it had released, and the session, which
// lives on, keeps the lock.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReleaseGivenUp {
  static constexpr std::string_view name = "release-given-up";
  static constexpr std::string_view summary = "a release that finds no connection is forgotten, and the lock stays";

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
  using Stores = stores<Table>;
  using OwnProperties = properties<LockBecomesFree>;

  static constexpr auto release_or_forget =
      step("release", [](Issuer::Record& lock, const Request& r, const Reachability& network, Guards& check) {
        if (!check("the lock service can be reached", network.reachable)) return Reply::unknown;
        if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
        lock.holder = Unique{};
        return Reply::accepted;
      });

  static constexpr auto worker = program(acquire, write<0>, finally(at(issuer, release_or_forget)));
};

}  // namespace fencecheck::designs
