// What happens in a world: what counts as a write, what faults do, and what a state consists of.
#include <fencecheck/model/world_of.h>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>

#include "../support/checks.h"
#include "../support/core_world.h"
#include "../support/issuer_by_two.h"
#include "../support/play.h"

namespace fencecheck::tests {
namespace {

using reference::Check;
using reference::Register;

using Numbers = std::vector<int>;

// --- what a write is
// --------------------------------------------------------------------------------------------------

TEST(Write, OfTheValueThatTheStoreHoldsAlreadyIsSeen) { EXPECT_TRUE(second_write_of_one_value_is_seen()); }

// Two stores, and every way to change them that is or is not a write.
struct Copies {
  struct Store {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "copy"};
      Token highest;
      Value value;
      Value copy;
    };
  };
  using Row = Store::Row;
  static constexpr auto raise = step("raise", [](Row& row, const Request& r) {
    row.highest = r.token;
    return Reply::accepted;
  });
  static constexpr auto put = step("put", [](Row& row, const Request& r) {
    row.value = r.value;
    return Reply::refused;  // whatever it says
  });
  static constexpr auto keep = step("keep a copy", [](Row& row) {
    row.copy = row.value;
    return Reply::accepted;
  });
  static constexpr auto read = step("read", [](const Row&, const Request&) { return Reply::accepted; });
  static constexpr auto put_both = together(
      "put both",
      [](Row& first, Row& second, const Request& r) {
        first.copy = r.value;
        second.value = r.value;
        return Reply::accepted;
      },
      store<0>, store<1>);
  using Issuer = CountingIssuer;
  using Stores = stores<Store, Store>;
  static constexpr auto worker = program(acquire, at(store<0>, raise), go_on_after(at(store<1>, put)),
                                         at(store<1>, keep), at(store<1>, read), put_both, finally(release));
};

TEST(Write, IsWhatChangedInTheDataAndNotWhatTheStepAnswered) {
  const WorldOf<Copies, FencingProperties> world({}, {});
  Play play(world);
  play.step(0, "acquire");
  EXPECT_EQ(play.step(0, "raise").wrote, Numbers{}) << "the highest token alone";
  const StepTold put = play.step(0, "put");
  EXPECT_EQ(put.reply, "refused");
  EXPECT_EQ(put.wrote, Numbers{1}) << "although it says that it refused";
  EXPECT_EQ(play.step(0, "keep a copy").wrote, Numbers{}) << "the value is not this step's";
  EXPECT_EQ(play.step(0, "read").wrote, Numbers{}) << "although it was accepted";
  EXPECT_EQ(play.step(0, "put both").wrote, (Numbers{0, 1}));
  EXPECT_EQ(play.fields(1), (Numbers{1, 0, 1}));
  EXPECT_EQ(play.fields(2), (Numbers{0, 1, 1}));
}

TEST(Write, RaisingTheHighestTokenIsNotRememberedAsAWrite) {
  // Worker 1 raises store 0 under lease 2; worker 0 then does the same under lease 1, which is no stale write.
  const WorldOf<Copies, FencingProperties> world({}, {});
  Play play(world);
  play.step(0, "acquire");
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  play.step(1, "raise");
  EXPECT_EQ(play.step(0, "raise").targets, 0U);
  play.step(1, "put");
  EXPECT_EQ(play.step(0, "put").targets, (1U << violated_target(0)) + (1U << violated_target(2)))
      << "no-stale-write, and successor-fences-at-issue";
}

// A worker keeps its payload in its memory, and the lock service keeps one, too.
struct KeepsPayload {
  struct Memory {
    Value payload;
  };
  struct Store {
    struct Row {
      Value value;
    };
  };
  static constexpr auto prepare = step("prepare", [](const Store::Row&, const Request& r, Memory& memory) {
    memory.payload = r.value;
    return Reply::next;
  });
  static constexpr auto put = step("put", [](Store::Row& row, Memory& memory) {
    row.value = memory.payload;
    return Reply::accepted;
  });
  using Issuer = CountingIssuer;
  using Stores = stores<Store>;
  static constexpr auto worker = program(acquire, at(store<0>, steps(prepare, put)), finally(release));
};

