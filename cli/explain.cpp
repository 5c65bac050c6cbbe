// `fencecheck explain`
#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

/// A design that the property names as an example, with the length of its run where the catalogue knows it.
std::string example(const Catalogue& catalogue, std::string_view design, std::string_view property) {
  for (const CatalogueEntry& entry : catalogue.entries()) {
    if (entry.design->text().name != design || !entry.expectation) continue;
    for (const ExpectedProperty& each : entry.expectation->properties) {
      if (each.name != property) continue;
      if (each.trace_length) return fmt::format("{}, in {}", design, steps_text(*each.trace_length));
      if (each.witness_length) return fmt::format("{}; witness of {}", design, steps_text(*each.witness_length));
    }
  }
  return std::string(design);
}

void line(const char* label, std::string_view text) {
  constexpr std::size_t indent = 17;
  for (const std::string& each : wrapped(std::string(text), page_width - indent)) {
    fmt::print("  {:<{}}{}\n", label, indent - 2, each);
    label = "";
  }
}

}  // namespace

int explain_command(const Catalogue& catalogue, const std::string& name) {
  const PropertyInfo info = catalogue.find_property(name);
  fmt::print("{}\n", info.name);
  line("claim", info.claim);
  line("source", info.source);
  line("needs", info.needs);
  line("situation", info.situation);
  line("does not say", info.not_said);
  if (!info.broken_by.empty()) line("broken by", example(catalogue, info.broken_by, info.name));
  if (!info.held_by.empty()) line("held by", example(catalogue, info.held_by, info.name));
  return 0;
}

}  // namespace fencecheck
