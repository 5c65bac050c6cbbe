#include <fencecheck/explorer/packing.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include <fencecheck/explorer/hash.h>
#include <fencecheck/explorer/mutants.h>

namespace fencecheck::explorer {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

struct PortableExtract {
  std::uint64_t operator()(std::uint64_t value, std::uint64_t mask) const {
    std::uint64_t result = 0;
    for (std::uint64_t bit = 1; mask != 0; bit <<= 1) {
      const std::uint64_t lowest = mask & (~mask + 1);
      if ((value & lowest) != 0) result |= bit;
      mask ^= lowest;
    }
    return result;
  }
};

struct PortableDeposit {
  std::uint64_t operator()(std::uint64_t value, std::uint64_t mask) const {
    std::uint64_t result = 0;
    for (; mask != 0; value >>= 1) {
      const std::uint64_t lowest = mask & (~mask + 1);
      if ((value & 1) != 0) result |= lowest;
      mask ^= lowest;
    }
    return result;
  }
};

#if defined(__x86_64__)
// As assembler, so that these inline into loops that are compiled for a processor without BMI2: they are called only
// where the processor says that it has it.
struct Bmi2Extract {
  std::uint64_t operator()(std::uint64_t value, std::uint64_t mask) const {
    std::uint64_t result = 0;
    asm("pextq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
  }
};
struct Bmi2Deposit {
  std::uint64_t operator()(std::uint64_t value, std::uint64_t mask) const {
    std::uint64_t result = 0;
    asm("pdepq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
  }
};
bool has_bmi2() { return __builtin_cpu_supports("bmi2") != 0; }
#else
using Bmi2Extract = PortableExtract;
using Bmi2Deposit = PortableDeposit;
bool has_bmi2() { return false; }
#endif

}  // namespace

Packing::Packing(const std::vector<std::uint8_t>& field_bits, bool portable) : state_words_(field_bits.size() / 8) {
  std::size_t bits = 0;
  for (std::size_t w = 0; w < state_words_; ++w) {
    Word word;
    word.index = static_cast<std::uint32_t>(w);
    for (std::size_t b = 0; b < word_bytes; ++b) {
      const std::uint64_t field = (std::uint64_t{1} << field_bits[w * word_bytes + b]) - 1;
      word.mask |= field << (8 * b);
    }
    word.bits = static_cast<std::uint32_t>(std::popcount(word.mask));
    bits += word.bits;
    if (word.bits != 0) words_.push_back(word);
  }
  key_words_ = bits / 32 + 1;
  scratch_stride_ = (key_words_ + 1) / 2;
  fast_ = !portable && has_bmi2();
}

// `Words` is the number of `words_`, so that the loop over them can be unrolled; 0: any number.
template <std::size_t Words, class Extract>
bool Packing::pack_with(Extract extract, const std::byte* states, std::size_t count, std::uint64_t* keys,
                        std::uint64_t* hashes) const {
  std::uint64_t too_large = 0;  // bits that are set and have no place in a key
  const std::size_t words = Words == 0 ? words_.size() : Words;
  for (std::size_t s = 0; s < count; ++s) {
    const std::byte* state = states + s * state_words_ * word_bytes;
    std::uint64_t* key = keys + s * scratch_stride_;
    std::uint64_t pending = 0;  // bits that do not fill a word yet
    std::uint32_t filled = 0;
    KeyHash hash;
    std::size_t out = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const Word& word = words_[w];
      std::uint64_t value = 0;
      std::memcpy(&value, state + word.index * word_bytes, word_bytes);
      too_large |= value & ~word.mask;
      const std::uint64_t bits = extract(value, word.mask);
      pending |= bits << filled;
      filled += word.bits;
      if (filled >= 64) {
        key[out++] = pending;
        hash.add(pending);
        filled -= 64;
        pending = filled == 0 ? 0 : bits >> (word.bits - filled);
      }
    }
    if (out < scratch_stride_) {
      key[out] = pending;
      hash.add(pending);
    }
    hashes[s] = hash.finish();
  }
  return too_large == 0;
}

template <class Deposit>
void Packing::unpack_with(Deposit deposit, const std::uint32_t* keys, std::size_t count, std::byte* states) const {
  std::memset(states, 0, count * state_words_ * word_bytes);
  for (std::size_t s = 0; s < count; ++s) {
    const std::uint32_t* key = keys + s * key_words_;
    std::byte* state = states + s * state_words_ * word_bytes;
    const auto load = [&](std::size_t i) {  // the i-th 64 bits of the key; the last may be half a word
      std::uint64_t value = key[2 * i];
      if (2 * i + 1 < key_words_) value |= static_cast<std::uint64_t>(key[2 * i + 1]) << 32;
      return value;
    };
    std::uint64_t current = load(0);
    std::uint32_t used = 0;
    std::size_t in = 0;
    for (const Word& word : words_) {
      std::uint64_t bits = used < 64 ? current >> used : 0;
      if (used + word.bits > 64) {
        current = load(++in);
        bits |= used < 64 ? current << (64 - used) : current;
        used = used + word.bits - 64;
      } else {
        used += word.bits;
      }
      const std::uint64_t value = deposit(bits, word.mask);
      std::memcpy(state + word.index * word_bytes, &value, word_bytes);
    }
  }
}

template <class Extract>
bool Packing::pack_any(Extract extract, const std::byte* states, std::size_t count, std::uint64_t* keys,
                       std::uint64_t* hashes) const {
  switch (words_.size()) {
    case 1: return pack_with<1>(extract, states, count, keys, hashes);
    case 2: return pack_with<2>(extract, states, count, keys, hashes);
    case 3: return pack_with<3>(extract, states, count, keys, hashes);
    case 4: return pack_with<4>(extract, states, count, keys, hashes);
    case 5: return pack_with<5>(extract, states, count, keys, hashes);
    case 6: return pack_with<6>(extract, states, count, keys, hashes);
    default: return pack_with<0>(extract, states, count, keys, hashes);
  }
}

bool Packing::pack(const std::byte* states, std::size_t count, std::uint64_t* keys, std::uint64_t* hashes) const {
  if (fast_) return pack_any(Bmi2Extract{}, states, count, keys, hashes);
  return pack_any(PortableExtract{}, states, count, keys, hashes);
}

void Packing::unpack(const std::uint32_t* keys, std::size_t count, std::byte* states) const {
  if (fast_) return unpack_with(Bmi2Deposit{}, keys, count, states);
  unpack_with(PortableDeposit{}, keys, count, states);
}

}  // namespace fencecheck::explorer
