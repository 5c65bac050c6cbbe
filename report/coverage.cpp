#include <fencecheck/report/coverage.h>

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include <fencecheck/report/verdict.h>

namespace fencecheck {
namespace {

class Covering {
 public:
  Covering(const World& world, std::size_t max_states)
      : world_(world), max_states_(max_states), successors_(world.state_bytes(), world.max_successors()) {
    result_.happened.resize(world.actions().size());
  }

  Coverage run() {
    std::vector<std::byte> initial = world_.initial_states();
    add(initial.data());
    for (std::size_t next = 0; next < states_.size(); ++next) {  // NOLINT(modernize-loop-convert): it grows meanwhile
      expand(std::string(*states_[next]));
    }
    std::stable_sort(result_.guards.begin(), result_.guards.end(),
                     [](const GuardCoverage& a, const GuardCoverage& b) { return a.action < b.action; });
    return std::move(result_);
  }

 private:
  void expand(const std::string& state) {
    successors_.clear();
    world_.expand(reinterpret_cast<const std::byte*>(state.data()), 1, successors_);
    for (std::size_t i = 0; i < successors_.size(); ++i) {
      const explorer::Move move = successors_.move(i);
      ++result_.happened[move.action];
      if (is_visit(world_.actions()[move.action].kind)) note_guards(state, move);
      add(successors_.state(i));
    }
  }

  void add(std::byte* state) {
    world_.canonicalize(state, 1);
    if (states_.size() == max_states_) {
      result_.complete = false;
      return;
    }
    const auto [entry, is_new] = seen_.emplace(reinterpret_cast<const char*>(state), world_.state_bytes());
    if (is_new) states_.push_back(&*entry);
  }

  void note_guards(std::string state, explorer::Move move) {
    StepTold told;
    if (!world_.take(reinterpret_cast<std::byte*>(state.data()), move, told)) return;
    const std::size_t action = told.step;
    for (const GuardTold& guard : told.guards) {
      auto found = std::find_if(result_.guards.begin(), result_.guards.end(), [&](const GuardCoverage& each) {
        return each.name == guard.name && is_same_step(world_.actions()[each.action], world_.actions()[action]);
      });
      if (found == result_.guards.end()) {
        result_.guards.push_back({action, guard.name, false, false});
        found = result_.guards.end() - 1;
      }
      (guard.passed ? found->was_true : found->was_false) = true;
    }
  }

  const World& world_;
  std::size_t max_states_;
  explorer::Successors successors_;
  std::unordered_set<std::string> seen_;
  std::vector<const std::string*> states_;
  Coverage result_;
};

}  // namespace

Coverage cover(const World& world, std::size_t max_states) { return Covering(world, max_states).run(); }

std::string step_label(const World& world, std::size_t action) {
  const StepText& step = world.actions()[action];
  return fmt::format("{} ({})", step.name, component_names(step.components, told_at_start(world)));
}

std::vector<std::string> gaps(const World& world, const Coverage& coverage) {
  const std::vector<std::string> labels = action_labels(world);
  std::vector<std::string> sentences;
  for (std::size_t a = 0; a < labels.size(); ++a) {
    const StepText& action = world.actions()[a];
    const bool counts = action.kind == ActionKind::worker_step || action.kind == ActionKind::declared;
    if (counts && action.present && coverage.happened[a] == 0) {
      sentences.push_back(fmt::format("{} never happens", labels[a]));
    }
  }
  for (const GuardCoverage& guard : coverage.guards) {
    if (guard.was_true && guard.was_false) continue;
    sentences.push_back(fmt::format("\"{}\" in {} is never {}", guard.name, step_label(world, guard.action),
                                    guard.was_true ? "false" : "true"));
  }
  return sentences;
}

}  // namespace fencecheck
