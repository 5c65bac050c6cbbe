// Two worlds side by side: a model, and a real store that is said to do the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fencecheck/model/world.h>
#include <fencecheck/report/telling.h>

namespace fencecheck {

/// A move that the two take differently, and how they came there.
struct Disagreement {
  ToldRun model;  ///< the run up to the move, that one included where the model can take it
  ToldRun store;
  std::string difference;  ///< a sentence
};

struct Conformity {
  std::uint64_t pairs = 0;        ///< states of the two that belong together
  std::uint64_t transitions = 0;  ///< moves that were compared
  std::string compared;           ///< the fields that both have, in words
  bool complete = false;          ///< every transition of the model was compared
  std::optional<Disagreement> disagreement;
};

/// Takes every move of the model in both worlds, the shortest runs first, and compares what they say: whether the move
/// is possible, what was answered, who holds the lock, and the fields of the stores that have the same name in both.
/// Steps correspond by their order in the program, faults by their kind and component. Throws UsageError where the two
/// programs have different shapes.
Conformity conform(const World& model, const World& store, std::uint64_t max_pairs);

}  // namespace fencecheck
