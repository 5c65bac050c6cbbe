// The row is fenced. The token is a counter inside the lock's own record, and the record is deleted when its holder's
// session ends: the next one begins at 1.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct CounterDeletedWithLock {
  static constexpr std::string_view name = "counter-deleted-with-lock";
  static constexpr std::string_view summary =
      "the lock's record is deleted with its session; the token is the record's own counter";

  static constexpr Bounds bounds{.workers = 2, .leases = 4};

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
      static constexpr std::string_view field_names[] = {"revision", "lock index", "holder"};
      Token revision;  // of the whole service
      Token index;     // of this lock
      Unique holder;
    };
    struct Backup {
      static constexpr std::string_view field_names[] = {"revision", "lock index"};
      Token revision;
      Token index;
    };

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock = {lock.revision, Token{}, Unique{}}; }
    static constexpr Backup backup(const Record& lock) { return {lock.revision, lock.index}; }
    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.revision, saved.index, Unique{}};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {lock.revision.next(), lock.index.next(), grant.handle};
      grant.token = lock.index;
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
