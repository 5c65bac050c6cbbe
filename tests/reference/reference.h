// The naive reference explorer: the smallest fencing world, written down a second time.
//
// It uses nothing from the rest of the project: ordinary structs, std::set, one breadth-first search by levels. There
// is no packing, no symmetry and no block of states in it, so a mistake in one of those cannot be in here as well.
// Tests compare the real explorer with it, on bounds for which there is no golden row. It is meant to be obviously
// right, not fast: about 100,000 states per second.
//
// The same world in TLA+ is tests/golden/Fencing.tla; reference_main.cpp compares this one with tests/golden/core.tsv.
//
//   reference::Setup setup{.workers = 3, .check = reference::Check::separate};
//   reference::explore(setup).lengths[reference::no_stale_write];  // 7: two grants, an expiry, two checks, two writes
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fencecheck::reference {

enum class Check { none, lease, separate, atomic };  // how a store decides on a write
enum class Equal { accept, reject };                 // is a token accepted that equals the store's highest one?
enum class Release { name, compare };                // does release compare the lease, or only delete by name?
enum class Register { no, yes };                     // does granting a lease also raise every store's highest token?

struct Setup {
  int workers = 2;          // at least 1
  int stores = 1;           // at least 1
  int leases = 2;           // granted at most
  int issuer_restores = 0;  // at most, in the whole run
  int store_restores = 0;   // at most, in the whole run and over all stores
  Check check = Check::none;
  Equal equal = Equal::accept;
  Release release = Release::compare;
  Register reg = Register::no;
  bool expiry = true;  // false: a lease ends only by a release or a restore of the issuer

  // Beyond core-model.md; each at most so often in the whole run.
  int crashes = 0;        // a worker forgets everything and starts anew
  int lost_replies = 0;   // the step happened, and its worker goes on as if it had been turned away
  int late_requests = 0;  // the worker goes on so without having waited; the step happens later
  int duplicates = 0;     // the step happens, and once more later
  int lock_losses = 0;    // counter and holder are gone
};

// The properties, in the order of Result::lengths and Result::situations.
enum Property : std::size_t {
  no_stale_write,
  no_foreign_release,
  successor_fences_at_issue,
  newest_never_rejected,
  tokens_increase,
  property_count,
};

// For each property the number of actions in some shortest run, its last action included.
using Lengths = std::array<std::optional<int>, property_count>;

struct Result {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;            // every enabled action of every state is one
  std::uint64_t states_up_to_symmetry = 0;  // states that differ after sorting the workers
  int depth = 0;                            // the most actions that a shortest run to a state has
  Lengths lengths;                          // to a step that violates the property; nullopt: it is not violated
  Lengths situations;  // to a step in which what the property is about arose and went well; nullopt: there is none
};

// Visits every reachable state. Throws std::invalid_argument without a worker or without a store.
Result explore(const Setup& setup);

// Every reachable state as one line of text, sorted as text. The workers stay in their order:
//   counter=1 holder=1 saved=0 issued=1 top=1 | w1: ready 1 1 1 | w2: idle 0 0 0 | s1: 0 0 0 0 0 | ir=0 sr=0
// A worker is its phase, the store it writes next, its token and its lease. A store is its highest token, its value,
// the backups of both, and the newest lease that it ever accepted. `top` is the highest token ever issued; ir and sr
// are the restores left, of the issuer and of stores.
std::vector<std::string> all_states(const Setup& setup);

}  // namespace fencecheck::reference
