// What one thread of a search works with. Private to the explorer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fencecheck/explorer/key_batch.h>
#include <fencecheck/explorer/recent_keys.h>
#include <fencecheck/explorer/search.h>

namespace fencecheck::explorer {

struct Search::Hand {
  /// Parents whose successors are packed together: few enough that all of them stay in the nearest cache.
  static constexpr std::size_t batch_states = 16;

  /// Batches of successors that wait for memory: for their entries in `recent`, for their slots, for their keys.
  static constexpr std::size_t batches_on_their_way = 3;

  Hand(const Model& model, const Packing& packing, int number)
      : thread(number),
        parents(model.state_bytes() * batch_states),
        successors(model.state_bytes(), model.max_successors() * batch_states),
        batches(batches_on_their_way + 1,
                KeyBatch(packing.scratch_stride(), model.max_successors() * batch_states + 1)),
        recent(packing.scratch_stride()),
        fired(model.action_count()) {}

  void begin_level() {
    transitions = full_states = full_transitions = targets = 0;
    fired.assign(fired.size(), 0);
  }

  /// The batch that is being made (0), the last one (1), the one before (2), …
  KeyBatch& batch(std::size_t age) {
    constexpr std::size_t all = batches_on_their_way + 1;
    return batches[(made + all - age) % all];
  }

  int thread;
  std::vector<std::byte> parents;
  Successors successors;
  std::vector<KeyBatch> batches;
  std::size_t made = 0;  // batches so far
  RecentKeys recent;
  std::uint64_t weights[batch_states] = {};

  // Counted since the level began.
  std::uint64_t transitions = 0;
  std::uint64_t full_states = 0;
  std::uint64_t full_transitions = 0;
  Targets targets = 0;
  std::vector<std::uint64_t> fired;
};

}  // namespace fencecheck::explorer
