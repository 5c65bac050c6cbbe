// Objects under names of their own: for stores where each owner writes at a path that carries its token.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <fencecheck/model/types.h>
#include <fencecheck/model/world.h>

namespace fencecheck {

/// One T for each of the tokens 1 … Most: `files[r.token]`. A row with one takes Most times the bits of a T, so Most is
/// small; a search with bounds that lead to a larger token stops with an error that says so.
template <class T, int Most = 3>
struct ByToken {
  std::array<T, static_cast<std::size_t>(Most)> objects;

  T& operator[](Token token) { return objects[place(token)]; }
  const T& operator[](Token token) const { return objects[place(token)]; }

  /// Calls f(token, object) for each.
  template <class F>
  void for_each(F f) {
    for (int number = 1; number <= Most; ++number) f(Token(number), (*this)[Token(number)]);
  }

 private:
  static std::size_t place(Token token) {
    if (token < Token(1) || token > Token(Most)) {
      throw UsageError("this design has places for the tokens 1 to " + std::to_string(Most) + " and was given token " +
                       std::to_string(token.number()) + "; try --leases " + std::to_string(Most));
    }
    return static_cast<std::size_t>(token.number() - 1);
  }
};

}  // namespace fencecheck
