#include <fencecheck/report/telling.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace fencecheck {

void append(ToldRun& run, const StepTold& step) {
  run.steps.push_back(step);
  if (!step.granted) return;
  const WorkerTold& owner = step.after.workers[static_cast<std::size_t>(step.move.actor)];
  run.grants.push_back({step.lease, step.move.actor, owner.token, run.length()});
}

ToldRun tell_run(const World& world, const explorer::Run& run) {
  const std::vector<std::byte> initial = world.initial_states();
  const auto bytes = static_cast<std::ptrdiff_t>(world.state_bytes());
  const auto start = initial.begin() + static_cast<std::ptrdiff_t>(run.initial) * bytes;
  std::vector<std::byte> state(start, start + bytes);
  ToldRun told;
  told.initial = world.tell(state.data());
  for (const explorer::Move move : run.moves) {
    StepTold step;
    if (!world.take(state.data(), move, step)) {
      throw std::logic_error(fmt::format("step {} of a run is not possible", told.steps.size() + 1));
    }
    append(told, step);
  }
  return told;
}

std::string worker_name(int worker) { return std::string(1, static_cast<char>('A' + worker)); }

std::string grant_name(const ToldRun& run, int lease) {
  if (lease == 0) return "-";
  const auto index = static_cast<std::size_t>(lease - 1);
  if (index >= run.grants.size()) return fmt::format("#{}", lease);
  return fmt::format("{}#{}", worker_name(run.grants[index].worker), lease);
}

std::string field_text(const ToldRun& run, const FieldTold& field) {
  if (field.type == "handle" || field.type == "value" || field.type == "lease") return grant_name(run, field.number);
  if (field.type == "owner") return field.number == 0 ? "-" : worker_name(field.number - 1);
  if (field.type == "flag") return field.number == 0 ? "no" : "yes";
  return std::to_string(field.number);
}

std::string with_article(const std::string& name) {
  const bool numbered = !name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0;
  return numbered ? name : "the " + name;
}

std::string component_names(const StepTold& step) { return component_names(step.components, step.before); }

std::string component_names(const std::vector<int>& visited, const StateTold& state) {
  std::string names;
  for (const int component : visited) {
    if (static_cast<std::size_t>(component) >= state.components.size()) continue;  // a store not in use
    names += (names.empty() ? "" : " + ") + state.components[static_cast<std::size_t>(component)].name;
  }
  return names;
}

}  // namespace fencecheck
