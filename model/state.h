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

template <class P, class D>
struct ProcessLedgerOf {
  using type = Nothing<P>;
};
template <class P, class D>
  requires(applies<P, D>() && requires { typename P::ProcessLedger; })
struct ProcessLedgerOf<P, D> {
  using type = typename P::ProcessLedger;
};

template <class Stores>
struct RowsOf;
template <class... S>
struct RowsOf<stores<S...>> {
  using type = PlainList<typename S::Row...>;
};

/// Where a worker stands in the program that runs beside its main one; nothing where there is none.
struct BesidePlace {
  std::uint8_t place = 0;
};
template <class D>
using BesideOf = std::conditional_t<has_beside<D>, BesidePlace, Nothing<BesidePlace>>;

}  // namespace detail

/// A worker, or a process that runs another program of the design: its place in the program, its grant, its local
/// memory. Which worker it is is not part of it, so workers can be put in another order without changing what can
/// happen to them.
template <class D, class Properties>
struct Process;

template <class D, class... P>
struct Process<D, properties<P...>> {
  std::uint8_t place = 0;
  Token token;
  Lease lease;
  [[no_unique_address]] detail::BesideOf<D> beside;
  [[no_unique_address]] typename detail::MemoryOf<D>::type memory;
  [[no_unique_address]] detail::PlainList<typename detail::ProcessLedgerOf<P, D>::type...> ledgers;
};

/// A request that is still under way after its sender went on. It has what its sender had when it was sent.
template <class D, class Properties>
struct UnderWay {
  std::uint8_t step = 0;  ///< 1 + the number of the step that it will make; 0: there is none
  Owner sender;
  Process<D, Properties> process;
};

/// Everything that decides what can happen next, and what properties remember. `Properties` is the list of properties
/// that are judged.
template <class D, class Properties>
struct State;

template <class D, class... P>
struct State<D, properties<P...>> {
  using Judged = properties<P...>;
  using ProcessType = Process<D, Judged>;
  using Rows = typename detail::RowsOf<typename D::Stores>::type;
  using StoreLedgers = detail::PlainList<typename detail::StoreLedgerOf<P, D>::type...>;

  static constexpr std::size_t other_programs = detail::other_count<D>();
  static constexpr std::size_t forgers = detail::has_forger<D> ? 1 : 0;
  static constexpr std::size_t process_count = max_workers + forgers + other_programs;

  // What nearly every design uses comes first, what only faults need last: eight bytes of which no bit is used cost
  // nothing when a state is packed.
  typename D::Issuer::Record issuer;
  Lease newest;  ///< the newest lease granted; with the ledgers, what no design can read
  detail::PlainList<typename detail::LedgerOf<P, D>::type...> ledgers;
  std::array<ProcessType, process_count> processes;  ///< the workers first, then the forger
  Rows rows;
  std::array<StoreLedgers, D::Stores::count> store_ledgers;
  std::array<std::uint8_t, fault_count> left;  ///< of each fault's budget
  typename D::Issuer::Backup issuer_backup;
  Rows row_backups;
  std::uint8_t unreachable;  ///< 1 while the lock service is
  typename D::Issuer::Record replica;
  std::array<UnderWay<D, Judged>, max_under_way> under_way;  ///< the empty ones last, the others in ascending order
};

}  // namespace fencecheck
