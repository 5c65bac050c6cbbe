#include <fencecheck/explorer/state_store.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include <fencecheck/explorer/hash.h>
#include <fencecheck/explorer/mutants.h>
#include <fencecheck/explorer/packing.h>

namespace fencecheck::explorer {
namespace {

static_assert(std::endian::native == std::endian::little, "keys are written as 64-bit words and read as 32-bit ones");

constexpr unsigned min_log2_slots = 12;
constexpr unsigned max_log2_slots = 32;

// The index grows to four times its size: half the work of doubling it, which matters more than the memory of an index
// that is emptier for a while.
constexpr unsigned growth_log2 = 2;

// Three quarters: fuller tables probe longer, emptier ones miss the cache more often.
constexpr std::uint64_t usable(unsigned log2_slots) { return (std::uint64_t{3} << log2_slots) / 4; }

unsigned log2_slots_for(std::uint64_t states) {
  unsigned log2_slots = min_log2_slots;
  while (log2_slots < max_log2_slots && usable(log2_slots) < states) log2_slots += growth_log2;
  return log2_slots;
}

}  // namespace

StateStore::StateStore(std::size_t key_words, int threads, std::uint64_t headroom, std::uint64_t max_states)
    : key_words_(key_words),
      headroom_(headroom),
      total_headroom_((headroom + chunk_states) * static_cast<std::uint64_t>(threads)),
      fillers_(static_cast<std::size_t>(threads)) {
  const std::uint64_t positions =
      std::min(max_states + 2 * total_headroom_, usable(max_log2_slots) + 2 * total_headroom_);
  key_pages_ = Pages(positions * key_words * sizeof(std::uint32_t));
  keys_ = static_cast<std::uint32_t*>(key_pages_.data());
  make_slots(log2_slots_for(2 * total_headroom_));
}

std::uint64_t StateStore::bytes_for(std::uint64_t states, std::size_t key_words, std::uint64_t headroom) {
  const std::uint64_t slots = std::uint64_t{1} << log2_slots_for(states + headroom);
  return (states + headroom) * key_words * sizeof(std::uint32_t) + slots * sizeof(std::uint32_t);
}

void StateStore::make_slots(unsigned log2_slots) {
  slot_pages_ = Pages();  // before the new one is made: the two never exist side by side
  slot_pages_ = Pages((std::uint64_t{1} << log2_slots) * sizeof(std::uint32_t));
  slots_ = static_cast<std::atomic<std::uint32_t>*>(slot_pages_.data());
  log2_slots_ = log2_slots;
  position_mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << log2_slots) - 1);
}

bool StateStore::crowded() const {
  return next_chunk_.load(std::memory_order_relaxed) + total_headroom_ > usable(log2_slots_);
}

std::uint64_t StateStore::size() const {
  std::uint64_t size = 0;
  for (const Filler& filler : fillers_) size += filler.count.load(std::memory_order_relaxed);
  return size;
}

std::uint32_t StateStore::take_position(Filler& filler) {
  if (filler.next == filler.end) {
    if (filler.level_begin != filler.next) filler.added.push_back({filler.level_begin, filler.next});
    filler.next = next_chunk_.fetch_add(chunk_states, std::memory_order_relaxed);
    filler.end = filler.next + chunk_states;
    filler.level_begin = filler.next;
  }
  return filler.next;
}

