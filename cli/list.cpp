// `fencecheck list` and `fencecheck show`
#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/cli/commands.h>
#include <fencecheck/model/program.h>
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

std::string program_heading(const StepText& step) {
  switch (step.program) {
    case detail::main_program: return "what each worker does, over and over; anything may happen between two steps";
    case detail::beside_program: return "what runs beside that, with the worker's grant and memory";
    case detail::forger_program: return "what a forger does, with a token that no issuer handed out";
    default: return fmt::format("what {} does, without a lease", with_article(step.program_name));
  }
}

/// What a step says of itself beside its name.
std::string remarks(const StepText& step) {
  std::string text;
  if (step.in_finally) text += " (finally)";
  if (step.go_on) text += " (goes on when turned away)";
  if (step.manner.retry) text += " (made anew when its reply is lost)";
  if (step.in_recovery) text += " (only where a reply was lost)";
  if (step.manner.basis) text += " (what is decided by)";
  if (step.manner.request == 2) text += " (second operation)";
  if (step.manner.new_id) text += " (under another id)";
  if (step.manner.changed_payload) text += " (with another payload)";
  if (!step.first_of_visit) text += " (same visit, a later step)";
  return text;
}

void show_programs(const World& world, const StateTold& state) {
  int number = 0;
  int program = -1;
  for (const StepText& step : world.actions()) {
    if (step.kind != ActionKind::worker_step || !step.present) continue;
    if (step.program != program) fmt::print("\n  {}\n", program_heading(step));
    number = step.program == program ? number + 1 : 1;
    program = step.program;
    const std::string where = step.components.empty() ? "itself" : component_names(step.components, state);
    fmt::print("    {:>2}. {} [{}]{}\n", number, step.name, where, remarks(step));
    show_claim(step, where);
  }
}

void show_faults(const World& world, const StateTold& state, const Bounds& bounds) {
  fmt::print("\n  what else may happen at any time\n");
  for (const StepText& fault : world.actions()) {
    if (is_visit(fault.kind) || fault.kind == ActionKind::sent_late || !fault.present) continue;
    const std::string where = fault.components.empty() ? "a worker" : component_names(fault.components, state);
    fmt::print("      - {} [{}]\n", fault.name, where);
    show_claim(fault, where);
  }
  for (const Fault fault : {Fault::lost_reply, Fault::late_request, Fault::duplicate, Fault::stale_read}) {
    if (budget(bounds, fault) > 0) fmt::print("      - {}: {}\n", text_of(fault).noun, text_of(fault).help);
  }
}

void show_properties(const DesignText& text) {
  fmt::print("\n  properties\n");
  std::string others;
  for (const PropertyText& each : text.properties) {
    if (each.applies) {
      fmt::print("    {:<30} {}\n", each.info.name, each.info.claim);
    } else if (each.info.always_listed) {
      fmt::print("    {:<30} does not apply: needs {}\n", each.info.name, each.info.needs);
    } else {
      others += (others.empty() ? "" : ", ") + std::string(each.info.name);
    }
  }
  if (others.empty()) return;
  for (const std::string& line : wrapped("not asked of it: " + others, page_width - 4)) fmt::print("    {}\n", line);
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
  const StateTold state = told_at_start(*world);

  fmt::print("{}: {}\n\n  components\n", text.name, text.summary);
  for (const ComponentTold& component : state.components) {
    fmt::print("    {}: {}\n", component.name, fields_text(component));
  }
  show_programs(*world, state);
  show_faults(*world, state, entry.bounds());
  fmt::print("\n  checked within: {}\n", bounds_text(entry.bounds()));
  if (!text.switches.empty()) fmt::print("\n  switches (--set NAME=VALUE)\n");
  for (const SwitchText& each : text.switches) {
    std::string values;
    for (const std::string& value : each.values) {
      values += (values.empty() ? "" : " | ") + value + (value == each.standard ? " (standard)" : "");
    }
    fmt::print("    {}: {}\n      {}\n", each.name, values, each.help);
  }
  show_properties(text);
  if (entry.expectation) fmt::print("\n  source: {}\n", entry.expectation->source);
  return 0;
}

}  // namespace fencecheck
