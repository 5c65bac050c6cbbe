// A packed state is unpacked to the same bytes, whatever its fields, by the fast way and by the portable one.
#include <fencecheck/explorer/packing.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/checks.h"
#include "../support/core_world.h"
#include "../support/draw.h"

namespace fencecheck::tests {
namespace {

using explorer::Packing;

struct Packed {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> hashes;
};

Packed pack(const Packing& packing, const std::vector<std::byte>& states, std::size_t count) {
  Packed packed{std::vector<std::uint64_t>(packing.scratch_stride() * count), std::vector<std::uint64_t>(count)};
  EXPECT_TRUE(packing.pack(states.data(), count, packed.keys.data(), packed.hashes.data()));
  return packed;
}

/// From scratch memory into the layout of the store, where only the 32-bit words that count are kept.
std::vector<std::uint32_t> stored(const Packing& packing, const Packed& packed) {
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < packed.hashes.size(); ++i) {
    for (std::size_t w = 0; w < packing.key_words(); ++w) {
      const std::uint64_t word = packed.keys[i * packing.scratch_stride() + w / 2];
      words.push_back(static_cast<std::uint32_t>(w % 2 == 0 ? word : word >> 32));
    }
  }
  return words;
}

std::vector<std::byte> unpack(const Packing& packing, const Packed& packed, std::size_t state_bytes) {
  // What was in the buffer before must not show through.
  std::vector<std::byte> states(state_bytes * packed.hashes.size(), std::byte{0xAA});
  packing.unpack(stored(packing, packed).data(), packed.hashes.size(), states.data());
  return states;
}

int sum(const std::vector<std::uint8_t>& bits) { return std::accumulate(bits.begin(), bits.end(), 0); }

/// Field widths for one to six times eight bytes: any; most of them zero, as in real states; all of them full.
rc::Gen<std::vector<std::uint8_t>> field_widths() {
  return rc::gen::mapcat(uniform<std::size_t>(1, 6), [](std::size_t words) {
    const auto dense = uniform(0, 8);
    const auto sparse = rc::gen::weightedOneOf<int>({{3, rc::gen::just(0)}, {1, uniform(0, 8)}});
    const auto each = [&](const rc::Gen<int>& width) {
      return rc::gen::container<std::vector<std::uint8_t>>(8 * words, rc::gen::cast<std::uint8_t>(width));
    };
    return rc::gen::oneOf(each(dense), each(sparse), each(rc::gen::just(8)));
  });
}

/// States with random values in every field.
std::vector<std::byte> random_states(const std::vector<std::uint8_t>& bits, std::size_t count) {
  std::vector<std::byte> states;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint8_t width : bits) {
      const int value = *uniform(0, (1 << width) - 1);
      states.push_back(static_cast<std::byte>(value));
    }
  }
  return states;
}

RC_GTEST_PROP(Packing, AnyStateIsUnpackedToItself, ()) {
  const std::vector<std::uint8_t> bits = *field_widths();
  const std::vector<std::byte> states = random_states(bits, 3);
  const Packing packing(bits);
  RC_ASSERT(packing.key_words() == static_cast<unsigned>(sum(bits)) / 32 + 1);
  RC_ASSERT(packing.scratch_stride() == (packing.key_words() + 1) / 2);
  RC_ASSERT(unpack(packing, pack(packing, states, 3), bits.size()) == states);
  RC_CLASSIFY(sum(bits) == 0, "no field at all");
  RC_CLASSIFY(sum(bits) > 64, "longer than 64 bits");
  RC_CLASSIFY(sum(bits) > 128, "longer than 128 bits");
}

RC_GTEST_PROP(Packing, TheFastAndThePortableWayGiveTheSameKeysAndHashes, ()) {
  const std::vector<std::uint8_t> bits = *field_widths();
  const std::vector<std::byte> states = random_states(bits, 3);
  const Packing fast(bits);
  const Packing portable(bits, true);
  const Packed by_fast = pack(fast, states, 3);
  const Packed by_portable = pack(portable, states, 3);
  RC_ASSERT(by_fast.keys == by_portable.keys);
  RC_ASSERT(by_fast.hashes == by_portable.hashes);
  RC_ASSERT(unpack(portable, by_fast, bits.size()) == states);
  RC_ASSERT(unpack(fast, by_portable, bits.size()) == states);
}

/// Every field of `bits` takes each of its values while all others are zero, and while all others are full: each state
/// comes back, and no two of one field have the same key.
void expect_whole_ranges(const std::vector<std::uint8_t>& bits, const Packing& packing) {
  for (const bool others_full : {false, true}) {
    for (std::size_t field = 0; field < bits.size(); ++field) {
      std::vector<std::byte> states;
      const std::size_t values = std::size_t{1} << bits[field];
      for (std::size_t value = 0; value < values; ++value) {
        for (std::size_t f = 0; f < bits.size(); ++f) {
          states.push_back(static_cast<std::byte>(f == field ? value : others_full ? (1U << bits[f]) - 1 : 0));
        }
      }
      const Packed packed = pack(packing, states, values);
      ASSERT_EQ(unpack(packing, packed, bits.size()), states) << "field " << field;
      std::vector<std::vector<std::uint64_t>> keys;
      for (std::size_t i = 0; i < values; ++i) {
        const auto first = packed.keys.begin() + static_cast<std::ptrdiff_t>(i * packing.scratch_stride());
        keys.emplace_back(first, first + static_cast<std::ptrdiff_t>(packing.scratch_stride()));
      }
      std::sort(keys.begin(), keys.end());
      ASSERT_EQ(std::unique(keys.begin(), keys.end()), keys.end()) << "field " << field;
    }
  }
}

