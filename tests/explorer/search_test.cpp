// The breadth-first search counts every state and transition once, and a limit ends it between two levels.
#include <fencecheck/explorer/search.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "../support/checks.h"
#include "../support/models.h"

namespace fencecheck::tests {
namespace {

using explorer::Limits;
using explorer::Search;
using explorer::SearchOptions;
using explorer::SearchResult;
using explorer::StoppedBy;
using explorer::Targets;

// Three counters to 60 have levels of up to 2791 states, which is enough for several threads to take part.
constexpr int wide = 60;

/// What a search of three counters to `top` has counted when the states of the levels 0 to `last_level` are kept, and
/// those of the levels 0 to `last_expanded` are expanded.
Stopped whole_levels(int top, int last_level, int last_expanded, StoppedBy by) {
  Stopped figures{.by = by, .states = 0, .transitions = 0, .depth = last_level};
  for (int a = 0; a <= top; ++a) {
    for (int b = 0; b <= top; ++b) {
      for (int c = 0; c <= top; ++c) {
        if (a + b + c <= last_level) ++figures.states;
        if (a + b + c <= last_expanded) figures.transitions += static_cast<unsigned>((a < top) + (b < top) + (c < top));
      }
    }
  }
  return figures;
}

SearchOptions limited(int threads, const Limits& limits) {
  SearchOptions result = options(threads);
  result.limits = limits;
  return result;
}

// --- counting
// ---------------------------------------------------------------------------------------------------------

TEST(Search, TheGridIsCountedWithAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3}) {
    for (const int top : {0, 1, 5, wide}) EXPECT_TRUE(grid_is_counted(top, threads)) << top << " with " << threads;
  }
}

TEST(Search, ASelfLoopIsATransitionAndNoNewState) {
  const Graph graph({0}, {{0, 0, {0, 0}, 0}, {0, 1, {0, 1}, 0}, {1, 1, {0, 0}, 0}});
  EXPECT_TRUE(
      search_is_stopped(graph, options(1), {.by = StoppedBy::nothing, .states = 2, .transitions = 3, .depth = 1}));
}

TEST(Search, TwoMovesToOneStateAreTwoTransitions) {
  const Graph graph({0}, {{0, 1, {0, 0}, 0}, {0, 1, {0, 1}, 0}, {0, 1, {1, 0}, 0}});
  EXPECT_TRUE(
      search_is_stopped(graph, options(1), {.by = StoppedBy::nothing, .states = 2, .transitions = 3, .depth = 1}));
}

TEST(Search, AllInitialStatesAreTheFirstLevelAndEqualOnesCountOnce) {
  // 0 -> 1 -> 2 -> 3 and 2 -> 7: from 0 and 2 at once, 3 and 7 are one step away.
  const Graph graph({0, 2, 0}, {{0, 1, {0, 0}, 0}, {1, 2, {0, 0}, 0}, {2, 3, {0, 0}, 1}, {2, 7, {0, 1}, 0}});
  EXPECT_TRUE(
      search_is_stopped(graph, options(1), {.by = StoppedBy::nothing, .states = 5, .transitions = 4, .depth = 1}));
  Search search(graph, options(1));
  EXPECT_EQ(search.run().first_met[0], 1);
  EXPECT_EQ(search.shortest_runs(1).at(0).initial, 1U);
}

TEST(Search, AModelWhoseInitialStateIsItsOnlyOneHasDepthZero) {
  EXPECT_TRUE(search_is_stopped(Graph({4}, {}), options(2),
                                {.by = StoppedBy::nothing, .states = 1, .transitions = 0, .depth = 0}));
}