std::vector<Range> StateStore::take_added() {
  std::vector<Range> ranges;
  for (Filler& filler : fillers_) {
    ranges.insert(ranges.end(), filler.added.begin(), filler.added.end());
    filler.added.clear();
    if (filler.level_begin != filler.next) ranges.push_back({filler.level_begin, filler.next});
    filler.level_begin = filler.next;
  }
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && merged.back().end == range.begin) {
      merged.back().end = range.end;
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool StateStore::same(std::uint32_t position, const std::uint64_t* key, std::size_t key_words) const {
  const std::uint32_t* stored = keys_ + position * key_words;
  if (mutated(Mutant::inexact_comparison)) return std::memcmp(stored, key, sizeof(std::uint32_t)) == 0;
  return equal_keys(stored, key, key_words);
}

// Fills an empty slot. False where another thread was faster; `empty` is then what it put there. An atomic exchange
// waits until all earlier writes have reached memory, so a thread that is alone does without.
bool StateStore::put(std::atomic<std::uint32_t>& slot, std::uint32_t& empty, std::uint32_t entry) const {
  if (fillers_.size() > 1) {
    return slot.compare_exchange_strong(empty, entry, std::memory_order_release, std::memory_order_acquire);
  }
  slot.store(entry, std::memory_order_relaxed);
  return true;
}

void StateStore::insert(const KeyBatch& batch, std::size_t begin, std::size_t end, int thread) {
  Filler& filler = fillers_[static_cast<std::size_t>(thread)];
  switch (key_words_) {  // the usual lengths as constants, so that keys are compared and copied without a loop
    case 1: return insert_keys<1>(batch, begin, end, filler);
    case 2: return insert_keys<2>(batch, begin, end, filler);
    case 3: return insert_keys<3>(batch, begin, end, filler);
    case 4: return insert_keys<4>(batch, begin, end, filler);
    default: return insert_keys<0>(batch, begin, end, filler);
  }
}

// `Words` is the number of 32-bit words of a key; 0: any number.
template <std::size_t Words>
void StateStore::insert_keys(const KeyBatch& batch, std::size_t begin, std::size_t end, Filler& filler) {
  const std::size_t words = Words == 0 ? key_words_ : Words;
  std::uint64_t added = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t hash = batch.hashes[i];
    std::uint32_t mine = not_found;
    std::size_t slot = slot_of(hash);
    std::uint32_t entry = batch.entries[i];  // a slot that was filled stays as it is, one that was empty may not
    if (entry == 0) entry = slots_[slot].load(std::memory_order_acquire);
    while (true) {
      if (entry == 0) {
        if (mine == not_found) {
          mine = take_position(filler);
          store_key(keys_ + mine * words, batch.key(i), words);
        }
        if (put(slots_[slot], entry, entry_of(hash, mine))) {
          ++filler.next;
          __builtin_prefetch(keys_ + (filler.next + 16) * words, 1);
          ++added;
          break;
        }
        // Another thread was faster; `entry` is what it put here. The position stays ours for the next new state.
      }
      if (tag_matches(entry, hash) && same(position_of(entry), batch.key(i), words)) break;
      slot = slot_after(slot, hash);
      entry = slots_[slot].load(std::memory_order_acquire);
    }
  }
  filler.count.store(filler.count.load(std::memory_order_relaxed) + added, std::memory_order_relaxed);
}

std::uint32_t StateStore::find(const std::uint64_t* key, std::uint64_t hash) const {
  for (std::size_t slot = slot_of(hash);; slot = slot_after(slot, hash)) {
    const std::uint32_t entry = slots_[slot].load(std::memory_order_acquire);
    if (entry == 0) return not_found;
    if (tag_matches(entry, hash) && same(position_of(entry), key, key_words_)) return position_of(entry);
  }
}

void StateStore::grow(Crew& crew) {
  if (log2_slots_ == max_log2_slots) throw std::bad_alloc();
  make_slots(log2_slots_ + growth_log2);
  const std::uint64_t positions = next_chunk_.load();
  const int hands = positions < 100'000 ? 1 : crew.size();
  crew.run(hands, [&](int thread) {
    const auto part = [&](int i) {
      return positions * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(hands);
    };
    reinsert(part(thread), part(thread + 1));
  });
}

// Puts the keys at positions [begin, end) back into an index that was emptied. All keys differ, so nothing is compared.
void StateStore::reinsert(std::uint64_t begin, std::uint64_t end) {
  struct Waiting {  // asked for its slot, not yet placed
    std::uint64_t hash = 0;
    std::uint32_t position = 0;
  };
  constexpr std::size_t ahead = 64;
  std::array<Waiting, ahead> waiting;
  std::uint64_t asked = 0;
  std::vector<std::uint64_t> key_copy((key_words_ + 1) / 2);
  const auto place = [&](const Waiting& one) {
    const std::uint32_t wanted = entry_of(one.hash, one.position);
    std::size_t slot = slot_of(one.hash);
    for (std::uint32_t empty = 0;
         slots_[slot].load(std::memory_order_relaxed) != 0 || !put(slots_[slot], empty, wanted); empty = 0) {
      slot = slot_after(slot, one.hash);
    }
  };
  const auto is_hole = [&](std::uint64_t position) {  // taken by a thread, and not yet filled
    return std::any_of(fillers_.begin(), fillers_.end(),
                       [&](const Filler& filler) { return position >= filler.next && position < filler.end; });
  };
  if (mutated(Mutant::growth_loses_state)) ++begin;
  for (std::uint64_t position = begin; position < end; ++position) {
    if (is_hole(position)) continue;
    Waiting& next = waiting[asked % ahead];
    if (asked++ >= ahead) place(next);
    std::memcpy(key_copy.data(), key(static_cast<std::uint32_t>(position)), key_words_ * sizeof(std::uint32_t));
    next = {hash_of(key_copy.data(), key_copy.size()), static_cast<std::uint32_t>(position)};
    __builtin_prefetch(&slots_[slot_of(next.hash)], 1);
  }
  for (std::uint64_t i = asked < ahead ? 0 : asked - ahead; i < asked; ++i) place(waiting[i % ahead]);
}

}  // namespace fencecheck::explorer
