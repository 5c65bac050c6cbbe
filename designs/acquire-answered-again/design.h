// A lock service that keeps the name of the holder with the lock. A holder who asks once more is told of the grant that
// it has, with the same token.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AcquireAnsweredAgain {
  static constexpr std::string_view name = "acquire-answered-again";
  static constexpr std::string_view summary = "a repeated acquire by the holder is answered with the same grant";

  // A session with heartbeats: as long as its owner lives, the lease does not end.
  static constexpr Bounds bounds{.workers = 2, .leases = 3, .expiry = false, .lost_replies = 1};

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
      static constexpr std::string_view field_names[] = {"counter", "holder", "held by"};
      Token counter;
      Unique holder;
      Owner held_by;
    };

    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr void expire(Record& record) { record = {record.counter, Unique{}, Owner{}}; }
    static constexpr Backup backup(const Record& record) { return {record.counter}; }
    static constexpr auto restore = step("restored from backup", [](Record& record, const Backup& saved) {
      record = {saved.counter, Unique{}, Owner{}};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& record, const Request& r, Grant& grant, Guards& check) {
      if (record.holder.exists()) {
        if (!check("the lock is the caller's own", record.held_by == r.owner)) return Reply::wait;
        grant.handle = record.holder;
        grant.token = record.counter;
        return Reply::granted;
      }
      record = {record.counter.next(), grant.handle, r.owner};
      grant.token = record.counter;
      return Reply::granted;
    });

    static constexpr auto release = step("release", [](Record& record, const Request& r, Guards& check) {
      if (!check("the handle is that of the holder", record.holder == r.handle)) return Reply::refused;
      record.holder = Unique{};
      record.held_by = Owner{};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  using OwnProperties = properties<LockBecomesFree, OneHolderAtATime>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
