#include <fencecheck/explorer/search.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>

#include <fencecheck/explorer/hand.h>
#include <fencecheck/explorer/mutants.h>

namespace fencecheck::explorer {
namespace {

constexpr std::size_t block_states = 64;  // a thread takes this many at a time

// A batch of parents is expanded in this many parts.
constexpr std::size_t parts = 4;
std::size_t part_of(std::size_t count, std::size_t part) { return count * part / parts; }

// Below this many states a level is done sooner by one thread than by waking the others.
constexpr std::uint64_t worth_sharing = 2048;

// The memory limit counts the room that threads insert into ahead of the next look at the store as if there were
// always this many, so that the limit stops the search at the same point however many there are.
constexpr std::uint64_t counted_threads = 16;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// States that a thread may insert after it looked whether the store is crowded: those of a block, and of the batches
// that were on their way.
std::uint64_t headroom(const Model& model) { return 2 * block_states * model.max_successors(); }

std::uint64_t states_within(std::uint64_t bytes, std::size_t key_words, std::uint64_t room) {
  std::uint64_t low = 0;
  std::uint64_t high = 3'000'000'000;
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (StateStore::bytes_for(middle, key_words, room * counted_threads) <= bytes) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

const char* to_string(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::nothing: return "nothing";
    case StoppedBy::target: return "stop-at-first";
    case StoppedBy::max_states: return "max-states";
    case StoppedBy::max_depth: return "max-depth";
    case StoppedBy::time: return "time-limit";
    case StoppedBy::memory: return "memory-limit";
    case StoppedBy::interrupt: return "interrupt";
  }
  return "?";
}

Search::Search(const Model& model, SearchOptions options)
    : model_(model),
      options_(std::move(options)),
      packing_(model.field_bits()),
      state_limit_(std::min(options_.limits.max_states,
                            states_within(options_.limits.memory_bytes, packing_.key_words(), headroom(model)))),
      memory_is_tighter_(state_limit_ < options_.limits.max_states),
      crew_(options_.threads),
      store_(packing_.key_words(), options_.threads, headroom(model), state_limit_),
      shares_(static_cast<std::size_t>(options_.threads)) {
  if (options_.limits.max_states == 0) throw std::invalid_argument("the limit on states must be at least 1");
  if (state_limit_ == 0) {
    throw std::invalid_argument(
        "the memory limit has no room for a single state; at least " +
        std::to_string(StateStore::bytes_for(1, packing_.key_words(), headroom(model) * counted_threads)) +
        " bytes are needed");
  }
  for (int i = 0; i < options_.threads; ++i) hands_.push_back(std::make_unique<Hand>(model_, packing_, i));
  result_.fired.assign(model_.action_count(), 0);
}

Search::~Search() = default;

double Search::elapsed() const { return now() - started_; }

const SearchResult& Search::run() {
  started_ = now();
  last_progress_ = started_;
  start();
  while (!levels_.back().empty()) {
    if (static_cast<int>(levels_.size()) > options_.limits.max_depth) {
      result_.stopped_by = StoppedBy::max_depth;
      break;
    }
    if (!expand_level(true)) break;
    std::vector<Range> found = store_.take_added();
    if (found.empty()) break;
    levels_.push_back(std::move(found));
    result_.depth = static_cast<int>(levels_.size()) - 1;
    if (limit_hit()) break;
  }
  if (mutated(Mutant::depth_off_by_one)) ++result_.depth;
  if (mutated(Mutant::dropped_target)) result_.first_met[0].reset();
  if (mutated(Mutant::limit_is_a_pass)) result_.stopped_by = StoppedBy::nothing;
  weigh_unexpanded();
  for (const std::vector<Range>& level : levels_) result_.states += size_of(level);
  if (!options_.symmetry) {
    result_.full_states = result_.states;
    result_.full_transitions = result_.transitions;
  }
  result_.seconds = elapsed();
  result_.store_bytes = StateStore::bytes_for(store_.size(), packing_.key_words(), headroom(model_));
  return result_;
}

void Search::start() {
  Hand& hand = *hands_[0];
  std::vector<std::byte> states = model_.initial_states();
  const std::size_t count = states.size() / model_.state_bytes();
  if (options_.symmetry) model_.canonicalize(states.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    KeyBatch& batch = hand.batches[0];
    const std::byte* state = states.data() + i * model_.state_bytes();
    if (!packing_.pack(state, 1, batch.keys.data(), batch.hashes.data())) throw FieldOverflow();
    if (store_.crowded()) store_.grow(crew_);
    batch.count = 1;
    store_.add(batch, 0);
  }
  levels_.push_back(store_.take_added());
}

// Expands the last level with all hands. False where the search ends within it; its figures are then taken from what
// is known of the whole level, never from the part that happened to be done.
bool Search::expand_level(bool insert) {
  const int hands = size_of(levels_.back()) < worth_sharing ? 1 : crew_.size();
  share_out_level(hands);
  for (auto& hand : hands_) hand->begin_level();
  while (true) {
    crew_.run(hands, [&](int thread) { work(*hands_[static_cast<std::size_t>(thread)], insert); });
    const bool done = std::all_of(shares_.begin(), shares_.end(), [](const Share& s) { return s.next >= s.end; });
    if (stop_ != 0 || done) break;
    store_.grow(crew_);
  }
  if (insert) watch_state_limit();  // the batches that were still on their way count, too
  if (stop_ == 0) {
    collect(true);
    return true;
  }
  result_.stopped_by = static_cast<StoppedBy>(stop_.exchange(0));
  if (result_.stopped_by == StoppedBy::max_states || result_.stopped_by == StoppedBy::memory) {
    expand_level(false);  // judge the whole level, keep none of its successors
  } else {
    collect(false);  // what was found in the part that was done is true all the same
  }
  return false;
}

void Search::share_out_level(int hands) {
  blocks_.clear();
  for (const Range& range : levels_.back()) {
    for (std::uint32_t begin = range.begin; begin < range.end; begin += block_states) {
      blocks_.push_back({begin, std::min<std::uint32_t>(range.end, begin + block_states)});
    }
  }
  const auto count = static_cast<std::size_t>(hands);
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    shares_[i].next = std::min(i, count) * blocks_.size() / count;
    shares_[i].end = std::min(i + 1, count) * blocks_.size() / count;
  }
}

// The next block of the thread's own share, or of another's.
bool Search::take_block(int thread, Range& block) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
    if (share.next.load(std::memory_order_relaxed) >= share.end) continue;
    const std::size_t taken = share.next.fetch_add(1, std::memory_order_relaxed);
    if (taken >= share.end) continue;
    block = blocks_[taken];
    return true;
  }
  return false;
}

