// A deliberate mistake in a design, to see whether a property notices: one guard or one boundary taken away.
#pragma once

#include <cstddef>
#include <string>

namespace fencecheck {

struct Change {
  enum class Kind {
    none,
    guard_forced,     ///< the condition passes whatever it finds
    guard_too_early,  ///< the step's conditions are decided one step before it acts
    field_forgotten,  ///< a field of a store is empty again after every step
    part_lost,        ///< of a step over several components, one component's part does not take place
  };

  Kind kind = Kind::none;
  std::size_t action = 0;     ///< the step, of all kinds but field_forgotten; everywhere in the programs
  std::string guard = {};     ///< of guard_forced
  std::size_t component = 0;  ///< of field_forgotten and part_lost: 0 is the issuer, 1 + s is store s
  std::size_t field = 0;      ///< of field_forgotten
};

}  // namespace fencecheck
