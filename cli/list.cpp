// `fencecheck list` and `fencecheck show`
#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

std::string kind_of(const FieldTold& field) {
  return field.name == field.type ? field.name : fmt::format("{} ({})", field.name, field.type);
}

std::string fields_text(const ComponentTold& component) {
  std::string text;
  for (const FieldTold& field : component.fields) text += (text.empty() ? "" : ", ") + kind_of(field);
  return text.empty() ? "nothing" : text;
}

void show_claim(const StepText& step, const std::string& where) {
  if (step.claims_one_transaction()) {
    fmt::print("        claims that the real system has one transaction over {}\n", where);
  }
}

void show_program(const World& world, const StateTold& state) {
  fmt::print("\n  what each worker does, over and over; anything may happen between two steps\n");
  int number = 0;
  for (const StepText& step : world.actions()) {
    if (step.kind != ActionKind::worker_step || !step.present) continue;
    const std::string where = component_names(step.components, state);
    fmt::print("    {:>2}. {} [{}]{}{}{}\n", ++number, step.name, where, step.in_finally ? " (finally)" : "",
               step.go_on ? " (goes on when turned away)" : "",
               step.first_of_visit ? "" : " (same visit, a later step)");
    show_claim(step, where);
  }
  fmt::print("\n  what else may happen at any time\n");
  for (const StepText& fault : world.actions()) {
    if (fault.kind == ActionKind::worker_step || !fault.present) continue;
    const std::string where = component_names(fault.components, state);
    fmt::print("      - {} [{}]\n", fault.name, where);
    show_claim(fault, where);
  }
}

}  // namespace

int list_command(const Catalogue& catalogue) {
  std::size_t width = 0;
  for (const CatalogueEntry& entry : catalogue.entries()) width = std::max(width, entry.design->text().name.size());
  for (const PropertyInfo& info : catalogue.properties()) width = std::max(width, info.name.size());
  fmt::print("designs ({} show DESIGN)\n", program_name());
  for (const CatalogueEntry& entry : catalogue.entries()) {
    fmt::print("  {:<{}}  {}\n", entry.design->text().name, width, entry.design->text().summary);
  }
  fmt::print("\nproperties ({} explain PROPERTY)\n", program_name());
  for (const PropertyInfo& info : catalogue.properties()) fmt::print("  {:<{}}  {}\n", info.name, width, info.claim);
  return 0;
}

int show_command(const Catalogue& catalogue, const std::string& name, const std::vector<std::string>& set) {
  const CatalogueEntry& entry = catalogue.find(name);
  const DesignText& text = entry.design->text();
  SwitchValues switches = entry.switches();
  apply_settings(set, switches);
  const std::unique_ptr<World> world = entry.design->world(entry.bounds(), switches);
  const std::vector<std::byte> initial = world->initial_states();
  const StateTold state = world->tell(initial.data());

  fmt::print("{}: {}\n\n  components\n", text.name, text.summary);
  for (const ComponentTold& component : state.components) {
    fmt::print("    {}: {}\n", component.name, fields_text(component));
  }
  show_program(*world, state);
  fmt::print("\n  checked within: {}\n", bounds_text(entry.bounds()));
  if (!text.switches.empty()) fmt::print("\n  switches (--set NAME=VALUE)\n");
  for (const SwitchText& each : text.switches) {
    std::string values;
    for (const std::string& value : each.values) {
      values += (values.empty() ? "" : " | ") + value + (value == each.standard ? " (standard)" : "");
    }
    fmt::print("    {}: {}\n      {}\n", each.name, values, each.help);
  }
  fmt::print("\n  properties\n");
  for (const PropertyText& each : text.properties) {
    fmt::print("    {:<26} {}\n", each.info.name,
               each.applies ? std::string(each.info.claim) : fmt::format("does not apply: needs {}", each.info.needs));
  }
  if (entry.expectation) fmt::print("\n  source: {}\n", entry.expectation->source);
  return 0;
}

}  // namespace fencecheck
