// `fencecheck mutate`
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/json_run.h>
#include <fencecheck/report/mutate.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

std::string caught_text(const MutantResult& mutant) {
  std::string text;
  for (const Caught& each : mutant.caught_by) {
    text += fmt::format("{}{} in {}", text.empty() ? "caught by " : ", ", each.property, each.trace_length);
  }
  if (!text.empty()) return text;
  return mutant.complete ? "SURVIVES" : "unknown: the search was cut off";
}

const ExpectedMutant* expected_of(const CatalogueEntry& entry, const std::string& name) {
  if (!entry.expectation) return nullptr;
  const auto& all = entry.expectation->mutants;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ExpectedMutant& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void print_text(const CatalogueEntry& entry, const MutationResult& result, const MutateCommand& command) {
  fmt::print("{}: {}\n\n", result.design, bounds_text(result.bounds));
  for (const MutantResult& mutant : result.mutants) {
    fmt::print("  {}\n      {}\n", mutant.name, caught_text(mutant));
    const ExpectedMutant* expected = expected_of(entry, mutant.name);
    if (expected != nullptr && !expected->because.empty() && !command.world.any()) {
      for (const std::string& line : wrapped(expected->because, page_width - 6)) fmt::print("      {}\n", line);
    }
    if (command.runs && mutant.run) {
      fmt::print("\n{}\n", story(*mutant.run, true, {wanted(command.color, STDOUT_FILENO), false}));
    }
  }
  const auto caught = std::count_if(result.mutants.begin(), result.mutants.end(),
                                    [](const MutantResult& each) { return !each.caught_by.empty(); });
  fmt::print("\n{} mutants, {} caught.\n", result.mutants.size(), caught);
  if (static_cast<std::size_t>(caught) == result.mutants.size()) return;
  fmt::print("What survives is not needed within these bounds, or no property sees its loss: look at each of them.\n");
}

void print_json(const MutationResult& result, const DesignText& design) {
  Json json{{"design", result.design}, {"bounds", json_of(result.bounds)}};
  json["mutants"] = Json::array();
  for (const MutantResult& mutant : result.mutants) {
    Json caught = Json::array();
    for (const Caught& each : mutant.caught_by) {
      caught.push_back({{"property", each.property}, {"trace_length", each.trace_length}});
    }
    json["mutants"].push_back({{"name", mutant.name},
                               {"caught_by", caught},
                               {"complete", mutant.complete},
                               {"trace", mutant.run ? json_of(*mutant.run, design.properties) : Json(nullptr)}});
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

int mutate_command(const Catalogue& catalogue, const MutateCommand& command) {
  const CatalogueEntry& entry = catalogue.find(command.design);
  if (!entry.design->text().store_engine.empty()) {
    throw UsageError(
        fmt::format("mutate {}: a design file has no mutants: what it says is what the store runs. Take a "
                    "condition out of a statement by hand, and check that",
                    command.design));
  }
  MutationOptions options;
  options.bounds = command.world.applied_to(entry.bounds());
  options.switches = entry.switches();
  apply_settings(command.world.set, options.switches);
  const MutationResult result = mutate(*entry.design, options);
  if (command.format == "json") {
    print_json(result, entry.design->text());
  } else {
    print_text(entry, result, command);
  }
  if (!entry.expectation || entry.expectation->mutants.empty() || command.world.any()) return 0;
  const std::vector<std::string> differences = unexpected(result, entry.expectation->mutants);
  for (const std::string& each : differences) fmt::print(stderr, "{}: {}\n", result.design, each);
  return differences.empty() ? 0 : 1;
}

}  // namespace fencecheck
