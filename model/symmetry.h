// Worker symmetry: the canonical form of a state is its workers in sorted order.
//
// It is sound because a state never names a worker: a holder is known by the handle of its grant. The one exception is
// an Owner; it is renamed along with the worker that it names. (C. N. Ip, D. L. Dill, Better verification through
// symmetry, 1996.) An Owner in a row or record takes part in the order of the workers that it names. Where workers
// remember Owners, or requests under way name their senders, which of them goes first depends on where the others go,
// so all orders are tried.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include <fencecheck/explorer/mutants.h>
#include <fencecheck/model/state.h>
#include <fencecheck/model/values.h>

namespace fencecheck {

namespace detail {

/// Whether any row, record or memory of D holds an Owner: only then does a state name workers.
template <class D>
constexpr bool uses_owner() {
  return any_store_has<Owner, typename D::Stores> || has_field<Owner, typename D::Issuer::Record>() ||
         has_field<Owner, typename D::Issuer::Backup>() || has_field<Owner, typename MemoryOf<D>::type>();
}

/// Calls f(owner) for every Owner in the rows and records of a state, backups and requests under way included.
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
  look(state.replica);
  for (auto& each : state.under_way) f(each.sender);
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

/// Puts requests under way in ascending order, the empty places last.
template <class StateType>
void sort_under_way(StateType& state) {
  const auto before = [](const auto& a, const auto& b) {
    if ((a.step == 0) != (b.step == 0)) return b.step == 0;
    return std::memcmp(&a, &b, sizeof a) < 0;
  };
  std::sort(state.under_way.begin(), state.under_way.end(), before);
}

template <class D, class Properties>
std::array<Ranked<Process<D, Properties>>, max_workers> rank_workers(const State<D, Properties>& state, int workers) {
  std::array<Ranked<Process<D, Properties>>, max_workers> ranked;
  for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
    ranked[w].named_at = 0;
    ranked[w].process = state.processes[w];
  }
  std::uint64_t bit = 1;
  if constexpr (!uses_owner<D>()) return ranked;
  for_each_owner(state, [&](const Owner& owner) {
    if (owner.exists()) ranked[static_cast<std::size_t>(FieldNumber::of(owner) - 1)].named_at |= bit;
    bit <<= 1;
  });
  return ranked;
}

// --- where workers remember Owners -----------------------------------------------------------------------------------

/// Whether the workers of `state` have to be tried in all orders: where a memory names a worker, or a request under way
/// does.
template <class D, class Properties>
bool needs_all_orders(const State<D, Properties>& state) {
  return has_field<Owner, typename MemoryOf<D>::type>() || state.under_way[0].step != 0;
}

using Order = std::array<std::uint8_t, max_workers>;

constexpr Order unchanged_order() {
  Order order{};
  for (std::size_t w = 0; w < order.size(); ++w) order[w] = static_cast<std::uint8_t>(w);
  return order;
}

/// `state` as it would be if worker w had been worker order[w], for the first `workers` workers.
template <class D, class Properties>
State<D, Properties> reordered(const State<D, Properties>& state, const Order& order, int workers) {
  State<D, Properties> result = state;
  Order new_name{};
  for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
    result.processes[w] = state.processes[order[w]];
    new_name[order[w]] = static_cast<std::uint8_t>(w);
  }
  const auto rename = [&](auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Owner>) {
      if (field.exists()) field = OwnerAccess::of(new_name[static_cast<std::size_t>(FieldNumber::of(field) - 1)]);
    }
  };
  for_each_owner(result, rename);
  for (auto& process : result.processes) for_each_field(process.memory, rename);
  for (auto& each : result.under_way) for_each_field(each.process.memory, rename);
  sort_under_way(result);
  return result;
}

/// Calls f(other) for `state` with its workers in every order, this one included.
template <class StateType, class F>
void for_each_order(const StateType& state, int workers, F f) {
  Order order = unchanged_order();
  do {
    f(reordered(state, order, workers));
  } while (std::next_permutation(order.begin(), order.begin() + workers));
}

}  // namespace detail

/// Puts the first `workers` workers of `state` in ascending order, and renames Owners accordingly.
template <class D, class Properties>
void sort_workers(State<D, Properties>& state, int workers) {
  if constexpr (detail::uses_owner<D>()) {
    if (detail::needs_all_orders(state)) {
      State<D, Properties> least = state;
      detail::for_each_order(state, workers, [&](const State<D, Properties>& other) {
        if (detail::compare_bytes(other, least) < 0) least = other;
      });
      state = least;
      return;
    }
  }
  auto ranked = detail::rank_workers(state, workers);
  detail::Order order = detail::unchanged_order();
  const auto first = order.begin();
  for (int i = 1; i < workers; ++i) {  // insertion sort: at most six, and mostly in order already
    for (int j = i; j > 0 && ranked[first[j]].compare(ranked[first[j - 1]]) < 0; --j) std::swap(first[j], first[j - 1]);
  }
  detail::Order new_name{};
  for (std::size_t w = 0; w < static_cast<std::size_t>(workers); ++w) {
    const Process<D, Properties> held = state.processes[w];
    state.processes[w] = ranked[order[w]].process;
    if (explorer::mutated(explorer::Mutant::symmetry_forgets_memory)) state.processes[w].token = held.token;
    new_name[order[w]] = static_cast<std::uint8_t>(w);
  }
  if constexpr (!detail::uses_owner<D>()) return;
  detail::for_each_owner(state, [&](Owner& owner) {
    if (owner.exists()) owner = OwnerAccess::of(new_name[static_cast<std::size_t>(FieldNumber::of(owner) - 1)]);
  });
}

/// How many states the canonical `state` stands for: the orders of its workers that differ.
template <class D, class Properties>
std::uint64_t count_orderings(const State<D, Properties>& state, int workers) {
  if constexpr (detail::uses_owner<D>()) {
    if (detail::needs_all_orders(state)) {
      std::uint64_t all = 0;
      std::uint64_t same = 0;
      detail::for_each_order(state, workers, [&](const State<D, Properties>& other) {
        ++all;
        if (detail::compare_bytes(other, state) == 0) ++same;
      });
      return all / same;
    }
  }
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
