// Read a set, add to it, write it back, all while holding a lock whose lease can end: the store takes any write. The
// lock service and the store may well be the same server.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct SetUnderLock {
  static constexpr std::string_view name = "set-under-lock";
  static constexpr std::string_view summary = "read, compute, write under a lock; the store compares nothing";

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

  static constexpr auto write_back = step("write the set back", [](Row& row, const Request& r) {
    row.value = r.value;
    return Reply::accepted;
  });

  using Stores = stores<Set>;
  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, Set::read)), at(store<0>, write_back), finally(release));
};

}  // namespace fencecheck::designs
