// The reachable states as a graph: every state a vertex, every transition an edge.
#include <fencecheck/explorer/state_graph.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "../support/models.h"

namespace fencecheck::tests {
namespace {

using explorer::Move;
using explorer::StateGraph;

TEST(StateGraph, OfTheGridHasAVertexForEachStateAndAnEdgeForEachTransition) {
  const StateGraph graph = build_state_graph(Grid(3, 4), 1000);
  EXPECT_EQ(graph.initial_states, 1U);
  EXPECT_EQ(graph.vertices(), 125U);
  EXPECT_EQ(graph.edges(), 3U * 4U * 25U);
  EXPECT_EQ(graph.move.size(), graph.edges());
  EXPECT_EQ(graph.targets.size(), graph.edges());
  std::vector<int> far = distances(graph);
  EXPECT_EQ(far.at(0), 0);
  EXPECT_EQ(*std::max_element(far.begin(), far.end()), 12);
  EXPECT_EQ(std::count(far.begin(), far.end(), 2), 6);
}

TEST(StateGraph, KeepsSelfLoopsAndParallelEdgesWithTheirMovesAndTargets) {
  const Graph model({0}, {{0, 0, {0, 1}, 2}, {0, 1, {0, 2}, 0}, {0, 1, {1, 3}, 1}});
  const StateGraph graph = build_state_graph(model, 10);
  ASSERT_EQ(graph.vertices(), 2U);
  EXPECT_EQ(graph.first_edge, (std::vector<std::size_t>{0, 3, 3}));
  EXPECT_EQ(graph.head, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(graph.move, (std::vector<Move>{{0, 1}, {0, 2}, {1, 3}}));
  EXPECT_EQ(graph.targets, (std::vector<explorer::Targets>{2, 0, 1}));
}

TEST(StateGraph, LengthsAreCountedFromTheNearestInitialState) {
  const Graph model({0, 2}, {{0, 1, {0, 0}, 0}, {1, 2, {0, 0}, 0}, {2, 3, {0, 0}, 0}, {3, 4, {0, 0}, 1}});
  const StateGraph graph = build_state_graph(model, 10);
  EXPECT_EQ(graph.initial_states, 2U);
  const std::vector<int> far = distances(graph);
  EXPECT_EQ(far.at(0), 0);
  EXPECT_EQ(far.at(1), 0);
  const auto lengths = shortest_lengths(graph);
  EXPECT_EQ(lengths.at(0), 2);
  EXPECT_EQ(lengths.at(1), std::nullopt);
}

TEST(StateGraph, ATargetOnALoopOfTheInitialStateIsOneStepAway) {
  const StateGraph graph = build_state_graph(Graph({0}, {{0, 0, {0, 0}, 8}}), 10);
  EXPECT_EQ(shortest_lengths(graph).at(3), 1);
}

TEST(StateGraph, OfMoreStatesThanAllowedIsNotBuilt) {
  EXPECT_NO_THROW(build_state_graph(Grid(2, 9), 100));
  EXPECT_THROW(build_state_graph(Grid(2, 9), 99), std::length_error);
}

}  // namespace
}  // namespace fencecheck::tests
