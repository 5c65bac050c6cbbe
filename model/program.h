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

/// The programs of a design, by number: what a worker does, what runs beside it with its grant and its memory, who
/// forges a token, and from `first_other` on those that no worker runs.
enum ProgramNumber : int { main_program, beside_program, forger_program, first_other };

/// One step of a flattened program.
template <class D, class V>
struct Entry {
  V visit;
  int program = main_program;
  bool first_of_group = true;  ///< begins a visit
  bool in_finally = false;
  bool go_on = false;              ///< being turned away does not end the program
  bool recovers = false;           ///< where its reply is lost, the next recovery is gone through
  bool in_recovery = false;        ///< passed by unless a reply was lost
  bool first_of_recovery = false;  ///< begins a recovery
  Manner manner;
  Conditions<typename SwitchesOf<D>::type> conditions;
};

template <class D>
struct Flattener {
  using Switches = typename SwitchesOf<D>::type;

  struct Context {
    int program = main_program;
    bool first_of_group = true;
    bool in_finally = false;
    bool go_on = false;
    bool recovers = false;
    bool in_recovery = false;
    bool first_of_recovery = false;
    Manner manner;
    Conditions<Switches> conditions;
  };

  template <class A, class... C>
  static constexpr auto flatten(const Visit<A, C...>& visit, const Context& c) {
    (check_component<C>(), ...);
    return std::tuple(Entry<D, Visit<A, C...>>{visit, c.program, c.first_of_group, c.in_finally, c.go_on, c.recovers,
                                               c.in_recovery, c.first_of_recovery, c.manner, c.conditions});
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
  template <class Item>
  static constexpr auto flatten(const MannerItem<Item>& item, Context context) {
    context.manner = context.manner.with(item.manner);
    return flatten(item.item, context);
  }
  template <class Item, class... Recovery>
  static constexpr auto flatten(const OnUnknownItem<Item, Recovery...>& item, Context context) {
    Context recovery = context;
    recovery.in_recovery = true;
    context.recovers = true;
    recovery.first_of_recovery = true;
    return std::tuple_cat(flatten(item.item, context), flatten_all(item.recovery, recovery));
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
    return flatten_each(items, context, std::index_sequence_for<Items...>{});
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
  static constexpr auto flatten_group(const Tuple& group, const Context& context, std::index_sequence<I...>) {
    const auto nth = [&](bool first) {
      Context copy = context;
      copy.first_of_group = first && context.first_of_group;
      copy.first_of_recovery = first && context.first_of_recovery;
      return copy;
    };
    return std::tuple_cat(flatten(std::get<I>(group), nth(I == 0))...);
  }
  template <class Tuple, std::size_t... I>
  static constexpr auto flatten_each(const Tuple& items, const Context& context, std::index_sequence<I...>) {
    const auto nth = [&](bool first) {
      Context copy = context;
      copy.first_of_recovery = first && context.first_of_recovery;
      return copy;
    };
    return std::tuple_cat(flatten(std::get<I>(items), nth(I == 0))...);
  }
};

template <class D>
inline constexpr bool has_beside = requires { D::beside; };
template <class D>
inline constexpr bool has_forger = requires { D::forger; };

/// The number of programs that no worker runs.
template <class D>
constexpr std::size_t other_count() {
  if constexpr (requires { D::others; }) {
    return std::tuple_size_v<std::remove_cvref_t<decltype(D::others)>>;
  } else {
    return 0;
  }
}

/// The steps of all of D's programs, one program after another, as a tuple of Entry.
template <class D>
constexpr auto flat_program() {
  const auto flatten = [](const auto& program, int number) {
    typename Flattener<D>::Context context;
    context.program = number;
    return Flattener<D>::flatten_all(program.items, context);
  };
  const auto worker = [&] { return flatten(D::worker, main_program); };
  const auto beside = [&] {
    if constexpr (has_beside<D>) {
      return flatten(D::beside, beside_program);
    } else {
      return std::tuple();
    }
  };
  const auto forger = [&] {
    if constexpr (has_forger<D>) {
      return flatten(D::forger, forger_program);
    } else {
      return std::tuple();
    }
  };
  const auto others = [&] {
    if constexpr (other_count<D>() != 0) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple_cat(flatten(std::get<I>(D::others).program, first_other + static_cast<int>(I))...);
      }(std::make_index_sequence<other_count<D>()>{});
    } else {
      return std::tuple();
    }
  };
  return std::tuple_cat(worker(), beside(), forger(), others());
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
