// The row is fenced. The lock's record names its holder by the host that it runs on, and a release compares that name.
// Two runs on one host have one name.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ReleaseByHostName {
  static constexpr std::string_view name = "release-by-host-name";
  static constexpr std::string_view summary = "a release compares the host's name, which two runs of one host share";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .late_requests = 1};

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

  struct Issuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "locked by"};
      Token counter;
      Unique holder;
      Owner locked_by;
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock = {lock.counter, Unique{}, Owner{}}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }
    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.counter, Unique{}, Owner{}};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& lock, const Request& r, Grant& grant) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {lock.counter.next(), grant.handle, r.owner};
      grant.token = lock.counter;
      return Reply::granted;
    });
    static constexpr auto release = step("release by host name", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is held by the caller's host", lock.locked_by == r.owner)) return Reply::refused;
      lock = {lock.counter, Unique{}, Owner{}};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
