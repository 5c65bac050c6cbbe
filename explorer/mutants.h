// Deliberate faults of the checker itself, for the test that every one of them is caught by a named test.
//
// In an ordinary build `mutated` is the constant false and costs nothing. In a test build (FENCECHECK_MUTANTS) one
// fault at a time is switched on by `activate_mutant`.
#pragma once

namespace fencecheck::explorer {

enum class Mutant {
  none,
  lost_successor,           ///< the last successor of every full block is thrown away
  inexact_comparison,       ///< states are told apart by the first word of their key only
  narrow_field,             ///< the widest field of a state is packed with one bit too few
  growth_loses_state,       ///< a state is forgotten whenever the store grows
  depth_off_by_one,         ///< the depth counts the last, empty level
  limit_is_a_pass,          ///< a search that hit a limit says that it is complete
  dropped_target,           ///< the first target is never reported
  trace_off_by_one,         ///< traces leave out their first step
  trace_takes_any_step,     ///< traces ignore the preference among equally short runs
  wrong_orbit,              ///< equal workers are counted as different ones
  symmetry_forgets_memory,  ///< sorting the workers leaves their tokens where they were
  stale_ledger,             ///< the highest accepted lease is never recorded
  same_value_is_no_write,   ///< a write of the value that the store holds already goes unnoticed
  restore_keeps_budget,     ///< restoring a store costs nothing
};

#ifdef FENCECHECK_MUTANTS
inline Mutant active_mutant = Mutant::none;
inline void activate_mutant(Mutant mutant) { active_mutant = mutant; }
inline bool mutated(Mutant mutant) { return active_mutant == mutant; }
#else
constexpr bool mutated(Mutant) { return false; }
#endif

}  // namespace fencecheck::explorer
