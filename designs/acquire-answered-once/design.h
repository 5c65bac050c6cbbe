// A lock service that does not know its own holder again. The answer to an acquire is lost; the caller asks once more,
// and waits for the lock that it holds.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AcquireAnsweredOnce {
  static constexpr std::string_view name = "acquire-answered-once";
  static constexpr std::string_view summary = "a repeated acquire waits for the lock that its caller holds";

  // A session with heartbeats: as long as its owner lives, the lease does not end.
  static constexpr Bounds bounds{.workers = 2, .leases = 3, .expiry = false, .lost_replies = 1};

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
  using OwnProperties = properties<LockBecomesFree, OneHolderAtATime>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
