// What the explorer asks of a model, and the buffer that a model fills with successors.
//
// The explorer knows nothing of leases or tokens. A state is a plain run of bytes (`state_bytes()` of them, a multiple
// of eight); each byte is one field and uses its low `field_bits()[i]` bits only, which is what lets the explorer pack
// a state into a few words. The seam is crossed once per *block* of states, so that a virtual call costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace fencecheck::explorer {

/// What a single transition did to the things that are watched for: bit i is set when target i happened on it.
/// What a target means (a property violated, a situation that arose) is the model's business.
using Targets = std::uint64_t;

constexpr int max_targets = 64;

/// Names one transition out of a state: who moved, and by which of the model's actions. At most one transition out of
/// a state carries a given move.
struct Move {
  static constexpr std::int16_t environment = -1;

  std::int16_t actor = environment;  ///< the process that moved; `environment` for a fault
  std::uint16_t action = 0;          ///< 0 .. action_count() - 1, in the order in which runs prefer them

  friend bool operator==(const Move&, const Move&) = default;
};

/// The successors of a block of states: a fixed buffer, filled by Model::expand and read by the explorer.
class Successors {
 public:
  /// Room for `capacity` states of `state_bytes` bytes each.
  Successors(std::size_t state_bytes, std::size_t capacity)
      : stride_(state_bytes / sizeof(std::uint64_t)),
        words_(std::make_unique<std::uint64_t[]>(stride_ * (capacity + 1))),
        next_(words_.get()),
        parents_(std::make_unique<std::uint32_t[]>(capacity + 1)),
        moves_(std::make_unique<Move[]>(capacity + 1)),
        targets_(std::make_unique<Targets[]>(capacity + 1)) {}

  void clear() {
    count_ = 0;
    next_ = words_.get();
    first_parent_ = 0;
  }

  /// The states of the next Model::expand count as parents `first`, `first` + 1, …
  void number_parents_from(std::uint32_t first) { first_parent_ = first; }
  std::size_t size() const { return count_; }

  /// The place of the next successor. Nothing is added until `commit`, so a step that turns out to be impossible just
  /// leaves its half-made state behind.
  std::byte* next() { return reinterpret_cast<std::byte*>(next_); }

  /// Adds the state that was written to `next()`: the successor of state `parent` of the block by `move`.
  void commit(std::uint32_t parent, Move move, Targets targets) {
    parents_[count_] = first_parent_ + parent;
    moves_[count_] = move;
    targets_[count_] = targets;
    next_ += stride_;
    ++count_;
  }

  std::byte* state(std::size_t i) { return reinterpret_cast<std::byte*>(words_.get() + i * stride_); }
  const std::byte* state(std::size_t i) const { return reinterpret_cast<const std::byte*>(words_.get() + i * stride_); }
  std::uint32_t parent(std::size_t i) const { return parents_[i]; }
  Move move(std::size_t i) const { return moves_[i]; }
  Targets targets(std::size_t i) const { return targets_[i]; }

 private:
  std::size_t stride_;
  std::size_t count_ = 0;
  std::uint32_t first_parent_ = 0;
  std::unique_ptr<std::uint64_t[]> words_;
  std::uint64_t* next_ = nullptr;
  std::unique_ptr<std::uint32_t[]> parents_;
  std::unique_ptr<Move[]> moves_;
  std::unique_ptr<Targets[]> targets_;
};

/// A transition system over states that are plain bytes. Every function is const and may be called from several
/// threads at once.
class Model {
 public:
  virtual ~Model() = default;

  /// Bytes of one state, a multiple of eight.
  virtual std::size_t state_bytes() const = 0;

  /// How many low bits of each byte of a state are in use (0 to 8), one entry for each byte.
  virtual std::vector<std::uint8_t> field_bits() const = 0;

  /// The initial states, one after another, `state_bytes()` each.
  virtual std::vector<std::byte> initial_states() const = 0;

  /// No state has more successors than this.
  virtual std::size_t max_successors() const = 0;

  /// The number of different values of Move::action.
  virtual std::size_t action_count() const = 0;

  /// Appends every successor of each of the `count` states that begin at `states`.
  virtual void expand(const std::byte* states, std::size_t count, Successors& out) const = 0;

  /// Replaces each of the `count` states by the one that stands for all states which differ from it only in the names
  /// of interchangeable processes. Not called unless symmetry reduction is on.
  virtual void canonicalize(std::byte* states, std::size_t count) const = 0;

  /// How many states of the full space the canonical `state` stands for.
  virtual std::uint64_t orbit_size(const std::byte* state) const = 0;
};

}  // namespace fencecheck::explorer