TEST(Search, ThereMayBeMoreInitialStatesThanTheStoreBeginsWithRoomFor) {
  for (const int threads : {1, 3}) {
    EXPECT_TRUE(search_is_stopped(CountDown(59'999), options(threads),
                                  {.by = StoppedBy::nothing, .states = 60'000, .transitions = 59'999, .depth = 0}));
  }
}

TEST(Search, AFieldThatOutgrowsItsBitsEndsItWithAnException) {
  for (const int threads : {1, 3}) {
    // A counter comes to 64 in a level of 2145 states, which all threads make together.
    Grid grid(3, 90);
    grid.field_width = 6;
    Search too_narrow(grid, options(threads));
    EXPECT_THROW(too_narrow.run(), explorer::FieldOverflow);
    SearchOptions shallow = options(threads);
    shallow.limits.max_depth = 63;
    EXPECT_TRUE(search_is_stopped(grid, shallow, whole_levels(90, 63, 62, StoppedBy::max_depth)));
  }
}

TEST(Search, EachActionIsCountedAsOftenAsItFired) {
  const Graph graph({0}, {{0, 1, {0, 3}, 0}, {0, 2, {1, 3}, 0}, {1, 3, {0, 9}, 0}, {2, 3, {-1, 0}, 0}});
  Search search(graph, options(1));
  EXPECT_EQ(search.run().fired, (std::vector<std::uint64_t>{1, 0, 0, 2, 0, 0, 0, 0, 0, 1}));
}

TEST(Search, AStateIsContainedExactlyIfItWasReached) {
  const Graph graph({0}, {{0, 1, {0, 0}, 0}, {2, 3, {0, 0}, 0}});
  Search search(graph, options(1));
  search.run();
  const auto contains = [&](int node) {
    std::vector<std::byte> state(8);
    state[0] = static_cast<std::byte>(node);
    return search.contains(state.data());
  };
  EXPECT_TRUE(contains(0));
  EXPECT_TRUE(contains(1));
  EXPECT_FALSE(contains(2));
  EXPECT_FALSE(contains(3));
}

TEST(Search, ATargetIsMetAtTheLengthOfItsShortestRun) {
  for (const int length : {1, 2, 13, 27}) EXPECT_TRUE(alarm_is_met(length)) << length;
}

TEST(Search, TheFirstAndTheLastTargetAreToldApart) {
  const Graph graph({0}, {{0, 1, {0, 0}, Targets{1} << 63}, {1, 2, {0, 0}, 1}, {2, 0, {0, 0}, 2}});
  Search search(graph, options(1));
  const SearchResult& result = search.run();
  EXPECT_EQ(result.first_met[63], 1);
  EXPECT_EQ(result.first_met[0], 2);
  EXPECT_EQ(result.first_met[1], 3) << "a step back to a known state is judged, too";
  EXPECT_EQ(met(result), (Targets{1} << 63) + 3);
}

// --- limits
// -----------------------------------------------------------------------------------------------------------

TEST(SearchLimits, TheLimitOnStatesKeepsWholeLevelsAndJudgesTheLast) {
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(state_limit_stops_the_grid(threads));
    // The next level would bring 2790 more.
    const Stopped wanted = whole_levels(wide, 79, 79, StoppedBy::max_states);
    EXPECT_TRUE(search_is_stopped(Grid(3, wide), limited(threads, {.max_states = wanted.states}), wanted));
    EXPECT_TRUE(search_is_stopped(Grid(3, wide), limited(threads, {.max_states = wanted.states + 2000}), wanted));
  }
}

TEST(SearchLimits, ALimitOfExactlyAllStatesIsNotMet) {
  const std::uint64_t all = 61 * 61 * 61;
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(search_is_stopped(Grid(3, wide), limited(threads, {.max_states = all}),
                                  whole_levels(wide, 180, 180, StoppedBy::nothing)));
    EXPECT_TRUE(search_is_stopped(Grid(3, wide), limited(threads, {.max_states = all - 1}),
                                  whole_levels(wide, 179, 179, StoppedBy::max_states)));
  }
}

TEST(SearchLimits, TheLimitOnDepthIsOnTheActionsOfARun) {
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(search_is_stopped(Grid(3, wide), limited(threads, {.max_depth = 90}),
                                  whole_levels(wide, 90, 89, StoppedBy::max_depth)));
  }
  EXPECT_TRUE(search_is_stopped(Grid(3, 9), limited(1, {.max_depth = 0}),
                                {.by = StoppedBy::max_depth, .states = 1, .transitions = 0, .depth = 0}));
}

TEST(SearchLimits, AllStatesWithinTheDepthAreNoPassWhileTheLastAreNotExpanded) {
  EXPECT_TRUE(
      search_is_stopped(Grid(3, 9), limited(1, {.max_depth = 27}), whole_levels(9, 27, 26, StoppedBy::max_depth)));
  EXPECT_TRUE(
      search_is_stopped(Grid(3, 9), limited(1, {.max_depth = 28}), whole_levels(9, 27, 27, StoppedBy::nothing)));
}

