// Puts what happened before the properties that judge it.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fencecheck/explorer/model.h>
#include <fencecheck/model/state.h>

namespace fencecheck {

/// The whole world as property number I sees it after something happened, with its own ledgers.
template <class D, class StateType, std::size_t I>
class Scene {
 public:
  using Design = D;
  using ProcessType = typename StateType::ProcessType;

  Scene(StateType& state, ProcessType* self, int workers) : state_(state), self_(self), workers_(workers) {}

  auto& ledger() { return detail::get<I>(state_.ledgers); }
  auto& store_ledger(std::size_t store) { return detail::get<I>(state_.store_ledgers[store]); }
  static auto& ledger_of(ProcessType& process) { return detail::get<I>(process.ledgers); }

  /// The process that acted; null after a fault that is nobody's.
  ProcessType* self() { return self_; }

  template <std::size_t S>
  const auto& row() const {
    return detail::get<S>(state_.rows);
  }
  Lease holder() const { return Lease(FieldNumber::of(D::Issuer::holder(state_.issuer))); }
  int workers() const { return workers_; }
  ProcessType& worker(int w) { return state_.processes[static_cast<std::size_t>(w)]; }

  /// Calls f(process) for every worker, other program and request under way.
  template <class F>
  void for_each_process(F f) {
    for (int w = 0; w < workers_; ++w) f(worker(w));
    for (std::size_t p = max_workers; p < state_.processes.size(); ++p) f(state_.processes[p]);
    for (auto& each : state_.under_way) {
      if (each.step != 0) f(each.process);
    }
  }

  /// Whether nobody is in the middle of a program, and no request is under way.
  bool at_rest() {
    bool rest = state_.under_way[0].step == 0;
    for_each_process([&](const ProcessType& process) { rest &= process.place == 0; });
    return rest;
  }

  /// What a reader of the design sees now.
  auto read() const {
    return [&]<std::size_t... S>(std::index_sequence<S...>) {
      return D::read(row<S>()...);
    }(std::make_index_sequence<D::Stores::count>{});
  }

  /// Whether the design calls what its stores hold now settled.
  bool settled() const {
    return [&]<std::size_t... S>(std::index_sequence<S...>) {
      return D::settled(row<S>()...);
    }(std::make_index_sequence<D::Stores::count>{});
  }

 private:
  StateType& state_;
  ProcessType* self_;
  int workers_;
};

namespace detail {

template <class D, class Properties>
struct Judge;

template <class D, class... P>
struct Judge<D, properties<P...>> {
  using StateType = State<D, properties<P...>>;
  using ProcessType = typename StateType::ProcessType;

  template <std::size_t I>
  using Property = std::tuple_element_t<I, std::tuple<P...>>;

  // Of the properties that apply to D: the others are not judged, and their ledgers take no bits.
  template <class F>
  static constexpr void for_each_property(F&& f) {
    const auto visit = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      if constexpr (applies<Property<I>, D>()) f.template operator()<I>();
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (visit(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<sizeof...(P)>{});
  }

  template <std::size_t I>
  using SceneOf = Scene<D, StateType, I>;

  template <std::size_t I>
  static constexpr bool judges_after =
      requires(const Happening& happening, SceneOf<I>& scene) { Property<I>::after(happening, scene); };

  /// Whether any property looks at the whole world.
  static constexpr bool any_after() {
    bool any = false;
    for_each_property([&]<std::size_t I>() { any |= judges_after<I>; });
    return any;
  }

  static explorer::Targets at_issuer(StateType& state, const IssuerVisit& visit) {
    explorer::Targets targets = 0;
    for_each_property([&]<std::size_t I>() {
      if constexpr (requires { Property<I>::at_issuer(visit); }) {
        targets |= target(I, Property<I>::at_issuer(visit));
      } else if constexpr (requires { Property<I>::at_issuer(visit, get<I>(state.ledgers)); }) {
        targets |= target(I, Property<I>::at_issuer(visit, get<I>(state.ledgers)));
      }
    });
    return targets;
  }

  template <std::size_t S>
  static explorer::Targets at_store(StateType& state, const StoreVisit& visit) {
    explorer::Targets targets = 0;
    for_each_property([&]<std::size_t I>() {
      if constexpr (requires { Property<I>::at_store(visit); }) {
        targets |= target(I, Property<I>::at_store(visit));
      } else if constexpr (requires { Property<I>::at_store(visit, get<I>(state.store_ledgers[S])); }) {
        targets |= target(I, Property<I>::at_store(visit, get<I>(state.store_ledgers[S])));
      }
    });
    return targets;
  }

  // Not inlined: every step calls it, and compiling a copy for each takes longer than most searches.
  [[gnu::noinline]] static explorer::Targets after(StateType& state, const Happening& happening, ProcessType* self,
                                                   int workers) {
    explorer::Targets targets = 0;
    for_each_property([&]<std::size_t I>() {
      if constexpr (judges_after<I>) {
        SceneOf<I> scene(state, self, workers);
        targets |= target(I, Property<I>::after(happening, scene));
      }
    });
    return targets;
  }

 private:
  static explorer::Targets target(std::size_t property, Judgement judgement) {
    if (judgement == Judgement::violated) return explorer::Targets{1} << violated_target(property);
    if (judgement == Judgement::handled) return explorer::Targets{1} << handled_target(property);
    return 0;
  }
};

}  // namespace detail
}  // namespace fencecheck
