// A lock without a lease: what is held is held until its holder gives it back. The holder dies.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct LockWithoutLease {
  static constexpr std::string_view name = "lock-without-lease";
  static constexpr std::string_view summary = "a lock that never ends by itself, and a holder that may die";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .crashes = 1};

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
    static constexpr bool may_expire(const Record&) { return false; }
  };

  using Stores = stores<Table>;
  using OwnProperties = properties<LockBecomesFree, OneHolderAtATime>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
