#include "checks.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include <fencecheck/explorer/crew.h>
#include <fencecheck/explorer/hash.h>
#include <fencecheck/explorer/state_store.h>
#include <fencecheck/explorer/walk.h>

#include "../reference/golden_file.h"
#include "core_world.h"
#include "models.h"
#include "play.h"
#include "writes_twice.h"

namespace fencecheck::tests {

using explorer::Move;
using explorer::Run;
using explorer::Search;
using explorer::SearchOptions;
using explorer::SearchResult;
using explorer::StateStore;
using explorer::StoppedBy;
using explorer::Targets;
using testing::AssertionFailure;
using testing::AssertionResult;
using testing::AssertionSuccess;

namespace {

/// Collects what is not as it should be.
class Findings {
 public:
  template <class A, class B>
  void equal(const char* what, const A& found, const B& wanted) {
    if (found == wanted) return;
    text_ += std::string(text_.empty() ? "" : ", ") + what + " is " + testing::PrintToString(found) + " instead of " +
             testing::PrintToString(wanted);
  }
  void add(const std::string& text) {
    if (!text.empty()) text_ += (text_.empty() ? "" : ", ") + text;
  }
  AssertionResult result() const { return text_.empty() ? AssertionSuccess() : AssertionFailure() << text_; }

 private:
  std::string text_;
};

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

}  // namespace

SearchOptions options(int threads, bool symmetry) {
  SearchOptions result;
  result.threads = threads;
  result.symmetry = symmetry;
  return result;
}

std::uint64_t least_memory_bytes(const explorer::Model& model) {
  SearchOptions starved = options(1);
  starved.limits.memory_bytes = 1;
  try {
    Search(model, starved);
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    return std::stoull(message.substr(message.find_first_of("0123456789")));
  }
  return 1;
}

Targets met(const SearchResult& result) {
  Targets targets = 0;
  for (std::size_t t = 0; t < result.first_met.size(); ++t) {
    if (result.first_met[t]) targets |= Targets{1} << t;
  }
  return targets;
}

// --- the explorer
// -----------------------------------------------------------------------------------------------------

AssertionResult grid_is_counted(int top, int threads) {
  const Grid grid(3, top);
  const auto side = static_cast<std::uint64_t>(top) + 1;
  const std::uint64_t states = side * side * side;
  const std::uint64_t transitions = 3 * (side - 1) * side * side;
  const std::uint64_t sorted = choose(side + 2, 3);

  Search full(grid, options(threads));
  Findings findings;
  findings.equal("states", full.run().states, states);
  findings.equal("transitions", full.result().transitions, transitions);
  findings.equal("fired[0]", full.result().fired.at(0), transitions);
  findings.equal("depth", full.result().depth, 3 * top);
  findings.equal("stopped_by", full.result().stopped_by, StoppedBy::nothing);

  Search reduced(grid, options(threads, true));
  findings.equal("states up to symmetry", reduced.run().states, sorted);
  findings.equal("weighted states", reduced.result().full_states, states);
  findings.equal("weighted transitions", reduced.result().full_transitions, transitions);
  findings.equal("depth up to symmetry", reduced.result().depth, 3 * top);
  return findings.result();
}

AssertionResult search_is_stopped(const explorer::Model& model, const SearchOptions& search_options,
                                  const Stopped& wanted) {
  Search search(model, search_options);
  const SearchResult& result = search.run();
  Findings findings;
  findings.equal("stopped_by", std::string(to_string(result.stopped_by)), std::string(to_string(wanted.by)));
  findings.equal("complete", result.complete(), wanted.by == StoppedBy::nothing);
  findings.equal("states", result.states, wanted.states);
  findings.equal("transitions", result.transitions, wanted.transitions);
  findings.equal("depth", result.depth, wanted.depth);
  return findings.result();
}

AssertionResult state_limit_stops_the_grid(int threads) {
  // Levels of 1, 3, 6, 10 and 15 states: the level after the fourth goes beyond 20, so it is judged (30 transitions
  // lead into it) and not kept.
  SearchOptions limited = options(threads);
  limited.limits.max_states = 20;
  return search_is_stopped(
      Grid(3, 9), limited,
      {.by = StoppedBy::max_states, .states = 1 + 3 + 6 + 10, .transitions = 3 * (1 + 3 + 6 + 10), .depth = 3});
}

AssertionResult alarm_is_met(int alarm_at) {
  Grid grid(3, 9);
  grid.alarm_at = alarm_at;
  Findings findings;
  for (const bool limited : {false, true}) {
    SearchOptions search_options = options(1);
    if (limited) search_options.limits.max_depth = alarm_at;
    Search search(grid, search_options);
    findings.equal("first met", search.run().first_met.at(0), std::optional(alarm_at));
  }
  return findings.result();
}

AssertionResult run_is(const explorer::Model& model, const std::string& wanted) {
  Search search(model, options(1));
  if (!search.run().first_met.at(0)) return AssertionFailure() << "target 0 is not met";
  const std::vector<Run> runs = search.shortest_runs(1);
  std::string found;
  for (const Move move : runs.at(0).moves) {
    found += (found.empty() ? "" : " ") + std::to_string(move.actor) + "/" + std::to_string(move.action);
  }
  Findings findings;
  findings.equal("the run", found, wanted);
  return findings.result();
}

AssertionResult run_prefers_who_moved_last() {
  // 0 goes to 1 by process 1 alone; from there both reach the target, process 0 by the lower action.
  const Graph graph({0}, {{0, 1, {1, 5}, 0}, {1, 2, {0, 0}, 1}, {1, 3, {1, 7}, 1}});
  for (const Graph& each : {graph, graph.reversed()}) {
    if (AssertionResult result = run_is(each, "1/5 1/7"); !result) return result;
  }
  return AssertionSuccess();
}

// --- the store of seen states
// -----------------------------------------------------------------------------------------

namespace {

/// Keys in the layout of Packing::pack: whole 64-bit words, bits beyond the last 32-bit word zero.
struct Keys {
  Keys(std::size_t words, std::uint64_t count) : key_words(words), stride((words + 1) / 2), data(stride * count) {}

