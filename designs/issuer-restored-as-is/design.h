// The row is fenced. The lock service comes back from a backup as it was saved: it counts again from there, and knows
// of nobody who holds the lock.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IssuerRestoredAsIs {
  static constexpr std::string_view name = "issuer-restored-as-is";
  static constexpr std::string_view summary = "a fenced row, and a lock service that counts on from its backup";

  static constexpr Bounds bounds{.workers = 3, .leases = 4, .issuer_restores = 1};

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
  using Backup = Issuer::Backup;
  using Stores = stores<Table>;

  static constexpr auto restore_as_saved = step("restore as saved", [](Record& lock, const Backup& saved) {
    lock.counter = saved.counter;
    lock.holder = Unique{};
    return Reply::accepted;
  });
  static constexpr auto restore_issuer = at(issuer, restore_as_saved);

  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