TEST(Write, FromMemoryIsJudgedTheSameWayInASearchAndInAReplay) {
  const WorldOf<KeepsPayload, FencingProperties> world({.workers = 2, .leases = 2}, {});
  Play play(world);
  play.step(0, "acquire");
  play.step(0, "prepare");
  EXPECT_EQ(play.step(0, "put").wrote, Numbers{0});
  explorer::Search search(world, options(1));
  EXPECT_EQ(search.run().first_met[static_cast<std::size_t>(violated_target(0))], 7);
  EXPECT_TRUE(runs_replay(world, search));
  EXPECT_TRUE(symmetry_agrees_with_full_search(world, 1));
}

// --- what a step is told and sends
// ------------------------------------------------------------------------------------

TEST(Step, IsToldWithWhatWasSentAskedAndAnswered) {
  const auto world = core_world({.workers = 2, .leases = 3, .check = Check::atomic});
  Play play(*world);
  const StepTold acquired = play.step(1, "acquire");
  EXPECT_TRUE(acquired.granted);
  EXPECT_EQ(acquired.lease, 1);
  EXPECT_TRUE(acquired.sent.empty());
  EXPECT_EQ(acquired.before.holder, 0);
  EXPECT_EQ(acquired.after.holder, 1);
  play.fault(ActionKind::expiry, 0);
  play.step(0, "acquire");
  play.step(0, "compare and write");

  const StepTold told = play.step(1, "compare and write");
  EXPECT_EQ(told.move, (explorer::Move{1, told.move.action}));
  EXPECT_EQ(told.action, "compare and write");
  EXPECT_EQ(told.components, Numbers{1});
  EXPECT_EQ(told.lease, 1);
  EXPECT_EQ(told.sent, (std::vector<FieldTold>{{"token", "token", 1}, {"handle", "handle", 1}, {"value", "value", 1}}));
  ASSERT_EQ(told.guards.size(), 1U);
  EXPECT_EQ(told.guards[0].name, "the token is not older than the highest seen");
  EXPECT_FALSE(told.guards[0].passed);
  EXPECT_EQ(told.reply, "stale");
  EXPECT_TRUE(told.wrote.empty());
  EXPECT_EQ(told.targets, (explorer::Targets{1} << handled_target(0)) + (explorer::Targets{1} << handled_target(2)));
  EXPECT_EQ(told.before.newest_lease, 2);
  EXPECT_EQ(told.before.workers.at(1).next_step, "compare and write");
  EXPECT_EQ(told.after.workers.at(1).next_step, "release");
  EXPECT_EQ(told.after.components.at(1).name, "store");
  EXPECT_EQ(told.after.components.at(1).fields,
            (std::vector<FieldTold>{{"highest", "token", 2}, {"value", "value", 2}}));
}

TEST(Step, ThatIsNotPossibleChangesNothing) {
  const auto world = core_world({.workers = 2, .leases = 2, .issuer_restores = 1, .check = Check::atomic});
  Play play(*world);
  play.step(0, "acquire");
  std::vector<std::byte> state = play.state();
  std::size_t possible = 0;
  for (int actor = -2; actor <= 3; ++actor) {
    for (std::size_t action = 0; action < world->action_count() + 5; ++action) {
      StepTold told;
      told.action = "untouched";
      const explorer::Move move{static_cast<std::int16_t>(actor), static_cast<std::uint16_t>(action)};
      if (world->take(state.data(), move, told)) {
        ++possible;
        state = play.state();
        continue;
      }
      EXPECT_EQ(state, play.state()) << actor << "/" << action;
      EXPECT_EQ(told.action, "untouched");
    }
  }
  // Worker 0 writes; the lease expires; the backup is taken, or restored.
  EXPECT_EQ(possible, 4U);
  EXPECT_EQ(play.successors(), 4U);
}

