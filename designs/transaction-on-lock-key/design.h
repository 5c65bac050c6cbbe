// Read a set, add to it, write it back in a transaction that compares the lock's key: lock service and store are the
// same server, so the question "do I still hold the lock" and the write are one step.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TransactionOnLockKey {
  static constexpr std::string_view name = "transaction-on-lock-key";
  static constexpr std::string_view summary = "read, compute, write in a transaction that compares the lock's key";

  struct Set {
    static constexpr std::string_view name = "set";
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto read = step("read the set", [](const Row&) { return Reply::next; });
  };
  using Row = Set::Row;

  using Issuer = CountingIssuer;

  static constexpr auto write_back = together(
      "compare the lock's key and write the set back",
      [](const Issuer::Record& lock, Row& row, const Request& r, Guards& check) {
        if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
        row.value = r.value;
        return Reply::accepted;
      },
      issuer, store<0>);

  using Stores = stores<Set>;
  static constexpr auto worker = program(acquire, as_basis(at(store<0>, Set::read)), write_back, finally(release));
};

}  // namespace fencecheck::designs