  std::uint64_t* at(std::size_t i) { return data.data() + i * stride; }
  const std::uint64_t* at(std::size_t i) const { return data.data() + i * stride; }

  std::uint64_t hash(std::size_t i) const { return explorer::hash_of(at(i), stride); }

  std::size_t key_words;
  std::size_t stride;
  std::vector<std::uint64_t> data;
};

Keys distinct_keys(std::size_t key_words, std::uint64_t count) {
  Keys keys(key_words, count);
  explorer::SplitMix random(key_words);
  const bool half_word = key_words % 2 == 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::size_t w = 0; w < keys.stride; ++w) {
      keys.at(i)[w] = half_word && w + 1 == keys.stride ? random.next() >> 32 : random.next();
    }
    // The lower half of the last word counts, so that all differ.
    std::uint64_t& last = keys.at(i)[keys.stride - 1];
    last = (last & ~0xFFFF'FFFFULL) | i;
  }
  return keys;
}

/// One thread's share: inserts keys first, first + step, … until the store must grow. Gives the next one to insert.
std::uint64_t insert_until_crowded(StateStore& store, const Keys& keys, std::uint64_t begin, std::uint64_t count,
                                   int thread) {
  constexpr std::uint64_t batch_keys = 50;
  explorer::KeyBatch batch(keys.stride, batch_keys);
  while (begin < count && !store.crowded()) {
    batch.count = std::min(batch_keys, count - begin);
    std::copy_n(keys.at(begin), batch.count * keys.stride, batch.keys.begin());
    for (std::uint64_t i = 0; i < batch.count; ++i) batch.hashes[i] = keys.hash(begin + i);
    store.add(batch, thread);
    begin += batch.count;
  }
  return begin;
}

}  // namespace

