// The row is fenced. A renewal's answer does not come, or the renewal itself is late. The worker asks the
// lock service how long its lease holds before it goes on.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RenewalAsked {
  static constexpr std::string_view name = "renewal-asked";
  static constexpr std::string_view summary =
      "the answer to a renewal is lost, and the worker asks how long its lease holds";

  static constexpr Bounds bounds{.workers = 2, .leases = 2, .lost_replies = 1, .late_requests = 1};

  static constexpr Ticks lease_length{2};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }

  struct Issuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "time left"};
      Token counter;
      Unique holder;
      Ticks left;
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr bool may_expire(const Record& lock) { return lock.left == Ticks{}; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }
    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.counter, Unique{}, Ticks{}};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      lock = {lock.counter.next(), grant.handle, lease_length};
      grant.token = lock.counter;
      memory.left = lease_length;
      return Reply::granted;
    });
    static constexpr auto renew = step("renew", [](Record& lock, const Request& r, Memory& memory, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder.exists() && lock.holder == r.handle)) {
        memory.left = Ticks{};
        return Reply::refused;
      }
      lock.left = lease_length;
      memory.left = lease_length;
      return Reply::accepted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock = {lock.counter, Unique{}, Ticks{}};
      return Reply::accepted;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value"};
      Token highest;
      Value value;
    };

    static constexpr auto write =
        step("compare and write", [](Row& row, const Request& r, const Memory& memory, Guards& check) {
          if (!check("the lease holds by the worker's own clock", believes(memory))) return Reply::refused;
          if (!check("the token is not older than the highest seen", r.token >= row.highest)) return Reply::stale;
          row = {r.token, r.value};
          return Reply::accepted;
        });
  };

  using Stores = stores<Table>;

  static constexpr auto recover =
      at(issuer, step("ask how long the lease holds",
                      [](const Issuer::Record& lock, const Request& r, Memory& memory, Guards& check) {
                        const bool own = lock.holder.exists() && lock.holder == r.handle;
                        memory.left = check("the lock is the caller's own", own) ? lock.left : Ticks{};
                        return own ? Reply::next : Reply::refused;
                      }));
  static constexpr auto worker =
      program(acquire, on_unknown(at(issuer, Issuer::renew), recover), write<0>, finally(release));
};

}  // namespace fencecheck::designs
