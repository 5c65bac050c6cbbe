#include <fencecheck/report/verdict.h>

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include <fencecheck/explorer/state_graph.h>
#include <fencecheck/report/names.h>

namespace fencecheck {
namespace {

using explorer::Targets;

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

SwitchValues all_switches(const DesignText& text, const SwitchValues& set) {
  SwitchValues values;
  for (const SwitchText& each : text.switches) values[each.name] = each.standard;
  for (const auto& [name, value] : set) values[name] = value;
  return values;
}

/// The numbers of the properties asked for: by name, or all that have something to say.
std::vector<std::size_t> chosen_properties(const DesignText& text, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const PropertyText& each : text.properties) known.emplace_back(each.info.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw UsageError(unknown_name("property", name, known));
    }
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const PropertyText& each = text.properties[i];
    const bool named = std::find(names.begin(), names.end(), known[i]) != names.end();
    if (named || (names.empty() && (each.applies || each.info.always_listed))) chosen.push_back(i);
  }
  return chosen;
}

Targets bit(int target) { return Targets{1} << target; }

class Checking {
 public:
  Checking(const Design& design, const CheckOptions& options)
      : design_(design),
        options_(options),
        chosen_(chosen_properties(design.text(), options.properties)),
        world_(design.world(options.bounds, options.switches)) {
    result_.design = design.text().name;
    result_.bounds = options.bounds;
    result_.switches = all_switches(design.text(), options.switches);
    result_.threads = options.threads;
  }

  CheckResult run() {
    if (options_.simulate) {
      simulate();
    } else {
      search();
    }
    result_.account = world_->account();
    result_.peak_memory_bytes = peak_memory_bytes();
    return std::move(result_);
  }

 private:
  const PropertyText& property(std::size_t i) const { return design_.text().properties[i]; }

  void name_actions(const std::vector<std::uint64_t>& fired) {
    const std::vector<std::string> labels = action_labels(*world_);
    for (std::size_t a = 0; a < labels.size(); ++a) {
      if (world_->actions()[a].present) result_.actions.emplace_back(labels[a], fired[a]);
    }
  }

  void search() {
    explorer::SearchOptions options;
    options.threads = options_.threads;
    options.symmetry = options_.symmetry && world_->workers_are_interchangeable();
    options.limits = options_.limits;
    options.interrupted = options_.interrupted;
    options.progress = options_.progress;
    for (const std::size_t i : chosen_) {
      if (options_.stop_at_first && property(i).applies) options.stop_at |= bit(violated_target(i));
    }
    explorer::Search search = begin(options);
    const explorer::SearchResult& found = search.run();
    result_.symmetry = options.symmetry;
    result_.complete = found.complete();
    result_.stopped_by = found.stopped_by;
    result_.states = found.states;
    result_.transitions = found.transitions;
    result_.depth = found.depth;
    result_.full_states = found.full_states;
    result_.full_transitions = found.full_transitions;
    result_.seconds = found.seconds;
    name_actions(found.fired);
    judge(found);
    tell_runs(search);
    judge_liveness();
  }

  explorer::Search begin(const explorer::SearchOptions& options) {
    try {
      return explorer::Search(*world_, options);
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--memory-limit: {}", error.what()));
    }
  }

  void judge(const explorer::SearchResult& found) {
    for (const std::size_t i : chosen_) {
      PropertyResult each;
      each.info = property(i).info;
      const auto violation = found.first_met[static_cast<std::size_t>(violated_target(i))];
      const auto witness = found.first_met[static_cast<std::size_t>(handled_target(i))];
      if (!property(i).applies) {
        each.verdict = Verdict::not_applicable;
      } else if (violation) {
        each.verdict = Verdict::violated;
      } else if (found.complete()) {
        each.verdict = Verdict::holds;
        each.vacuous = !witness;
        each.witness_length = witness;
      }
      result_.properties.push_back(each);
    }
  }

