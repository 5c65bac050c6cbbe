// A small exact cache of the states that a thread met last.
//
// In a breadth-first search most transitions lead to a state that was met a moment ago: where two workers' steps do not
// touch each other, both orders end in the same state, and the states in between stand side by side in the level. The
// store of seen states would give the same answer, at the price of two visits to memory that is too large for any
// cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fencecheck::explorer {

class RecentKeys {
 public:
  /// For keys of `stride` 64-bit words.
  explicit RecentKeys(std::size_t stride) : stride_(stride), entries_(stride << log2_entries, no_key) {}

  /// Moves those of `count` keys that were not met lately to the front of `keys` and `hashes`, and remembers them.
  /// Gives their number. What it drops is in the store already, or on its way there.
  std::size_t keep_new(std::uint64_t* keys, std::uint64_t* hashes, std::size_t count) {
    switch (stride_) {  // the usual lengths as constants, so that keys are compared and copied without a loop
      case 1: return keep_new_of<1>(keys, hashes, count);
      case 2: return keep_new_of<2>(keys, hashes, count);
      default: return keep_new_of<0>(keys, hashes, count);
    }
  }

  /// Fetches what `keep_new` will compare these keys with.
  void ask_for(const std::uint64_t* hashes, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(entries_.data() + (hashes[i] & entry_mask) * stride_, 1);
  }

 private:
  static constexpr unsigned log2_entries = 13;  // with 16-byte keys 128 KB: a fraction of a core's own cache
  static constexpr std::uint64_t entry_mask = (std::uint64_t{1} << log2_entries) - 1;
  static constexpr std::uint64_t no_key = ~std::uint64_t{0};  // the last bit of a key is never set

  template <std::size_t Stride>
  std::size_t keep_new_of(std::uint64_t* keys, std::uint64_t* hashes, std::size_t count) {
    const std::size_t stride = Stride == 0 ? stride_ : Stride;
    std::uint64_t* entries = entries_.data();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* key = keys + i * stride;
      std::uint64_t* place = keys + kept * stride;
      std::uint64_t* entry = entries + (hashes[i] & entry_mask) * stride;
      std::uint64_t difference = 0;
      for (std::size_t w = 0; w < stride; ++w) {
        const std::uint64_t word = key[w];
        difference |= entry[w] ^ word;
        entry[w] = place[w] = word;
      }
      hashes[kept] = hashes[i];
      kept += difference != 0 ? 1 : 0;  // no branch: half the keys are new, and no processor could guess which
    }
    return kept;
  }

  std::size_t stride_;
  std::vector<std::uint64_t> entries_;
};

}  // namespace fencecheck::explorer