void Search::work(Hand& hand, bool insert) {
  take_blocks(hand, insert);
  if (insert) insert_waiting(hand);
}

void Search::take_blocks(Hand& hand, bool insert) {
  while (stop_.load(std::memory_order_relaxed) == 0) {
    if (insert && store_.crowded()) return;
    if (hand.thread == 0) report_progress();
    if (must_stop(hand)) return;
    Range block;
    if (!take_block(hand.thread, block)) return;
    for (; block.begin < block.end; block.begin += Hand::batch_states) {
      const auto end = std::min<std::uint32_t>(block.end, block.begin + Hand::batch_states);
      expand_batch(hand, {block.begin, end}, insert);
    }
    if (insert) watch_state_limit();
  }
}

void Search::watch_state_limit() {
  if (store_.size() <= state_limit_) return;
  int nothing = 0;  // an interruption that came first stands
  stop_.compare_exchange_strong(nothing,
                                static_cast<int>(memory_is_tighter_ ? StoppedBy::memory : StoppedBy::max_states));
}

void Search::expand_batch(Hand& hand, Range batch, bool insert) {
  const std::size_t count = batch.end - batch.begin;
  packing_.unpack(store_.key(batch.begin), count, hand.parents.data());
  hand.successors.clear();
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t first = part_of(count, part);
    hand.successors.number_parents_from(static_cast<std::uint32_t>(first));
    model_.expand(hand.parents.data() + first * model_.state_bytes(), part_of(count, part + 1) - first,
                  hand.successors);
    if (insert) advance(hand, part);
  }
  tally(hand, count);
  if (insert) pack_successors(hand);
}

// Packs the successors of a batch of parents, and sends them on their way into the store.
void Search::pack_successors(Hand& hand) {
  KeyBatch& batch = hand.batch(0);
  batch.count = hand.successors.size();
  if (mutated(Mutant::lost_successor) && batch.count > 12) --batch.count;
  if (options_.symmetry) model_.canonicalize(hand.successors.state(0), batch.count);
  if (!packing_.pack(hand.successors.state(0), batch.count, batch.keys.data(), batch.hashes.data())) {
    throw FieldOverflow();
  }
  hand.recent.ask_for(batch.hashes.data(), batch.count);
  ++hand.made;
}

