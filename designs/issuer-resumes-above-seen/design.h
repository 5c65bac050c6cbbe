// The row is fenced. The lock service comes back from a backup and asks the store for the highest token that it has
// seen. A token can be handed out and not yet seen.
#pragma once

#include <algorithm>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IssuerResumesAboveSeen {
  static constexpr std::string_view name = "issuer-resumes-above-seen";
  static constexpr std::string_view summary = "a restored lock service resumes above every token that a store has seen";

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

  static constexpr auto restore_issuer = together(
      "restore above what the store has seen",
      [](Record& lock, const Table::Row& row, const Backup& saved) {
        lock.counter = std::max(saved.counter, row.highest);
        lock.holder = Unique{};
        return Reply::accepted;
      },
      issuer, store<0>);

  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
