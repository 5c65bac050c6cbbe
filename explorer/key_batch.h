// Packed states on their way into the store of seen states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fencecheck::explorer {

/// `count` keys of `stride` 64-bit words each, as Packing::pack leaves them, with what is known of each one.
struct KeyBatch {
  KeyBatch(std::size_t key_stride, std::size_t capacity)
      : stride(key_stride), keys(key_stride * capacity), hashes(capacity), entries(capacity) {}

  const std::uint64_t* key(std::size_t i) const { return keys.data() + i * stride; }

  std::size_t stride;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> entries;  ///< what StateStore::ask_for_keys found in the slot of each
  std::size_t count = 0;
};

}  // namespace fencecheck::explorer