TEST(Packing, EachFieldOfCoreComesBackOverItsWholeRange) {
  const auto world = core_world({.workers = 5,
                                 .stores = 4,
                                 .leases = 15,
                                 .issuer_restores = 2,
                                 .store_restores = 3,
                                 .check = reference::Check::separate});
  const std::vector<std::uint8_t> bits = world->field_bits();
  EXPECT_EQ(sum(bits), 16 + 4 + 2 + 2 + 4 * (12 + 8) + 5 * (4 + 8));
  for (const bool portable : {false, true}) expect_whole_ranges(bits, Packing(bits, portable));
}

TEST(Packing, EachFieldOfAMixedStateComesBackOverItsWholeRange) {
  // All widths, fields of no bits between them, and words that end in the middle, at the end and beyond 64 bits.
  const std::vector<std::uint8_t> bits{8, 0, 7, 1, 0, 6, 2, 5, 3, 4, 0, 0, 8, 8, 8, 8, 0, 0, 0, 0,
                                       0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 1, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(sum(bits), 134);
  for (const bool portable : {false, true}) expect_whole_ranges(bits, Packing(bits, portable));
}

RC_GTEST_PROP(Packing, ABitThatHasNoPlaceInTheKeyIsNoticed, ()) {
  std::vector<std::uint8_t> bits = *field_widths();
  const auto field = *uniform<std::size_t>(0, bits.size() - 1);
  bits[field] = static_cast<std::uint8_t>(*uniform(0, 7));  // with no bits at all: a field that nobody uses
  std::vector<std::byte> states = random_states(bits, 3);
  const auto beyond = *uniform<int>(bits[field], 7);
  const auto which = *uniform<std::size_t>(0, 2);
  for (const bool portable : {false, true}) {
    const Packing packing(bits, portable);
    std::vector<std::uint64_t> keys(3 * packing.scratch_stride());
    std::vector<std::uint64_t> hashes(3);
    RC_ASSERT(packing.pack(states.data(), 3, keys.data(), hashes.data()));
    std::vector<std::byte> too_large = states;
    too_large[which * bits.size() + field] |= static_cast<std::byte>(1 << beyond);
    RC_ASSERT(!packing.pack(too_large.data(), 3, keys.data(), hashes.data()));
  }
}

TEST(Packing, AStateWithoutFieldsTakesOneWord) {
  const Packing packing(std::vector<std::uint8_t>(16, 0));
  EXPECT_EQ(packing.key_words(), 1U);
  const Packed packed = pack(packing, std::vector<std::byte>(32), 2);
  EXPECT_EQ(packed.keys, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(unpack(packing, packed, 16), std::vector<std::byte>(32));
}

TEST(Packing, AKeyTakesAsManyWordsAsItsBitsNeedAndLeavesTheLastBitFree) {
  const auto words = [](int bits) {
    std::vector<std::uint8_t> widths(24, 0);
    for (std::size_t i = 0; i < 24 && bits > 0; ++i) {
      widths[i] = static_cast<std::uint8_t>(std::min(bits, 8));
      bits -= widths[i];
    }
    return Packing(widths).key_words();
  };
  EXPECT_EQ(words(1), 1U);
  EXPECT_EQ(words(31), 1U);
  EXPECT_EQ(words(32), 2U);
  EXPECT_EQ(words(63), 2U);
  EXPECT_EQ(words(64), 3U);
  EXPECT_EQ(words(95), 3U);
  EXPECT_EQ(words(96), 4U);
  EXPECT_EQ(words(192), 7U);
}

TEST(Packing, FieldsArePackedInTheirOrderFromTheLowestBitOn) {
  const Packing packing({4, 0, 8, 3, 0, 0, 0, 0});
  const std::vector<std::byte> state{std::byte{0xA}, std::byte{0}, std::byte{0x5C}, std::byte{6},
                                     std::byte{0},   std::byte{0}, std::byte{0},    std::byte{0}};
  EXPECT_EQ(pack(packing, state, 1).keys, std::vector<std::uint64_t>{0x65CA});
}

TEST(Packing, OneStateOfTheBenchmarkSpaceTakesTwelveBytes) {
  EXPECT_TRUE(core_state_takes_90_bits());
  const auto world = core_world({.workers = 5, .stores = 2, .leases = 8, .check = reference::Check::atomic});
  EXPECT_EQ(Packing(world->field_bits()).key_words(), 3U);
}

}  // namespace
}  // namespace fencecheck::tests
