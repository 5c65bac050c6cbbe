// The lease is an item that carries a version, and each heartbeat sets a new one on the condition that the old one is
// still there. A heartbeat whose answer is lost was applied, so the worker reads the item before it tries again.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct HeartbeatAsksFirst {
  static constexpr std::string_view name = "heartbeat-asks-first";
  static constexpr std::string_view summary =
      "a conditional heartbeat whose answer is lost, and the item is read before the next one";

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
  static constexpr auto read_item =
      at(store<0>, step("read the item", [](const Row& row, const Request& r, Memory& memory, Guards& check) {
           if (!check("the item is the caller's own", row.owner == r.handle)) return Reply::stale;
           memory.version = row.version;
           return Reply::next;
         }));

  static constexpr auto worker = program(take_over, on_unknown(heartbeat, read_item, heartbeat), finally(release));
};

}  // namespace fencecheck::designs
