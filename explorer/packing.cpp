#include <fencecheck/explorer/packing.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include <fencecheck/explorer/hash.h>
#include <fencecheck/explorer/mutants.h>

namespace fencecheck::explorer {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::uint64_t load(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, word_bytes);
  return word;
}
void store(std::byte* bytes, std::uint64_t word) { std::memcpy(bytes, &word, word_bytes); }

// The lowest `count` of the bits that are set in `mask`, or all where it has fewer.
std::uint64_t lowest_bits(std::uint64_t mask, std::uint32_t count) {
  std::uint64_t rest = mask;
  for (; count > 0; --count) rest &= rest - 1;
  return mask ^ rest;
}

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

Packing::Packing(const std::vector<std::uint8_t>& field_bits, bool portable) : state_bytes_(field_bits.size()) {
  std::uint32_t bits = 0;  // of the key that are given away
  for (std::size_t from = 0; from < state_bytes_; from += word_bytes) {
    std::uint64_t mask = 0;
    for (std::size_t b = 0; b < word_bytes; ++b) {
      const std::uint64_t field = (std::uint64_t{1} << field_bits[from + b]) - 1;
      mask |= field << (8 * b);
    }
    const std::uint64_t unused = ~mask;
    if (mask == 0) idle_.push_back(from);
    while (mask != 0) {  // twice where the bits do not all fit into what is left of a word of the key
      Part part{mask, unused, static_cast<std::uint32_t>(from), bits / 64, bits % 64};
      part.mask = lowest_bits(mask, 64 - part.shift);
      mask ^= part.mask;
      bits += static_cast<std::uint32_t>(std::popcount(part.mask));
      parts_.push_back(part);
    }
  }
  key_words_ = bits / 32 + 1;
  scratch_stride_ = (key_words_ + 1) / 2;
  fast_ = !portable && has_bmi2();
}

// Whether all of the eight bytes at `from` are zero in every state.
bool Packing::all_zero(std::size_t from, const std::byte* states, std::size_t count) const {
  const std::size_t stride = state_bytes_;
  std::uint64_t seen = 0;
#pragma GCC unroll 4
  for (std::size_t s = 0; s < count; ++s) seen |= load(states + from + s * stride);
  return seen == 0;
}

// Part by part, not state by state: what a part needs then stays in the processor's registers.
template <class Extract>
bool Packing::pack_parts(Extract extract, const std::byte* states, std::size_t count, std::uint64_t* keys) const {
  const std::size_t state_stride = state_bytes_;
  const std::size_t key_stride = scratch_stride_;
  std::uint64_t too_large = 0;  // bits that are set and have no place in a key
  std::fill_n(keys, count * key_stride, 0);
  for (const Part part : parts_) {  // a copy, which no key that is written could change
    std::uint64_t seen = 0;
    const std::byte* state = states + part.from;
    std::uint64_t* key = keys + part.to;
#pragma GCC unroll 4
    for (std::size_t s = 0; s < count; ++s) {
      const std::uint64_t value = load(state);
      seen |= value;
      *key |= extract(value, part.mask) << part.shift;
      state += state_stride;
      key += key_stride;
    }
    too_large |= seen & part.unused;
  }
  return too_large == 0;
}

void Packing::hash_keys(const std::uint64_t* keys, std::size_t count, std::uint64_t* hashes) const {
  switch (scratch_stride_) {
    case 1: return hash_keys_of<1>(keys, count, hashes);
    case 2: return hash_keys_of<2>(keys, count, hashes);
    default: return hash_keys_of<0>(keys, count, hashes);
  }
}

template <std::size_t Stride>
void Packing::hash_keys_of(const std::uint64_t* keys, std::size_t count, std::uint64_t* hashes) const {
  const std::size_t stride = Stride == 0 ? scratch_stride_ : Stride;
  for (std::size_t s = 0; s < count; ++s) hashes[s] = hash_of(keys + s * stride, stride);
}

// The inverse of pack_parts. `load_key` reads one word of a key.
template <class Deposit, class LoadKey>
void Packing::unpack_part(Deposit deposit, LoadKey load_key, const Part part, const std::uint32_t* keys,
                          std::size_t count, std::byte* states) const {
  const std::uint32_t* key = keys + 2 * std::size_t{part.to};
  std::byte* state = states + part.from;
  for (std::size_t s = 0; s < count; ++s) {
    store(state, load(state) | deposit(load_key(key) >> part.shift, part.mask));
    key += key_words_;
    state += state_bytes_;
  }
}

template <class Deposit>
void Packing::unpack_parts(Deposit deposit, const std::uint32_t* keys, std::size_t count, std::byte* states) const {
  const auto whole = [](const std::uint32_t* key) {
    std::uint64_t word = 0;
    std::memcpy(&word, key, word_bytes);
    return word;
  };
  const auto half = [](const std::uint32_t* key) { return std::uint64_t{*key}; };
  std::memset(states, 0, count * state_bytes_);
  for (const Part& part : parts_) {
    if (2 * part.to + 2 <= key_words_) {
      unpack_part(deposit, whole, part, keys, count, states);
    } else {
      unpack_part(deposit, half, part, keys, count, states);
    }
  }
}

bool Packing::pack(const std::byte* states, std::size_t count, std::uint64_t* keys, std::uint64_t* hashes) const {
  const bool fits = fast_ ? pack_parts(Bmi2Extract{}, states, count, keys)  //
                          : pack_parts(PortableExtract{}, states, count, keys);
  hash_keys(keys, count, hashes);
  return fits && std::all_of(idle_.begin(), idle_.end(), [&](std::size_t at) { return all_zero(at, states, count); });
}

void Packing::unpack(const std::uint32_t* keys, std::size_t count, std::byte* states) const {
  if (fast_) return unpack_parts(Bmi2Deposit{}, keys, count, states);
  unpack_parts(PortableDeposit{}, keys, count, states);
}

}  // namespace fencecheck::explorer
