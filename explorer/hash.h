// The hash of a packed state.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fencecheck::explorer {

/// Builds the hash of a key one 64-bit word at a time.
class KeyHash {
 public:
  void add(std::uint64_t word) { value_ = fold(value_ ^ word, 0x9E3779B97F4A7C15ULL); }
  std::uint64_t finish() const { return fold(value_, 0xA0761D6478BD642FULL); }

 private:
  // A folded multiply: both halves of the 128-bit product take part, so every bit of a word reaches the high bits of
  // the hash (the slot) and the low ones (the tag). On keys of two to four words it beats a general-purpose hash.
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::uint64_t value_ = 0xD6E8FEB86659FD93ULL;
};

/// The hash of a key of `words` 64-bit words.
inline std::uint64_t hash_of(const std::uint64_t* key, std::size_t words) {
  KeyHash hash;
  for (std::size_t w = 0; w < words; ++w) hash.add(key[w]);
  return hash.finish();
}

}  // namespace fencecheck::explorer
