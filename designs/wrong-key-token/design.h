// A worker holds two keys and sends the second one's token with a write for the first. Tokens are numbers, so it
// passes.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct WrongKeyToken {
  static constexpr std::string_view name = "wrong-key-token";
  static constexpr std::string_view summary = "a worker sends the token of another key";

  /// The other key's lock service: a counter of its own. It hands the key out once for each lease of the first.
  struct OtherKey {
    static constexpr std::string_view name = "other key";
    struct Row {
      static constexpr std::string_view field_names[] = {"counter"};
      Token counter;
    };

    static constexpr auto take = step("take the other key, and use its token", [](Row& lock, Credentials& credentials) {
      lock.counter = lock.counter.next();
      credentials.token = lock.counter;
      return Reply::next;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row = {r.token, r.value};
      return Reply::accepted;
    });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table, OtherKey>;
  static constexpr auto worker = program(acquire, at(store<1>, OtherKey::take), write<0>, finally(release));
};

}  // namespace fencecheck::designs
