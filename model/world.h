// A world with its types forgotten: what the explorer, reports and the command line see of any design.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fencecheck/explorer/model.h>
#include <fencecheck/model/bounds.h>
#include <fencecheck/model/change.h>
#include <fencecheck/model/telling.h>

namespace fencecheck {

/// A design within bounds, with its switches set: a model that can be explored, and told.
class World : public explorer::Model {
 public:
  /// The name of each action and the components it visits, in the order of the action's number.
  virtual const std::vector<StepText>& actions() const = 0;

  /// The components in use; DesignText::components may have more.
  virtual std::size_t component_count() const = 0;

  /// Takes one step: replaces `state` by its successor by `move`, and tells of it. False, and nothing changed, where
  /// the move is not possible.
  virtual bool take(std::byte* state, explorer::Move move, StepTold& told) const = 0;

  virtual StateTold tell(const std::byte* state) const = 0;

  /// Whether states that differ only in who is which worker behave the same. Where not, nothing is reduced.
  virtual bool workers_are_interchangeable() const { return true; }

  /// What the search took beside states, a line for reports; empty where there is nothing to say.
  virtual std::string account() const { return {}; }

  /// The same world with one mistake made on purpose.
  virtual std::unique_ptr<World> changed(const Change& change) const = 0;
};

/// The values of a design's switches by name.
using SwitchValues = std::map<std::string, std::string>;

/// A mistake of the user's: what is wrong, where, and what would be right.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A design with its type forgotten.
class Design {
 public:
  virtual ~Design() = default;

  virtual const DesignText& text() const = 0;

  /// The bounds within which the design is checked unless others are asked for.
  virtual Bounds standard_bounds() const = 0;

  /// Throws UsageError where a switch or a bound is out of range.
  virtual std::unique_ptr<World> world(const Bounds& bounds, const SwitchValues& switches) const = 0;
};

/// Throws UsageError where a bound is out of its range, or asks for a fault that cannot happen to `design`.
void require_within_range(const Bounds& bounds, const DesignText& design);

}  // namespace fencecheck
