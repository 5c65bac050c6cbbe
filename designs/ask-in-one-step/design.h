// The data lives inside the lock service: one transaction compares the lock's record and writes. There is no gap
// between the question and the write, and no token is needed.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AskInOneStep {
  static constexpr std::string_view name = "ask-in-one-step";
  static constexpr std::string_view summary =
      "one transaction compares the lock's record and writes, inside the lock service";

  static constexpr Bounds bounds{.workers = 2, .leases = 4};

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };
  };
  using Row = Table::Row;

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto ask_and_write = together(
      "ask and write",
      [](const Record& lock, Row& row, const Request& r, Guards& check) {
        if (!check("the caller holds the lock", lock.holder == r.handle)) return Reply::refused;
        row = {r.value};
        return Reply::accepted;
      },
      issuer, store<0>);

  static constexpr auto worker = program(acquire, ask_and_write, finally(release));
};

}  // namespace fencecheck::designs
