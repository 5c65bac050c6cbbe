// The cache of recent states drops only what it has really met.
#include <fencecheck/explorer/recent_keys.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/draw.h"

namespace fencecheck::tests {
namespace {

using explorer::RecentKeys;

/// Keys of one word, each its own hash, so that keys that differ by a multiple of the cache's size share an entry.
std::vector<std::uint64_t> kept(RecentKeys& recent, std::vector<std::uint64_t> keys) {
  std::vector<std::uint64_t> hashes = keys;
  const std::size_t count = recent.keep_new(keys.data(), hashes.data(), keys.size());
  keys.resize(count);
  hashes.resize(count);
  EXPECT_EQ(keys, hashes) << "hashes go with their keys";
  return keys;
}

using Keys = std::vector<std::uint64_t>;
constexpr std::uint64_t entries = 1 << 13;

TEST(RecentKeys, WhatIsNewIsKeptInItsOrderAndWhatWasMetIsDropped) {
  RecentKeys recent(1);
  EXPECT_EQ(kept(recent, {5, 6, 7}), (Keys{5, 6, 7}));
  EXPECT_EQ(kept(recent, {7, 8, 5, 9}), (Keys{8, 9}));
  EXPECT_EQ(kept(recent, {5, 6, 7, 8, 9}), Keys{});
}

TEST(RecentKeys, WithinOneBatchAKeyIsKeptOnce) {
  RecentKeys recent(1);
  EXPECT_EQ(kept(recent, {5, 5, 6, 5, 6}), (Keys{5, 6}));
}

TEST(RecentKeys, TheZeroKeyAndTheLargestAreNewAtFirst) {
  RecentKeys recent(1);
  const std::uint64_t largest = ~std::uint64_t{0} >> 1;  // the last bit of a key is never set
  EXPECT_EQ(kept(recent, {0, largest}), (Keys{0, largest}));
  EXPECT_EQ(kept(recent, {0, largest}), Keys{});
}

TEST(RecentKeys, AnotherKeyInTheSameEntryIsKeptAndTakesItsPlace) {
  RecentKeys recent(1);
  EXPECT_EQ(kept(recent, {5}), (Keys{5}));
  EXPECT_EQ(kept(recent, {5 + entries}), (Keys{5 + entries}));
  EXPECT_EQ(kept(recent, {5}), (Keys{5})) << "it was forgotten, which costs time and loses nothing";
}

TEST(RecentKeys, KeysThatDifferInOneWordAreDifferent) {
  RecentKeys recent(3);
  std::vector<std::uint64_t> keys{1, 2, 3, 1, 2, 4, 1, 5, 3, 6, 2, 3, 6, 2, 3};
  std::vector<std::uint64_t> hashes(5, 77);
  EXPECT_EQ(recent.keep_new(keys.data(), hashes.data(), 5), 4U);
  EXPECT_EQ(std::vector(keys.begin(), keys.begin() + 12), (Keys{1, 2, 3, 1, 2, 4, 1, 5, 3, 6, 2, 3}));
}

RC_GTEST_PROP(RecentKeys, ADroppedKeyWasMetBefore, ()) {
  const auto stride = *uniform<std::size_t>(1, 4);
  RecentKeys recent(stride);
  using Key = std::pair<std::uint64_t, std::uint64_t>;  // first and last word; those between are zero
  std::set<Key> met;
  for (int batch = 0; batch < 20; ++batch) {
    const auto count = *uniform<std::size_t>(0, 40);
    std::vector<std::uint64_t> keys(stride * count);
    std::vector<std::uint64_t> hashes(count);
    std::vector<Key> given;
    for (std::size_t i = 0; i < count; ++i) {
      keys[i * stride] = *uniform<std::uint64_t>(0, 9);
      keys[i * stride + stride - 1] = *uniform<std::uint64_t>(0, 9);
      hashes[i] = *uniform<std::uint64_t>(0, 3);  // many keys share an entry
      given.emplace_back(keys[i * stride], keys[i * stride + stride - 1]);
    }
    const std::size_t left = recent.keep_new(keys.data(), hashes.data(), count);
    RC_ASSERT(left <= count);
    // Walks along both: what is missing from the rest was met before.
    std::size_t next = 0;
    for (const Key& key : given) {
      const bool is_kept =
          next < left && keys[next * stride] == key.first && keys[next * stride + stride - 1] == key.second;
      if (is_kept) {
        ++next;
      } else {
        RC_ASSERT(met.count(key) == 1U);
      }
      met.insert(key);
    }
    RC_ASSERT(next == left);
  }
}

}  // namespace
}  // namespace fencecheck::tests
