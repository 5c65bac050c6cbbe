// Random walks: the same seed gives the same walks everywhere, and a walk takes only moves that are there.
#include <fencecheck/explorer/walk.h>

#include <array>
#include <atomic>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/checks.h"
#include "../support/models.h"

namespace fencecheck::tests {
namespace {

using explorer::Move;
using explorer::SplitMix;
using explorer::StoppedBy;
using explorer::Targets;
using explorer::WalkOptions;
using explorer::WalkResult;

TEST(SplitMix, ItGivesTheNumbersOfTheReference) {
  // What the published algorithm gives for this seed; Rosetta Code, "Pseudo-random numbers/Splitmix64", has the same.
  SplitMix random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
  EXPECT_EQ(random.next(), 4593380528125082431ULL);
  EXPECT_EQ(random.next(), 16408922859458223821ULL);
}

TEST(SplitMix, BelowReachesEveryNumberAboutEquallyOften) {
  SplitMix random(1);
  std::array<int, 5> drawn{};
  for (int i = 0; i < 50'000; ++i) ++drawn.at(random.below(5));
  for (const int times : drawn) {
    EXPECT_GT(times, 9'500);
    EXPECT_LT(times, 10'500);
  }
  EXPECT_EQ(SplitMix(2).below(1), 0U);
}

RC_GTEST_PROP(SplitMix, BelowStaysBelowAnyBound, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto bound = *rc::gen::suchThat<std::uint64_t>([](std::uint64_t n) { return n != 0; });
  SplitMix random(seed);
  for (int i = 0; i < 100; ++i) RC_ASSERT(random.below(bound) < bound);
  SplitMix huge(seed);
  const std::uint64_t above_half = (std::uint64_t{1} << 63) + 1;  // every other draw is thrown away
  for (int i = 0; i < 100; ++i) RC_ASSERT(huge.below(above_half) < above_half);
}

std::vector<Move> walk(const explorer::Model& model, std::uint64_t seed, int max_steps = 1000) {
  SplitMix random(seed);
  return random_walk(model, random, max_steps, [](Move, Targets, const std::byte*) {}).moves;
}

TEST(RandomWalk, TheSameSeedWalksTheSameWayAndAnotherSeedAnotherWay) {
  const Grid grid(4, 20);
  EXPECT_EQ(walk(grid, 5), walk(grid, 5));
  EXPECT_NE(walk(grid, 5), walk(grid, 6));
}

TEST(RandomWalk, ItIsPinnedSoThatEveryCompilerWalksTheSameWay) {
  std::string actors;
  for (const Move move : walk(Grid(3, 3), 7)) actors += std::to_string(move.actor);
  EXPECT_EQ(actors, "000121122");
}

TEST(RandomWalk, ItEndsWhereNothingCanMoveOrWhereItsStepsAreUsedUp) {
  EXPECT_EQ(walk(Grid(3, 4), 1).size(), 12U);
  EXPECT_EQ(walk(Grid(3, 4), 1, 5).size(), 5U);
  EXPECT_EQ(walk(Grid(3, 4), 1, 0).size(), 0U);
}

TEST(RandomWalk, ItBeginsInAnyOfTheInitialStates) {
  const Graph graph({3, 4, 5}, {});
  std::array<int, 3> begun{};
  SplitMix random(1);
  for (int i = 0; i < 300; ++i) {
    ++begun.at(random_walk(graph, random, 10, [](Move, Targets, const std::byte*) {}).initial);
  }
  for (const int times : begun) EXPECT_GT(times, 60);
}

RC_GTEST_PROP(RandomWalk, EveryStateOnTheWayIsOneThatTheSearchFound, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto symmetry = *rc::gen::arbitrary<bool>();
  const Grid grid(4, 4);
  explorer::Search search(grid, options(1, symmetry));
  search.run();
  SplitMix random(seed);
  random_walk(grid, random, 100, [&](Move, Targets, const std::byte* state) { RC_ASSERT(search.contains(state)); });
  const std::array<std::byte, 8> beyond{std::byte{5}};
  RC_ASSERT(!search.contains(beyond.data()));
}

WalkOptions walks(std::uint64_t count, std::uint64_t seed = 1) {
  WalkOptions result;
  result.walks = count;
  result.seed = seed;
  result.max_steps = 100;
  return result;
}

TEST(RandomWalks, EveryStepIsCounted) {
  const WalkResult result = random_walks(Grid(3, 4), walks(10));
  EXPECT_EQ(result.walks, 10U);
  EXPECT_EQ(result.steps, 120U);
  EXPECT_EQ(result.longest, 12);
  EXPECT_EQ(result.fired, std::vector<std::uint64_t>{120});
  EXPECT_EQ(result.stopped_by, StoppedBy::nothing);
}

TEST(RandomWalks, ATargetIsToldWithTheWalkCutOffWhereItWasMet) {
  Grid grid(3, 4);
  grid.alarm_at = 7;
  const WalkResult result = random_walks(grid, walks(10));
  ASSERT_TRUE(result.first_met[0]);
  EXPECT_EQ(result.first_met[0]->moves.size(), 7U);
  EXPECT_FALSE(result.first_met[1]);
}

TEST(RandomWalks, TheShortestOfSeveralWalksToATargetIsTold) {
  // The target is met after one step or after three, and once more later on.
  const Graph graph({0},
                    {{0, 9, {0, 0}, 1}, {0, 1, {0, 1}, 0}, {1, 2, {0, 1}, 0}, {2, 3, {0, 1}, 1}, {3, 4, {0, 1}, 1}});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const WalkResult result = random_walks(graph, walks(20, seed));
    ASSERT_TRUE(result.first_met[0]);
    EXPECT_EQ(result.first_met[0]->moves, (std::vector<Move>{{0, 0}}));
  }
  const WalkResult one_walk = random_walks(graph, walks(1, 1));
  ASSERT_TRUE(one_walk.first_met[0]);
  EXPECT_EQ(one_walk.first_met[0]->moves, (std::vector<Move>{{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_EQ(one_walk.longest, 4);
}

TEST(RandomWalks, TheSameSeedGivesTheSameFigures) {
  Graph graph({0}, {{0, 1, {0, 0}, 0}, {0, 0, {0, 1}, 0}, {1, 0, {0, 2}, 0}});
  const WalkResult first = random_walks(graph, walks(50, 3));
  const WalkResult again = random_walks(graph, walks(50, 3));
  const WalkResult other = random_walks(graph, walks(50, 4));
  EXPECT_EQ(first.fired, again.fired);
  EXPECT_NE(first.fired, other.fired);
}

TEST(RandomWalks, AnInterruptionEndsThemBetweenTwoWalks) {
  std::atomic<bool> interrupted = false;
  std::atomic<int> expanded = 0;
  Grid grid(1, 9);
  grid.on_expand = [&](int) {
    if (++expanded == 25) interrupted = true;  // in the third walk of nine steps, which look at ten states each
  };
  WalkOptions endless = walks(1'000'000'000);
  endless.interrupted = &interrupted;
  const WalkResult result = random_walks(grid, endless);
  EXPECT_EQ(result.stopped_by, StoppedBy::interrupt);
  EXPECT_EQ(result.walks, 3U);
  EXPECT_EQ(result.steps, 27U);
}

TEST(RandomWalks, TheTimeLimitEndsThem) {
  WalkOptions endless = walks(1'000'000'000'000);
  endless.seconds = 0.05;
  const WalkResult result = random_walks(Grid(3, 4), endless);
  EXPECT_EQ(result.stopped_by, StoppedBy::time);
  EXPECT_GE(result.seconds, 0.05);
  EXPECT_EQ(result.steps, 12 * result.walks);
}

}  // namespace
}  // namespace fencecheck::tests
