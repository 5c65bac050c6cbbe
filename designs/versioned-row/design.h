// One owner, one token, two requests: each reads, computes and writes, and a write takes effect only on the version
// that was read.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct VersionedRow {
  static constexpr std::string_view name = "versioned-row";
  static constexpr std::string_view summary = "the token is compared, and the version that was read";

  struct Memory {
    static constexpr std::string_view field_names[] = {"version"};
    Version version;
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "version", "value"};
      Token highest;
      Version version;
      Value value;
    };

    static constexpr auto read = step("read", [](const Row& row, Memory& memory) {
      memory = {row.version};
      return Reply::next;
    });
    static constexpr auto write = step(
        "compare, and write the next version", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          if (!check("the version is the one that was read", row.version == memory.version)) return Reply::refused;
          row = {r.token, row.version.next(), r.value};
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table>;

  static constexpr auto read_row = as_basis(at(store<0>, Table::read));
  static constexpr auto worker = program(acquire, read_row, go_on_after(request<1>(write<0>)), read_row,
                                         go_on_after(request<2>(write<0>)), finally(release));
};

}  // namespace fencecheck::designs
