#include <fencecheck/report/mutate.h>

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include <fencecheck/report/coverage.h>

namespace fencecheck {
namespace {

/// A design with one mistake.
class Mutant final : public Design {
 public:
  Mutant(const Design& design, Change change) : design_(design), change_(std::move(change)) {}
  const DesignText& text() const override { return design_.text(); }
  Bounds standard_bounds() const override { return design_.standard_bounds(); }
  std::unique_ptr<World> world(const Bounds& bounds, const SwitchValues& switches) const override {
    return design_.world(bounds, switches)->changed(change_);
  }

 private:
  const Design& design_;
  Change change_;
};

struct NamedChange {
  std::string name;
  Change change;
};

class Mutating {
 public:
  Mutating(const Design& design, const MutationOptions& options)
      : design_(design),
        options_(options),
        world_(design.world(options.bounds, options.switches)),
        start_(told_at_start(*world_)) {}

  MutationResult run() {
    MutationResult result{design_.text().name, options_.bounds, {}};
    const CheckResult original = check_of(design_);
    for (const PropertyResult& each : original.properties) {
      if (each.verdict == Verdict::holds) held_.emplace_back(each.info.name);
    }
    for (const NamedChange& each : changes()) {
      try {
        result.mutants.push_back(judged(each));
      } catch (const UsageError&) {
        // A step that contradicts itself or counts too far once a guard is gone: no run of it is worth telling.
      }
    }
    return result;
  }

 private:
  CheckResult check_of(const Design& design) const {
    CheckOptions options;
    options.bounds = options_.bounds;
    options.switches = options_.switches;
    options.limits.max_states = options_.max_states;
    options.properties = held_;
    return check(design, options);
  }

  MutantResult judged(const NamedChange& each) const {
    MutantResult mutant;
    mutant.name = each.name;
    if (held_.empty()) return mutant;  // nothing is left that could notice
    const CheckResult result = check_of(Mutant(design_, each.change));
    mutant.complete = result.complete;
    for (const PropertyResult& property : result.properties) {
      if (property.verdict != Verdict::violated) continue;
      mutant.caught_by.push_back({std::string(property.info.name), property.trace->length()});
      if (mutant.run && mutant.run->length() <= property.trace->length()) continue;
      mutant.run = property.trace;
    }
    std::stable_sort(mutant.caught_by.begin(), mutant.caught_by.end(),
                     [](const Caught& a, const Caught& b) { return a.trace_length < b.trace_length; });
    return mutant;
  }

  std::vector<NamedChange> changes() const {
    std::vector<NamedChange> result;
    const auto add_once = [&](const std::string& name, const Change& change) {
      const auto same = [&](const NamedChange& each) { return each.name == name; };
      if (std::none_of(result.begin(), result.end(), same)) result.push_back({name, change});
    };
    for (const GuardCoverage& guard : cover(*world_, options_.max_states).guards) {
      const std::string label = step_label(*world_, guard.action);
      result.push_back({fmt::format("\"{}\" in {} always passes", guard.name, label),
                        {.kind = Change::Kind::guard_forced, .action = guard.action, .guard = guard.name}});
      const StepText& step = world_->actions()[guard.action];
      if (step.program != 0 || step.components.empty() || step.grants) continue;
      add_once(fmt::format("{} decides one step too early", label),
               {.kind = Change::Kind::guard_too_early, .action = guard.action});
    }
    add_forgotten_fields(result);
    for (std::size_t a = 0; a < world_->actions().size(); ++a) {
      const StepText& step = world_->actions()[a];
      if (step.kind != ActionKind::worker_step || !step.present || !step.claims_one_transaction()) continue;
      for (const int component : step.may_change) {
        if (component == 0) continue;
        add_once(fmt::format("{} without its part at {}", step_label(*world_, a), component_name(component)),
                 {.kind = Change::Kind::part_lost, .action = a, .component = static_cast<std::size_t>(component)});
      }
    }
    return result;
  }

  void add_forgotten_fields(std::vector<NamedChange>& result) const {
    for (std::size_t c = 1; c < start_.components.size(); ++c) {
      for (std::size_t f = 0; f < start_.components[c].fields.size(); ++f) {
        const FieldTold& field = start_.components[c].fields[f];
        if (field.type == "value" || field.type == "effect") continue;
        result.push_back({fmt::format("{} of {} is not remembered", field.name, component_name(static_cast<int>(c))),
                          {.kind = Change::Kind::field_forgotten, .component = c, .field = f}});
      }
    }
  }

  std::string component_name(int component) const {
    return with_article(start_.components[static_cast<std::size_t>(component)].name);
  }

  const Design& design_;
  const MutationOptions& options_;
  std::unique_ptr<World> world_;
  StateTold start_;
  std::vector<std::string> held_;
};

}  // namespace

MutationResult mutate(const Design& design, const MutationOptions& options) { return Mutating(design, options).run(); }

std::vector<std::string> unexpected(const MutationResult& result, const std::vector<ExpectedMutant>& expected) {
  std::vector<std::string> sentences;
  const auto has_name = [](const std::string& name) { return [&name](const auto& each) { return each.name == name; }; };
  for (const MutantResult& mutant : result.mutants) {
    const auto wanted = std::find_if(expected.begin(), expected.end(), has_name(mutant.name));
    if (wanted == expected.end()) {
      sentences.push_back(fmt::format("{}: nothing is expected of it", mutant.name));
    } else if (wanted->caught_by.empty()) {
      if (!mutant.caught_by.empty()) {
        sentences.push_back(
            fmt::format("{}: caught by {}, expected to survive", mutant.name, mutant.caught_by[0].property));
      } else if (wanted->because.empty() || !mutant.complete) {
        sentences.push_back(fmt::format("{}: survives, and nothing says why", mutant.name));
      }
    } else if (std::none_of(mutant.caught_by.begin(), mutant.caught_by.end(),
                            [&](const Caught& each) { return each.property == wanted->caught_by; })) {
      sentences.push_back(fmt::format(
          "{}: {}, expected to be caught by {}", mutant.name,
          mutant.caught_by.empty() ? "survives" : "caught by " + mutant.caught_by[0].property, wanted->caught_by));
    }
  }
  for (const ExpectedMutant& each : expected) {
    if (std::none_of(result.mutants.begin(), result.mutants.end(), has_name(each.name))) {
      sentences.push_back(fmt::format("{}: there is no such mutant", each.name));
    }
  }
  return sentences;
}

}  // namespace fencecheck
