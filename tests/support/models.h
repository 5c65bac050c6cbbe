// Small models whose figures are known by heart, for tests of the explorer alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include <fencecheck/explorer/model.h>

namespace fencecheck::tests {

/// Some counters, all from 0 to `top`; process i counts its own one up, by action 0. With n counters:
/// (top+1)^n states, n * top * (top+1)^(n-1) transitions, depth n * top, choose(top+n, n) states up to symmetry.
class Grid final : public explorer::Model {
 public:
  Grid(std::size_t counters, int top) : counters_(counters), top_(top) {}

  /// Target 0 happens on each step to a state whose counters add up to this; 0: never.
  int alarm_at = 0;

  /// Bits of each counter's field.
  std::uint8_t field_width = 8;

  /// Told of the sum of the counters whenever a state is expanded; may be called by several threads at once.
  std::function<void(int sum)> on_expand;

  std::size_t state_bytes() const override { return 8; }
  std::vector<std::uint8_t> field_bits() const override {
    std::vector<std::uint8_t> bits(8, 0);
    std::fill_n(bits.begin(), counters_, field_width);
    return bits;
  }
  std::vector<std::byte> initial_states() const override { return std::vector<std::byte>(8); }
  std::size_t max_successors() const override { return counters_; }
  std::size_t action_count() const override { return 1; }

  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override {
    for (std::size_t s = 0; s < count; ++s) {
      const Counters counters = load(states + 8 * s);
      const int sum = sum_of(counters);
      if (on_expand) on_expand(sum);
      for (std::size_t i = 0; i < counters_; ++i) {
        if (counters[i] == top_) continue;
        Counters next = counters;
        ++next[i];
        std::memcpy(out.next(), next.data(), next.size());
        const explorer::Targets targets = sum + 1 == alarm_at ? 1 : 0;
        out.commit(static_cast<std::uint32_t>(s), {static_cast<std::int16_t>(i), 0}, targets);
      }
    }
  }

  void canonicalize(std::byte* states, std::size_t count) const override {
    for (std::size_t s = 0; s < count; ++s) {
      Counters counters = load(states + 8 * s);
      std::sort(counters.begin(), counters.begin() + static_cast<std::ptrdiff_t>(counters_));
      std::memcpy(states + 8 * s, counters.data(), counters.size());
    }
  }

  std::uint64_t orbit_size(const std::byte* state) const override {
    Counters counters = load(state);
    std::uint64_t orders = 0;
    do {
      ++orders;
    } while (std::next_permutation(counters.begin(), counters.begin() + static_cast<std::ptrdiff_t>(counters_)));
    return orders;
  }

 private:
  using Counters = std::array<std::uint8_t, 8>;

  static Counters load(const std::byte* state) {
    Counters counters{};
    std::memcpy(counters.data(), state, counters.size());
    return counters;
  }
  static int sum_of(const Counters& counters) {
    int sum = 0;
    for (const std::uint8_t counter : counters) sum += counter;
    return sum;
  }

  std::size_t counters_;
  int top_;
};

/// A number that is counted down to zero, and may begin anywhere from 0 to `largest`, which is less than 65,536.
class CountDown final : public explorer::Model {
 public:
  explicit CountDown(int largest) : largest_(largest) {}

  std::size_t state_bytes() const override { return 8; }
  std::vector<std::uint8_t> field_bits() const override { return {8, 8, 0, 0, 0, 0, 0, 0}; }
  std::vector<std::byte> initial_states() const override {
    std::vector<std::byte> states(8 * (static_cast<std::size_t>(largest_) + 1));
    for (int n = 0; n <= largest_; ++n) write(n, states.data() + 8 * n);
    return states;
  }
  std::size_t max_successors() const override { return 1; }
  std::size_t action_count() const override { return 1; }
  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override {
    for (std::size_t s = 0; s < count; ++s) {
      const int n = static_cast<int>(states[8 * s]) + 256 * static_cast<int>(states[8 * s + 1]);
      if (n == 0) continue;
      std::memset(out.next(), 0, 8);
      write(n - 1, out.next());
      out.commit(static_cast<std::uint32_t>(s), {0, 0}, 0);
    }
  }
  void canonicalize(std::byte*, std::size_t) const override {}
  std::uint64_t orbit_size(const std::byte*) const override { return 1; }

 private:
  static void write(int n, std::byte* state) {
    state[0] = static_cast<std::byte>(n % 256);
    state[1] = static_cast<std::byte>(n / 256);
  }

  int largest_;
};

/// A model given edge by edge; a state is the number of a node, 0 to 255.
struct Edge {
  int from = 0;
  int to = 0;
  explorer::Move move;
  explorer::Targets targets = 0;
};

class Graph final : public explorer::Model {
 public:
  Graph(std::vector<int> initial, std::vector<Edge> edges) : initial_(std::move(initial)), edges_(std::move(edges)) {}

  /// The same graph with its edges in the opposite order: a result that depends on it is no rule.
  Graph reversed() const { return {initial_, {edges_.rbegin(), edges_.rend()}}; }

  std::size_t state_bytes() const override { return 8; }
  std::vector<std::uint8_t> field_bits() const override { return {8, 0, 0, 0, 0, 0, 0, 0}; }
  std::vector<std::byte> initial_states() const override {
    std::vector<std::byte> states(8 * initial_.size());
    for (std::size_t i = 0; i < initial_.size(); ++i) states[8 * i] = static_cast<std::byte>(initial_[i]);
    return states;
  }
  std::size_t max_successors() const override { return edges_.size(); }
  std::size_t action_count() const override { return 10; }

  void expand(const std::byte* states, std::size_t count, explorer::Successors& out) const override {
    for (std::size_t s = 0; s < count; ++s) {
      for (const Edge& edge : edges_) {
        if (states[8 * s] != static_cast<std::byte>(edge.from)) continue;
        std::memset(out.next(), 0, 8);
        *out.next() = static_cast<std::byte>(edge.to);
        out.commit(static_cast<std::uint32_t>(s), edge.move, edge.targets);
      }
    }
  }

  void canonicalize(std::byte*, std::size_t) const override {}
  std::uint64_t orbit_size(const std::byte*) const override { return 1; }

 private:
  std::vector<int> initial_;
  std::vector<Edge> edges_;
};

}  // namespace fencecheck::tests
