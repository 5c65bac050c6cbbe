// A list of plain structs that is itself a plain struct: trivially copyable, which std::tuple is not.
#pragma once

#include <cstddef>

namespace fencecheck::detail {

template <class... T>
struct PlainList {};

template <class Head, class... Tail>
struct PlainList<Head, Tail...> {
  constexpr PlainList() = default;  // not an aggregate: clang 16 crashes on {} for one whose only member is empty
  [[no_unique_address]] Head head;
  [[no_unique_address]] PlainList<Tail...> tail;
};

/// Element I of the list.
template <std::size_t I, class List>
constexpr auto& get(List& list) {
  if constexpr (I == 0) {
    return list.head;
  } else {
    return get<I - 1>(list.tail);
  }
}

/// A property's or a design's part of the state where it declares none. Each takes a type of its own, so that several
/// of them share one address and no memory.
template <class Tag>
struct Nothing {};

}  // namespace fencecheck::detail
