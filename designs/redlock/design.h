// A lock on three nodes: who has set its key on two of them holds it, and gives it up on all three. A node that
// restarts has forgotten its key, and stays away for as long as any key that it forgot may live.
#pragma once

#include <array>

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct Redlock {
  static constexpr std::string_view name = "redlock";
  static constexpr std::string_view summary = "a majority of three nodes; one that restarts without its key stays away";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .node_losses = 1};

  struct Memory {
    static constexpr std::string_view field_names[] = {"nodes won"};
    Count<3> won;
  };

  struct Issuer {
    static constexpr bool hands_out_tokens = false;

    struct Node {
      Owner key;
      Flag away;
    };
    struct Record {
      static constexpr std::string_view field_names[] = {"node 1", "away", "node 2", "away",
                                                         "node 3", "away", "holder", "its name"};
      std::array<Node, 3> nodes;
      Unique holder;  // of a majority; no node knows it
      Owner name;
    };
    struct Backup {};

    static constexpr Unique holder(const Record& lock) { return lock.holder; }
    static constexpr void expire(Record& lock) {
      for (Node& node : lock.nodes) {
        if (node.key == lock.name) node.key = Owner{};
      }
      lock.holder = Unique{};
      lock.name = Owner{};
    }
    static constexpr Backup backup(const Record&) { return {}; }
    static constexpr auto restore = step("restore", [](Record& lock, const Backup&) {
      lock = {};
      return Reply::accepted;
    });

    static constexpr std::string_view asks[] = {"ask node 1", "ask node 2", "ask node 3"};
    template <std::size_t N>
    static constexpr auto ask =
        step(asks[N], [](Record& lock, const Request& r, Grant& grant, Memory& memory, Guards& check) {
          Node& node = lock.nodes[N];
          if (check("the node answers and has no key", !node.away && !node.key.exists())) {
            node.key = r.owner;
            memory.won.add();
          }
          if (!check("a majority is won", memory.won >= Count<3>(2))) return Reply::next;
          lock.holder = grant.handle;
          lock.name = r.owner;
          return Reply::granted;
        });

    static constexpr std::string_view unlocks[] = {"unlock node 1", "unlock node 2", "unlock node 3"};
    template <std::size_t N>
    static constexpr auto unlock = step(unlocks[N], [](Record& lock, const Request& r, Guards& check) {
      if (lock.holder == r.handle) {  // from the first node on it has given up its majority
        lock.holder = Unique{};
        lock.name = Owner{};
      }
      if (check("the key is the caller's own", lock.nodes[N].key == r.owner)) lock.nodes[N].key = Owner{};
      return Reply::next;
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

  static constexpr auto give_up =
      locally(step("give up without a majority", [](const Memory&) { return Reply::refused; }));
  static constexpr auto worker =
      program(steps(at(issuer, Issuer::ask<0>), at(issuer, Issuer::ask<1>), at(issuer, Issuer::ask<2>), give_up),
              write<0>, finally(at(issuer, steps(Issuer::unlock<0>, Issuer::unlock<1>, Issuer::unlock<2>))));

  static constexpr std::string_view restarts[] = {"node 1 restarts, and stays away", "node 2 restarts, and stays away",
                                                  "node 3 restarts, and stays away"};
  template <std::size_t N>
  static constexpr auto restart = step(restarts[N], [](Record& lock) {
    lock.nodes[N] = {.key = Owner{}, .away = true};
    return Reply::accepted;
  });
  static constexpr auto faults =
      declared(node_loss(at(issuer, restart<0>)), node_loss(at(issuer, restart<1>)), node_loss(at(issuer, restart<2>)));
};

}  // namespace fencecheck::designs
