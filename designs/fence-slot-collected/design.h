// A log of numbered objects, each made only if it is not there. A new writer makes the next one, empty: the old writer
// would have to make that very object, and can't. What lies before the boundary of the replay is collected, fences too.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct FenceSlotCollected {
  static constexpr std::string_view name = "fence-slot-collected";
  static constexpr std::string_view summary = "a log fenced by an object in its next slot; collected with the rest";

  static constexpr int slots = 6;  // two for each of three writers
  enum class Kind : std::uint8_t { absent, fence, data, last = data };
  struct Slot {
    Kind kind;
    Token writer;
    Value data;
  };
  struct Log {
    static constexpr std::string_view name = "log";
    struct Row {
      static constexpr std::string_view field_names[] = {
          "slot 1", "writer of 1", "data of 1", "slot 2", "writer of 2", "data of 2",
          "slot 3", "writer of 3", "data of 3", "slot 4", "writer of 4", "data of 4",
          "slot 5", "writer of 5", "data of 5", "slot 6", "writer of 6", "data of 6"};
      std::array<Slot, slots> slot;
    };
  };
  static constexpr std::size_t place(int slot) { return static_cast<std::size_t>(slot); }
  struct Tables {
    static constexpr std::string_view name = "tables";
    struct Row {
      static constexpr std::string_view field_names[] = {"boundary", "data of 1", "data of 2", "data of 3"};
      Count<slots> boundary;  // what is in the slots up to here is in the tables
      ByToken<Value> data;
    };
  };
  using Stores = stores<Log, Tables>;

  struct Memory {
    static constexpr std::string_view field_names[] = {"next slot"};
    Count<slots> next;
  };

  /// The manifest's epoch. Whoever opens the database raises it, and nobody waits.
  struct Issuer : CountingIssuer {
    static constexpr std::string_view name = "manifest";
    static constexpr bool may_expire(const Record&) { return false; }
  };

  static constexpr auto open = together(
      "open: raise the epoch, read the boundary",
      [](Issuer::Record& manifest, const Tables::Row& tables, Grant& grant, Memory& memory) {
        manifest = {manifest.counter.next(), grant.handle};
        grant.token = manifest.counter;
        memory.next = tables.boundary;
        return Reply::granted;
      },
      issuer, store<1>);
  static constexpr auto fence =
      step("make an empty slot behind the last", [](Log::Row& log, const Request& r, Memory& memory, Guards& check) {
        bool newer = false;
        for (int i = memory.next.number(); i < slots; ++i) {
          if (log.slot[place(i)].kind != Kind::absent) memory.next = Count<slots>(i + 1);
          newer |= log.slot[place(i)].writer > r.token;
        }
        if (!check("no slot is a newer writer's", !newer)) return Reply::stale;
        if (memory.next == Count<slots>(slots)) return Reply::wait;
        log.slot[place(memory.next.number())] = {Kind::fence, r.token, {}};
        memory.next.add();
        return Reply::next;
      });
  static constexpr auto put =
      step("make the next slot, with data", [](Log::Row& log, const Request& r, Memory& memory, Guards& check) {
        if (memory.next == Count<slots>(slots)) return Reply::wait;
        Slot& slot = log.slot[place(memory.next.number())];
        if (!check("the slot is not there", slot.kind == Kind::absent)) return Reply::stale;
        slot = {Kind::data, r.token, r.value};
        memory.next.add();
        return Reply::accepted;
      });
  static constexpr auto flush = together(
      "move the slots so far to the tables",
      [](const Issuer::Record& manifest, const Log::Row& log, Tables::Row& tables, const Request& r,
         const Memory& memory, Guards& check) {
        if (memory.next <= tables.boundary) return Reply::wait;
        if (!check("the epoch is the caller's", manifest.counter == r.token)) return Reply::wait;
        for (int i = tables.boundary.number(); i < memory.next.number(); ++i) {
          const Slot& slot = log.slot[place(i)];
          if (slot.kind == Kind::data) tables.data[slot.writer] = slot.data;
        }
        tables.boundary = memory.next;
        return Reply::next;
      },
      issuer, store<0>, store<1>);
  static constexpr auto collect = together(
      "delete the slots before the boundary",
      [](Log::Row& log, const Tables::Row& tables) {
        for (int i = 0; i < tables.boundary.number(); ++i) {
          if (log.slot[place(i)].kind != Kind::absent) log.slot[place(i)] = {};
        }
        return Reply::next;
      },
      store<0>, store<1>);

  static constexpr bool readers_see_all_writes = true;
  static Seen read(const Log::Row& log, const Tables::Row& tables) {
    Seen seen;
    for (const Value data : tables.data.objects) seen = seen.part(data);
    for (int i = tables.boundary.number(); i < slots; ++i) seen = seen.part(log.slot[place(i)].data);
    return seen;
  }

  static constexpr auto worker = program(open, at(store<0>, fence), at(store<0>, put));
  static constexpr auto beside = program(flush);
  static constexpr auto others = programs(named("collector", program(collect)));
};

}  // namespace fencecheck::designs
