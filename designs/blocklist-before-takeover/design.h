// No tokens: the store keeps a list of grants whose requests it refuses. Who takes over a lock whose lease has ended
// puts the old owner on the list first.
#pragma once

#include <algorithm>
#include <array>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct BlocklistBeforeTakeover {
  static constexpr std::string_view name = "blocklist-before-takeover";
  static constexpr std::string_view summary =
      "the store refuses those on a list, and a new owner puts the old one there before it takes over";

  static constexpr Bounds bounds{.workers = 2, .leases = 3};

  struct Memory {
    static constexpr std::string_view field_names[] = {"old owner"};
    Unique old_owner;
  };

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"holder", "last owner"};
      Unique holder;
      Unique last;  // whose lease ended by itself
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock = {Unique{}, lock.holder}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock.holder = Unique{};
      return Reply::accepted;
    });

    static constexpr auto look = step("look at the lock", [](const Record& lock, Memory& memory) {
      if (lock.holder.exists()) return Reply::wait;
      memory.old_owner = lock.last;
      return Reply::next;
    });
    static constexpr auto take_over =
        step("take over", [](Record& lock, Grant& grant, const Memory& memory, Guards& check) {
          if (!check("the lock is as it was", !lock.holder.exists() && lock.last == memory.old_owner)) {
            return Reply::again;
          }
          lock = {grant.handle, Unique{}};
          return Reply::granted;
        });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder == r.handle)) return Reply::refused;
      lock = {};
      return Reply::accepted;
    });
  };

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"blocked 1", "blocked 2", "blocked 3", "value"};
      std::array<Unique, 3> blocked;
      Value value;

      constexpr bool blocks(Unique grant) const {
        return std::find(blocked.begin(), blocked.end(), grant) != blocked.end();
      }
    };

    static constexpr auto block = step("put the old owner on the list", [](Row& row, const Memory& memory) {
      if (memory.old_owner.exists() && !row.blocks(memory.old_owner)) {
        const auto free_place = std::find(row.blocked.begin(), row.blocked.end(), Unique{});
        if (free_place == row.blocked.end()) return Reply::wait;  // more owners than the list has room for
        *free_place = memory.old_owner;
      }
      return Reply::next;
    });
    static constexpr auto write = step("look at the list and write", [](Row& row, const Request& r, Guards& check) {
      if (!check("the caller is not on the list", !row.blocks(r.handle))) return Reply::refused;
      row.value = r.value;
      return Reply::accepted;
    });
  };

  using Stores = stores<Table>;
  static constexpr auto worker =
      program(steps(at(issuer, Issuer::look), at(store<0>, Table::block), at(issuer, Issuer::take_over)), write<0>,
              finally(release));
};

}  // namespace fencecheck::designs
