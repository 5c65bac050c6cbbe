// A lease id in the place of a token. It has no order, so the store can only ask whether it is the one that it knows,
// and the one that it knows is the first that it ever saw.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FirstVersionWins {
  static constexpr std::string_view name = "first-version-wins";
  static constexpr std::string_view summary = "the store demands the version that the first writer sent, a lease id";

  /// A lock without a counter: a grant is known by its lease id and by nothing else.
  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"holder"};
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
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock.holder = Unique{};
      return Reply::accepted;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"version", "value"};
      Unique version;
      Value value;
    };

    static constexpr auto write = step("compare and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("no version is stored yet, or it is the caller's own",
                 !row.version.exists() || row.version == r.handle)) {
        return Reply::stale;
      }
      row = {r.handle, r.value};
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
