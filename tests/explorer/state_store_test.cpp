// The store of seen states keeps every state once, whoever inserts it, through all of its growth.
#include <fencecheck/explorer/state_store.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/checks.h"
#include "../support/draw.h"

namespace fencecheck::tests {
namespace {

using explorer::StateStore;

explorer::KeyBatch batch_of(const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& hashes) {
  explorer::KeyBatch batch(1, keys.size());
  batch.keys = keys;
  batch.hashes = hashes;
  batch.count = keys.size();
  return batch;
}

void add(StateStore& store, const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>& hashes) {
  explorer::KeyBatch batch = batch_of(keys, hashes);
  store.add(batch, 0);
}

TEST(StateStore, OneThreadsKeysAreAllThereAfterGrowth) {
  for (const std::size_t key_words : {1U, 2U, 3U, 4U, 7U}) {
    EXPECT_TRUE(store_keeps_the_distinct_keys(1, key_words, 60'000)) << key_words << " words";
  }
}

TEST(StateStore, SeveralThreadsInsertTheSameKeysAndEachIsThereOnce) {
  for (const int threads : {2, 3, 5}) {
    for (const std::size_t key_words : {1U, 3U, 4U}) {
      // More than 100,000 are put back by all threads when the store grows.
      EXPECT_TRUE(store_keeps_the_distinct_keys(threads, key_words, 250'000)) << threads << " threads";
    }
  }
}

TEST(StateStore, KeysThatDifferInOneBitAreDifferentEvenUnderOneHash) {
  for (const std::size_t key_words : {1U, 2U, 3U, 6U}) {
    EXPECT_TRUE(store_tells_keys_of_one_hash_apart(key_words)) << key_words << " words";
  }
}

TEST(StateStore, AKeyThatWasNotInsertedIsNotFound) {
  StateStore store(2, 1, 16, 100);
  const std::uint64_t key = 7;
  const std::uint64_t other = 8;
  const std::uint64_t hash = 0xFEDC'BA98'7654'3210ULL;
  EXPECT_EQ(store.find(&key, hash), StateStore::not_found);
  add(store, {key}, {hash});
  EXPECT_EQ(store.find(&key, hash), 0U);
  EXPECT_EQ(store.find(&other, hash), StateStore::not_found);
  EXPECT_EQ(store.find(&key, hash + 1), StateStore::not_found) << "another tag in the same slot";
}

TEST(StateStore, OneBatchMayHoldAKeyTwice) {
  StateStore store(2, 1, 16, 100);
  const std::vector<std::uint64_t> keys{5, 6, 5, 6, 5};
  const std::vector<std::uint64_t> hashes{1, 2, 1, 2, 1};
  add(store, keys, hashes);
  EXPECT_EQ(store.size(), 2U);
}

TEST(StateStore, AddedStatesAreGivenOnceInTheOrderOfTheirPositions) {
  StateStore store(2, 1, 16, 100);
  const auto insert = [&](std::uint64_t key) { add(store, {key}, {key}); };
  for (std::uint64_t key = 1; key <= 5; ++key) insert(key);
  std::vector<explorer::Range> added = store.take_added();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].begin, 0U);
  EXPECT_EQ(added[0].end, 5U);
  insert(3);
  EXPECT_TRUE(store.take_added().empty()) << "an old state was added again";
  insert(6);
  added = store.take_added();
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0].begin, 5U);
  EXPECT_EQ(added[0].end, 6U);
  EXPECT_EQ(store.key(5)[0], 6U);
}

TEST(StateStore, TheLargestProbeGoesAroundTheEndOfTheIndex) {
  // The hash's upper bits choose the slot: these begin at the last one, and fill more than the last line of 16 slots.
  StateStore store(2, 1, 64, 100);
  const std::uint64_t hash = ~std::uint64_t{0};
  for (std::uint64_t key = 1; key <= 40; ++key) add(store, {key}, {hash});
  EXPECT_EQ(store.size(), 40U);
  for (std::uint64_t key = 1; key <= 40; ++key) EXPECT_EQ(store.find(&key, hash), key - 1);
}

TEST(StateStore, ASlotThatWasFilledSinceItWasReadIsReadAgain) {
  StateStore store(2, 1, 16, 100);
  explorer::KeyBatch first = batch_of({5, 6}, {1, 1});
  explorer::KeyBatch second = batch_of({6, 7, 5}, {1, 1, 1});
  store.ask_for_slots(first, 0, 2);
  store.ask_for_slots(second, 0, 3);
  store.ask_for_keys(first, 0, 2);
  store.ask_for_keys(second, 0, 3);  // finds every slot empty
  store.insert(first, 0, 1, 0);
  store.insert(first, 1, 2, 0);
  store.insert(second, 0, 3, 0);
  EXPECT_EQ(store.size(), 3U);
  for (const std::uint64_t key : {5U, 6U, 7U}) EXPECT_EQ(store.find(&key, 1), key - 5);
}

TEST(StateStore, MemoryIsCountedAsKeysAndAnIndexThatIsAtMostThreeQuartersFull) {
  // 4096 slots of four bytes are the least, and take 3072 states; the index grows by four.
  EXPECT_EQ(StateStore::bytes_for(0, 3, 0), 4 * 4096U);
  EXPECT_EQ(StateStore::bytes_for(3072, 3, 0), 12 * 3072U + 4 * 4096U);
  EXPECT_EQ(StateStore::bytes_for(3073, 3, 0), 12 * 3073U + 4 * 16384U);
  EXPECT_EQ(StateStore::bytes_for(3000, 3, 73), 12 * 3073U + 4 * 16384U) << "room ahead counts as taken";
}

RC_GTEST_PROP(StateStore, AnyShareOfTheWorkGivesTheSameStates, ()) {
  const int threads = *uniform(1, 4);
  const auto key_words = *uniform<std::size_t>(1, 5);
  const auto distinct = *uniform<std::uint64_t>(22'000, 40'000);
  const testing::AssertionResult result = store_keeps_the_distinct_keys(threads, key_words, distinct);
  if (!result) RC_FAIL(result.message());
}

}  // namespace
}  // namespace fencecheck::tests
