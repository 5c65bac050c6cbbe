// What a design has: asked at compile time by properties that need it.
#pragma once

#include <tuple>
#include <type_traits>

#include <fencecheck/model/fields.h>
#include <fencecheck/model/program.h>

namespace fencecheck {

namespace detail {

/// Whether a plain struct has a field of type Field.
template <class Field, class Part>
constexpr bool has_field() {
  bool found = false;
  Part part{};
  for_each_field(part,
                 [&](const auto& field) { found |= std::is_same_v<std::remove_cvref_t<decltype(field)>, Field>; });
  return found;
}

template <class Field, class Stores>
inline constexpr bool any_store_has = false;
template <class Field, class... S>
inline constexpr bool any_store_has<Field, stores<S...>> = (has_field<Field, typename S::Row>() || ...);

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

template <class Action, class... C>
constexpr bool visits_issuer(const Visit<Action, C...>&) {
  return (std::is_same_v<C, TheIssuer> || ...);
}

template <class Parameter, class Action, class... C>
constexpr bool takes(const Visit<Action, C...>&) {
  return has_parameter<Parameter, typename CallTraits<Action>::Parameters>;
}

/// A visit of the lock service that cannot change its record.
template <class Action, class... C>
constexpr bool asks_issuer(const Visit<Action, C...>& visit) {
  return (std::is_same_v<C, TheIssuer> || ...) && !changes_record(visit);
}

/// Whether `predicate(entry)` is true for any step of D's programs.
template <class D, class Predicate>
constexpr bool any_entry(Predicate predicate) {
  return std::apply([&](const auto&... entry) { return (predicate(entry) || ...); }, flat_program<D>());
}

}  // namespace detail

/// Some store's rows hold a Value, so that a write can be seen.
template <class D>
constexpr bool stores_a_value() {
  return detail::any_store_has<Value, typename D::Stores>;
}

/// Some step may change the lock's record without granting: a release.
template <class D>
constexpr bool releases() {
  return detail::any_entry<D>(
      [](const auto& entry) { return detail::changes_record(entry.visit) && !detail::grants(entry.visit); });
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

/// Some store's rows hold an Effect.
template <class D>
constexpr bool stores_an_effect() {
  return detail::any_store_has<Effect, typename D::Stores>;
}

/// Some visit reads what its program decides by: `as_basis(…)`.
template <class D>
constexpr bool reads_a_basis() {
  return detail::any_entry<D>([](const auto& entry) { return entry.manner.basis; });
}

/// The stores whose rows hold an Effect: bit s for store s.
template <class D>
constexpr std::uint32_t stores_with_an_effect() {
  std::uint32_t stores = 0;
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    ((stores |= detail::has_field<Effect, typename D::Stores::template at<static_cast<int>(S)>::Row>() ? 1u << S : 0u),
     ...);
  }(std::make_index_sequence<D::Stores::count>{});
  return stores;
}

/// Readers are part of the design: `static Seen read(const Row0&, const Row1&, …)`, what one of them sees.
template <class D>
constexpr bool has_reader() {
  return requires { &D::read; };
}

/// A reader can be led to something that is not there: `static constexpr bool follows_a_pointer = true`.
template <class D>
constexpr bool follows_a_pointer() {
  return requires { D::follows_a_pointer; };
}

/// Readers see a log, and in it every write that was acknowledged: `static constexpr bool readers_see_all_writes =
/// true`.
template <class D>
constexpr bool readers_see_all_writes() {
  return requires { D::readers_see_all_writes; };
}

/// A design says what it calls settled: `static bool settled(const Row0&, …)`, whether what its stores say agrees.
template <class D>
constexpr bool says_what_is_settled() {
  return requires { &D::settled; };
}

/// Workers have a belief: `static bool believes(const Memory&)`, whether one thinks that its lease still holds.
template <class D>
constexpr bool has_belief() {
  return requires { &D::believes; };
}

/// Whether `fault` can happen to D: only a lock service that somebody asks can answer from a replica that lags.
template <class D>
constexpr bool can_happen(Fault fault) {
  const auto declares = [](Fault kind) {
    if constexpr (requires { D::faults; }) {
      return std::apply([&](const auto&... each) { return ((each.kind == kind) || ...); }, D::faults);
    } else {
      return (void)kind, false;
    }
  };
  switch (fault) {
    case Fault::stale_read:
      return detail::any_entry<D>([](const auto& entry) { return detail::asks_issuer(entry.visit); });
    case Fault::cleanup:
    case Fault::node_loss: return declares(fault);
    case Fault::clock_drift:
      return detail::has_field<Ticks, typename D::Issuer::Record>() ||
             detail::has_field<Ticks, typename detail::MemoryOf<D>::type>();
    case Fault::forged_token: return detail::has_forger<D>;
    default: return true;
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
