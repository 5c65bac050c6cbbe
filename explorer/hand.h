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
  /// Parents expanded together: enough successors that memory can answer for the first while the last are made, few
  /// enough that all of them stay in the nearest cache.
  static constexpr std::size_t batch_states = 16;

  Hand(const Model& model, const Packing& packing, int number)
      : thread(number),
        parents(model.state_bytes() * batch_states),
        successors(model.state_bytes(), model.max_successors() * batch_states),
        batches(3, KeyBatch(packing.scratch_stride(), model.max_successors() * batch_states + 1)),
        recent(packing.scratch_stride()),
        fired(model.action_count()) {}

  void begin_level() {
    transitions = full_states = full_transitions = targets = 0;
    fired.assign(fired.size(), 0);
  }

  int thread;
  std::vector<std::byte> parents;
  Successors successors;
  std::vector<KeyBatch> batches;  // the successors of the last three batches of parents; `made` % 3 is the next to fill
  std::size_t made = 0;
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
