// The reachable states of a model as a graph, for questions that a breadth-first search does not answer in passing.
//
// It is built the plain way, from whole states in an ordinary hash map, and walked by Boost.Graph: nothing of the
// packed store, of the levels or of symmetry is in it. That makes it slow, and a check on all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <fencecheck/explorer/model.h>
#include <fencecheck/explorer/search.h>

namespace fencecheck::explorer {

/// Vertices are numbered in the order in which they were found; the initial states come first.
struct StateGraph {
  std::size_t initial_states = 0;
  std::vector<std::size_t> first_edge;  ///< edges of vertex v: first_edge[v] … first_edge[v + 1] - 1
  std::vector<std::uint32_t> head;      ///< of each edge, the vertex that it leads to
  std::vector<Move> move;               ///< of each edge
  std::vector<Targets> targets;         ///< of each edge

  std::size_t vertices() const { return first_edge.size() - 1; }
  std::size_t edges() const { return head.size(); }
};

/// Visits every reachable state. Throws std::length_error where there are more than `max_states`.
StateGraph build_state_graph(const Model& model, std::size_t max_states);

/// For each vertex the fewest edges from an initial state.
std::vector<int> distances(const StateGraph& graph);

/// A shortest run to a state from which no transition that meets `target` can be reached, and that no such transition
/// leads to; nothing where there is no such state. Initial states count as if one led to them.
std::optional<Run> shortest_run_to_trap(const StateGraph& graph, int target);

/// For each target the length of the shortest run to it, its own step included.
std::array<std::optional<int>, max_targets> shortest_lengths(const StateGraph& graph);

}  // namespace fencecheck::explorer
