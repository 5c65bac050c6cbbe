// What the tests check, as functions: the ordinary tests expect each to be content, the tests of mutants expect each to
// notice the fault that it is named for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/explorer/search.h>
#include <fencecheck/model/world.h>

#include "../reference/reference.h"

namespace fencecheck::tests {

explorer::SearchOptions options(int threads, bool symmetry = false);

/// The least memory limit with which a search of `model` begins; with less it throws, and says so.
std::uint64_t least_memory_bytes(const explorer::Model& model);

/// All targets that a search met, as bits.
explorer::Targets met(const explorer::SearchResult& result);

// --- the explorer, on models known by heart
// ---------------------------------------------------------------------------

/// Three counters to `top`: every figure of the search is as known by heart, in full and up to symmetry.
testing::AssertionResult grid_is_counted(int top, int threads);

/// What a search that was stopped must have counted: whole levels only.
struct Stopped {
  explorer::StoppedBy by;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  int depth = 0;
};
testing::AssertionResult search_is_stopped(const explorer::Model& model, const explorer::SearchOptions& options,
                                           const Stopped& wanted);

/// A limit of 20 states in the grid of three counters ends the search, and is no pass.
testing::AssertionResult state_limit_stops_the_grid(int threads);

/// The alarm of the grid is met first at `alarm_at` actions, even where it is in the last level that is judged.
testing::AssertionResult alarm_is_met(int alarm_at);

/// The run to target 0, as moves "actor/action", is `wanted`, in whatever order the model gives its successors.
testing::AssertionResult run_is(const explorer::Model& model, const std::string& wanted);

/// Two processes can both begin and both end a shortest run: whoever began it, ends it.
testing::AssertionResult run_prefers_who_moved_last();

// --- the store of seen states
// -----------------------------------------------------------------------------------------

/// Fills a store by several threads, each key being inserted by two of them, while it grows: exactly the `distinct`
/// different keys are in it, each at a place of its own, and all are found again.
testing::AssertionResult store_keeps_the_distinct_keys(int threads, std::size_t key_words, std::uint64_t distinct);

/// Keys of `key_words` words that differ in one bit only, inserted under one hash: all are kept.
testing::AssertionResult store_tells_keys_of_one_hash_apart(std::size_t key_words);

// --- worlds
// -----------------------------------------------------------------------------------------------------------

/// Bits of a packed state.
int key_bits(const explorer::Model& model);

/// One state of core with five workers, eight leases and two stores takes 90 bits, worked out by hand.
testing::AssertionResult core_state_takes_90_bits();

/// The search up to symmetry finds the same depth and targets as the full one, and its weighted counts are equal to the
/// full search's.
testing::AssertionResult symmetry_agrees_with_full_search(const explorer::Model& model, int threads);

/// Every figure that `wanted` has, of the full search and of the one up to symmetry.
testing::AssertionResult core_agrees(const reference::Setup& setup, const reference::Result& wanted, int threads);

/// Every shortest run, step by step: each move is possible, the target happens on the last one and not before, and the
/// length is what the search says.
testing::AssertionResult runs_replay(const World& world, const explorer::Search& search);
testing::AssertionResult core_runs_replay(const reference::Setup& setup);

/// A run and the same run by workers under other names (`names[w]` does what w did) lead to states of one canonical
/// form; making it canonical once is enough, and no worker's place, token or lease is lost.
testing::AssertionResult renamed_runs_meet(const World& world, const std::vector<explorer::Move>& run,
                                           const std::vector<int>& names);
testing::AssertionResult renamed_runs_of_core_meet();

/// A worker that writes the same value twice has written twice.
testing::AssertionResult second_write_of_one_value_is_seen();

/// The state after `run`; nullopt where a move of it is not possible.
std::optional<std::vector<std::byte>> state_after(const World& world, const std::vector<explorer::Move>& run);

}  // namespace fencecheck::tests
