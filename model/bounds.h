// How large a world is explored: chosen when a search starts, never when it is compiled.
#pragma once

#include <cstdint>

namespace fencecheck {

constexpr int max_workers = 6;
constexpr int max_leases = 15;
constexpr int max_restores = 15;

/// What a verdict is about: it says nothing of a world with more workers, leases or faults than these.
struct Bounds {
  int workers = 2;          ///< 1 to max_workers
  int leases = 3;           ///< leases granted in a whole run, at most; 1 to max_leases
  int issuer_restores = 0;  ///< restores of the lock service from its backup, at most
  int store_restores = 0;   ///< restores of any store from its backup, at most, all stores together
  bool expiry = true;       ///< leases may expire (as often as there are leases)

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// How many bits the values 0 … `largest` need.
constexpr std::uint8_t bits_for(int largest) {
  std::uint8_t bits = 0;
  for (; largest > 0; largest >>= 1) ++bits;
  return bits;
}

}  // namespace fencecheck