TEST(Step, TogetherVisitsSeveralComponentsInOneInstantAndSaysSo) {
  const auto world = core_world({.workers = 2, .stores = 2, .leases = 3, .check = Check::none, .reg = Register::yes});
  Play play(*world);
  play.step(0, "acquire and register");
  play.fault(ActionKind::expiry, 0);
  const StepTold told = play.step(1, "acquire and register");
  EXPECT_EQ(play.fields(0), (Numbers{2, 2}));
  EXPECT_EQ(play.fields(1), (Numbers{2, 0})) << "both stores know the newest token";
  EXPECT_EQ(play.fields(2), (Numbers{2, 0}));
  EXPECT_EQ(told.wrote, Numbers{});
  EXPECT_FALSE(play.can(0, "acquire and register"));
  for (const StepText& action : world->actions()) {
    EXPECT_EQ(action.claims_one_transaction(), action.name == "acquire and register") << action.name;
  }
  EXPECT_EQ(world->component_count(), 3U);
}

// --- faults
// -----------------------------------------------------------------------------------------------------------

TEST(Faults, ALeaseExpiresOnlyWhileSomebodyHoldsTheLock) {
  const auto world = core_world({.workers = 2, .leases = 2});
  Play play(*world);
  EXPECT_FALSE(play.can_fault(ActionKind::expiry, 0));
  play.step(0, "acquire");
  EXPECT_FALSE(play.can(1, "acquire"));
  const StepTold expired = play.fault(ActionKind::expiry, 0);
  EXPECT_EQ(expired.move.actor, explorer::Move::environment);
  EXPECT_EQ(expired.reply, "");
  EXPECT_EQ(play.told().holder, 0);
  EXPECT_EQ(play.told().workers[0].lease, 1) << "the worker is not told";
  EXPECT_FALSE(play.can_fault(ActionKind::expiry, 0));
  EXPECT_TRUE(play.can(1, "acquire"));
}

TEST(Faults, WithoutExpiryALeaseEndsByAReleaseOnly) {
  const auto world = core_world({.workers = 2, .leases = 2, .expiry = false});
  Play play(*world);
  play.step(0, "acquire");
  EXPECT_FALSE(play.can_fault(ActionKind::expiry, 0));
  play.step(0, "write");
  play.step(0, "release");
  EXPECT_TRUE(play.can(1, "acquire"));
}

TEST(Faults, NoMoreLeasesAreGrantedThanTheBoundsAllow) {
  const auto world = core_world({.workers = 2, .leases = 2});
  Play play(*world);
  for (const int worker : {0, 1}) {
    play.step(worker, "acquire");
    play.step(worker, "write");
    play.step(worker, "release");
  }
  EXPECT_FALSE(play.can(0, "acquire"));
  EXPECT_EQ(play.successors(), 0U);
}

TEST(Faults, TheIssuerIsBackedUpAndRestoredWhileItsCounterDiffersFromTheBackup) {
  const auto world = core_world({.workers = 2, .leases = 4, .issuer_restores = 2});
  Play play(*world);
  EXPECT_FALSE(play.can_fault(ActionKind::backup, 0)) << "nothing to save yet";
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 0));
  play.step(0, "acquire");
  play.fault(ActionKind::backup, 0);
  EXPECT_FALSE(play.can_fault(ActionKind::backup, 0));
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 0)) << "the holder alone is not in a backup";
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  EXPECT_EQ(play.fields(0), (Numbers{2, 2}));
  play.fault(ActionKind::restore, 0);
  EXPECT_EQ(play.fields(0), (Numbers{1, 0})) << "and nobody holds the lock";
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 0));
  play.step(0, "write");
  play.step(0, "release");
  const StepTold again = play.step(0, "acquire");
  EXPECT_EQ(again.lease, 3) << "leases never repeat";
  EXPECT_EQ(again.after.workers[0].token, 2) << "tokens do";
  EXPECT_EQ(again.targets, 1U << violated_target(4));
  play.fault(ActionKind::restore, 0);
  EXPECT_FALSE(play.can_fault(ActionKind::backup, 0)) << "nobody takes a backup that no restore is left for";
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 0));
}

