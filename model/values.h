// What a visit put into a component: fresh values and effects. For the world alone.
#pragma once

#include <cstring>
#include <type_traits>

#include <fencecheck/model/fields.h>

namespace fencecheck::detail {

/// What one step did to one component's data.
struct Settled {
  bool wrote = false;  ///< the payload that was sent
  bool added = false;  ///< to an effect
};

/// Says what this step stored; from here on values and effects are like any others.
template <class Part>
Settled settle(Part& part) {
  Settled settled;
  for_each_field(part, [&](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, Value>) {
      settled.wrote |= ValueAccess::is_fresh(field);
      ValueAccess::settle(field);
    } else if constexpr (std::is_same_v<Field, Effect>) {
      settled.added |= EffectAccess::is_fresh(field);
      EffectAccess::settle(field);
    }
  });
  return settled;
}

/// A worker that kept its payload in its memory and stores it in a later step has written it all the same.
template <class Memory>
void freshen_own_values(Memory& memory, int author) {
  for_each_field(memory, [&](auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>) {
      if (author != 0 && FieldNumber::of(field) == author) field = ValueAccess::fresh(author);
    }
  });
}

/// Orders two plain structs by their bytes, as std::memcmp does. Every field is one byte. What is none (an empty struct
/// may take a byte of its own) is zero in all of them, since a state begins as zeros and is copied whole.
template <class T>
int compare_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a);  // NOLINT(bugprone-suspicious-memory-comparison)
}

/// Whether two plain structs have the same fields.
template <class T>
bool same_fields(const T& a, const T& b) {
  if constexpr (std::is_empty_v<T>) {
    return true;
  } else {
    return compare_bytes(a, b) == 0;
  }
}

}  // namespace fencecheck::detail
