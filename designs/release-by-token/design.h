// The row is fenced. A release compares the token's number with the counter, and takes an equal number for its own
// grant. After a restore of the lock service two grants have it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReleaseByToken {
  static constexpr std::string_view name = "release-by-token";
  static constexpr std::string_view summary = "a release compares the token and not the handle of its grant";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .issuer_restores = 1};

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

  struct Issuer : CountingIssuer {
    static constexpr auto release = step("release by token", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the caller's token is the last one granted", lock.counter == r.token)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
