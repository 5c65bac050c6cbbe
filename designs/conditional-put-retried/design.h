// A conditional put whose answer is lost is tried again. The condition fails, since the first attempt has met it, and
// the worker is told that somebody else was faster.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ConditionalPutRetried {
  static constexpr std::string_view name = "conditional-put-retried";
  static constexpr std::string_view summary = "a retried conditional put is told its own success as a conflict";

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
  using OwnProperties = properties<HonestAnswers>;
  static constexpr auto worker =
      program(acquire, as_basis(at(store<0>, Object::read)), retry(write<0>), finally(release));
};

}  // namespace fencecheck::designs
