// The lock's record names its owner, and its counter goes up only when the owner changes: somebody who takes the lock
// again under the same name gets the token that he had before.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TokenKeptByName {
  static constexpr std::string_view name = "token-kept-by-name";
  static constexpr std::string_view summary = "the token goes up only when the owner's name changes";

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

  struct Issuer : CountingIssuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"transitions", "holder", "owner"};
      Token counter;
      Unique holder;
      Owner owner;
    };

    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr void expire(Record& record) { record.holder = Unique{}; }
    static constexpr Backup backup(const Record& record) { return {record.counter}; }

    static constexpr auto restore = step("restored from backup", [](Record& record, const Backup& saved) {
      record = {saved.counter, Unique{}, Owner{}};
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant, const Request& r, Guards& check) {
      if (record.holder.exists()) return Reply::wait;
      if (check("the owner is another one", record.owner != r.owner)) record.counter = record.counter.next();
      record.owner = r.owner;
      record.holder = grant.handle;
      grant.token = record.counter;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& record, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", record.holder == r.handle)) return Reply::refused;
      record.holder = Unique{};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
