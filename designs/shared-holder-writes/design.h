// A lock with two modes: any number of shared holders, or one exclusive. A worker reads under the one, then writes
// under the other, and here it tries to write under both. The store compares the token and knows nothing of modes.
#pragma once

#include <array>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct SharedHolderWrites {
  static constexpr std::string_view name = "shared-holder-writes";
  static constexpr std::string_view summary =
      "shared and exclusive holders; the store compares tokens and not the mode";

  static constexpr Bounds bounds{.workers = 2, .leases = 4};

  /// What a worker sends beside its token: Chubby's sequencer names both.
  struct Memory {
    static constexpr std::string_view field_names[] = {"exclusive mode"};
    Flag exclusive;
  };

  struct Issuer {
    static constexpr bool grants_shared = true;

    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "shared", "newest holder", "other holder"};
      Token counter;
      Flag shared;
      std::array<Unique, 2> holders;
    };
    using Backup = CountingIssuer::Backup;

    static constexpr Unique holder(const Record& lock) { return lock.holders[0]; }
    static constexpr void expire(Record& lock) { lock.holders = {lock.holders[1], Unique{}}; }
    static constexpr Backup backup(const Record& lock) { return {lock.counter}; }

    static constexpr auto restore = step("restored from backup", [](Record& lock, const Backup& saved) {
      lock = {saved.counter, Flag{}, {}};
      return Reply::accepted;
    });
    static constexpr auto acquire_shared = step("acquire shared", [](Record& lock, Grant& grant, Memory& sequencer) {
      const bool held_alone = lock.holders[0].exists() && !lock.shared;
      if (held_alone || lock.holders[1].exists()) return Reply::wait;
      lock = {lock.counter.next(), true, {grant.handle, lock.holders[0]}};
      grant.token = lock.counter;
      grant.shared = true;
      sequencer.exclusive = false;
      return Reply::granted;
    });
    static constexpr auto acquire = step("acquire exclusive", [](Record& lock, Grant& grant, Memory& sequencer) {
      if (lock.holders[0].exists()) return Reply::wait;
      lock = {lock.counter.next(), false, {grant.handle, Unique{}}};
      grant.token = lock.counter;
      sequencer.exclusive = true;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (check("the caller holds the lock as its newest holder", lock.holders[0] == r.handle)) {
        lock.holders = {lock.holders[1], Unique{}};
        return Reply::accepted;
      }
      if (!check("the caller holds the lock beside another", lock.holders[1] == r.handle)) return Reply::refused;
      lock.holders[1] = Unique{};
      return Reply::accepted;
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

  using Stores = stores<Table>;
  using OwnProperties = properties<OneHolderAtATime>;
  static constexpr auto worker = program(at(issuer, Issuer::acquire_shared), go_on_after(write<0>),
                                         go_on_after(release), acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
