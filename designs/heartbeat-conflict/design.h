// The lease is an item that carries a version, and each heartbeat sets a new one on the condition that the old one is
// still there. A heartbeat whose answer is lost was applied, and its retry finds another's version: its own.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct HeartbeatConflict {
  static constexpr std::string_view name = "heartbeat-conflict";
  static constexpr std::string_view summary = "a conditional heartbeat whose answer is lost, and sent again as it was";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .lost_replies = 1};

  struct Memory {
    static constexpr std::string_view field_names[] = {"version known"};
    Version version;
  };

  struct Issuer : CountingIssuer {
    static constexpr bool hands_out_tokens = false;
  };
  using Record = Issuer::Record;

  struct Item {
    struct Row {
      static constexpr std::string_view field_names[] = {"owner", "version", "data"};
      Unique owner;
      Version version;
      Value data;
    };
  };
  using Row = Item::Row;
  using Stores = stores<Item>;

  static constexpr auto take_over = together(
      "take the item over",
      [](Record& lock, Row& row, Grant& grant, Memory& memory) {
        if (lock.holder.exists()) return Reply::wait;
        lock.holder = grant.handle;
        row.owner = grant.handle;
        row.version = row.version.next();
        memory.version = row.version;
        return Reply::granted;
      },
      issuer, store<0>);
  static constexpr auto heartbeat = steps(
      at(store<0>, step("heartbeat",
                        [](Row& row, const Request& r, const Memory& memory, Guards& check) {
                          if (!check("the version is the one that the caller knows", row.version == memory.version)) {
                            return Reply::stale;
                          }
                          row.version = row.version.next();
                          row.data = r.value;
                          return Reply::next;
                        })),
      locally(step("note the new version", [](Memory& memory) {
        memory.version = memory.version.next();
        return Reply::accepted;
      })));

  static constexpr auto worker = program(take_over, retry(heartbeat), finally(release));
};

}  // namespace fencecheck::designs