  void tell_runs(const explorer::Search& search) {
    Targets wanted = 0;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      const PropertyResult& each = result_.properties[k];
      if (each.verdict == Verdict::violated && options_.want_traces) wanted |= bit(violated_target(chosen_[k]));
      if (each.witness_length && options_.want_witnesses) wanted |= bit(handled_target(chosen_[k]));
    }
    const std::vector<explorer::Run> runs = search.shortest_runs(wanted);
    std::size_t next = 0;
    for (int target = 0; target < explorer::max_targets; ++target) {
      if ((wanted & bit(target)) == 0) continue;
      const bool is_witness = target >= handled_target(0);
      const auto property = static_cast<std::size_t>(is_witness ? target - handled_target(0) : target);
      const auto place = std::find(chosen_.begin(), chosen_.end(), property) - chosen_.begin();
      PropertyResult& each = result_.properties[static_cast<std::size_t>(place)];
      (is_witness ? each.witness : each.trace) = tell_run(*world_, runs[next++]);
    }
  }

  /// What may always happen in the end: over the graph of all states, without symmetry.
  void judge_liveness() {
    std::optional<explorer::StateGraph> graph;  // one for all of them
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      PropertyResult& each = result_.properties[k];
      if (each.info.subject != Subject::liveness || each.verdict != Verdict::holds) continue;
      if (result_.full_states > most_graph_states) {
        each.verdict = Verdict::unknown;
        each.witness_length.reset();
        continue;
      }
      if (!graph) graph = explorer::build_state_graph(*world_, most_graph_states);
      const auto run = explorer::shortest_run_to_trap(*graph, handled_target(chosen_[k]));
      if (!run) continue;
      each.verdict = Verdict::violated;
      each.witness_length.reset();
      each.witness.reset();
      each.trace = tell_run(*world_, *run);
    }
  }

  void simulate() {
    explorer::WalkOptions options;
    options.walks = options_.simulate->walks;
    options.seed = options_.simulate->seed;
    options.max_steps = std::min(options_.limits.max_depth, standard_walk_steps);
    if (options_.limits.max_depth != explorer::Limits{}.max_depth) options.max_steps = options_.limits.max_depth;
    options.seconds = options_.limits.seconds;
    options.interrupted = options_.interrupted;
    if (options_.progress) {
      options.progress = [&](std::uint64_t walks, std::uint64_t steps, double seconds) {
        options_.progress({.depth = 0, .states = walks, .transitions = steps, .waiting = 0, .seconds = seconds});
      };
    }
    const explorer::WalkResult walked = explorer::random_walks(*world_, options);
    result_.simulation = Simulation{walked.walks, options.seed, walked.steps};
    result_.stopped_by = walked.stopped_by;
    result_.depth = walked.longest;
    result_.threads = 1;
    result_.seconds = walked.seconds;
    name_actions(walked.fired);
    for (const std::size_t i : chosen_) {
      PropertyResult each;
      each.info = property(i).info;
      const auto& run = walked.first_met[static_cast<std::size_t>(violated_target(i))];
      if (!property(i).applies) {
        each.verdict = Verdict::not_applicable;
      } else if (run) {
        each.verdict = Verdict::violated;
        each.trace = tell_run(*world_, *run);
      }
      result_.properties.push_back(each);
    }
  }

  const Design& design_;
  const CheckOptions& options_;
  std::vector<std::size_t> chosen_;
  std::unique_ptr<World> world_;
  CheckResult result_;
};

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::violated: return "violated";
    case Verdict::unknown: return "unknown";
    case Verdict::not_applicable: return "not-applicable";
  }
  return "?";
}

CheckResult check(const Design& design, const CheckOptions& options) {
  try {
    return Checking(design, options).run();
  } catch (const explorer::FieldOverflow&) {
    throw UsageError(fmt::format(
        "{}: a field of the design came to hold a number that its type has no bits for within these bounds: a Token "
        "counts to the number of leases, a Count<N> to N, a RequestId or Fingerprint to 15. Does an issuer add more "
        "than one for each grant?",
        design.text().name));
  }
}

int exit_code(const CheckResult& result) {
  const auto any = [&](Verdict verdict) {
    return std::any_of(result.properties.begin(), result.properties.end(),
                       [&](const PropertyResult& each) { return each.verdict == verdict; });
  };
  const bool safety = std::any_of(result.properties.begin(), result.properties.end(), [](const PropertyResult& each) {
    return each.verdict == Verdict::violated && each.info.subject != Subject::liveness;
  });
  if (safety) return 12;
  if (any(Verdict::violated)) return 13;
  if (any(Verdict::unknown)) return 2;
  return 0;
}

std::vector<std::string> action_labels(const World& world) {
  const StateTold state = told_at_start(world);
  std::vector<std::string> labels;
  std::map<std::string, int> times;
  for (const StepText& action : world.actions()) {
    const std::string components = component_names(action.components, state);
    const std::string label = fmt::format("{} ({})", action.name, components);
    const int time = action.present ? ++times[label] : 1;
    labels.push_back(time == 1 ? label : fmt::format("{} ({}, {})", action.name, components, time));
  }
  return labels;
}

}  // namespace fencecheck
