#include <fencecheck/model/places.h>

#include <algorithm>

namespace fencecheck {
namespace {

// Which visit and which recovery (0: none) each step belongs to.
struct Parts {
  std::vector<int> visit;
  std::vector<int> recovery;

  explicit Parts(const std::vector<StepText>& steps) : visit(steps.size()), recovery(steps.size()) {
    int visits = 0;
    int recoveries = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      visits += steps[i].first_of_visit ? 1 : 0;
      recoveries += steps[i].first_of_recovery ? 1 : 0;
      visit[i] = visits;
      recovery[i] = steps[i].in_recovery ? recoveries : 0;
    }
  }
};

}  // namespace

Places::Places(const std::vector<StepText>& steps, int program, const std::vector<bool>& twice) : after_(steps.size()) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].program != program || !steps[i].present) continue;
    step_at_.push_back(i);
    if (twice[i]) step_at_.push_back(i);
  }
  const Parts parts(steps);
  // The first place whose step is `wanted`; 0, the beginning, where there is none.
  const auto place_where = [&](auto wanted) -> std::uint8_t {
    for (std::size_t place = 0; place < step_at_.size(); ++place) {
      if (wanted(step_at_[place])) return static_cast<std::uint8_t>(place);
    }
    return 0;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepText& step = steps[i];
    if (step.program != program) continue;
    const auto behind = [&](auto wanted) {  // recoveries that this step is not part of are passed by
      return place_where([&](std::size_t later) {
        return later > i && (parts.recovery[later] == 0 || parts.recovery[later] == parts.recovery[i]) && wanted(later);
      });
    };
    const auto next = behind([](std::size_t) { return true; });
    const auto next_visit = behind([&](std::size_t later) { return parts.visit[later] != parts.visit[i]; });
    const auto closing = behind([&](std::size_t later) { return steps[later].in_finally; });
    // Who was granted nothing has nothing to tidy away.
    const std::uint8_t away = step.grants ? std::uint8_t{0} : closing;
    const auto turned_away = step.go_on || step.in_finally ? next_visit : away;
    const auto visit_start = place_where([&](std::size_t other) { return parts.visit[other] == parts.visit[i]; });
    const auto recovery = [&]() -> std::uint8_t {
      const auto first = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(i) + 1, steps.end(),
                                      [](const StepText& later) { return later.in_recovery; });
      const int wanted = first == steps.end() ? 0 : parts.recovery[static_cast<std::size_t>(first - steps.begin())];
      const auto place = place_where([&](std::size_t s) { return s > i && parts.recovery[s] == wanted; });
      return place != 0 ? place : next_visit;
    };
    const auto set = [&](Reply reply, std::uint8_t place) { after_[i][static_cast<std::size_t>(reply)] = place; };
    set(Reply::next, next);
    set(Reply::accepted, next_visit);
    set(Reply::granted, next_visit);
    set(Reply::stale, turned_away);
    set(Reply::refused, turned_away);
    set(Reply::unknown, step.manner.retry ? visit_start : step.recovers ? recovery() : turned_away);
    set(Reply::again, visit_start);
  }
}

}  // namespace fencecheck
