// Every design of the catalogue, against its expected.json and against the state graph: whole states in an ordinary
// map, walked by Boost.Graph, with nothing of the packed store, the levels or symmetry in it.
#include <gtest/gtest.h>

#include <algorithm>

#include <fencecheck/designs/catalogue.h>
#include <fencecheck/explorer/search.h>
#include <fencecheck/explorer/state_graph.h>
#include <fencecheck/report/coverage.h>
#include <fencecheck/report/expectation.h>
#include <fencecheck/report/mutate.h>
#include <fencecheck/report/verdict.h>

namespace fencecheck {
namespace {

constexpr std::size_t most_states = 400'000;

struct Case {
  std::shared_ptr<Design> design;
  Expectation expectation;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.design->text().name; }

std::vector<Case> cases() {
  std::vector<Case> result;
  for (designs::Entry& entry : designs::catalogue()) {
    Expectation expectation = parse_expectation(entry.expected_json, entry.design->text().name);
    result.push_back({std::move(entry.design), std::move(expectation)});
  }
  return result;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.design->text().name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EachDesign : public ::testing::TestWithParam<Case> {};

TEST_P(EachDesign, IsAsExpectedWithSymmetryOnAndOff) {
  for (const bool symmetry : {true, false}) {
    CheckOptions options;
    options.bounds = GetParam().expectation.bounds;
    options.switches = GetParam().expectation.switches;
    options.symmetry = symmetry;
    EXPECT_EQ(unexpected(check(*GetParam().design, options), GetParam().expectation), std::vector<std::string>{});
  }
}

TEST_P(EachDesign, GivesTheFiguresOfItsStateGraph) {
  const std::unique_ptr<World> world =
      GetParam().design->world(GetParam().expectation.bounds, GetParam().expectation.switches);
  const explorer::StateGraph graph = explorer::build_state_graph(*world, most_states);
  const std::vector<int> distances = explorer::distances(graph);
  for (const bool symmetry : {true, false}) {
    explorer::SearchOptions options;
    options.symmetry = symmetry;
    options.threads = 2;
    explorer::Search search(*world, options);
    const explorer::SearchResult& found = search.run();
    EXPECT_EQ(found.full_states, graph.vertices());
    EXPECT_EQ(found.full_transitions, graph.edges());
    EXPECT_EQ(found.depth, *std::max_element(distances.begin(), distances.end()));
    EXPECT_EQ(found.first_met, explorer::shortest_lengths(graph));
  }
}

TEST_P(EachDesign, LeavesUnusedOnlyWhatItSays) {
  const std::unique_ptr<World> world =
      GetParam().design->world(GetParam().expectation.bounds, GetParam().expectation.switches);
  const Coverage coverage = cover(*world, most_states);
  EXPECT_TRUE(coverage.complete);
  EXPECT_EQ(gaps(*world, coverage), GetParam().expectation.uncovered);
}

TEST_P(EachDesign, HasMutantsThatAreCaughtByTheNamedProperty) {
  MutationOptions options;
  options.bounds = GetParam().expectation.bounds;
  options.switches = GetParam().expectation.switches;
  EXPECT_EQ(unexpected(mutate(*GetParam().design, options), GetParam().expectation.mutants),
            std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachDesign, ::testing::ValuesIn(cases()), name_of);

TEST(StateGraph, SaysWhenThereAreMoreStatesThanAskedFor) {
  const Case core = cases().front();
  const std::unique_ptr<World> world = core.design->world({.workers = 2, .leases = 2}, {});
  const std::size_t states = explorer::build_state_graph(*world, most_states).vertices();
  EXPECT_EQ(explorer::build_state_graph(*world, states).vertices(), states);
  EXPECT_THROW(explorer::build_state_graph(*world, states - 1), std::length_error);
}

}  // namespace
}  // namespace fencecheck
