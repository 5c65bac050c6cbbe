// The lock service that most designs use.
#pragma once

#include <fencecheck/model/step.h>

namespace fencecheck {

/// One lock with a lease, and a counter from which every grant takes its token.
///
/// An issuer of one's own has the same shape: a Record (the lock as the service stores it), a Backup (the part of it
/// that a backup holds), `holder` (the handle of the grant that holds the lock now; none when it is free), `expire`
/// (the lease of the holder ends), `backup`, and the steps `restore`, `acquire` and `release`.
struct CountingIssuer {
  struct Record {
    static constexpr std::string_view field_names[] = {"counter", "holder"};
    Token counter;
    Unique holder;
  };
  struct Backup {
    static constexpr std::string_view field_names[] = {"counter"};
    Token counter;
    friend constexpr bool operator==(const Backup&, const Backup&) = default;
  };

  static constexpr Unique holder(const Record& record) { return record.holder; }
  static constexpr void expire(Record& record) { record.holder = Unique{}; }
  static constexpr Backup backup(const Record& record) { return {record.counter}; }

  /// Back from the backup as it is: the counter goes back, and nobody is known to hold the lock.
  static constexpr auto restore = step("restored from backup", [](Record& record, const Backup& saved) {
    record.counter = saved.counter;
    record.holder = Unique{};
    return Reply::accepted;
  });

  static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant) {
    if (record.holder.exists()) return Reply::wait;
    record.counter = record.counter.next();
    record.holder = grant.handle;
    grant.token = record.counter;
    return Reply::granted;
  });

  /// Compares the handle and deletes in one step.
  static constexpr auto release = step("release", [](Record& record, const Request& r, Guards& check) {
    if (!check("the lock is the caller's own", record.holder == r.handle)) return Reply::refused;
    record.holder = Unique{};
    return Reply::accepted;
  });
};

}  // namespace fencecheck
