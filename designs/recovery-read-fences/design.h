// A ledger of one entry on three nodes: the writer has it acknowledged when two of them have it. A recovery fences two
// nodes, reads, and closes the ledger without the entry if two nodes have no copy. Each of its reads fences as well.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct RecoveryReadFences {
  static constexpr std::string_view name = "recovery-read-fences";
  static constexpr std::string_view summary = "a ledger on three nodes; whatever a recovery reads it fences";

  struct Node {
    struct Row {
      static constexpr std::string_view field_names[] = {"fenced", "has the entry", "entry"};
      Flag fenced;
      Flag has;
      Value entry;
    };
  };
  using Row = Node::Row;
  struct FirstNode : Node {
    static constexpr std::string_view name = "node 1";
  };
  struct SecondNode : Node {
    static constexpr std::string_view name = "node 2";
  };
  struct ThirdNode : Node {
    static constexpr std::string_view name = "node 3";
  };
  struct Metadata {
    static constexpr std::string_view name = "metadata";
    struct Row {
      static constexpr std::string_view field_names[] = {"closed", "with the entry"};
      Flag closed;
      Flag with_entry;
    };
  };
  using Stores = stores<FirstNode, SecondNode, ThirdNode, Metadata>;
  using Issuer = CountingIssuer;

  struct Memory {
    static constexpr std::string_view field_names[] = {"copies"};
    Count<3> copies;  // made, by the writer; found, by a recovery
  };

  /// Two copies are enough: with the second the entry is acknowledged.
  static constexpr auto add = step("add the entry", [](Row& node, const Request& r, Memory& memory, Guards& check) {
    if (!check("the node is not fenced", !node.fenced)) return Reply::refused;
    node.has = true;
    node.entry = r.value;
    memory.copies.add();
    return memory.copies >= Count<3>(2) ? Reply::accepted : Reply::next;
  });

  static constexpr auto fence = step("fence", [](Row& node) {
    node.fenced = true;
    return Reply::next;
  });
  static constexpr auto read_entry = step("fence and read the entry", [](Row& node, Memory& memory) {
    node.fenced = true;
    if (node.has) memory.copies.add();
    return Reply::next;
  });
  static constexpr auto close =
      step("close the ledger", [](Metadata::Row& ledger, const Memory& memory, Guards& check) {
        if (ledger.closed) return Reply::wait;
        ledger = {true, check("a copy was found", memory.copies > Count<3>())};
        return Reply::next;
      });

  static constexpr bool readers_see_all_writes = true;
  static Seen read(const Row& a, const Row& b, const Row& c, const Metadata::Row& ledger) {
    const bool acknowledged = a.has + b.has + c.has >= 2;
    if (ledger.closed ? !ledger.with_entry : !acknowledged) return Seen().part(Value{});
    return Seen().part(a.has ? a.entry : b.has ? b.entry : c.entry);
  }

  static constexpr auto worker = program(acquire, go_on_after(at(store<0>, add)), go_on_after(at(store<2>, add)),
                                         go_on_after(at(store<1>, add)), finally(release));
  static constexpr auto others =
      programs(named("recovery", program(at(store<0>, fence), at(store<1>, fence), at(store<1>, read_entry),
                                         at(store<2>, read_entry), at(store<3>, close))));
};

}  // namespace fencecheck::designs
