// The store asks the lock service with each write, in the same instant. When it can't be reached the store has to
// decide without it: open lets every write in, closed none.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct AskFailsOpen {
  static constexpr std::string_view name = "ask-fails-open";
  static constexpr std::string_view summary = "the store asks the lock service with each write, and cannot reach it";

  static constexpr Bounds bounds{.workers = 2, .leases = 3, .outages = 1};

  enum class Unreachable : std::uint8_t { open, closed, last = closed };
  struct Switches {
    Unreachable unreachable = Unreachable::open;
  };
  static constexpr auto switches =
      std::tuple(choice("unreachable", "what the store decides when the lock service can't be reached",
                        &Switches::unreachable, {"open", "closed"}));

  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"value"};
      Value value;
    };
  };
  using Row = Table::Row;

  using Issuer = CountingIssuer;
  using Record = Issuer::Record;
  using Stores = stores<Table>;

  static constexpr auto ask_and_write = together(
      "ask and write",
      [](const Record& lock, Row& row, const Request& r, const Reachability& lock_service, const Switches& s,
         Guards& check) {
        if (check("the lock service can be reached", lock_service.reachable)) {
          if (!check("the caller holds the lock", lock.holder == r.handle)) return Reply::refused;
        } else if (!check("what can't be asked is let in", s.unreachable == Unreachable::open)) {
          return Reply::refused;
        }
        row = {r.value};
        return Reply::accepted;
      },
      issuer, store<0>);

  /// Whoever is in the right can work.
  struct HolderIsLetIn {
    static constexpr PropertyInfo info{
        .name = "holder-is-let-in",
        .subject = Subject::turned_away,
        .claim = "The store never turns away the worker whose grant holds the lock.",
        .violation = "{component} turned {worker} away, although {grant} holds the lock.",
        .situation = "the holder writes"};
    template <class Scene>
    static Judgement after(const Happening& h, Scene&) {
      if (!h.is_visit() || h.visited == 0 || !h.lease.exists() || h.lease != h.holder_after) return Judgement::nothing;
      return h.turned_away() ? Judgement::violated : Judgement::handled;
    }
  };
  using OwnProperties = properties<HolderIsLetIn>;

  static constexpr auto worker = program(acquire, ask_and_write, finally(release));
};

}  // namespace fencecheck::designs
