// The row compares nothing. A worker gives the lock back first and finishes its work after: nothing has to expire for
// it to be late.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReleaseBeforeDrained {
  static constexpr std::string_view name = "release-before-drained";
  static constexpr std::string_view summary = "the lock is given back before the work under it has ended";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .expiry = false};

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row = {r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, release, write<0>);
};

}  // namespace fencecheck::designs
