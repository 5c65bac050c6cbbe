// An entry on three journals: acknowledged when two of them have it. A new writer has its epoch promised by two of them
// and learns what those have; a journal refuses epochs below its promise. A writer that finds an entry leaves it as it
// is.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct PromiseOnAMajority {
  static constexpr std::string_view name = "promise-on-a-majority";
  static constexpr std::string_view summary =
      "three journals, of which two promise a new writer's epoch before it decides";

  struct Journal {
    struct Row {
      static constexpr std::string_view field_names[] = {"promised", "epoch of the entry", "entry"};
      Token promised;
      Token epoch;  // none: there is no entry
      Value entry;
    };
  };
  using Row = Journal::Row;
  struct FirstJournal : Journal {
    static constexpr std::string_view name = "journal 1";
  };
  struct SecondJournal : Journal {
    static constexpr std::string_view name = "journal 2";
  };
  struct ThirdJournal : Journal {
    static constexpr std::string_view name = "journal 3";
  };
  using Issuer = CountingIssuer;
  using Stores = stores<FirstJournal, SecondJournal, ThirdJournal>;

  struct Memory {
    static constexpr std::string_view field_names[] = {"found an entry", "copies"};
    Flag found;
    Count<3> copies;
  };

  static constexpr auto promise =
      step("promise and tell", [](Row& row, const Request& r, Memory& memory, Guards& check) {
        if (!check("the epoch is not older than the promise", r.token >= row.promised)) return Reply::stale;
        row.promised = r.token;
        if (row.epoch.exists()) memory.found = true;
        return Reply::next;
      });
  static constexpr auto decide = step("decide", [](const Memory& memory, Guards& check) {
    return check("no journal has an entry", !memory.found) ? Reply::next : Reply::refused;
  });
  static constexpr auto add = step("add the entry", [](Row& row, const Request& r, Memory& memory, Guards& check) {
    if (!check("the epoch is not older than the promise", r.token >= row.promised)) return Reply::stale;
    row = {r.token, r.token, r.value};
    memory.copies.add();
    return memory.copies >= Count<3>(2) ? Reply::accepted : Reply::next;
  });

  static constexpr bool readers_see_all_writes = true;
  /// An entry counts when two journals have it.
  static Seen read(const Row& a, const Row& b, const Row& c) {
    if (a.epoch.exists() && (a.epoch == b.epoch || a.epoch == c.epoch)) return Seen().part(a.entry);
    return b.epoch == c.epoch ? Seen().part(b.entry) : Seen().part(Value{});
  }

  static constexpr auto worker =
      program(acquire, at(store<0>, promise), at(store<1>, promise), locally(decide), go_on_after(at(store<1>, add)),
              go_on_after(at(store<2>, add)), go_on_after(at(store<0>, add)), finally(release));
};

}  // namespace fencecheck::designs
