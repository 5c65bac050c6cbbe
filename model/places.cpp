#include <fencecheck/model/places.h>

#include <algorithm>

namespace fencecheck {

Places::Places(const std::vector<StepText>& steps) : after_(steps.size()) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].present) step_at_.push_back(i);
  }
  std::vector<int> visit(steps.size());  // which visit a step belongs to
  for (std::size_t i = 1; i < steps.size(); ++i) visit[i] = visit[i - 1] + (steps[i].first_of_visit ? 1 : 0);
  // The place of the first step behind `step` that is `wanted`, or the beginning.
  const auto place_behind = [&](std::size_t step, auto wanted) {
    for (std::size_t place = 0; place < step_at_.size(); ++place) {
      if (step_at_[place] > step && wanted(step_at_[place])) return static_cast<std::uint8_t>(place);
    }
    return std::uint8_t{0};
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepText& step = steps[i];
    const std::uint8_t next = place_behind(i, [](std::size_t) { return true; });
    const std::uint8_t next_visit = place_behind(i, [&](std::size_t later) { return visit[later] != visit[i]; });
    const std::uint8_t closing = place_behind(i, [&](std::size_t later) { return steps[later].in_finally; });
    const std::uint8_t turned_away = step.go_on || step.in_finally ? next_visit : closing;
    const auto set = [&](Reply reply, std::uint8_t place) { after_[i][static_cast<std::size_t>(reply)] = place; };
    set(Reply::next, next);
    set(Reply::accepted, next_visit);
    set(Reply::granted, next_visit);
    set(Reply::stale, turned_away);
    set(Reply::refused, turned_away);
  }
}

}  // namespace fencecheck