TEST(Faults, StoresAreBackedUpOneByOneAndShareOneBudgetOfRestores) {
  const auto world = core_world({.workers = 1, .stores = 2, .leases = 3, .store_restores = 1, .check = Check::atomic});
  Play play(*world);
  for (const int s : {1, 2}) EXPECT_FALSE(play.can_fault(ActionKind::backup, s));
  play.step(0, "acquire");
  play.step(0, "compare and write");
  EXPECT_TRUE(play.can_fault(ActionKind::restore, 1)) << "the empty backup differs";
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 2));
  play.fault(ActionKind::backup, 1);
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 1));
  play.step(0, "compare and write");
  EXPECT_EQ(play.fields(2), (Numbers{1, 1}));
  play.fault(ActionKind::restore, 2);
  EXPECT_EQ(play.fields(1), (Numbers{1, 1}));
  EXPECT_EQ(play.fields(2), (Numbers{0, 0}));
  for (const int s : {1, 2}) {
    EXPECT_FALSE(play.can_fault(ActionKind::backup, s));
    EXPECT_FALSE(play.can_fault(ActionKind::restore, s));
  }
}

TEST(Faults, ARestoredStoreTakesOldWritesAgainAndTheLedgerKnows) {
  const auto world = core_world({.workers = 2, .leases = 2, .store_restores = 1, .check = Check::atomic});
  Play play(*world);
  play.step(0, "acquire");
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  play.step(1, "compare and write");
  play.fault(ActionKind::restore, 1);
  const StepTold stale = play.step(0, "compare and write");
  EXPECT_EQ(stale.reply, "accepted");
  EXPECT_EQ(stale.targets, (1U << violated_target(0)) + (1U << violated_target(2)));
}

// --- what a state consists of
// -----------------------------------------------------------------------------------------

TEST(State, TakesTheBitsThatItsFieldsNeedWithinTheBounds) {
  EXPECT_TRUE(core_state_takes_90_bits());
  const auto bits = [](const reference::Setup& setup) { return key_bits(*core_world(setup)); };
  // Counter, holder, newest lease, highest token issued: 2 bits each up to 3 leases. One store: highest, value, highest
  // accepted lease. A worker: place, token, lease; acquire, write and release are three places.
  EXPECT_EQ(bits({.workers = 1, .leases = 3}), 4 * 2 + 3 * 2 + (2 + 2 * 2));
  EXPECT_EQ(bits({.workers = 4, .leases = 3}), 4 * 2 + 3 * 2 + 4 * (2 + 2 * 2));
  EXPECT_EQ(bits({.workers = 1, .leases = 15}), 4 * 4 + 3 * 4 + (2 + 2 * 4));
  EXPECT_EQ(bits({.workers = 1, .stores = 3, .leases = 3}), 4 * 2 + 3 * 3 * 2 + (3 + 2 * 2));
}

TEST(State, HasNoBitsForWhatTheBoundsAndSwitchesLeaveOut) {
  const auto bits = [](const reference::Setup& setup) { return key_bits(*core_world(setup)); };
  const reference::Setup plain{.workers = 2, .leases = 3, .check = Check::atomic};
  const int without = bits(plain);
  reference::Setup more = plain;
  more.expiry = false;
  EXPECT_EQ(bits(more), without);
  more = plain;
  more.reg = Register::yes;
  EXPECT_EQ(bits(more), without);
  more = plain;
  more.issuer_restores = 1;
  EXPECT_EQ(bits(more), without + 1 + 2) << "how many are left, and the saved counter";
  more.issuer_restores = 5;
  EXPECT_EQ(bits(more), without + 3 + 2);
  more = plain;
  more.store_restores = 1;
  EXPECT_EQ(bits(more), without + 1 + 2 * 2) << "how many are left, and the saved row";
  more = plain;
  more.check = Check::separate;
  EXPECT_EQ(bits(more), without) << "a fourth place fits into the two bits of the other three";
  more.stores = 2;
  EXPECT_EQ(bits(more), without + 3 * 2 + 2 * 1) << "six places, and another store";
}

