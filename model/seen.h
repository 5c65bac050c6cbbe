// What a reader of a design sees.
#pragma once

#include <array>

#include <fencecheck/model/lease_set.h>

namespace fencecheck {

/// The parts that a reader puts together, and whether one of them is missing. A design's reader is a function of its
/// stores: `static Seen read(const Row0& first, const Row1& second) { return Seen().part(first.value); }`.
class Seen {
 public:
  /// Another part, whoever wrote it. An empty value is a part as well: what was there at the beginning.
  constexpr Seen part(Value value) const {
    Seen result = *this;
    result.authors_.insert(Lease(FieldNumber::of(value)));
    return result;
  }

  /// What the reader was led to is not there.
  constexpr Seen missing() const {
    Seen result = *this;
    result.missing_ = true;
    return result;
  }

  // For properties:
  constexpr bool is_mix() const { return authors_.size() > 1; }
  constexpr bool is_missing() const { return missing_; }
  constexpr bool is_complete() const { return !is_mix() && !missing_ && !has(Lease{}); }  ///< and of some lease
  constexpr bool has(Lease author) const { return authors_.has(author); }

 private:
  LeaseSet authors_;
  bool missing_ = false;
};

}  // namespace fencecheck
