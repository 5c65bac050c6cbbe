// Turns a design's program into the flat list of its steps, each bound to its components, and checks it at compile
// time.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fencecheck/model/step.h>

namespace fencecheck::detail {

/// For designs that declare none.
struct NoSwitches {
  friend constexpr bool operator==(const NoSwitches&, const NoSwitches&) = default;
};
struct NoMemory {};

template <class D>
struct SwitchesOf {
  using type = NoSwitches;
};
template <class D>
  requires requires { typename D::Switches; }
struct SwitchesOf<D> {
  using type = typename D::Switches;
};

template <class D>
struct MemoryOf {
  using type = NoMemory;
};
template <class D>
  requires requires { typename D::Memory; }
struct MemoryOf<D> {
  using type = typename D::Memory;
};

/// The conditions of the `when`s around a step; it is in the program where all of them are true.
template <class Switches>
struct Conditions {
  using Predicate = bool (*)(const Switches&);
  static constexpr std::size_t most = 4;
  std::array<Predicate, most> predicates{};
  std::size_t count = 0;

  constexpr Conditions with(Predicate predicate) const {
    Conditions result = *this;
    result.predicates.at(result.count++) = predicate;  // not constant, so an error, where there are more than `most`
    return result;
  }
  constexpr bool hold(const Switches& switches) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (!predicates[i](switches)) return false;
    }
    return true;
  }
};

/// One step of a flattened program.
template <class D, class V>
struct Entry {
  V visit;
  bool first_of_group = true;  ///< begins a visit
  bool in_finally = false;
  bool go_on = false;  ///< being turned away does not end the program
  Conditions<typename SwitchesOf<D>::type> conditions;
};

template <class D, class V>
struct is_visit : std::false_type {};
template <class D, class A, class... C>
struct is_visit<D, Visit<A, C...>> : std::true_type {};

template <class D>
struct Flattener {
  using Switches = typename SwitchesOf<D>::type;

  struct Context {
    bool first_of_group = true;
    bool in_finally = false;
    bool go_on = false;
    Conditions<Switches> conditions;
  };

  template <class A, class... C>
  static constexpr auto flatten(const Visit<A, C...>& visit, Context context) {
    (check_component<C>(), ...);
    return std::tuple(
        Entry<D, Visit<A, C...>>{visit, context.first_of_group, context.in_finally, context.go_on, context.conditions});
  }
  static constexpr auto flatten(AcquireItem, Context context) {
    return flatten(at(issuer, D::Issuer::acquire), context);
  }
  static constexpr auto flatten(ReleaseItem, Context context) {
    return flatten(at(issuer, D::Issuer::release), context);
  }
  template <int S>
  static constexpr auto flatten(WriteItem<S>, Context context) {
    check_component<TheStore<S>>();
    return flatten(at(store<S>, D::Stores::template at<S>::write), context);
  }
  template <class... Steps>
  static constexpr auto flatten(const StepGroup<Steps...>& group, Context context) {
    return flatten_group(group.steps, context, std::index_sequence_for<Steps...>{});
  }
  template <class... Items>
  static constexpr auto flatten(const FinallyItem<Items...>& item, Context context) {
    context.in_finally = true;
    return flatten_all(item.items, context);
  }
  template <class Item>
  static constexpr auto flatten(const GoOnItem<Item>& item, Context context) {
    context.go_on = true;
    return flatten(item.item, context);
  }
  template <class Predicate, class... Items>
  static constexpr auto flatten(const WhenItem<Predicate, Items...>& item, Context context) {
    context.conditions = context.conditions.with(item.predicate);
    return flatten_all(item.items, context);
  }
  template <class... Items>
  static constexpr auto flatten(const SequenceItem<Items...>& item, Context context) {
    return flatten_all(item.items, context);
  }
  template <class... Items>
  static constexpr auto flatten_all(const std::tuple<Items...>& items, Context context) {
    return std::apply([&](const auto&... each) { return std::tuple_cat(flatten(each, context)...); }, items);
  }

 private:
  template <class C>
  static constexpr void check_component() {
    if constexpr (requires { C::index; }) {
      static_assert(C::index >= 0 && C::index < D::Stores::count,
                    "fencecheck: the program names a store that the design does not have; stores are numbered from 0 "
                    "in the order of `using Stores = stores<…>`");
    }
  }
  template <class Tuple, std::size_t... I>
  static constexpr auto flatten_group(const Tuple& group, Context context, std::index_sequence<I...>) {
    const auto nth = [&](bool first) {
      Context copy = context;
      copy.first_of_group = first && context.first_of_group;
      return copy;
    };
    return std::tuple_cat(flatten(std::get<I>(group), nth(I == 0))...);
  }
};

/// The steps of D's worker, as a tuple of Entry.
template <class D>
constexpr auto flat_program() {
  return Flattener<D>::flatten_all(D::worker.items, {});
}

// --- what a lambda's parameters are ----------------------------------------------------------------------------------

template <class... T>
struct TypeList {};

template <class F>
struct CallTraits : CallTraits<decltype(&F::operator())> {};
template <class R, class C, class... A>
struct CallTraits<R (C::*)(A...) const> {
  using Parameters = TypeList<A...>;
  using Result = R;
};

template <class T, class List>
inline constexpr bool has_parameter = false;
template <class T, class... P>
inline constexpr bool has_parameter<T, TypeList<P...>> = (std::is_same_v<T, std::remove_cvref_t<P>> || ...);

template <std::size_t N, class List>
struct NthType;
template <std::size_t N, class... P>
struct NthType<N, TypeList<P...>> {
  using type = std::tuple_element_t<N, std::tuple<P...>>;
};
template <class List>
inline constexpr std::size_t length_of = 0;
template <class... P>
inline constexpr std::size_t length_of<TypeList<P...>> = sizeof...(P);

}  // namespace fencecheck::detail
