// The row is fenced. The lock service keeps the highest token that it ever issued in a place that no backup holds, and
// raises it with every grant; back from a backup it resumes above that.
#pragma once

#include <algorithm>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct IssuerResumesAboveIssued {
  static constexpr std::string_view name = "issuer-resumes-above-issued";
  static constexpr std::string_view summary = "a restored lock service resumes above every token that it ever issued";

  static constexpr Bounds bounds{.workers = 3, .leases = 4, .issuer_restores = 1};

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
      static constexpr std::string_view field_names[] = {"counter", "holder", "highest issued"};
      Token counter;
      Unique holder;
      Token highest_issued;  // not in Backup: no restore takes it back
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }

    static constexpr auto restore = step("restore above what was issued", [](Record& lock, const Backup& saved) {
      lock.counter = std::max(saved.counter, lock.highest_issued);
      lock.holder = Unique{};
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant) {
      if (lock.holder.exists()) return Reply::wait;
      lock.counter = lock.counter.next();
      lock.highest_issued = lock.counter;
      lock.holder = grant.handle;
      grant.token = lock.counter;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
