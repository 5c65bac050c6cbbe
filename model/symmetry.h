// Worker symmetry: the canonical form of a state is its workers in sorted order.
//
// It is sound because a state never names a worker: a holder is known by the handle of its grant. The one exception is
// an Owner in a row or record; it is renamed along with the worker that it names. (C. N. Ip, D. L. Dill, Better
// verification through symmetry, 1996.)
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include <fencecheck/explorer/mutants.h>
#include <fencecheck/model/state.h>

namespace fencecheck {

namespace detail {

/// Calls f(owner) for every Owner in the rows and records of a state, backups included.
template <class StateType, class F>
void for_each_owner(StateType& state, F f) {
  const auto look = [&](auto& part) {
    for_each_field(part, [&](auto& field) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Owner>) f(field);
    });
  };
  const auto look_in_list = [&](auto& list, auto& self) -> void {
    if constexpr (requires { list.head; }) {
      look(list.head);
      self(list.tail, self);
    }
  };
  look(state.issuer);
  look(state.issuer_backup);
  look_in_list(state.rows, look_in_list);
  look_in_list(state.row_backups, look_in_list);
}

/// What decides a worker's rank: its process, then the places at which an Owner names it.
template <class ProcessType>
struct Ranked {
  std::uint64_t named_at = 0;  // bit i: the i-th Owner of the state names this worker
  ProcessType process;

  int compare(const Ranked& other) const {
    const int order = std::memcmp(&process, &other.process, sizeof process);
    if (order != 0) return order;
    return named_at < other.named_at ? -1 : named_at > other.named_at ? 1 : 0;
  }
};

template <class StateType>
constexpr bool has_owner() {
  std::size_t owners = 0;
  StateType state{};
  for_each_owner(state, [&](const Owner&) { ++owners; });
  return owners != 0;
}

template <class D, class Properties>
std::array<Ranked<Process<D>>, max_workers> rank_workers(const State<D, Properties>& state, int workers) {
  std::array<Ranked<Process<D>>, max_workers> ranked;
  for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
    ranked[w].named_at = 0;
    ranked[w].process = state.workers[w];
  }
  std::uint64_t bit = 1;
  for_each_owner(state, [&](const Owner& owner) {
    if (owner.exists()) ranked[static_cast<std::size_t>(owner.number() - 1)].named_at |= bit;
    bit <<= 1;
  });
  return ranked;
}

}  // namespace detail

/// Puts the first `workers` workers of `state` in ascending order, and renames Owners accordingly.
template <class D, class Properties>
void sort_workers(State<D, Properties>& state, int workers) {
  auto ranked = detail::rank_workers(state, workers);
  std::array<std::uint8_t, max_workers> order{};
  for (std::size_t w = 0; w < order.size(); ++w) order[w] = static_cast<std::uint8_t>(w);
  const auto first = order.begin();
  for (int i = 1; i < workers; ++i) {  // insertion sort: at most six, and mostly in order already
    for (int j = i; j > 0 && ranked[first[j]].compare(ranked[first[j - 1]]) < 0; --j) std::swap(first[j], first[j - 1]);
  }
  std::array<std::uint8_t, max_workers> new_name{};
  for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
    state.workers[w] = ranked[order[w]].process;
    new_name[order[w]] = static_cast<std::uint8_t>(w);
  }
  detail::for_each_owner(state, [&](Owner& owner) {
    if (owner.exists()) owner = OwnerAccess::of(new_name[static_cast<std::size_t>(owner.number() - 1)]);
  });
}

/// How many states the canonical `state` stands for: the orders of its workers that differ.
template <class D, class Properties>
std::uint64_t count_orderings(const State<D, Properties>& state, int workers) {
  const auto ranked = detail::rank_workers(state, workers);
  std::uint64_t orderings = 1;
  std::uint64_t equal = 1;  // workers in a row that equal this one
  for (int w = 1; w < workers; ++w) {
    const auto i = static_cast<std::size_t>(w);
    equal = ranked[i].compare(ranked[i - 1]) == 0 && !explorer::mutated(explorer::Mutant::wrong_orbit) ? equal + 1 : 1;
    orderings = orderings * static_cast<std::uint64_t>(w + 1) / equal;
  }
  return orderings;
}

}  // namespace fencecheck
