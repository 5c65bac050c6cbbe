// Two keys of one lock service, each with a counter of its own, and a store that keeps one highest token for both.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TwoKeysOneHighest {
  static constexpr std::string_view name = "two-keys-one-highest";
  static constexpr std::string_view summary = "tokens of two keys are compared with one highest token";

  struct Memory {
    static constexpr std::string_view field_names[] = {"token of the other key"};
    Token token;
  };

  /// The other key's lock service: a counter of its own, with an owner that has been here before.
  struct OtherKey {
    static constexpr std::string_view name = "other key";
    struct Row {
      static constexpr std::string_view field_names[] = {"counter"};
      Token counter;
    };
    static constexpr Row begins() { return {Token(1)}; }

    static constexpr auto take = step("take the other key", [](Row& lock, Memory& memory) {
      if (lock.counter == Token(2)) return Reply::wait;  // once is enough
      lock.counter = lock.counter.next();
      memory.token = lock.counter;
      return Reply::next;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "written under the other key"};
      Token highest;
      Value value;
      Flag other;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
      row.highest = r.token;
      row.value = r.value;
      return Reply::accepted;
    });
    static constexpr auto write_other =
        step("compare and write under the other key", [](Row& row, const Memory& memory, Guards& check) {
          if (!check("the token is not older than the highest seen", memory.token >= row.highest)) return Reply::stale;
          row.highest = memory.token;
          row.other = true;
          return Reply::accepted;
        });
  };

  using Issuer = CountingIssuer;
  using Stores = stores<Table, OtherKey>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
  static constexpr auto others = programs(
      named("owner of the other key", program(at(store<1>, OtherKey::take), at(store<0>, Table::write_other))));
};

}  // namespace fencecheck::designs
