// A commit to a table under the catalog's lock: read the table, ask whether the lock is still held, alter the table.
// The lock has a lease, the last step has no condition.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CommitUnderLock {
  static constexpr std::string_view name = "commit-under-lock";
  static constexpr std::string_view summary =
      "read, ask whether the lock still holds, alter the table without a condition";

  struct Catalog {
    static constexpr std::string_view name = "catalog";
    struct Row {
      static constexpr std::string_view field_names[] = {"metadata"};
      Value metadata;
    };
  };
  using Row = Catalog::Row;

  using Issuer = CountingIssuer;

  static constexpr auto read_table = step("read the table", [](const Row&) { return Reply::next; });
  static constexpr auto ask =
      step("ask the lock service", [](const Issuer::Record& lock, const Request& r, Guards& check) {
        return check("the caller still holds the lock", lock.holder == r.handle) ? Reply::next : Reply::refused;
      });
  static constexpr auto alter_table = step("alter the table", [](Row& row, const Request& r) {
    row.metadata = r.value;
    return Reply::accepted;
  });

  using Stores = stores<Catalog>;
  static constexpr auto worker = program(acquire, as_basis(at(store<0>, read_table)), at(issuer, ask),
                                         at(store<0>, alter_table), finally(release));
};

}  // namespace fencecheck::designs
