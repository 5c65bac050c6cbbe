// The places of a program: where a worker can stand, and where it goes on after each answer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fencecheck/model/step.h>
#include <fencecheck/model/telling.h>

namespace fencecheck {

/// Numbers the steps that are present with the switches as set; only those need a place of their own, so that the
/// others cost no bits. Place 0 is the beginning.
class Places {
 public:
  Places() = default;

  /// `steps`: the steps of the program in order, without the faults.
  explicit Places(const std::vector<StepText>& steps);

  int count() const { return static_cast<int>(step_at_.size()); }
  std::size_t step_at(std::uint8_t place) const { return step_at_[place]; }

  /// The place of a worker that was answered `reply` at step number `step`; 0: the program is over.
  std::uint8_t after(std::size_t step, Reply reply) const { return after_[step][static_cast<std::size_t>(reply)]; }

 private:
  static constexpr std::size_t replies = static_cast<std::size_t>(Reply::wait) + 1;

  std::vector<std::size_t> step_at_;
  std::vector<std::array<std::uint8_t, replies>> after_;
};

}  // namespace fencecheck