TEST(State, OneProgramServesAllBoundsAtRunTime) {
  EXPECT_EQ(core_world({.workers = 1})->tell(core_world({.workers = 1})->initial_states().data()).workers.size(), 1U);
  EXPECT_EQ(core_world({.workers = 6})->tell(core_world({.workers = 6})->initial_states().data()).workers.size(), 6U);
  EXPECT_EQ(core_world({.workers = 1})->state_bytes(), core_world({.workers = 6, .stores = 4})->state_bytes());
  EXPECT_EQ(core_world({.stores = 4})->component_count(), 5U);
}

struct CountsByTwo {
  using Issuer = IssuerByTwo;
  using Stores = stores<>;
  static constexpr auto worker = program(acquire, finally(release));
};

TEST(State, ATokenThatOutgrowsItsBitsIsNotCutOff) {
  // 2, 4 and 6 need three bits, and up to three leases tokens have two.
  const WorldOf<CountsByTwo, FencingProperties> world({.workers = 2, .leases = 3}, {});
  explorer::Search search(world, options(1));
  EXPECT_THROW(search.run(), explorer::FieldOverflow);
  const WorldOf<CountsByTwo, FencingProperties> six_leases({.workers = 2, .leases = 6}, {});
  explorer::SearchOptions two_grants = options(1);
  two_grants.limits.max_depth = 3;
  explorer::Search within(six_leases, two_grants);
  EXPECT_EQ(within.run().first_met[static_cast<std::size_t>(handled_target(4))], 3) << "4 after 2";
}

// --- mistakes
// ---------------------------------------------------------------------------------------------------------

struct Plain {
  static constexpr std::string_view name = "plain";
  struct Switches {
    int loops = 1;
    bool deep = false;
  };
  static constexpr auto switches = std::tuple(number("loops", "how many", &Switches::loops, 1, {"1", "2"}),
                                              choice("deep", "whether", &Switches::deep, {"no", "yes"}));
  using Issuer = CountingIssuer;
  using Stores = stores<>;
  static constexpr auto worker = program(acquire, finally(release));
};

/// What a design says to bounds or switches that it does not take.
std::string complaint(const Bounds& bounds, const SwitchValues& switches = {}) {
  try {
    make_design<Plain>()->world(bounds, switches);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Bounds, OutOfTheirRangeAreRefusedWithTheRange) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.workers = 0}), "--workers is 0; it must be 1 to 6");
  EXPECT_EQ(complaint({.workers = 7}), "--workers is 7; it must be 1 to 6");
  EXPECT_EQ(complaint({.leases = 0}), "--leases is 0; it must be 1 to 15");
  EXPECT_EQ(complaint({.leases = 16}), "--leases is 16; it must be 1 to 15");
  EXPECT_EQ(complaint({.issuer_restores = -1}), "--issuer-restores is -1; it must be 0 to 15");
  EXPECT_EQ(complaint({.store_restores = 16}), "--store-restores is 16; it must be 0 to 15");
  EXPECT_EQ(complaint({.workers = 6, .leases = 15, .issuer_restores = 15, .store_restores = 15}), "");
}

struct Nowhere : Plain {
  static constexpr auto worker = program(when([](const Switches& set) { return set.deep; }, acquire, finally(release)));
};

TEST(Switches, ThatLeaveNoStepInTheProgramAreRefused) {
  using WorldOfNowhere = WorldOf<Nowhere, FencingProperties>;
  EXPECT_NO_THROW(WorldOfNowhere({}, {.loops = 1, .deep = true}));
  EXPECT_THROW(WorldOfNowhere({}, {.loops = 1, .deep = false}), UsageError);
}

TEST(Switches, ThatADesignDoesNotHaveAreRefusedWithThoseThatItHas) {
  EXPECT_EQ(complaint({}, {{"loops", "2"}, {"deep", "yes"}}), "");
  EXPECT_EQ(complaint({}, {{"loop", "2"}}), "--set loop=2: the design plain has no switch 'loop'; it has loops, deep");
  EXPECT_EQ(complaint({}, {{"loops", "3"}}), "--set loops=3: '3' is not a value of loops; its values are 1, 2");
  EXPECT_EQ(complaint({}, {{"deep", ""}}), "--set deep=: '' is not a value of deep; its values are no, yes");
}

}  // namespace
}  // namespace fencecheck::tests
