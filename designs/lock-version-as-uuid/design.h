// The lock's record has a version that changes with every change of it, a UUID. The service compares it for equality,
// and nobody else can do anything with it.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct LockVersionAsUuid {
  static constexpr std::string_view name = "lock-version-as-uuid";
  static constexpr std::string_view summary = "the lock has a random version and no counter, so no store can compare";

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"record version of the holder"};
      Unique holder;
    };
    struct Backup {};  // there is no counter that a restore could take back

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
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the record version is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row = {r.value};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
