// Of several equally short runs one is told, by a rule: from its start it prefers a move of the process that moved
// last, then the lower action, then the lower process.
#include <fencecheck/explorer/search.h>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../support/checks.h"
#include "../support/models.h"

namespace fencecheck::tests {
namespace {

using explorer::Move;
using explorer::Search;
using explorer::SearchOptions;
using explorer::Targets;

constexpr Targets target = 1;
constexpr std::int16_t fault = Move::environment;

/// Whatever the order in which the model gives its successors.
void expect_run(const Graph& graph, const std::string& wanted) {
  EXPECT_TRUE(run_is(graph, wanted));
  EXPECT_TRUE(run_is(graph.reversed(), wanted)) << "with the edges in the opposite order";
}

TEST(Trace, TheProcessThatMovedLastIsPreferredToALowerAction) { EXPECT_TRUE(run_prefers_who_moved_last()); }

TEST(Trace, AmongOtherProcessesTheLowerActionIsPreferredToTheLowerProcess) {
  expect_run(Graph({0}, {{0, 1, {0, 2}, target}, {0, 2, {1, 1}, target}}), "1/1");
  expect_run(Graph({0}, {{0, 1, {2, 0}, 0}, {1, 2, {0, 4}, target}, {1, 3, {1, 3}, target}}), "2/0 1/3");
}

TEST(Trace, OfOneActionTheLowerProcessIsPreferred) {
  expect_run(Graph({0}, {{0, 1, {3, 1}, target}, {0, 2, {1, 1}, target}, {0, 3, {2, 1}, target}}), "1/1");
}

TEST(Trace, OfOneProcessTheLowerActionIsPreferred) {
  expect_run(Graph({0}, {{0, 1, {0, 0}, 0}, {1, 2, {0, 6}, target}, {1, 3, {0, 5}, target}}), "0/0 0/5");
}

TEST(Trace, AFaultDoesNotMakeOneForgetWhoMovedLast) {
  expect_run(Graph({0}, {{0, 1, {1, 3}, 0}, {1, 2, {fault, 9}, 0}, {2, 3, {0, 0}, target}, {2, 4, {1, 8}, target}}),
             "1/3 -1/9 1/8");
}

TEST(Trace, AFaultIsNobodysMoveSoItIsChosenByItsActionAlone) {
  // At the start nobody has moved.
  expect_run(Graph({0}, {{0, 1, {fault, 9}, target}, {0, 2, {1, 3}, target}}), "1/3");
  expect_run(Graph({0}, {{0, 1, {fault, 2}, target}, {0, 2, {1, 3}, target}}), "-1/2");
  // A second fault in a row is not preferred as such.
  expect_run(Graph({0}, {{0, 1, {fault, 9}, 0}, {1, 2, {fault, 9}, target}, {1, 3, {1, 3}, target}}), "-1/9 1/3");
}

TEST(Trace, ThePreferredMoveIsTakenOnlyWhereItKeepsTheRunShortest) {
  // 0/0 would be preferred at the start, but leads to a run of three.
  expect_run(
      Graph({0},
            {{0, 1, {0, 0}, 0}, {1, 2, {0, 0}, 0}, {2, 3, {0, 0}, target}, {0, 4, {5, 9}, 0}, {4, 5, {5, 9}, target}}),
      "5/9 5/9");
}

TEST(Trace, AStateFromWhichTheTargetIsReachedLaterOnlyIsNoWay) {
  // 1 is left for the target by a run of two as well as by one of three; the longer begins with the preferred move and
  // goes back to a state of an earlier level.
  expect_run(Graph({0}, {{0, 1, {0, 5}, 0}, {1, 0, {0, 0}, 0}, {1, 2, {1, 9}, target}}), "0/5 1/9");
}

TEST(Trace, TheFirstInitialStateWithAShortestRunIsChosen) {
  const Graph graph({7, 0, 4},
                    {{7, 8, {0, 0}, 0}, {8, 9, {0, 0}, target}, {0, 1, {1, 1}, target}, {4, 5, {0, 0}, target}});
  Search search(graph, options(1));
  ASSERT_EQ(search.run().first_met[0], 1);
  const explorer::Run run = search.shortest_runs(target).at(0);
  EXPECT_EQ(run.initial, 1U);
  EXPECT_EQ(run.moves, (std::vector<Move>{{1, 1}}));
}

TEST(Trace, ATargetMetOnALoopIsReachedThroughIt) {
  expect_run(Graph({0}, {{0, 1, {0, 0}, 0}, {1, 1, {0, 3}, target}}), "0/0 0/3");
}

TEST(Trace, SeveralTargetsGetARunEachLowestFirst) {
  const Graph graph({0}, {{0, 1, {0, 0}, 0}, {1, 2, {0, 1}, 4}, {2, 3, {0, 2}, 1}, {0, 4, {1, 3}, 2}});
  Search search(graph, options(1));
  search.run();
  const std::vector<explorer::Run> runs = search.shortest_runs(7);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].moves, (std::vector<Move>{{0, 0}, {0, 1}, {0, 2}}));
  EXPECT_EQ(runs[1].moves, (std::vector<Move>{{1, 3}}));
  EXPECT_EQ(runs[2].moves, (std::vector<Move>{{0, 0}, {0, 1}}));
  EXPECT_TRUE(search.shortest_runs(0).empty());
  EXPECT_EQ(search.shortest_runs(4).at(0).moves, runs[2].moves) << "asked for alone";
}

TEST(Trace, TheRunIsTheSameForAnyNumberOfThreadsAndUpToSymmetry) {
  // Four counters to 25 have levels of more than 10,000 states, whose marks are set by all threads together.
  Grid grid(4, 25);
  grid.alarm_at = 60;
  std::vector<Move> wanted;
  for (int i = 0; i < 60; ++i) wanted.push_back({static_cast<std::int16_t>(i / 25), 0});
  for (const bool symmetry : {false, true}) {
    for (const int threads : {1, 2, 3}) {
      Search search(grid, options(threads, symmetry));
      ASSERT_EQ(search.run().first_met[0], 60);
      EXPECT_EQ(search.shortest_runs(target).at(0).moves, wanted) << threads << (symmetry ? " symmetric" : "");
    }
  }
}

}  // namespace
}  // namespace fencecheck::tests
