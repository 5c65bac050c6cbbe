// Workers that differ in their names only: one state stands for all orders of them, and for exactly as many.
#include <fencecheck/model/symmetry.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fencecheck/explorer/walk.h>
#include <fencecheck/fencecheck.h>
#include <fencecheck/model/world_of.h>

#include "../support/checks.h"
#include "../support/core_world.h"
#include "../support/draw.h"
#include "../support/play.h"

namespace fencecheck::tests {
namespace {

using explorer::Move;
using explorer::Search;
using explorer::Targets;
using reference::Check;

// --- a design that names its workers
// ----------------------------------------------------------------------------------

// A lock that is known by its owner's name, and rows with the name of who wrote last and who wrote before.
struct Named {
  struct Issuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "owner"};
      Token counter;
      Unique holder;
      Owner owner;
    };
    struct Backup {
      Owner owner;
    };
    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr void expire(Record& record) { record.holder = Unique{}; }
    static constexpr Backup backup(const Record& record) { return {record.owner}; }
    static constexpr auto restore = step("restore", [](Record& record, const Backup& saved) {
      record.owner = saved.owner;
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& record, const Request& r, Grant& grant) {
      if (record.holder.exists() && record.owner != r.owner) return Reply::wait;
      record.counter = record.counter.next();
      record.owner = r.owner;
      record.holder = grant.handle;
      grant.token = record.counter;
      return Reply::granted;
    });
    static constexpr auto release = step("release", [](Record& record, const Request& r, Guards& check) {
      if (!check("the lock has the caller's name", record.owner == r.owner)) return Reply::refused;
      record = {record.counter, Unique{}, Owner{}};
      return Reply::accepted;
    });
  };
  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"last", "before", "value"};
      Owner last;
      Owner before;
      Value value;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row = {r.owner, row.last, r.value};
      return Reply::accepted;
    });
  };
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, write<0>, finally(release));
};
using NamedWorld = WorldOf<Named, FencingProperties>;

TEST(Owners, AreToldByTheNameOfTheWorkerAndCompared) {
  const NamedWorld world({.workers = 3, .leases = 3}, {});
  Play play(world);
  play.step(2, "acquire");
  EXPECT_EQ(play.fields(0), (std::vector{1, 1, 3}));
  EXPECT_FALSE(play.can(0, "acquire"));
  play.step(2, "write");
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  play.step(1, "write");
  EXPECT_EQ(play.fields(1), (std::vector{2, 3, 2}));
  EXPECT_EQ(play.step(2, "release").reply, "refused");
}

TEST(Owners, AreRenamedWithTheWorkersThatTheyName) {
  // Worker 2 holds the lock, workers 1 and 2 have written, worker 0 idles; sorted by place, the idle one stays first.
  const NamedWorld world({.workers = 3, .leases = 3, .store_restores = 1}, {});
  Play play(world);
  play.step(1, "acquire");
  play.step(1, "write");
  play.step(1, "release");
  play.step(2, "acquire");
  play.step(2, "write");
  play.fault(ActionKind::backup, 1);
  std::vector<std::byte> state = play.state();
  world.canonicalize(state.data(), 1);
  const StateTold told = world.tell(state.data());
  const int busy = 1 + static_cast<int>(std::find_if(told.workers.begin(), told.workers.end(),
                                                     [](const WorkerTold& worker) { return worker.lease == 2; }) -
                                        told.workers.begin());
  EXPECT_EQ(told.components[0].fields[2].number, busy);
  EXPECT_EQ(told.components[1].fields[0].number, busy);
  EXPECT_NE(told.components[1].fields[1].number, busy);
  EXPECT_NE(told.components[1].fields[1].number, 0);
  EXPECT_EQ(world.orbit_size(state.data()), 6U) << "of the two idle workers one is named by the row";
}

TEST(Owners, ThatNameIdleWorkersTellThemApart) {
  const NamedWorld world({.workers = 3, .leases = 3}, {});
  Play play(world);
  EXPECT_EQ(world.orbit_size(play.state().data()), 1U);
  play.step(0, "acquire");
  play.step(0, "write");
  play.step(0, "release");
  // All are idle; the row names one of them.
  std::vector<std::byte> state = play.state();
  world.canonicalize(state.data(), 1);
  EXPECT_EQ(world.orbit_size(state.data()), 3U);
}

TEST(Symmetry, WeightedCountsOfADesignWithOwnersAreThoseOfTheFullSearch) {
  for (const Bounds& bounds :
       {Bounds{.workers = 1, .leases = 3}, Bounds{.workers = 2, .leases = 3, .issuer_restores = 1},
        Bounds{.workers = 3, .leases = 3}, Bounds{.workers = 3, .leases = 2, .store_restores = 1},
        Bounds{.workers = 4, .leases = 2, .issuer_restores = 1}}) {
    const NamedWorld world(bounds, {});
    for (const int threads : {1, 2}) {
      EXPECT_TRUE(symmetry_agrees_with_full_search(world, threads)) << bounds.workers << " workers";
    }
  }
}

