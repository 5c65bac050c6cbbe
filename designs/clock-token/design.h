// The row is fenced, and the token is the time at which the lock was granted. A clock may stand between two grants, and
// go back.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct ClockToken {
  static constexpr std::string_view name = "clock-token";
  static constexpr std::string_view summary = "the token is a timestamp of the granting node";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .node_losses = 1};

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
      static constexpr std::string_view field_names[] = {"clock", "holder"};
      Count<2> clock;
      Unique holder;
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock.holder = Unique{}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock.holder = Unique{};
      return Reply::accepted;
    });

    static constexpr auto acquire = step("acquire", [](Record& lock, Grant& grant) {
      if (lock.holder.exists()) return Reply::wait;
      lock.holder = grant.handle;
      grant.token = Token(1 + lock.clock.number());
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };
  using Record = Issuer::Record;

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));

  static constexpr auto others = programs(named("the clock", program(at(issuer, step("goes on", [](Record& lock) {
                                                                          if (lock.clock == Count<2>(2))
                                                                            return Reply::wait;
                                                                          lock.clock.add();
                                                                          return Reply::next;
                                                                        })))));
  static constexpr auto faults = declared(
      node_loss(at(issuer, step("the clock is set back, or a node with a slower one takes over", [](Record& lock) {
                     lock.clock.subtract();
                     return Reply::accepted;
                   }))));
};

}  // namespace fencecheck::designs
