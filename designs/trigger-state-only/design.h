// A scheduler of which several instances run. Each reads the trigger, marks it as acquired if its state is still
// `waiting`, and fires it, which sets it to its next time and to `waiting` again: the same state, another time.
#pragma once

#include <fencecheck/fencecheck.h>

namespace fencecheck::designs {

struct TriggerStateOnly {
  static constexpr std::string_view name = "trigger-state-only";
  static constexpr std::string_view summary = "a trigger is acquired if its state is as it was read";
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

  static constexpr auto read_trigger = step("read a due trigger", [](const Row& row) {
    return row.state == State::waiting && row.time == Count<2>(1) ? Reply::next : Reply::wait;
  });
  static constexpr auto acquire_trigger = step("acquire the trigger", [](Row& row, Guards& check) {
    if (!check("the state is still waiting", row.state == State::waiting)) return Reply::refused;
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
