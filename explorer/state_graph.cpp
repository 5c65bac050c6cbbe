#include <fencecheck/explorer/state_graph.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/visitors.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace fencecheck::explorer {
namespace {

using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                      boost::no_property, std::uint32_t, std::size_t>;

// The graph as Boost.Graph wants it, with one more vertex, from which an edge leads to each initial state.
BoostGraph with_root(const StateGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(graph.edges() + graph.initial_states);
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    for (std::size_t e = graph.first_edge[v]; e < graph.first_edge[v + 1]; ++e) {
      edges.emplace_back(static_cast<std::uint32_t>(v), graph.head[e]);
    }
  }
  const auto root = static_cast<std::uint32_t>(graph.vertices());
  for (std::size_t i = 0; i < graph.initial_states; ++i) edges.emplace_back(root, static_cast<std::uint32_t>(i));
  return BoostGraph(boost::edges_are_sorted, edges.begin(), edges.end(), root + 1);
}

class Builder {
 public:
  Builder(const Model& model, std::size_t max_states) : model_(model), max_states_(max_states) {}

  StateGraph build() {
    const std::vector<std::byte> initial = model_.initial_states();
    for (std::size_t at = 0; at < initial.size(); at += model_.state_bytes()) number_of(initial.data() + at);
    graph_.initial_states = states_.size();
    Successors successors(model_.state_bytes(), model_.max_successors());
    for (std::size_t v = 0; v < states_.size(); ++v) {  // NOLINT(modernize-loop-convert): it grows meanwhile
      graph_.first_edge.push_back(graph_.edges());
      const std::string state = states_[v];
      successors.clear();
      model_.expand(reinterpret_cast<const std::byte*>(state.data()), 1, successors);
      for (std::size_t i = 0; i < successors.size(); ++i) {
        graph_.head.push_back(number_of(successors.state(i)));
        graph_.move.push_back(successors.move(i));
        graph_.targets.push_back(successors.targets(i));
      }
    }
    graph_.first_edge.push_back(graph_.edges());
    return std::move(graph_);
  }

 private:
  std::uint32_t number_of(const std::byte* state) {
    std::string text(reinterpret_cast<const char*>(state), model_.state_bytes());
    const auto [entry, is_new] = numbers_.try_emplace(text, static_cast<std::uint32_t>(states_.size()));
    if (is_new) {
      if (states_.size() == max_states_) throw std::length_error("the state graph has more states than asked for");
      states_.push_back(std::move(text));
    }
    return entry->second;
  }

  const Model& model_;
  std::size_t max_states_;
  StateGraph graph_;
  std::vector<std::string> states_;
  boost::unordered_flat_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

StateGraph build_state_graph(const Model& model, std::size_t max_states) { return Builder(model, max_states).build(); }

std::vector<int> distances(const StateGraph& graph) {
  const BoostGraph boost_graph = with_root(graph);
  std::vector<int> distance(graph.vertices() + 1, 0);
  const auto record = boost::record_distances(distance.data(), boost::on_tree_edge());
  boost::breadth_first_search(boost_graph, static_cast<std::uint32_t>(graph.vertices()),
                              boost::visitor(boost::make_bfs_visitor(record)));
  distance.pop_back();
  for (int& each : distance) --each;  // the edge from the root is none of the model's
  return distance;
}

namespace {

// The vertices that target transitions lead to, and those from which one of them can be reached.
std::vector<bool> can_reach(const StateGraph& graph, int target) {
  const auto root = static_cast<std::uint32_t>(graph.vertices());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> backward;
  std::vector<bool> wanted(graph.vertices());
  for (std::size_t v = 0; v < graph.initial_states; ++v) wanted[v] = true;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    for (std::size_t e = graph.first_edge[v]; e < graph.first_edge[v + 1]; ++e) {
      backward.emplace_back(graph.head[e], static_cast<std::uint32_t>(v));
      if ((graph.targets[e] >> target & 1) != 0) wanted[graph.head[e]] = true;
    }
  }
  for (std::uint32_t v = 0; v < root; ++v) {
    if (wanted[v]) backward.emplace_back(root, v);
  }
  const BoostGraph boost_graph(boost::edges_are_unsorted_multi_pass, backward.begin(), backward.end(), root + 1);
  std::vector<int> distance(graph.vertices() + 1, 0);
  boost::breadth_first_search(
      boost_graph, root,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(distance.data(), boost::on_tree_edge()))));
  for (std::size_t v = 0; v < graph.vertices(); ++v) wanted[v] = distance[v] > 0;
  return wanted;
}

Run run_to(const StateGraph& graph, const std::vector<int>& distance, std::size_t vertex) {
  Run run;
  while (distance[vertex] > 0) {
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      if (distance[v] + 1 != distance[vertex]) continue;
      const auto first = graph.head.begin() + static_cast<std::ptrdiff_t>(graph.first_edge[v]);
      const auto last = graph.head.begin() + static_cast<std::ptrdiff_t>(graph.first_edge[v + 1]);
      const auto edge = std::find(first, last, vertex);
      if (edge == last) continue;
      run.moves.push_back(graph.move[static_cast<std::size_t>(edge - graph.head.begin())]);
      vertex = v;
      break;
    }
  }
  run.initial = vertex;
  std::reverse(run.moves.begin(), run.moves.end());
  return run;
}

}  // namespace

std::optional<Run> shortest_run_to_trap(const StateGraph& graph, int target) {
  const std::vector<bool> wanted = can_reach(graph, target);
  const std::vector<int> distance = distances(graph);
  std::optional<std::size_t> nearest;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    if (!wanted[v] && (!nearest || distance[v] < distance[*nearest])) nearest = v;
  }
  if (!nearest) return std::nullopt;
  return run_to(graph, distance, *nearest);
}

std::array<std::optional<int>, max_targets> shortest_lengths(const StateGraph& graph) {
  const std::vector<int> distance = distances(graph);
  std::array<std::optional<int>, max_targets> shortest;
  for (std::size_t v = 0; v < graph.vertices(); ++v) {
    for (std::size_t e = graph.first_edge[v]; e < graph.first_edge[v + 1]; ++e) {
      for (Targets met = graph.targets[e]; met != 0; met &= met - 1) {
        std::optional<int>& best = shortest[static_cast<std::size_t>(std::countr_zero(met))];
        best = std::min(best.value_or(distance[v] + 1), distance[v] + 1);
      }
    }
  }
  return shortest;
}

}  // namespace fencecheck::explorer
