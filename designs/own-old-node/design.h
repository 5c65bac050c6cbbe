// The row compares nothing. A worker that reconnects finds a node of its own name in the lock's place and takes it for
// the lock. The node belongs to its session of before, and goes with that.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct OwnOldNode {
  static constexpr std::string_view name = "own-old-node";
  static constexpr std::string_view summary =
      "a worker that starts anew takes the dying node of its own old session for its lock";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .crashes = 1};

  enum class OwnNode : std::uint8_t { taken, waited_for, last = waited_for };
  struct Switches {
    OwnNode own_node = OwnNode::taken;
  };
  static constexpr auto switches =
      std::tuple(choice("own-node", "what a worker does with a node of its own name from an earlier session",
                        &Switches::own_node, {"taken", "waited-for"}));

  static constexpr Ticks session_length{1};

  struct Memory {
    static constexpr std::string_view field_names[] = {"time left on its own clock"};
    Ticks left;
  };
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"holder", "name", "time left"};
      Unique holder;
      Owner name;
      Ticks left;
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr bool may_expire(const Record& lock) { return lock.left == Ticks{}; }
    static constexpr void expire(Record& lock) { lock = {}; }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock = {};
      return Reply::accepted;
    });

    static constexpr auto acquire =
        step("acquire", [](Record& lock, const Request& r, Grant& grant, Memory& memory, const Switches& s) {
          if (lock.holder.exists()) {
            if (lock.name != r.owner || s.own_node == OwnNode::waited_for) return Reply::wait;
            lock.holder = grant.handle;  // it has the time that its session has left
          } else {
            lock = {grant.handle, r.owner, session_length};
          }
          memory.left = session_length;
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
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };

    static constexpr auto write = step("write while the own clock allows it",
                                       [](Row& row, const Request& r, const Memory& memory, Guards& check) {
                                         if (!check("the lease holds by the worker's own clock", believes(memory)))
                                           return Reply::refused;
                                         row = {r.value};
                                         return Reply::accepted;
                                       });
  };

  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};

}  // namespace fencecheck::designs
