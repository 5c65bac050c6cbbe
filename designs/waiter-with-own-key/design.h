// A queue for a lock: a worker puts its key behind the others', and holds once no key is before it. The session of one
// that waits may end, and its key goes with it. The worker looks whether its own key is still there.
#pragma once

#include <algorithm>
#include <array>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct WaiterWithOwnKey {
  static constexpr std::string_view name = "waiter-with-own-key";
  static constexpr std::string_view summary = "a queue for a lock, whose waiter asks whether it is itself still in it";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .node_losses = 1};

  using Key = Count<7>;

  struct Memory {
    static constexpr std::string_view field_names[] = {"own key"};
    Key key;
  };

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Record {
      static constexpr std::string_view field_names[] = {"last key", "queue 1", "queue 2",
                                                         "queue 3",  "holder",  "its key"};
      Key last;
      std::array<Key, 3> queue;  // in order; the empty places are last
      Unique holder;
      Key held;

      constexpr bool has(Key key) const { return std::find(queue.begin(), queue.end(), key) != queue.end(); }
      constexpr void remove(Key key) { std::fill(std::remove(queue.begin(), queue.end(), key), queue.end(), Key{}); }
      constexpr void free() {
        if (held > Key{}) remove(held);
        holder = Unique{};
        held = Key{};
      }
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) { lock.free(); }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock = {};
      return Reply::accepted;
    });

    static constexpr auto enqueue = step("put a key into the queue", [](Record& lock, Memory& memory) {
      if (lock.last == Key(7) || lock.queue[2] > Key{}) return Reply::wait;
      lock.last.add();
      memory.key = lock.last;
      *std::find(lock.queue.begin(), lock.queue.end(), Key{}) = memory.key;
      return Reply::next;
    });
    static constexpr auto take =
        step("take the lock", [](Record& lock, Grant& grant, const Memory& memory, Guards& check) {
          const bool before = lock.queue[0] > Key{} && lock.queue[0] < memory.key;
          if (before) return Reply::wait;
          if (!check("one's own key is still there", lock.has(memory.key))) return Reply::refused;
          lock.holder = grant.handle;
          lock.held = memory.key;
          return Reply::granted;
        });
    static constexpr auto release = step("release", [](Record& lock, const Request& r, Guards& check) {
      if (!check("the lock is the caller's own", lock.holder.exists() && lock.holder == r.handle)) {
        return Reply::refused;
      }
      lock.free();
      return Reply::accepted;
    });
  };
  using Record = Issuer::Record;

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
  using OwnProperties = properties<OneHolderAtATime>;
  static constexpr auto worker = program(at(issuer, steps(Issuer::enqueue, Issuer::take)), write<0>, finally(release));

  static constexpr auto faults =
      declared(node_loss(at(issuer, step("the session of the last waiter ends, and its key is gone", [](Record& lock) {
                              const Key last = *std::max_element(lock.queue.begin(), lock.queue.end());
                              if (last == Key{} || last == lock.held) return Reply::wait;
                              lock.remove(last);
                              return Reply::accepted;
                            }))));
};

}  // namespace fencecheck::designs
