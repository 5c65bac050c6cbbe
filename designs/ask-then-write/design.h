// The worker makes sure that it still holds the lock, right before it writes. The answer is true when it is given; the
// store compares nothing.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AskThenWrite {
  static constexpr std::string_view name = "ask-then-write";
  static constexpr std::string_view summary = "the worker asks whether it still holds the lock, and then writes";

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
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto ask = step("ask the lock service", [](const Record& lock, const Request& r, Guards& check) {
    if (!check("the caller still holds the lock", lock.holder == r.handle)) return Reply::refused;
    return Reply::next;
  });

  static constexpr auto worker = program(acquire, at(issuer, ask), write<0>, finally(release));
};

}  // namespace fencecheck::designs
