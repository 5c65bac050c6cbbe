// Walks the fields of plain structs: rows, records, memory, ledgers.
//
// Boost.PFR takes an aggregate apart without a word from its author. A field is one of the types of types.h, a small
// enum whose last enumerator is called `last`, a std::array of fields, or a plain struct of fields.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/pfr/core.hpp>

#include <fencecheck/model/bounds.h>
#include <fencecheck/model/types.h>

namespace fencecheck {

/// A single field: one byte that says how many bits it needs and what number it stands for.
template <class T>
concept FieldType = sizeof(T) == 1 && std::is_trivially_copyable_v<T> && requires(const T& field, const Bounds& b) {
  { T::bits(b) } -> std::same_as<std::uint8_t>;
  { FieldNumber::of(field) } -> std::same_as<int>;
};

/// An enum of one byte that names its largest enumerator `last`.
template <class T>
concept SmallEnum = std::is_enum_v<T> && sizeof(T) == 1 && requires { T::last; };

namespace detail {

template <class T>
inline constexpr bool is_field_array = false;
template <class T, std::size_t N>
inline constexpr bool is_field_array<std::array<T, N>> = true;

template <class T>
constexpr void require_fields() {
  if constexpr (!FieldType<T> && !SmallEnum<T> && !is_field_array<T>) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_aggregate_v<T>,
                  "fencecheck: a row, a record or a worker's memory must be a plain value: a struct whose fields are "
                  "Token, Unique, Value, Flag, Count<N> and the like, or a small enum with an enumerator `last` "
                  "(no int, no pointer, no string, no container)");
  }
}

}  // namespace detail

/// Calls f(field) for every single field inside `object`, in the order of declaration. `object` may be const.
template <class T, class F>
constexpr void for_each_field(T& object, F&& f) {
  using Plain = std::remove_const_t<T>;
  detail::require_fields<Plain>();
  if constexpr (FieldType<Plain> || SmallEnum<Plain>) {
    f(object);
  } else if constexpr (detail::is_field_array<Plain>) {
    for (auto& element : object) for_each_field(element, f);
  } else if constexpr (std::is_trivially_copyable_v<Plain> && std::is_aggregate_v<Plain>) {
    if constexpr (boost::pfr::tuple_size_v<Plain> != 0) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (for_each_field(boost::pfr::get<I>(object), f), ...);
      }(std::make_index_sequence<boost::pfr::tuple_size_v<Plain>>{});
    }
  }
}

/// The number of single fields inside T.
template <class T>
constexpr std::size_t field_count() {
  std::size_t count = 0;
  T object{};
  for_each_field(object, [&](const auto&) { ++count; });
  return count;
}

/// Bits that a field of type T needs within `bounds`.
template <class T>
constexpr std::uint8_t field_bits(const Bounds& bounds) {
  if constexpr (SmallEnum<T>) {
    (void)bounds;
    return bits_for(static_cast<int>(T::last));
  } else {
    return T::bits(bounds);
  }
}

template <class T>
constexpr int field_number(const T& field) {
  if constexpr (SmallEnum<T>) {
    return static_cast<int>(field);
  } else {
    return FieldNumber::of(field);
  }
}

namespace detail {
// The name of enumerator V, as the compiler spells it at the end of this function's own name.
template <auto V>
constexpr std::string_view enumerator_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  if (const std::size_t end = name.find_first_of(";]", name.find("V = ")); end != std::string_view::npos)
    name = name.substr(0, end);
  return name.substr(name.find_last_of(": ") + 1);
}
}  // namespace detail

/// The word for what a field of an enum holds: its enumerator's name. Nothing for other fields.
template <class T>
constexpr std::string_view field_word(const T& field) {
  std::string_view word;
  if constexpr (SmallEnum<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((static_cast<std::size_t>(field) == I ? void(word = detail::enumerator_name<static_cast<T>(I)>()) : void()),
       ...);
    }(std::make_index_sequence<static_cast<std::size_t>(T::last) + 1>{});
  }
  return word;
}

/// What a field of type T is called where its struct gives no `field_names`.
template <class T>
constexpr std::string_view field_type_name() {
  if constexpr (std::is_same_v<T, Token>)
    return "token";
  else if constexpr (std::is_same_v<T, Unique>)
    return "handle";
  else if constexpr (std::is_same_v<T, Value>)
    return "value";
  else if constexpr (std::is_same_v<T, Effect>)
    return "effect";
  else if constexpr (std::is_same_v<T, RequestId>)
    return "request id";
  else if constexpr (std::is_same_v<T, Fingerprint>)
    return "fingerprint";
  else if constexpr (std::is_same_v<T, Version>)
    return "version";
  else if constexpr (std::is_same_v<T, Owner>)
    return "owner";
  else if constexpr (std::is_same_v<T, Ticks>)
    return "ticks";
  else if constexpr (std::is_same_v<T, Flag>)
    return "flag";
  else if constexpr (std::is_same_v<T, Lease>)
    return "lease";
  else
    return "field";
}

/// The name of field number `index` of T: `T::field_names[index]` where T declares
/// `static constexpr std::string_view field_names[] = {…}`, else what its type is called.
template <class T, class Field>
constexpr std::string_view field_name(std::size_t index) {
  if constexpr (requires { T::field_names; }) {
    static_assert(std::size(T::field_names) == field_count<T>(),
                  "fencecheck: field_names must name every field, in the order of declaration");
    return T::field_names[index];
  } else {
    return field_type_name<Field>();
  }
}

}  // namespace fencecheck
