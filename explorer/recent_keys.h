// A small exact cache of the states that a thread met last.
//
// In a breadth-first search most transitions lead to a state that was met a moment ago: where two workers' steps do not
// touch each other, both orders end in the same state, and the states in between stand side by side in the level. The
// store of seen states would give the same answer, at the price of two visits to memory that is too large for any cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace fencecheck::explorer {

class RecentKeys {
 public:
  /// For keys of `stride` 64-bit words.
  explicit RecentKeys(std::size_t stride) : stride_(stride), keys_((stride + 1) << log2_entries) {}

  /// Moves those of `count` keys that were not met lately to the front of `keys` and `hashes`, and remembers them.
  /// Gives their number. What it drops is in the store already, or among the keys that it kept.
  std::size_t keep_new(std::uint64_t* keys, std::uint64_t* hashes, std::size_t count) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* key = keys + i * stride_;
      std::uint64_t* entry = keys_.data() + (hashes[i] & entry_mask) * (stride_ + 1);
      std::uint64_t difference = entry[0] ^ 1;
      for (std::size_t w = 0; w < stride_; ++w) difference |= entry[w + 1] ^ key[w];
      if (difference == 0) continue;
      entry[0] = 1;
      for (std::size_t w = 0; w < stride_; ++w) entry[w + 1] = keys[kept * stride_ + w] = key[w];
      hashes[kept++] = hashes[i];
    }
    return kept;
  }

 private:
  static constexpr unsigned log2_entries = 14;  // with 16-byte keys 400 KB: it should stay in a core's own cache
  static constexpr std::uint64_t entry_mask = (std::uint64_t{1} << log2_entries) - 1;

  std::size_t stride_;
  std::vector<std::uint64_t> keys_;  // for each entry: 1 if it is in use, then the key
};

}  // namespace fencecheck::explorer
