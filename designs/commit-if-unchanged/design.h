// A commit to a table: read the table with its version, alter it if the version is still that one. The lock only keeps
// committers out of each other's way.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CommitIfUnchanged {
  static constexpr std::string_view name = "commit-if-unchanged";
  static constexpr std::string_view summary = "read, alter the table if it is still what was read";

  struct Catalog {
    static constexpr std::string_view name = "catalog";
    struct Row {
      static constexpr std::string_view field_names[] = {"metadata", "version"};
      Value metadata;
      Version version;
    };
  };
  using Row = Catalog::Row;

  struct Memory {
    static constexpr std::string_view field_names[] = {"version read"};
    Version read;
  };

  using Issuer = CountingIssuer;

  static constexpr auto read_table = step("read the table", [](const Row& row, Memory& memory) {
    memory.read = row.version;
    return Reply::next;
  });
  static constexpr auto alter_table =
      step("compare and alter the table", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
        if (!check("the table is as it was read", row.version == memory.read)) return Reply::refused;
        row = {r.value, row.version.next()};
        return Reply::accepted;
      });

  using Stores = stores<Catalog>;
  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, read_table)), at(store<0>, alter_table), finally(release));
};

}  // namespace fencecheck::designs