TEST(Symmetry, OfADesignWithOwnersIsNotEmpty) {
  const NamedWorld world({.workers = 3, .leases = 3}, {});
  Search full(world, options(1));
  Search reduced(world, options(1, true));
  EXPECT_EQ(full.run().states, 1126U);
  EXPECT_EQ(reduced.run().states, 196U) << "three workers have six orders at most";
}

TEST(Symmetry, ShortestRunsOfADesignWithOwnersReplayAndDoNotDependOnIt) {
  const NamedWorld world({.workers = 3, .leases = 3, .issuer_restores = 1}, {});
  Search full(world, options(1));
  Search reduced(world, options(1, true));
  const Targets targets = met(full.run());
  ASSERT_EQ(targets, met(reduced.run()));
  ASSERT_NE(targets, 0U);
  EXPECT_TRUE(runs_replay(world, full));
  const auto runs = full.shortest_runs(targets);
  const auto reduced_runs = reduced.shortest_runs(targets);
  for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(runs[i].moves, reduced_runs[i].moves);
}

// A worker reads a name into its memory and decides by it later.
struct RemembersAName {
  struct Memory {
    Owner seen;
  };
  struct Table {
    struct Row {
      Owner last;
      Value value;
    };
  };
  static constexpr auto look = step("look", [](const Table::Row& row, Memory& memory) {
    memory.seen = row.last;
    return Reply::next;
  });
  static constexpr auto swap_if_seen = step("swap if unchanged", [](Table::Row& row, const Request& r, Memory& memory) {
    if (row.last != memory.seen) return Reply::refused;
    row = {r.owner, r.value};
    return Reply::accepted;
  });
  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto worker = program(acquire, at(store<0>, steps(look, swap_if_seen)), finally(release));
};

TEST(Symmetry, ANameInAWorkersMemoryIsRenamedToo) {
  const WorldOf<RemembersAName, FencingProperties> world({.workers = 3, .leases = 3}, {});
  EXPECT_TRUE(symmetry_agrees_with_full_search(world, 1));
}

// --- any design
// -------------------------------------------------------------------------------------------------------

TEST(Symmetry, WeightedCountsOfTheGridAreKnownByHeart) {
  EXPECT_TRUE(grid_is_counted(6, 1));
  EXPECT_TRUE(grid_is_counted(6, 2));
}

TEST(Symmetry, ARunByRenamedWorkersLeadsToTheSameCanonicalState) { EXPECT_TRUE(renamed_runs_of_core_meet()); }

TEST(Symmetry, AStateStandsForAllDifferentOrdersOfItsWorkers) {
  const auto world = core_world({.workers = 4, .leases = 4, .check = Check::atomic});
  Play play(*world);
  const auto orbit = [&] {
    std::vector<std::byte> state = play.state();
    world->canonicalize(state.data(), 1);
    return world->orbit_size(state.data());
  };
  EXPECT_EQ(orbit(), 1U) << "all four are idle";
  play.step(3, "acquire");
  EXPECT_EQ(orbit(), 4U);
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  EXPECT_EQ(orbit(), 12U);
  play.fault(ActionKind::expiry, 0);
  play.step(0, "acquire");
  EXPECT_EQ(orbit(), 24U);
}

/// A random run of a world, and random new names for its workers.
void renamed_runs_meet_anywhere(const World& world, int workers) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int steps = *uniform(0, 30);
  std::vector<int> names(static_cast<std::size_t>(workers));
  std::iota(names.begin(), names.end(), 0);
  explorer::SplitMix random(seed);
  for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[random.below(i)]);
  const explorer::Run run = random_walk(world, random, steps, [](Move, Targets, const std::byte*) {});
  const testing::AssertionResult result = renamed_runs_meet(world, run.moves, names);
  if (!result) RC_FAIL(result.message());
}

RC_GTEST_PROP(Symmetry, AnyRunOfCoreByRenamedWorkersMeetsIt, ()) {
  const int workers = *uniform(1, 6);
  const auto check = *rc::gen::element(Check::none, Check::lease, Check::separate, Check::atomic);
  const auto world = core_world(
      {.workers = workers, .stores = 2, .leases = 6, .issuer_restores = 1, .store_restores = 1, .check = check});
  renamed_runs_meet_anywhere(*world, workers);
}

RC_GTEST_PROP(Symmetry, AnyRunOfADesignWithOwnersByRenamedWorkersMeetsIt, ()) {
  const int workers = *uniform(1, 6);
  const NamedWorld world({.workers = workers, .leases = 6, .issuer_restores = 1, .store_restores = 1}, {});
  renamed_runs_meet_anywhere(world, workers);
}

RC_GTEST_PROP(Symmetry, AnyRunOfADesignThatRemembersOwnersByRenamedWorkersMeetsIt, ()) {
  const int workers = *uniform(1, 4);
  const WorldOf<RemembersAName, FencingProperties> world({.workers = workers, .leases = 6, .store_restores = 1}, {});
  renamed_runs_meet_anywhere(world, workers);
}

}  // namespace
}  // namespace fencecheck::tests
