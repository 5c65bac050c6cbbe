// Where a worker goes on after each step, by what the step answered.
#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <fencecheck/fencecheck.h>
#include <fencecheck/model/world_of.h>

#include "../support/play.h"

namespace fencecheck::tests {
namespace {

// Designs whose steps a to e answer what the switches say, so that one program is tried with all answers.
struct Answers {
  std::array<Reply, 5> of{Reply::accepted, Reply::accepted, Reply::accepted, Reply::accepted, Reply::accepted};
};

struct Scripted {
  using Switches = Answers;
  struct Store {
    struct Row {
      Count<15> visits;
    };
  };
  using Issuer = CountingIssuer;
  using Stores = stores<Store>;

  static constexpr std::array<std::string_view, 5> names{"a", "b", "c", "d", "e"};
  template <std::size_t N>
  static constexpr auto nth = at(store<0>, step(names[N], [](Store::Row& row, const Switches& answers) {
                                   row.visits.add();
                                   return answers.of[N];
                                 }));
  static constexpr auto a = nth<0>;
  static constexpr auto b = nth<1>;
  static constexpr auto c = nth<2>;
  static constexpr auto d = nth<3>;
  static constexpr auto e = nth<4>;
};

/// The steps that a lone worker takes from one start of its program to the next, when they answer as told.
template <class Design>
std::string path(std::array<Reply, 5> answers) {
  const WorldOf<Design, properties<>> world({.workers = 1}, {answers});
  Play play(world);
  const std::string first = play.next_step(0);
  std::string taken;
  do {
    const std::string next = play.next_step(0);
    taken += next;
    play.step(0, next);
  } while (play.next_step(0) != first && taken.size() < 10);
  return taken;
}

constexpr Reply next = Reply::next;
constexpr Reply accepted = Reply::accepted;
constexpr Reply stale = Reply::stale;
constexpr Reply refused = Reply::refused;
constexpr Reply any = Reply::accepted;  // of a step that is not reached

struct Sequence : Scripted {
  static constexpr auto worker = program(a, b, c);
};

TEST(Program, ItsVisitsFollowEachOtherAndThenItStartsAnew) {
  EXPECT_EQ(path<Sequence>({accepted, accepted, accepted}), "abc");
}

TEST(Program, WhoIsTurnedAwayStartsAnew) {
  EXPECT_EQ(path<Sequence>({stale, any, any}), "a");
  EXPECT_EQ(path<Sequence>({accepted, refused, any}), "ab");
}

struct Grouped : Scripted {
  static constexpr auto worker = program(a, steps(b, c, d), e);
};

TEST(Program, AVisitInSeveralStepsGoesOnWithNextAndIsLeftByAccepted) {
  EXPECT_EQ(path<Grouped>({any, next, next, next, any}), "abcde");
  EXPECT_EQ(path<Grouped>({any, next, next, accepted, any}), "abcde");
  EXPECT_EQ(path<Grouped>({any, next, accepted, any, any}), "abce");
  EXPECT_EQ(path<Grouped>({any, accepted, any, any, any}), "abe");
  EXPECT_EQ(path<Grouped>({any, next, stale, any, any}), "abc");
}

struct Final : Scripted {
  static constexpr auto worker = program(a, steps(b, c), finally(d, e));
};

TEST(Program, FinallyIsPassedAtTheEndAndByWhoIsTurnedAway) {
  EXPECT_EQ(path<Final>({accepted, next, accepted, any, any}), "abcde");
  EXPECT_EQ(path<Final>({stale, any, any, any, any}), "ade");
  EXPECT_EQ(path<Final>({refused, any, any, any, any}), "ade");
  EXPECT_EQ(path<Final>({accepted, refused, any, any, any}), "abde");
  EXPECT_EQ(path<Final>({accepted, next, stale, any, any}), "abcde");
}

TEST(Program, WhoIsTurnedAwayInFinallyGoesOnWithTheRestOfIt) {
  EXPECT_EQ(path<Final>({stale, any, any, refused, any}), "ade");
  EXPECT_EQ(path<Final>({stale, any, any, any, stale}), "ade");
}

struct FinalInTheMiddle : Scripted {
  static constexpr auto worker = program(a, finally(b), c, finally(d), e);
};

TEST(Program, WhoIsTurnedAwayGoesOnWithTheNextFinallyBehindIt) {
  EXPECT_EQ(path<FinalInTheMiddle>({any, any, any, any, any}), "abcde");
  EXPECT_EQ(path<FinalInTheMiddle>({stale, any, any, any, any}), "abcde");
  EXPECT_EQ(path<FinalInTheMiddle>({any, any, stale, any, any}), "abcde");
  EXPECT_EQ(path<FinalInTheMiddle>({any, any, any, any, stale}), "abcde");
}

struct FinalGroup : Scripted {
  static constexpr auto worker = program(a, b, finally(steps(c, d), e));
};

TEST(Program, AVisitOfFinallyIsLeftByWhoIsTurnedAway) {
  EXPECT_EQ(path<FinalGroup>({stale, any, next, any, any}), "acde");
  EXPECT_EQ(path<FinalGroup>({stale, any, refused, any, any}), "ace");
}

struct GoesOn : Scripted {
  static constexpr auto worker = program(go_on_after(steps(a, b)), c, finally(d));
};

TEST(Program, AVisitToGoOnAfterMayTurnAwayAndTheProgramGoesOn) {
  EXPECT_EQ(path<GoesOn>({next, next, any, any}), "abcd");
  EXPECT_EQ(path<GoesOn>({accepted, any, any, any}), "acd");
  EXPECT_EQ(path<GoesOn>({stale, any, any, any}), "acd") << "the rest of the visit is left";
  EXPECT_EQ(path<GoesOn>({next, refused, any, any}), "abcd");
  EXPECT_EQ(path<GoesOn>({next, refused, stale, any}), "abcd");
}

struct InOrder : Scripted {
  static constexpr auto worker = program(in_order(a, steps(b, c)), finally(in_order(d, e)));
};

TEST(Program, ItemsInOrderAreAsIfEachStoodInTheProgram) {
  EXPECT_EQ(path<InOrder>({accepted, next, accepted, any, any}), "abcde");
  EXPECT_EQ(path<InOrder>({accepted, accepted, any, any, any}), "abde");
  EXPECT_EQ(path<InOrder>({stale, any, any, any, any}), "ade");
}

struct Sometimes : Scripted {
  static constexpr auto first_is_next = [](const Switches& answers) { return answers.of[0] == Reply::next; };
  static constexpr auto first_is_accepted = [](const Switches& answers) { return answers.of[0] == Reply::accepted; };
  static constexpr auto worker =
      program(a, when(first_is_next, steps(b, c)), when(first_is_accepted, d), finally(when(first_is_next, e)));
};

TEST(Program, ItemsWithAWhenAreThereOnlyWithTheRightSwitches) {
  EXPECT_EQ(path<Sometimes>({next, next, accepted, any, any}), "abce");
  EXPECT_EQ(path<Sometimes>({accepted, any, any, accepted, any}), "ad");
  EXPECT_EQ(path<Sometimes>({stale, any, any, any, any}), "a");
}

struct WhenInWhen : Scripted {
  static constexpr auto first_is_next = [](const Switches& answers) { return answers.of[0] == Reply::next; };
  static constexpr auto second_is_next = [](const Switches& answers) { return answers.of[1] == Reply::next; };
  static constexpr auto worker = program(a, when(first_is_next, b, when(second_is_next, c), d), e);
};

TEST(Program, AWhenInsideAnotherNeedsBoth) {
  EXPECT_EQ(path<WhenInWhen>({next, next, any, any, any}), "abcde");
  EXPECT_EQ(path<WhenInWhen>({next, accepted, any, any, any}), "abde");
  EXPECT_EQ(path<WhenInWhen>({accepted, next, any, any, any}), "ae");
  EXPECT_EQ(path<WhenInWhen>({accepted, accepted, any, any, any}), "ae");
}

TEST(Program, StepsThatAreNotThereTakeNoPlaceButKeepTheirNumber) {
  const WorldOf<Sometimes, properties<>> world({.workers = 1}, {{accepted, any, any, accepted, any}});
  std::string names;
  std::string present;
  for (const StepText& action : world.actions()) {
    if (action.kind != ActionKind::worker_step) continue;
    names += action.name;
    present += action.present ? "+" : "-";
  }
  EXPECT_EQ(names, "abcde");
  EXPECT_EQ(present, "+--+-");
  // The row's count, the counter and holder with their three leases, the newest lease; the worker's token and lease,
  // and one bit for two places.
  int bits = 0;
  for (const std::uint8_t width : world.field_bits()) bits += width;
  EXPECT_EQ(bits, 4 + 2 * 2 + 2 + 2 * 2 + 1);
}

TEST(Program, AStepSaysWhatItIsPartOf) {
  const WorldOf<Final, properties<>> in_final({}, {});
  const WorldOf<GoesOn, properties<>> goes_on({}, {});
  std::string first_of_visit;
  std::string finally_steps;
  std::string go_on_steps;
  for (const StepText& action : in_final.actions()) {
    if (action.kind != ActionKind::worker_step) continue;
    if (action.first_of_visit) first_of_visit += action.name;
    if (action.in_finally) finally_steps += action.name;
    EXPECT_EQ(action.components, std::vector{1});
    EXPECT_FALSE(action.claims_one_transaction());
  }
  for (const StepText& action : goes_on.actions()) {
    if (action.go_on) go_on_steps += action.name;
  }
  EXPECT_EQ(first_of_visit, "abde");
  EXPECT_EQ(finally_steps, "de");
  EXPECT_EQ(go_on_steps, "ab");
}

TEST(Program, EachWorkerHasItsOwnPlace) {
  const WorldOf<Sequence, properties<>> world({.workers = 3}, {});
  Play play(world);
  play.step(2, "a");
  play.step(2, "b");
  play.step(0, "a");
  EXPECT_EQ(play.next_step(0), "b");
  EXPECT_EQ(play.next_step(1), "a");
  EXPECT_EQ(play.next_step(2), "c");
  EXPECT_FALSE(play.can(1, "b"));
  EXPECT_FALSE(play.can(3, "a")) << "there is no such worker";
  EXPECT_FALSE(play.can(-1, "a")) << "a fault is not a step";
}

// --- waiting
// ----------------------------------------------------------------------------------------------------------

struct Waits {
  struct Store {
    struct Row {
      Count<15> asked;
      Flag open;
    };
  };
  static constexpr auto come_in = step("come in", [](Store::Row& row) {
    row.asked.add();  // forgotten when the answer is to wait
    return row.open ? Reply::accepted : Reply::wait;
  });
  static constexpr auto unlock = step("open", [](Store::Row& row) {
    if (row.open) return Reply::wait;
    row.open = true;
    return Reply::accepted;
  });
  using Issuer = CountingIssuer;
  using Stores = stores<Store>;
  static constexpr auto worker = program(steps(at(store<0>, unlock), at(store<0>, come_in)), at(store<0>, come_in));
};

TEST(Program, WhoHasToWaitStaysWhereHeIsAndNothingHappens) {
  const WorldOf<Waits, properties<>> world({.workers = 2}, {});
  Play play(world);
  EXPECT_EQ(play.successors(), 2U);
  play.step(0, "open");
  EXPECT_EQ(play.next_step(0), "come in") << "accepted leaves the group, and the second 'come in' is next";
  const std::vector<std::byte> before = play.state();
  EXPECT_FALSE(play.can(1, "open"));
  EXPECT_EQ(play.successors(), 1U) << "a step that waits is no transition";
  EXPECT_EQ(play.state(), before);
  EXPECT_EQ(play.fields(1), (std::vector{0, 1}));
  play.step(0, "come in");
  EXPECT_EQ(play.fields(1), (std::vector{1, 1}));
  EXPECT_EQ(play.successors(), 0U) << "both wait for ever";
}

// --- memory
// -----------------------------------------------------------------------------------------------------------

struct Remembers {
  struct Memory {
    static constexpr std::string_view field_names[] = {"seen", "times"};
    Token seen;
    Count<7> times;
  };
  struct Store {
    struct Row {
      Token highest;
    };
  };
  static constexpr auto look = step("look", [](const Store::Row& row, Memory& memory) {
    memory.seen = row.highest;
    memory.times.add();
    return Reply::next;
  });
  static constexpr auto raise = step("raise", [](Store::Row& row, const Request& r, Memory& memory) {
    memory.times.add();
    if (row.highest != memory.seen) return Reply::refused;
    row.highest = r.token;
    return Reply::accepted;
  });
  using Issuer = CountingIssuer;
  using Stores = stores<Store>;
  static constexpr auto worker = program(acquire, at(store<0>, steps(look, raise)), finally(release));
};

TEST(Program, MemoryIsKeptBetweenStepsAndForgottenAtTheEnd) {
  const WorldOf<Remembers, properties<>> world({.workers = 2}, {});
  Play play(world);
  for (const int worker : {0, 1}) {
    play.step(worker, "acquire");
    play.step(worker, "look");
    play.fault(ActionKind::expiry, 0);
  }
  EXPECT_EQ(play.memory(0), (std::vector{0, 1}));
  EXPECT_EQ(play.step(1, "raise").reply, "accepted");
  EXPECT_EQ(play.step(0, "raise").reply, "refused") << "the row is not as it was when it was looked at";
  EXPECT_EQ(play.memory(0), (std::vector{0, 2}));
  EXPECT_EQ(play.told().workers[0].lease, 1);
  play.step(0, "release");
  EXPECT_EQ(play.memory(0), (std::vector{0, 0}));
  EXPECT_EQ(play.told().workers[0].lease, 0);
  EXPECT_EQ(play.told().workers[0].token, 0);
  EXPECT_EQ(play.memory(1), (std::vector{0, 2})) << "each worker has its own";
  EXPECT_EQ(play.told().workers[1].memory[1].name, "times");
}

TEST(Program, MemoryThatADesignDoesNotDeclareTakesNoBits) {
  const WorldOf<Remembers, properties<>> with_memory({.workers = 2, .leases = 3}, {});
  int bits = 0;
  for (const std::uint8_t width : with_memory.field_bits()) bits += width;
  // Counter, holder, newest lease, the row's token; each worker: four places, token, lease, and the memory.
  EXPECT_EQ(bits, 4 * 2 + 2 * (2 + 2 + 2 + (2 + 3)));
}

}  // namespace
}  // namespace fencecheck::tests
