// A scheduler of which several instances run. Each reads the trigger, marks it as acquired if its state is still
// `waiting` and its time still the one that was read, and fires it, which sets it to its next time and to `waiting`
// again.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TriggerStateAndTime {
  static constexpr std::string_view name = "trigger-state-and-time";
  static constexpr std::string_view summary = "a trigger is acquired if its state and its time are as they were read";
  static constexpr bool one_operation = true;  // one due time is one operation, whoever fires it

  enum class State : std::uint8_t { waiting, acquired, last = acquired };
  struct Triggers {
    static constexpr std::string_view name = "trigger";
    struct Row {
      static constexpr std::string_view field_names[] = {"state", "next time", "runs at time 1"};
      State state;
      Count<2> time;
      Effect runs;
    };
    static constexpr Row begins() { return {State::waiting, Count<2>(1), {}}; }
  };
  using Row = Triggers::Row;
  using Stores = stores<Triggers>;

  /// There is no lock; nobody visits it.
  struct Issuer : CountingIssuer {
    static constexpr bool hands_out_tokens = false;
  };

  struct Memory {
    static constexpr std::string_view field_names[] = {"time read"};
    Count<2> time;
  };

  static constexpr auto read_trigger = step("read a due trigger", [](const Row& row, Memory& memory) {
    if (row.state != State::waiting || row.time != Count<2>(1)) return Reply::wait;
    memory.time = row.time;
    return Reply::next;
  });
  static constexpr auto acquire_trigger =
      step("acquire the trigger", [](Row& row, const Memory& memory, Guards& check) {
        if (!check("the state is still waiting", row.state == State::waiting)) return Reply::refused;
        if (!check("the time is the one that was read", row.time == memory.time)) return Reply::refused;
        row.state = State::acquired;
        return Reply::next;
      });
  static constexpr auto fire = step("fire, and set the next time", [](Row& row) {
    row.runs.add();
    row.state = State::waiting;
    row.time = Count<2>(2);
    return Reply::accepted;
  });

  static constexpr auto worker =
      program(as_basis(at(store<0>, read_trigger)), at(store<0>, acquire_trigger), at(store<0>, fire));
};

}  // namespace fencecheck::designs