// Takes a part of each of the batches on their way one step further. While later ones are made, memory fetches what
// these need next. It can do so for a dozen or two at a time only, and makes the thread wait beyond that: hence parts,
// with the work of making the next batch between them.
void Search::advance(Hand& hand, std::size_t part) {
  KeyBatch& first = hand.batch(1);
  if (part == 0) first.count = hand.recent.keep_new(first.keys.data(), first.hashes.data(), first.count);
  store_.ask_for_slots(first, part_of(first.count, part), part_of(first.count, part + 1));
  KeyBatch& second = hand.batch(2);
  store_.ask_for_keys(second, part_of(second.count, part), part_of(second.count, part + 1));
  const KeyBatch& third = hand.batch(3);
  store_.insert(third, part_of(third.count, part), part_of(third.count, part + 1), hand.thread);
}

void Search::insert_waiting(Hand& hand) {
  for (std::size_t i = 0; i < Hand::batches_on_their_way; ++i) {
    for (std::size_t part = 0; part < parts; ++part) advance(hand, part);
    hand.batch(0).count = 0;
    ++hand.made;
  }
}

void Search::tally(Hand& hand, std::size_t parents) {
  const Successors& successors = hand.successors;
  hand.transitions += successors.size();
  for (std::size_t i = 0; i < successors.size(); ++i) {
    ++hand.fired[successors.move(i).action];
    hand.targets |= successors.targets(i);
  }
  if (!options_.symmetry) return;
  for (std::size_t p = 0; p < parents; ++p) {
    hand.weights[p] = model_.orbit_size(hand.parents.data() + p * model_.state_bytes());
    hand.full_states += hand.weights[p];
  }
  for (std::size_t i = 0; i < successors.size(); ++i) hand.full_transitions += hand.weights[successors.parent(i)];
}

// Adds up what the hands counted in this level.
void Search::collect(bool count_transitions) {
  Targets met = 0;
  for (auto& hand : hands_) {
    met |= hand->targets;
    if (!count_transitions) continue;
    result_.transitions += hand->transitions;
    result_.full_states += hand->full_states;
    result_.full_transitions += hand->full_transitions;
    for (std::size_t a = 0; a < result_.fired.size(); ++a) result_.fired[a] += hand->fired[a];
  }
  for (; met != 0; met &= met - 1) {
    auto& first = result_.first_met[static_cast<std::size_t>(std::countr_zero(met))];
    if (!first) first = static_cast<int>(levels_.size());
  }
}

bool Search::must_stop(Hand& hand) {
  if (options_.interrupted != nullptr && *options_.interrupted) stop_ = static_cast<int>(StoppedBy::interrupt);
  if (hand.thread == 0 && elapsed() > options_.limits.seconds) stop_ = static_cast<int>(StoppedBy::time);
  return stop_ != 0;
}

// Looked at between two levels.
bool Search::limit_hit() {
  Targets met = 0;
  for (std::size_t t = 0; t < result_.first_met.size(); ++t) {
    if (result_.first_met[t]) met |= Targets{1} << t;
  }
  if ((met & options_.stop_at) != 0) result_.stopped_by = StoppedBy::target;
  return result_.stopped_by != StoppedBy::nothing;
}

// The weighted counts are taken where a state is expanded; those of a level that never was are still missing.
void Search::weigh_unexpanded() {
  if (!options_.symmetry || result_.complete()) return;
  if (result_.stopped_by == StoppedBy::max_states || result_.stopped_by == StoppedBy::memory) return;
  Hand& hand = *hands_[0];
  for (const Range& range : levels_.back()) {
    for (std::uint32_t position = range.begin; position < range.end; ++position) {
      packing_.unpack(store_.key(position), 1, hand.parents.data());
      result_.full_states += model_.orbit_size(hand.parents.data());
    }
  }
}

void Search::report_progress() {
  if (!options_.progress || now() - last_progress_ < 1) return;
  last_progress_ = now();
  Progress progress;
  progress.depth = static_cast<int>(levels_.size());
  progress.states = store_.size();
  progress.transitions = result_.transitions;
  progress.waiting = size_of(levels_.back());
  progress.seconds = elapsed();
  options_.progress(progress);
}

std::uint32_t Search::look_up(Hand& hand, std::byte* state) const {
  if (options_.symmetry) model_.canonicalize(state, 1);
  KeyBatch& batch = hand.batches[0];
  if (!packing_.pack(state, 1, batch.keys.data(), batch.hashes.data())) throw FieldOverflow();
  return store_.find(batch.keys.data(), batch.hashes[0]);
}

bool Search::contains(const std::byte* state) const {
  Hand& hand = *hands_[0];
  std::copy_n(state, model_.state_bytes(), hand.successors.state(0));
  return look_up(hand, hand.successors.state(0)) != StateStore::not_found;
}

}  // namespace fencecheck::explorer
