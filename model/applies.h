// What a design has: asked at compile time by properties that need it.
#pragma once

#include <tuple>
#include <type_traits>

#include <fencecheck/model/fields.h>
#include <fencecheck/model/program.h>

namespace fencecheck {

namespace detail {

template <class Row>
constexpr bool has_value() {
  bool found = false;
  Row row{};
  for_each_field(row, [&](const auto& field) { found |= std::is_same_v<std::remove_cvref_t<decltype(field)>, Value>; });
  return found;
}

template <class Stores>
inline constexpr bool any_store_has_value = false;
template <class... S>
inline constexpr bool any_store_has_value<stores<S...>> = (has_value<typename S::Row>() || ...);

template <class Action, class... C>
constexpr bool changes_record(const Visit<Action, C...>&) {
  using Parameters = typename CallTraits<Action>::Parameters;
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return ((std::is_same_v<C, TheIssuer> &&
             !std::is_const_v<std::remove_reference_t<typename NthType<K, Parameters>::type>>) ||
            ...);
  }(std::index_sequence_for<C...>{});
}

template <class Action, class... C>
constexpr bool grants(const Visit<Action, C...>&) {
  return has_parameter<Grant, typename CallTraits<Action>::Parameters>;
}

/// Whether `predicate(visit)` is true for any step of D's program.
template <class D, class Predicate>
constexpr bool any_step(Predicate predicate) {
  return std::apply([&](const auto&... entry) { return (predicate(entry.visit) || ...); }, flat_program<D>());
}

}  // namespace detail

/// Some store's rows hold a Value, so that a write can be seen.
template <class D>
constexpr bool stores_a_value() {
  return detail::any_store_has_value<typename D::Stores>;
}

/// Some step may change the lock's record without granting: a release.
template <class D>
constexpr bool releases() {
  return detail::any_step<D>([](const auto& visit) { return detail::changes_record(visit) && !detail::grants(visit); });
}

/// Grants carry tokens. A design whose lock hands out nothing that can be ordered says so with
/// `static constexpr bool hands_out_tokens = false` in its issuer.
template <class D>
constexpr bool hands_out_tokens() {
  if constexpr (requires { D::Issuer::hands_out_tokens; }) {
    return D::Issuer::hands_out_tokens;
  } else {
    return true;
  }
}

/// Whether D has anything that property P could judge.
template <class P, class D>
constexpr bool applies() {
  if constexpr (requires { P::template applies<D>(); }) {
    return P::template applies<D>();
  } else {
    return true;
  }
}

}  // namespace fencecheck
