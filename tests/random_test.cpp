// Random variants and sizes of core, against the naive reference and against themselves: threads, symmetry, walks,
// runs that are replayed, and limits.
#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fencecheck/explorer/walk.h>

#include "reference/golden_file.h"
#include "support/checks.h"
#include "support/core_world.h"
#include "support/draw.h"

namespace fencecheck::reference {
// For RapidCheck, when it prints a counterexample.
void showValue(Check check, std::ostream& out) { out << to_string(check); }
void showValue(Equal equal, std::ostream& out) { out << to_string(equal); }
void showValue(Release release, std::ostream& out) { out << to_string(release); }
void showValue(Register reg, std::ostream& out) { out << to_string(reg); }
}  // namespace fencecheck::reference

namespace fencecheck::tests {
namespace {

using explorer::Move;
using explorer::Run;
using explorer::Search;
using explorer::SearchOptions;
using explorer::SearchResult;
using explorer::SplitMix;
using explorer::StoppedBy;
using explorer::Targets;
using reference::Check;
using reference::Setup;

/// Workers, stores, leases, restores of the issuer, restores of stores.
using Size = std::array<int, 5>;

// Every variant of core has fewer than 20,000 states at these sizes, and therefore at all smaller ones; at any larger
// one (up to 5, 4, 5, 2, 2) some variant has more.
constexpr std::array<Size, 41> largest_sizes{
    {{1, 1, 3, 2, 2}, {1, 1, 4, 2, 1}, {1, 1, 5, 0, 2}, {1, 2, 2, 0, 2}, {1, 2, 2, 2, 1}, {1, 2, 3, 0, 1},
     {1, 2, 5, 2, 0}, {1, 3, 2, 0, 1}, {1, 3, 5, 1, 0}, {1, 4, 1, 0, 2}, {1, 4, 4, 2, 0}, {1, 4, 5, 0, 0},
     {2, 1, 2, 2, 2}, {2, 1, 3, 0, 2}, {2, 1, 3, 2, 0}, {2, 1, 4, 1, 0}, {2, 2, 2, 0, 1}, {2, 2, 3, 1, 0},
     {2, 2, 5, 0, 0}, {2, 3, 4, 0, 0}, {2, 4, 1, 2, 1}, {2, 4, 2, 2, 0}, {2, 4, 3, 0, 0}, {3, 1, 2, 1, 2},
     {3, 1, 2, 2, 1}, {3, 1, 3, 1, 0}, {3, 1, 4, 0, 0}, {3, 2, 3, 0, 0}, {3, 4, 2, 1, 0}, {4, 1, 2, 1, 1},
     {4, 3, 1, 2, 2}, {4, 3, 2, 2, 0}, {5, 1, 2, 0, 2}, {5, 1, 3, 0, 0}, {5, 2, 1, 2, 2}, {5, 2, 2, 2, 0},
     {5, 3, 1, 0, 2}, {5, 3, 1, 2, 1}, {5, 4, 1, 0, 1}, {5, 4, 1, 2, 0}, {5, 4, 2, 0, 0}}};

/// Any variant of core at one of the largest sizes, or somewhat smaller.
Setup draw_setup() {
  Size size = *rc::gen::elementOf(std::vector<Size>(largest_sizes.begin(), largest_sizes.end()));
  const int to_lower = *uniform(0, 7);  // often nothing
  const int lowered = *uniform(0, 1);
  if (to_lower < 5) {
    int& number = size.at(static_cast<std::size_t>(to_lower));
    number = std::max(number - lowered, to_lower < 3 ? 1 : 0);
  }
  Setup setup;
  setup.workers = size[0];
  setup.stores = size[1];
  setup.leases = size[2];
  setup.issuer_restores = size[3];
  setup.store_restores = size[4];
  setup.check = *rc::gen::element(Check::none, Check::lease, Check::separate, Check::atomic);
  setup.equal = *rc::gen::element(reference::Equal::accept, reference::Equal::reject);
  setup.release = *rc::gen::element(reference::Release::name, reference::Release::compare);
  setup.reg = *rc::gen::element(reference::Register::no, reference::Register::yes);
  setup.expiry = *uniform(0, 4) != 0;
  RC_LOG() << to_string(setup) << std::endl;
  return setup;
}

void require(const testing::AssertionResult& result) {
  if (!result) RC_FAIL(result.message());
}

/// In which length the situation of each property was first handled. The library counts what a store turns away; with
/// `lease` it is the lock service that says no, which the reference counts as well.
reference::Lengths situations_of_stores(const Setup& setup, const reference::Result& result) {
  reference::Lengths lengths = result.situations;
  if (setup.check == Check::lease) {
    lengths[reference::no_stale_write] = std::nullopt;
    lengths[reference::successor_fences_at_issue] = std::nullopt;
  }
  return lengths;
}

RC_GTEST_PROP(RandomCore, HasTheFiguresOfTheNaiveReferenceForAnyNumberOfThreadsAndUpToSymmetry, ()) {
  const Setup setup = draw_setup();
  const int threads = *uniform(1, 3);
  const reference::Result wanted = reference::explore(setup);
  require(core_agrees(setup, wanted, threads));

  const auto world = core_world(setup);
  Search search(*world, options(threads));
  const SearchResult& result = search.run();
  const reference::Lengths situations = situations_of_stores(setup, wanted);
  std::uint64_t fired = 0;
  for (const std::uint64_t times : result.fired) fired += times;
  RC_ASSERT(fired == wanted.transitions);
  for (std::size_t p = 0; p < situations.size(); ++p) {
    RC_ASSERT(result.first_met[static_cast<std::size_t>(handled_target(p))] == situations[p]);
  }
  RC_CLASSIFY(wanted.states > 5000, "more than 5000 states");
  RC_CLASSIFY(setup.workers > 2, "three workers and more");
}

/// A small variant of core with one or two of the faults that core-model.md does not have.
Setup draw_setup_with_faults() {
  Setup setup;
  setup.workers = *uniform(1, 2);
  setup.stores = *uniform(1, 2);
  setup.leases = *uniform(1, 2);
  setup.check = *rc::gen::element(Check::none, Check::lease, Check::separate, Check::atomic);
  setup.equal = *rc::gen::element(reference::Equal::accept, reference::Equal::reject);
  setup.release = *rc::gen::element(reference::Release::name, reference::Release::compare);
  setup.reg = *rc::gen::element(reference::Register::no, reference::Register::yes);
  setup.expiry = *uniform(0, 4) != 0;
  setup.issuer_restores = *uniform(0, 4) == 0 ? 1 : 0;
  const std::array budgets{&Setup::crashes, &Setup::lost_replies, &Setup::late_requests, &Setup::duplicates,
                           &Setup::lock_losses};
  for (int fault = 0; fault < 2; ++fault) ++(setup.*budgets.at(static_cast<std::size_t>(*uniform(0, 4))));
  RC_LOG() << to_string(setup) << ", crashes " << setup.crashes << ", lost replies " << setup.lost_replies
           << ", late requests " << setup.late_requests << ", duplicates " << setup.duplicates << ", lock losses "
           << setup.lock_losses << std::endl;
  return setup;
}

RC_GTEST_PROP(RandomCore, WithEveryFaultHasTheFiguresOfTheNaiveReference, ()) {
  const Setup setup = draw_setup_with_faults();
  const int threads = *uniform(1, 2);
  const reference::Result wanted = reference::explore(setup);
  require(core_agrees(setup, wanted, threads));
  RC_CLASSIFY(setup.crashes != 0, "crashes");
  RC_CLASSIFY(setup.lost_replies != 0, "lost replies");
  RC_CLASSIFY(setup.late_requests != 0, "late requests");
  RC_CLASSIFY(setup.duplicates != 0, "duplicates");
  RC_CLASSIFY(setup.lock_losses != 0, "lock losses");
}

RC_GTEST_PROP(RandomCore, EveryStateOfARandomWalkIsOneThatTheSearchSaw, ()) {
  const Setup setup = draw_setup();
  const auto symmetry = *rc::gen::arbitrary<bool>();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto world = core_world(setup);
  Search search(*world, options(1, symmetry));
  const Targets met_by_search = met(search.run());
  SplitMix random(seed);
  for (int walk = 0; walk < 20; ++walk) {
    random_walk(*world, random, 100, [&](Move, Targets targets, const std::byte* state) {
      RC_ASSERT(search.contains(state));
      RC_ASSERT((targets & ~met_by_search) == 0U);
    });
  }
}

RC_GTEST_PROP(RandomCore, EveryShortestRunReplaysAndDependsNeitherOnThreadsNorOnSymmetry, ()) {
  const Setup setup = draw_setup();
  const int threads = *uniform(2, 3);
  const auto world = core_world(setup);
  Search plain(*world, options(1));
  Search other(*world, options(threads, true));
  const Targets targets = met(plain.run());
  RC_ASSERT(met(other.run()) == targets);
  require(runs_replay(*world, plain));
  const std::vector<Run> runs = plain.shortest_runs(targets);
  const std::vector<Run> other_runs = other.shortest_runs(targets);
  RC_ASSERT(runs.size() == other_runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) RC_ASSERT(runs[i].moves == other_runs[i].moves);
}

// --- limits
// -----------------------------------------------------------------------------------------------------------

/// A limit on states, on depth or on memory that the search may or may not meet.
explorer::Limits draw_limit(const World& world, const SearchResult& full) {
  explorer::Limits limits;
  const int kind = *uniform(0, 2);
  if (kind == 0) limits.max_states = *uniform<std::uint64_t>(1, full.states + full.states / 4);
  if (kind == 1) limits.max_depth = *uniform(0, full.depth + 3);
  if (kind == 2) limits.memory_bytes = least_memory_bytes(world) + *uniform<std::uint64_t>(0, 20 * full.states);
  return limits;
}

RC_GTEST_PROP(RandomCore, ALimitThatIsMetIsNeverAPassAndStopsAtTheSamePointForAnyNumberOfThreads, ()) {
  const Setup setup = draw_setup();
  const auto symmetry = *rc::gen::arbitrary<bool>();
  const auto world = core_world(setup);
  Search full_search(*world, options(1, symmetry));
  const SearchResult& full = full_search.run();
  SearchOptions limited = options(1, symmetry);
  limited.limits = draw_limit(*world, full);
  Search search(*world, limited);
  const SearchResult& result = search.run();
  limited.threads = *uniform(2, 3);
  Search by_threads(*world, limited);
  const SearchResult& again = by_threads.run();

  for (const SearchResult* each : {&result, &again}) {
    RC_ASSERT(each->stopped_by == result.stopped_by);
    RC_ASSERT(each->states == result.states);
    RC_ASSERT(each->transitions == result.transitions);
    RC_ASSERT(each->full_states == result.full_states);
    RC_ASSERT(each->full_transitions == result.full_transitions);
    RC_ASSERT(each->fired == result.fired);
    RC_ASSERT(each->depth == result.depth);
    RC_ASSERT(each->first_met == result.first_met);
  }
  RC_ASSERT(result.states <= limited.limits.max_states);
  RC_ASSERT(result.depth <= limited.limits.max_depth);
  RC_ASSERT(result.store_bytes <= limited.limits.memory_bytes);
  if (result.complete()) {
    RC_ASSERT(result.states == full.states);
    RC_ASSERT(result.transitions == full.transitions);
    RC_ASSERT(result.first_met == full.first_met);
  } else {
    // Only a limit on depth may be met with all states found: the last level was not expanded then.
    RC_ASSERT(result.states < full.states || result.stopped_by == StoppedBy::max_depth);
    RC_ASSERT(result.transitions <= full.transitions);
    const int judged = result.stopped_by == StoppedBy::max_depth ? result.depth : result.depth + 1;
    for (std::size_t t = 0; t < full.first_met.size(); ++t) {
      const bool within = full.first_met[t] && *full.first_met[t] <= judged;
      RC_ASSERT(result.first_met[t] == (within ? full.first_met[t] : std::nullopt));
    }
  }
  RC_CLASSIFY(result.complete(), "not met");
  RC_CLASSIFY(!result.complete(), to_string(result.stopped_by));
}

// --- taking one step
// --------------------------------------------------------------------------------------------------

RC_GTEST_PROP(RandomCore, TakingAStepDoesWhatTheSearchDoesAndNothingElseIsPossible, ()) {
  const Setup setup = draw_setup();
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto world = core_world(setup);
  const std::size_t bytes = world->state_bytes();
  explorer::Successors successors(bytes, world->max_successors());
  std::vector<std::byte> state = world->initial_states();
  SplitMix random(seed);
  for (int step = 0; step < 40; ++step) {
    successors.clear();
    world->expand(state.data(), 1, successors);
    std::size_t possible = 0;
    for (int actor = -1; actor < setup.workers; ++actor) {
      for (std::size_t action = 0; action < world->action_count(); ++action) {
        const Move move{static_cast<std::int16_t>(actor), static_cast<std::uint16_t>(action)};
        std::vector<std::byte> taken = state;
        StepTold told;
        if (!world->take(taken.data(), move, told)) continue;
        ++possible;
        std::size_t i = 0;
        while (i < successors.size() && !(successors.move(i) == move)) ++i;
        RC_ASSERT(i < successors.size());
        RC_ASSERT(std::equal(taken.begin(), taken.end(), successors.state(i)));
        RC_ASSERT(told.targets == successors.targets(i));
      }
    }
    RC_ASSERT(possible == successors.size());
    if (possible == 0) break;
    const std::byte* chosen = successors.state(random.below(possible));
    state.assign(chosen, chosen + bytes);
  }
}

}  // namespace
}  // namespace fencecheck::tests
