// Packs a state, one field per byte, into as few 32-bit words as its fields need, and back.
//
// A byte of a state uses only its low bits, so eight bytes are packed by one parallel bit extract (`pext`) and unpacked
// by one parallel bit deposit (`pdep`) with the same mask. Processors without them take the portable loop; both give
// the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fencecheck/explorer/model.h>

namespace fencecheck::explorer {

/// The layout of packed states: which bits of a state are kept, and in what order.
///
/// In scratch memory a key takes whole 64-bit words (`scratch_stride()` of them, unused bits zero); in the store of
/// seen states only `key_words()` 32-bit words.
class Packing {
 public:
  /// `field_bits`: bits in use of each byte of a state, as Model::field_bits gives them.
  /// `portable`: do without `pext` and `pdep` even where the processor has them (for tests).
  explicit Packing(const std::vector<std::uint8_t>& field_bits, bool portable = false);

  /// 32-bit words of one packed state. At least the last bit of the last word is never used.
  std::size_t key_words() const { return key_words_; }

  /// 64-bit words between the starts of two packed states in scratch memory.
  std::size_t scratch_stride() const { return scratch_stride_; }

  /// Packs `count` states into `keys` (scratch layout) and gives each one's hash. False where a field of any of them
  /// holds more than its bits can: the keys are then useless.
  [[nodiscard]] bool pack(const std::byte* states, std::size_t count, std::uint64_t* keys, std::uint64_t* hashes) const;

  /// Unpacks `count` states that lie `key_words()` 32-bit words apart at `keys`.
  void unpack(const std::uint32_t* keys, std::size_t count, std::byte* states) const;

 private:
  struct Part {  // bits of a state that stay together: all from eight of its bytes, all in one word of a key
    std::uint64_t mask = 0;    // which of the eight bytes' bits
    std::uint64_t unused = 0;  // the bits of these bytes that no field uses
    std::uint32_t from = 0;    // the first of the eight bytes
    std::uint32_t to = 0;      // which word of the key
    std::uint32_t shift = 0;   // where in it
  };

  std::size_t state_bytes_ = 0;
  std::size_t key_words_ = 1;
  std::size_t scratch_stride_ = 1;
  std::vector<Part> parts_;
  std::vector<std::size_t> idle_;  // the first of eight bytes of which no bit is in use
  bool fast_ = false;

  bool all_zero(std::size_t from, const std::byte* states, std::size_t count) const;
  template <class Extract>
  bool pack_parts(Extract extract, const std::byte* states, std::size_t count, std::uint64_t* keys) const;
  void hash_keys(const std::uint64_t* keys, std::size_t count, std::uint64_t* hashes) const;
  template <std::size_t Stride>
  void hash_keys_of(const std::uint64_t* keys, std::size_t count, std::uint64_t* hashes) const;
  template <class Deposit, class LoadKey>
  void unpack_part(Deposit deposit, LoadKey load_key, Part part, const std::uint32_t* keys, std::size_t count,
                   std::byte* states) const;
  template <class Deposit>
  void unpack_parts(Deposit deposit, const std::uint32_t* keys, std::size_t count, std::byte* states) const;
};

/// Copies a key from scratch memory to where keys are stored: a loop, since a call costs more than a few words.
inline void store_key(std::uint32_t* stored, const std::uint64_t* key, std::size_t key_words) {
  std::size_t i = 0;
  for (; i + 2 <= key_words; i += 2) std::memcpy(stored + i, key + i / 2, sizeof(std::uint64_t));
  if (i < key_words) stored[i] = static_cast<std::uint32_t>(key[i / 2]);
}

/// Whether a stored key (32-bit words, any alignment) and one in scratch memory are the same.
inline bool equal_keys(const std::uint32_t* stored, const std::uint64_t* key, std::size_t key_words) {
  std::size_t i = 0;
  for (; i + 2 <= key_words; i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, stored + i, sizeof word);
    if (word != key[i / 2]) return false;
  }
  return i == key_words || stored[i] == static_cast<std::uint32_t>(key[i / 2]);
}

}  // namespace fencecheck::explorer