TEST(SearchLimits, TheMemoryLimitStopsAtTheSameLevelForAnyNumberOfThreads) {
  // The index grows by four, so that as little as a quarter of a megabyte, 65,536 slots of four bytes, may be one, of
  // which three quarters are used, less some room ahead.
  const Grid grid(3, wide);
  const SearchOptions one_megabyte = limited(1, {.memory_bytes = 1 << 20});
  Search search(grid, one_megabyte);
  const SearchResult& result = search.run();
  EXPECT_LE(result.store_bytes, 1U << 20);
  EXPECT_GE(result.states, 32'768U);
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(search_is_stopped(grid, limited(threads, one_megabyte.limits),
                                  whole_levels(wide, result.depth, result.depth, StoppedBy::memory)))
        << threads << " threads";
  }
}

TEST(SearchLimits, OfMemoryAndStatesTheTighterOneIsNamed) {
  const Grid grid(3, wide);
  Search by_states(grid, limited(1, {.max_states = 1000, .memory_bytes = 1 << 20}));
  EXPECT_EQ(by_states.run().stopped_by, StoppedBy::max_states);
  Search by_memory(grid, limited(1, {.max_states = 99'000, .memory_bytes = 1 << 20}));
  EXPECT_EQ(by_memory.run().stopped_by, StoppedBy::memory);
}

TEST(SearchLimits, AMemoryLimitWithoutRoomForOneStateIsRefusedAndSaysHowMuchIsNeeded) {
  const Grid grid(3, 9);
  const auto refusal = [&](std::uint64_t memory_bytes) -> std::string {
    try {
      Search(grid, limited(1, {.memory_bytes = memory_bytes}));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const std::uint64_t needed_bytes = least_memory_bytes(grid);
  EXPECT_EQ(refusal(1), "the memory limit has no room for a single state; at least " + std::to_string(needed_bytes) +
                            " bytes are needed");
  EXPECT_NE(refusal(needed_bytes - 1), "");
  EXPECT_EQ(refusal(needed_bytes), "");
}

TEST(SearchLimits, ALimitOfNoStatesIsRefusedAsThatAndNotAsALackOfMemory) {
  const Grid grid(3, 9);
  try {
    const Search search(grid, limited(1, {.max_states = 0}));
    FAIL() << "it was accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the limit on states must be at least 1");
  }
}

TEST(SearchLimits, TheTimeLimitEndsTheSearchWithTheLevelsThatWereDone) {
  Grid grid(3, 9);
  grid.on_expand = [slept = std::make_shared<std::atomic<bool>>(false)](int sum) {
    if (sum == 7 && !slept->exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(700));
  };
  // The levels before take well under a millisecond, so the half second is over within the level of sum 7.
  EXPECT_TRUE(search_is_stopped(grid, limited(1, {.seconds = 0.5}), whole_levels(9, 7, 6, StoppedBy::time)));
  EXPECT_TRUE(search_is_stopped(grid, limited(1, {.seconds = 0}), whole_levels(9, 0, -1, StoppedBy::time)));
}

TEST(SearchLimits, AnInterruptionEndsTheSearchWithTheLevelsThatWereDone) {
  for (const int threads : {1, 2, 3}) {
    for (const int level : {5, 90}) {  // narrow: done by one thread; wide: done by all
      std::atomic<bool> interrupted = false;
      Grid grid(3, wide);
      grid.alarm_at = level + 1;
      grid.on_expand = [&](int sum) {
        if (sum == level) interrupted = true;
      };
      SearchOptions interruptible = options(threads);
      interruptible.interrupted = &interrupted;
      EXPECT_TRUE(search_is_stopped(grid, interruptible, whole_levels(wide, level, level - 1, StoppedBy::interrupt)))
          << threads << " threads, level " << level;

      interrupted = false;
      Search search(grid, interruptible);
      EXPECT_EQ(search.run().first_met[0], level + 1) << "what was found in the level that was begun is reported";
      grid.on_expand = nullptr;
      EXPECT_EQ(search.shortest_runs(1).at(0).moves.size(), static_cast<std::size_t>(level + 1));
    }
  }
}

TEST(SearchLimits, TheFirstTargetEndsTheSearchAtTheEndOfItsLevel) {
  Grid grid(3, wide);
  grid.alarm_at = 91;
  for (const int threads : {1, 2, 3}) {
    SearchOptions at_first = options(threads);
    at_first.stop_at = 1;
    EXPECT_TRUE(search_is_stopped(grid, at_first, whole_levels(wide, 91, 90, StoppedBy::target)));
    at_first.stop_at = 2;  // never met
    EXPECT_TRUE(search_is_stopped(grid, at_first, whole_levels(wide, 180, 180, StoppedBy::nothing)));
  }
}

TEST(SearchLimits, ATargetInTheLastLevelThatIsJudgedIsMet) {
  // The last level that fits is kept; the steps out of it are judged all the same.
  Grid grid(3, wide);
  for (const Limits& limits : {Limits{.max_states = 95'000}, Limits{.memory_bytes = 1 << 20}}) {
    Search probe(grid, limited(1, limits));
    const int depth = probe.run().depth;
    for (const int threads : {1, 2, 3}) {
      grid.alarm_at = depth + 1;
      Search judged(grid, limited(threads, limits));
      EXPECT_EQ(judged.run().first_met[0], depth + 1);
      EXPECT_EQ(judged.shortest_runs(1).at(0).moves.size(), static_cast<std::size_t>(depth + 1));
      grid.alarm_at = depth + 2;
      Search beyond(grid, limited(threads, limits));
      EXPECT_EQ(beyond.run().first_met[0], std::nullopt);
    }
  }
  grid.alarm_at = 6;
  Search too_shallow(grid, limited(1, {.max_depth = 5}));
  EXPECT_EQ(too_shallow.run().first_met[0], std::nullopt);
}

TEST(SearchLimits, WeightedCountsOfAStoppedSearchAreThoseOfTheFullOneStoppedThere) {
  Grid grid(3, 9);
  grid.alarm_at = 13;
  const auto expect_weights = [&](SearchOptions search_options, int last_level, int last_expanded) {
    search_options.symmetry = true;
    Search search(grid, search_options);
    const SearchResult& result = search.run();
    const Stopped wanted = whole_levels(9, last_level, last_expanded, result.stopped_by);
    EXPECT_EQ(result.depth, wanted.depth) << to_string(result.stopped_by);
    EXPECT_EQ(result.full_states, wanted.states) << to_string(result.stopped_by);
    EXPECT_EQ(result.full_transitions, wanted.transitions) << to_string(result.stopped_by);
  };
  expect_weights(limited(1, {.max_depth = 8}), 8, 7);
  expect_weights(limited(1, {.max_states = 100}), 12, 12);
  SearchOptions at_first = options(1);
  at_first.stop_at = 1;
  expect_weights(at_first, 13, 12);
  const std::atomic<bool> interrupted = true;
  SearchOptions at_once = options(1);
  at_once.interrupted = &interrupted;
  expect_weights(at_once, 0, -1);
}

TEST(Search, ProgressIsReportedAboutOnceASecond) {
  Grid grid(3, 9);
  grid.on_expand = [slept = std::make_shared<std::atomic<bool>>(false)](int sum) {
    if (sum == 7 && !slept->exchange(true)) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  };
  SearchOptions watched = options(1);
  std::vector<explorer::Progress> reports;
  watched.progress = [&](const explorer::Progress& progress) { reports.push_back(progress); };
  Search search(grid, watched);
  search.run();
  ASSERT_EQ(reports.size(), 1U);
  // The level of sum 7 is the eighth; its one block was being expanded. Not all of what it led to need be in the store.
  EXPECT_EQ(reports[0].depth, 8);
  EXPECT_GE(reports[0].states, whole_levels(9, 7, 7, StoppedBy::nothing).states);
  EXPECT_LE(reports[0].states, whole_levels(9, 8, 8, StoppedBy::nothing).states);
  EXPECT_EQ(reports[0].waiting, 36U);
  EXPECT_GE(reports[0].seconds, 1.1);
}

TEST(Search, EveryReasonForStoppingHasTheWordOfTheCommandLine) {
  EXPECT_STREQ(to_string(StoppedBy::nothing), "nothing");
  EXPECT_STREQ(to_string(StoppedBy::target), "stop-at-first");
  EXPECT_STREQ(to_string(StoppedBy::max_states), "max-states");
  EXPECT_STREQ(to_string(StoppedBy::max_depth), "max-depth");
  EXPECT_STREQ(to_string(StoppedBy::time), "time-limit");
  EXPECT_STREQ(to_string(StoppedBy::memory), "memory-limit");
  EXPECT_STREQ(to_string(StoppedBy::interrupt), "interrupt");
}

}  // namespace
}  // namespace fencecheck::tests
