// The places of a program: where a worker can stand, and where it goes on after each answer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fencecheck/model/step.h>
#include <fencecheck/model/telling.h>

namespace fencecheck {

/// Numbers the steps of one program that are present with the switches as set; only those need a place of their own, so
/// that the others cost no bits. Place 0 is the beginning.
class Places {
 public:
  Places() = default;

  /// `steps`: the steps of all programs in order, without the faults. `program`: the one whose places these are.
  /// `twice`: the steps that have two places, one after the other; their answers lead on from both.
  Places(const std::vector<StepText>& steps, int program, const std::vector<bool>& twice);

  int count() const { return static_cast<int>(step_at_.size()); }
  std::size_t step_at(std::uint8_t place) const { return step_at_[place]; }

  /// Whether `place` is the second of the two that the step there has.
  bool is_second(std::uint8_t place) const { return place > 0 && step_at_[place] == step_at_[place - 1u]; }

  /// The place of a worker that was answered `reply` at step number `step`; 0: the program is over.
  std::uint8_t after(std::size_t step, Reply reply) const { return after_[step][static_cast<std::size_t>(reply)]; }

 private:
  std::vector<std::size_t> step_at_;
  std::vector<std::array<std::uint8_t, reply_count>> after_;
};

}  // namespace fencecheck
