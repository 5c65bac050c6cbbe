#include <fencecheck/report/telling.h>

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace fencecheck {

void append(ToldRun& run, const StepTold& step) {
  run.steps.push_back(step);
  if (!step.granted || step.lease <= static_cast<int>(run.grants.size())) return;  // or handed out again
  run.grants.push_back({step.lease, step.move.actor, step.granted_token, run.length()});
}

StateTold told_at_start(const World& world) {
  const std::vector<std::byte> initial = world.initial_states();
  return world.tell(initial.data());
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

std::string actor_name(const StateTold& state, int actor) {
  const std::string& name = state.workers[static_cast<std::size_t>(actor)].name;
  return name.empty() ? worker_name(actor) : name;
}

std::string grant_name(const ToldRun& run, int lease) {
  if (lease == 0) return "-";
  const auto index = static_cast<std::size_t>(lease - 1);
  if (index >= run.grants.size()) return fmt::format("#{}", lease);
  return fmt::format("{}#{}", worker_name(run.grants[index].worker), lease);
}

namespace {

// "A#1/2": the second operation of that lease's owner; "job/1" where an operation is the same for all leases; a dash
// behind it where it goes by another name.
std::string operation_name(const ToldRun& run, int number) {
  if (number == 0) return "-";
  const int lease = number & 15;
  return fmt::format("{}/{}{}", lease == 0 ? "job" : grant_name(run, lease), number >> 4 & 3,
                     (number >> 6) != 0 ? "'" : "");
}

}  // namespace

std::string field_text(const ToldRun& run, const FieldTold& field) {
  if (field.type == "handle" || field.type == "value" || field.type == "lease") return grant_name(run, field.number);
  if (field.type == "owner") return field.number == 0 ? "-" : worker_name(field.number - 1);
  if (field.type == "request id" || field.type == "fingerprint") return operation_name(run, field.number);
  if (field.type == "flag") return field.number == 0 ? "no" : "yes";
  return field.word.empty() ? std::to_string(field.number) : field.word;
}

int sent_token(const StepTold& step) {
  const auto sent =
      std::find_if(step.sent.begin(), step.sent.end(), [](const FieldTold& field) { return field.name == "token"; });
  return sent == step.sent.end() ? 0 : sent->number;
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
