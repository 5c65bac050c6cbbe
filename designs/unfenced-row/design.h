// A lease and nothing else: the store takes whatever arrives.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct UnfencedRow {
  static constexpr std::string_view name = "unfenced-row";
  static constexpr std::string_view summary = "the store takes every write: a lease and nothing else";

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
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
