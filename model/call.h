// Calls a step: finds out what its lambda asks for, and hands it over.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <fencecheck/model/plain_list.h>
#include <fencecheck/model/program.h>
#include <fencecheck/model/step.h>

namespace fencecheck::detail {

/// What a step's parameters are taken from.
template <class D, class StateType>
struct Call {
  StateType& state;
  const typename SwitchesOf<D>::type& switches;
  typename StateType::ProcessType* self;  // null for faults
  Request request = {};
  Grant grant = {};
  Guards guards = {};
  Credentials credentials = {};
  Reachability reachability = {};
};

/// The part of a state that a step visits.
template <class StateType>
auto& component(StateType& state, TheIssuer) {
  return state.issuer;
}
template <class StateType, int S>
auto& component(StateType& state, TheStore<S>) {
  return get<static_cast<std::size_t>(S)>(state.rows);
}

/// Parameter number K of a step that visits the components C.
template <std::size_t K, class Parameter, class... C, class D, class StateType>
Parameter argument(Call<D, StateType>& call) {
  static_assert(std::is_reference_v<Parameter>, "fencecheck: a step takes its parameters by reference");
  using Plain = std::remove_cvref_t<Parameter>;
  if constexpr (K < sizeof...(C)) {
    auto& part = component(call.state, typename NthType<K, TypeList<C...>>::type{});
    static_assert(std::is_same_v<Plain, std::remove_cvref_t<decltype(part)>>,
                  "fencecheck: a step's first parameters are the rows or records of the components that it visits, "
                  "in that order; this one is of another type");
    return part;
  } else if constexpr (std::is_same_v<Plain, Request>) {
    return call.request;
  } else if constexpr (std::is_same_v<Plain, Guards>) {
    return call.guards;
  } else if constexpr (std::is_same_v<Plain, Grant>) {
    return call.grant;
  } else if constexpr (std::is_same_v<Plain, typename MemoryOf<D>::type>) {
    return call.self->memory;
  } else if constexpr (std::is_same_v<Plain, typename SwitchesOf<D>::type>) {
    return call.switches;
  } else if constexpr (std::is_same_v<Plain, Credentials>) {
    return call.credentials;
  } else if constexpr (std::is_same_v<Plain, Reachability>) {
    return call.reachability;
  } else if constexpr (std::is_same_v<Plain, typename D::Issuer::Backup>) {
    return call.state.issuer_backup;
  } else {
    static_assert(always_false<Parameter>,
                  "fencecheck: a step's parameter is none of: the row or record it visits, const Request&, Guards&, "
                  "Grant&, the design's Memory&, const Switches&");
  }
}

/// Runs a step: gives its action what it asks for.
template <class D, class StateType, class Action, class... C>
Reply invoke(const Visit<Action, C...>& visit, Call<D, StateType>& call) {
  using Traits = CallTraits<Action>;
  using Parameters = typename Traits::Parameters;
  static_assert(std::is_same_v<typename Traits::Result, Reply>, "fencecheck: a step returns a Reply");
  static_assert(length_of<Parameters> >= sizeof...(C),
                "fencecheck: a step's first parameters are the rows or records of the components that it visits");
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return visit.action(argument<K, typename NthType<K, Parameters>::type, C...>(call)...);
  }(std::make_index_sequence<length_of<Parameters>>{});
}

}  // namespace fencecheck::detail
