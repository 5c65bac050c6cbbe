// The resource has a version of its own and no highest token. The worker reads the version before it asks for the lock,
// and writes if it is still that one.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OwnVersionReadFirst {
  static constexpr std::string_view name = "own-version-read-first";
  static constexpr std::string_view summary =
      "a conditional write on the version that was read before the lease was granted";

  struct Memory {
    static constexpr std::string_view field_names[] = {"version read"};
    Version version;
  };

  struct Object {
    struct Row {
      static constexpr std::string_view field_names[] = {"version", "value"};
      Version version;
      Value value;
    };

    static constexpr auto read = step("read", [](const Row& row, Memory& memory) {
      memory.version = row.version;
      return Reply::next;
    });
    static constexpr auto write =
        step("write if the version is as read", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
          if (!check("the version is the one that was read", row.version == memory.version)) return Reply::refused;
          row = {row.version.next(), r.value};
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Object>;
  static constexpr auto worker = program(as_basis(at(store<0>, Object::read)), acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
