// The state of a world: a plain value, one byte for each field.
#pragma once

#include <array>
#include <type_traits>

#include <fencecheck/model/applies.h>
#include <fencecheck/model/bounds.h>
#include <fencecheck/model/fields.h>
#include <fencecheck/model/plain_list.h>
#include <fencecheck/model/program.h>
#include <fencecheck/model/property.h>

namespace fencecheck {

namespace detail {

// What property P remembers of design D: nothing where it declares nothing, or where it does not apply.
template <class P, class D>
struct LedgerOf {
  using type = Nothing<P>;
};
template <class P, class D>
  requires(applies<P, D>() && requires { typename P::Ledger; })
struct LedgerOf<P, D> {
  using type = typename P::Ledger;
};

template <class P, class D>
struct StoreLedgerOf {
  using type = Nothing<P>;
};
template <class P, class D>
  requires(applies<P, D>() && requires { typename P::StoreLedger; })
struct StoreLedgerOf<P, D> {
  using type = typename P::StoreLedger;
};

template <class Stores>
struct RowsOf;
template <class... S>
struct RowsOf<stores<S...>> {
  using type = PlainList<typename S::Row...>;
};

}  // namespace detail

/// A worker: its place in the program, its grant, its local memory. Which worker it is is not part of it, so workers
/// can be put in another order without changing what can happen to them.
template <class D>
struct Process {
  std::uint8_t place = 0;
  Token token;
  Lease lease;
  [[no_unique_address]] typename detail::MemoryOf<D>::type memory;
};

/// Everything that decides what can happen next, and what properties remember. `Properties` is the list of properties
/// that are judged.
template <class D, class Properties>
struct State;

template <class D, class... P>
struct State<D, properties<P...>> {
  using Rows = typename detail::RowsOf<typename D::Stores>::type;
  using StoreLedgers = detail::PlainList<typename detail::StoreLedgerOf<P, D>::type...>;

  // What nearly every design uses comes first, what only restores need last: eight bytes of which no bit is used cost
  // nothing when a state is packed.
  typename D::Issuer::Record issuer;
  Lease newest;  ///< the newest lease granted; with the ledgers, what no design can read
  detail::PlainList<typename detail::LedgerOf<P, D>::type...> ledgers;
  std::array<Process<D>, max_workers> workers;
  Rows rows;
  std::array<StoreLedgers, D::Stores::count> store_ledgers;
  std::uint8_t issuer_restores_left;
  std::uint8_t store_restores_left;
  typename D::Issuer::Backup issuer_backup;
  Rows row_backups;
};

}  // namespace fencecheck
