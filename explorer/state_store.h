// The store of seen states: exact, insert-only, shared by all threads.
//
// Two arrays. `keys`: the packed states in the order in which they were found, so that a level of the breadth-first
// search is a few ranges of it, the frontier needs no queue, and a trace can be rebuilt from the levels. `slots`: an
// open-addressing hash index of 32-bit entries, each a position in `keys` and, in the bits that a position leaves
// free, a tag of the hash that spares most comparisons with a different state.
//
// With 12-byte keys a state takes 12 + 4 / load bytes, 17 to 33. Growing the index needs no copy of it: the old one is
// dropped first, since the keys alone rebuild it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fencecheck/explorer/crew.h>
#include <fencecheck/explorer/key_batch.h>
#include <fencecheck/explorer/pages.h>

namespace fencecheck::explorer {

/// Positions [begin, end) in the array of keys.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// How many positions the ranges have together.
inline std::uint64_t size_of(const std::vector<Range>& ranges) {
  std::uint64_t size = 0;
  for (const Range& range : ranges) size += range.end - range.begin;
  return size;
}

class StateStore {
 public:
  static constexpr std::uint32_t not_found = ~std::uint32_t{0};

  /// For keys of `key_words` 32-bit words, filled by up to `threads` threads. Between two calls of `crowded` a thread
  /// may insert up to `headroom` states. Address space is reserved for `max_states` at once, memory is not.
  StateStore(std::size_t key_words, int threads, std::uint64_t headroom, std::uint64_t max_states);

  /// Memory that a store of `states` states takes at most, in bytes, with room for `headroom` more that come in before
  /// anybody looks; the same for any number of threads.
  static std::uint64_t bytes_for(std::uint64_t states, std::size_t key_words, std::uint64_t headroom);

  // Memory answers slowly, so a batch of states passes three calls, in this order, with other work between them:
  // `ask_for_slots` fetches the slots, `ask_for_keys` reads them and fetches the keys that they point to, `insert`
  // compares, and adds the states that are new: each for the keys begin … end - 1 of a batch. The index must not grow
  // in between.

  void ask_for_slots(const KeyBatch& batch, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) __builtin_prefetch(&slots_[slot_of(batch.hashes[i])]);
  }
  void ask_for_keys(KeyBatch& batch, std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      batch.entries[i] = slots_[slot_of(batch.hashes[i])].load(std::memory_order_acquire);
      __builtin_prefetch(key(position_of(batch.entries[i])));  // of an empty slot nothing is needed, no harm is done
    }
  }
  /// `thread` is the caller's number.
  void insert(const KeyBatch& batch, std::size_t begin, std::size_t end, int thread);

  /// Adds the states of a batch that are new, without waiting in between.
  void add(KeyBatch& batch, int thread) {
    ask_for_keys(batch, 0, batch.count);
    insert(batch, 0, batch.count, thread);
  }

  /// Where the state is, or `not_found`.
  std::uint32_t find(const std::uint64_t* key, std::uint64_t hash) const;

  /// True when the index must grow before anyone inserts `headroom` more. Any thread may ask.
  bool crowded() const;

  /// Makes the index four times as large. Nobody else may use the store meanwhile.
  void grow(Crew& crew);

  const std::uint32_t* key(std::uint32_t position) const { return keys_ + position * key_words_; }

  /// States inserted so far. A momentary value while others insert.
  std::uint64_t size() const;

  /// The states added since the last call, as ranges: thread by thread, and in the order in which each one added them.
  /// Neighbours in this order have successors in common, so whoever goes on with them should keep to it.
  std::vector<Range> take_added();

  /// One more than the largest position in use.
  std::uint32_t positions() const { return next_chunk_.load(std::memory_order_relaxed); }

 private:
  // The part of the key array that one thread fills. Threads take chunks of positions, so that they meet at a shared
  // counter once in `chunk_states` insertions only.
  struct alignas(64) Filler {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
    std::uint32_t level_begin = 0;  // first position of this chunk that `take_added` has not given yet
    std::atomic<std::uint64_t> count{0};
    std::vector<Range> added;
  };

  static constexpr std::uint32_t chunk_states = 1024;

  template <std::size_t Words>
  void insert_keys(const KeyBatch& batch, std::size_t begin, std::size_t end, Filler& filler);
  std::uint32_t take_position(Filler& filler);
  bool put(std::atomic<std::uint32_t>& slot, std::uint32_t& empty, std::uint32_t entry) const;
  bool same(std::uint32_t position, const std::uint64_t* key, std::size_t key_words) const;

  void make_slots(unsigned log2_slots);
  void reinsert(std::uint64_t begin, std::uint64_t end);
  std::size_t slot_of(std::uint64_t hash) const { return hash >> (64 - log2_slots_); }
  // Where to look when `slot` holds another state: first at every slot of the cache line that was fetched, which costs
  // next to nothing, then at those of the next line.
  std::size_t slot_after(std::size_t slot, std::uint64_t hash) const {
    constexpr std::size_t within_line = 64 / sizeof(std::uint32_t) - 1;
    slot = (slot & ~within_line) | ((slot + 1) & within_line);
    if (((slot ^ slot_of(hash)) & within_line) != 0) return slot;
    return (slot + within_line + 1) & ((std::size_t{1} << log2_slots_) - 1);
  }
  std::uint32_t tag_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash << log2_slots_); }
  std::uint32_t entry_of(std::uint64_t hash, std::uint32_t position) const {
    return (tag_of(hash) & ~position_mask_) | (position + 1);
  }
  std::uint32_t position_of(std::uint32_t entry) const { return (entry & position_mask_) - 1; }
  bool tag_matches(std::uint32_t entry, std::uint64_t hash) const {
    return ((entry ^ tag_of(hash)) & ~position_mask_) == 0;
  }

  std::size_t key_words_;
  std::uint64_t headroom_;
  std::uint64_t total_headroom_;
  Pages key_pages_;
  Pages slot_pages_;
  std::uint32_t* keys_ = nullptr;
  std::atomic<std::uint32_t>* slots_ = nullptr;
  unsigned log2_slots_ = 0;
  std::uint32_t position_mask_ = 0;
  std::atomic<std::uint32_t> next_chunk_{0};
  std::vector<Filler> fillers_;
};

}  // namespace fencecheck::explorer
