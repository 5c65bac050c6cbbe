// A set of leases, for what properties remember.
#pragma once

#include <algorithm>
#include <bit>

#include <fencecheck/model/types.h>

namespace fencecheck {

/// Eight leases of a set, First … First + 7: a bit each, and only as many as there can be leases.
template <int First>
class LeaseBits {
 public:
  constexpr bool has(int lease) const { return (members_ >> (lease - First) & 1) != 0; }
  constexpr void set(int lease, bool member) {
    const int bit = 1 << (lease - First);
    members_ = static_cast<std::uint8_t>(member ? members_ | bit : members_ & ~bit);
  }
  friend constexpr bool operator==(LeaseBits, LeaseBits) = default;

  static constexpr std::uint8_t bits(const Bounds& b) {
    return static_cast<std::uint8_t>(std::clamp(b.leases + 1 - First, 0, 8));
  }
  constexpr int number() const { return members_; }

 private:
  std::uint8_t members_ = 0;
};

/// A set of leases; lease 0 stands for none.
struct LeaseSet {
  static constexpr std::string_view field_names[] = {"leases to 7", "leases from 8"};
  LeaseBits<0> low;
  LeaseBits<8> high;

  constexpr bool has(Lease lease) const {
    return lease.number() < 8 ? low.has(lease.number()) : high.has(lease.number());
  }
  constexpr void insert(Lease lease) { set(lease, true); }
  constexpr void erase(Lease lease) { set(lease, false); }
  constexpr bool empty() const { return low.number() == 0 && high.number() == 0; }
  constexpr int size() const { return std::popcount(static_cast<unsigned>(low.number() << 8 | high.number())); }
  friend constexpr bool operator==(const LeaseSet&, const LeaseSet&) = default;

 private:
  constexpr void set(Lease lease, bool member) {
    if (lease.number() < 8) {
      low.set(lease.number(), member);
    } else {
      high.set(lease.number(), member);
    }
  }
};

}  // namespace fencecheck