AssertionResult store_keeps_the_distinct_keys(int threads, std::size_t key_words, std::uint64_t distinct) {
  const Keys keys = distinct_keys(key_words, distinct);
  explorer::Crew crew(threads);
  StateStore store(key_words, threads, 64, distinct);
  // Thread t inserts from t/threads of the keys on, for two shares: every key is inserted twice, and by two threads.
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> shares(static_cast<std::size_t>(threads));
  const auto hands = static_cast<std::uint64_t>(threads);
  for (std::uint64_t t = 0; t < hands; ++t) {
    for (const std::uint64_t share : {t, (t + 1) % hands}) {
      shares[t].emplace_back(distinct * share / hands, distinct * (share + 1) / hands);
    }
  }
  int growths = 0;
  while (true) {
    crew.run(threads, [&](int thread) {
      for (auto& [begin, end] : shares[static_cast<std::size_t>(thread)]) {
        begin = insert_until_crowded(store, keys, begin, end, thread);
      }
    });
    const auto done = [](const auto& of_thread) {
      return std::all_of(of_thread.begin(), of_thread.end(),
                         [](const auto& share) { return share.first == share.second; });
    };
    if (std::all_of(shares.begin(), shares.end(), done)) break;
    store.grow(crew);
    ++growths;
  }

  Findings findings;
  findings.equal("size", store.size(), distinct);
  if (growths == 0) findings.add("the store did not grow");
  std::vector<explorer::Range> added = store.take_added();
  std::sort(added.begin(), added.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::uint64_t in_ranges = 0;
  for (std::size_t r = 0; r < added.size(); ++r) {
    in_ranges += added[r].end - added[r].begin;
    if (r > 0 && added[r].begin < added[r - 1].end) findings.add("ranges overlap");
  }
  findings.equal("states in ranges", in_ranges, distinct);
  findings.equal("ranges added since", store.take_added().size(), 0U);
  std::set<std::uint32_t> positions;
  std::uint64_t lost = 0;
  std::uint64_t misplaced = 0;
  for (std::uint64_t i = 0; i < distinct; ++i) {
    const std::uint32_t position = store.find(keys.at(i), keys.hash(i));
    if (position == StateStore::not_found) {
      ++lost;
      continue;
    }
    positions.insert(position);
    const bool in_range = std::any_of(added.begin(), added.end(), [&](const explorer::Range& range) {
      return range.begin <= position && position < range.end;
    });
    if (!in_range || std::memcmp(store.key(position), keys.at(i), key_words * 4) != 0) ++misplaced;
  }
  findings.equal("keys lost", lost, 0U);
  findings.equal("keys misplaced", misplaced, 0U);
  findings.equal("different positions", positions.size(), distinct);
  return findings.result();
}

AssertionResult store_tells_keys_of_one_hash_apart(std::size_t key_words) {
  const std::size_t bits = 32 * key_words - 1;  // the last bit of a key is never used
  Keys keys(key_words, bits + 1);               // all zero, and each with one bit set
  for (std::size_t bit = 0; bit < bits; ++bit) keys.at(bit)[bit / 64] = std::uint64_t{1} << bit % 64;
  const std::uint64_t hash = 0x0123'4567'89AB'CDEFULL;
  explorer::KeyBatch batch(keys.stride, bits + 1);
  batch.count = bits + 1;
  batch.keys = keys.data;
  batch.hashes.assign(bits + 1, hash);
  StateStore store(key_words, 1, bits + 1, bits + 1);
  Findings findings;
  for (int round = 1; round <= 2; ++round) {  // the second finds all of them there
    store.add(batch, 0);
    findings.equal("size", store.size(), bits + 1);
  }
  std::set<std::uint32_t> positions;
  for (std::size_t i = 0; i <= bits; ++i) positions.insert(store.find(keys.at(i), hash));
  findings.equal("different positions", positions.size(), bits + 1);
  return findings.result();
}

// --- worlds
// -----------------------------------------------------------------------------------------------------------

int key_bits(const explorer::Model& model) {
  const std::vector<std::uint8_t> bits = model.field_bits();
  return std::accumulate(bits.begin(), bits.end(), 0);
}

AssertionResult core_state_takes_90_bits() {
  // A number up to 8 takes 4 bits. Counter, holder, newest lease, highest token issued: 4 x 4. Each of two stores:
  // highest, value, highest accepted lease: 3 x 4. Each of five workers: one of 4 places, token, lease: 2 + 2 x 4.
  Findings findings;
  findings.equal("bits",
                 key_bits(*core_world({.workers = 5, .stores = 2, .leases = 8, .check = reference::Check::atomic})),
                 16 + 2 * 12 + 5 * 10);
  return findings.result();
}

namespace {

void compare_symmetry(const SearchResult& full, const SearchResult& reduced, Findings& findings) {
  findings.equal("full_states", full.full_states, full.states);
  findings.equal("full_transitions", full.full_transitions, full.transitions);
  findings.equal("weighted states", reduced.full_states, full.states);
  findings.equal("weighted transitions", reduced.full_transitions, full.transitions);
  findings.equal("depth up to symmetry", reduced.depth, full.depth);
  for (std::size_t t = 0; t < full.first_met.size(); ++t) {
    findings.equal(("length to target " + std::to_string(t)).c_str(), reduced.first_met[t], full.first_met[t]);
  }
  if (reduced.states > full.states) findings.add("more states up to symmetry than in full");
}

}  // namespace

AssertionResult symmetry_agrees_with_full_search(const explorer::Model& model, int threads) {
  Search full(model, options(threads));
  Search reduced(model, options(threads, true));
  Findings findings;
  compare_symmetry(full.run(), reduced.run(), findings);
  return findings.result();
}

AssertionResult core_agrees(const reference::Setup& setup, const reference::Result& wanted, int threads) {
  const auto world = core_world(setup);
  Search full_search(*world, options(threads));
  Search reduced_search(*world, options(threads, true));
  const SearchResult& full = full_search.run();
  const SearchResult& reduced = reduced_search.run();
  reference::Result found;
  found.states = full.states;
  found.transitions = full.transitions;
  found.depth = full.depth;
  found.states_up_to_symmetry = reduced.states;
  for (std::size_t p = 0; p < reference::property_count; ++p) {
    found.lengths[p] = full.first_met[static_cast<std::size_t>(violated_target(p))];
  }
  Findings findings;
  findings.add(differences(found, wanted));
  findings.equal("complete", full.complete() && reduced.complete(), true);
  compare_symmetry(full, reduced, findings);
  return findings.result();
}

std::optional<std::vector<std::byte>> state_after(const World& world, const std::vector<Move>& run) {
  std::vector<std::byte> state = world.initial_states();
  StepTold told;
  for (const Move move : run) {
    if (!world.take(state.data(), move, told)) return std::nullopt;
  }
  return state;
}

AssertionResult runs_replay(const World& world, const Search& search) {
  const Targets targets = met(search.result());
  const std::vector<Run> runs = search.shortest_runs(targets);
  Findings findings;
  findings.equal("runs", runs.size(), static_cast<std::size_t>(std::popcount(targets)));
  auto run = runs.begin();
  for (std::size_t t = 0; t < explorer::max_targets && run != runs.end(); ++t) {
    if ((targets >> t & 1) == 0) continue;
    const std::string name = "target " + std::to_string(t) + ": ";
    findings.equal((name + "length").c_str(), static_cast<int>(run->moves.size()),
                   search.result().first_met[t].value());
    std::vector<std::byte> state = world.initial_states();
    for (std::size_t i = 0; i < run->moves.size(); ++i) {
      StepTold told;
      if (!world.take(state.data(), run->moves[i], told)) {
        findings.add(name + "move " + std::to_string(i) + " is not possible");
        break;
      }
      findings.equal((name + "met by move " + std::to_string(i)).c_str(), (told.targets >> t & 1) != 0,
                     i + 1 == run->moves.size());
    }
    ++run;
  }
  return findings.result();
}

AssertionResult core_runs_replay(const reference::Setup& setup) {
  const auto world = core_world(setup);
  Search search(*world, options(1));
  search.run();
  return runs_replay(*world, search);
}

namespace {

/// Worker by worker, what each holds; sorted, since which worker it is does not matter.
std::vector<std::string> holdings(const World& world, const std::byte* state) {
  std::vector<std::string> result;
  for (const WorkerTold& worker : world.tell(state).workers) {
    result.push_back(worker.next_step + " " + std::to_string(worker.token) + " " + std::to_string(worker.lease));
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

AssertionResult renamed_runs_meet(const World& world, const std::vector<Move>& run, const std::vector<int>& names) {
  std::vector<Move> renamed = run;
  for (Move& move : renamed) {
    if (move.actor != Move::environment) {
      move.actor = static_cast<std::int16_t>(names.at(static_cast<std::size_t>(move.actor)));
    }
  }
  const auto state = state_after(world, run);
  const auto renamed_state = state_after(world, renamed);
  if (!state || !renamed_state) return AssertionFailure() << "a run is not possible";
  std::vector<std::byte> canonical = *state;
  std::vector<std::byte> renamed_canonical = *renamed_state;
  world.canonicalize(canonical.data(), 1);
  world.canonicalize(renamed_canonical.data(), 1);
  std::vector<std::byte> twice = canonical;
  world.canonicalize(twice.data(), 1);
  Findings findings;
  findings.equal("the canonical form of the renamed run", renamed_canonical, canonical);
  findings.equal("the canonical form of a canonical state", twice, canonical);
  findings.equal("what the workers hold", holdings(world, canonical.data()), holdings(world, state->data()));
  findings.equal("the orbit", world.orbit_size(renamed_canonical.data()), world.orbit_size(canonical.data()));
  return findings.result();
}

AssertionResult renamed_runs_of_core_meet() {
  // One worker has written, one was turned away, and a third one has been granted the lock: each holds something else.
  const auto world = core_world({.workers = 3, .leases = 3, .check = reference::Check::atomic});
  const auto first = [&](auto&& wanted) {
    const auto& actions = world->actions();
    return static_cast<std::uint16_t>(std::find_if(actions.begin(), actions.end(), wanted) - actions.begin());
  };
  const auto named = [&](const std::string& name) {
    return first([&](const StepText& text) { return text.present && text.name == name; });
  };
  const std::uint16_t acquire = named("acquire");
  const std::uint16_t write = named("compare and write");
  const Move expiry{Move::environment, first([](const StepText& text) { return text.kind == ActionKind::expiry; })};
  const std::vector<Move> run{{2, acquire}, expiry, {0, acquire}, {0, write}, expiry, {1, acquire}, {2, write}};
  std::vector<int> names{0, 1, 2};
  do {
    if (AssertionResult result = renamed_runs_meet(*world, run, names); !result) return result;
  } while (std::next_permutation(names.begin(), names.end()));
  return AssertionSuccess();
}

AssertionResult second_write_of_one_value_is_seen() {
  const auto world = writes_twice_world();
  Play play(*world);
  play.step(0, "acquire");
  Findings findings;
  findings.equal("first write", play.step(0, "write").wrote, std::vector{0});
  findings.equal("second write", play.step(0, "write again").wrote, std::vector{0});
  return findings.result();
}

}  // namespace fencecheck::tests
