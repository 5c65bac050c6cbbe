// `fencecheck check --scenario NAME` and `fencecheck list scenarios`
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include <fencecheck/cli/commands.h>
#include <fencecheck/report/names.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

const Scenario& find(const Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> names;
  for (const Scenario& scenario : catalogue.scenarios()) {
    if (scenario.name == name) return scenario;
    names.push_back(scenario.name);
  }
  throw UsageError(unknown_name("scenario", name, names));
}

/// Checks one claim and tells of it. How many of its expectations are not met.
std::size_t check_claim(const Catalogue& catalogue, const Claim& claim, const CheckOptions& common, bool color) {
  const CatalogueEntry& entry = catalogue.find(claim.design);
  CheckOptions options = options_for(claim, common, entry.bounds(), entry.switches());
  options.want_witnesses = true;
  const CheckResult result = check(*entry.design, options);
  fmt::print("\n{}", text_report(result, entry.design->text(), {color, true}));
  const std::vector<std::string> differences = unmet(claim, result);
  for (const std::string& each : differences) fmt::print(stderr, "{}: {}\n", claim.design, each);
  return differences.size();
}

}  // namespace

int scenario_command(const Catalogue& catalogue, const std::string& name, const CheckOptions& common, bool color) {
  const Scenario& scenario = find(catalogue, name);
  fmt::print("{}\n", scenario.name);
  for (const std::string& line : wrapped(scenario.situation, page_width - 2)) fmt::print("  {}\n", line);
  std::size_t differences = 0;
  std::size_t expectations = 0;
  for (const Claim& claim : scenario.claims) {
    differences += check_claim(catalogue, claim, common, color);
    expectations += claim.expect.size();
  }
  fmt::print("\n{}: {} of {} verdicts are as the scenario says.\n", name, expectations - differences, expectations);
  return differences == 0 ? 0 : 1;
}

int list_scenarios_command(const Catalogue& catalogue) {
  if (catalogue.scenarios().empty()) {
    fmt::print("there are no scenarios here\n");
    return 0;
  }
  std::size_t width = 0;
  for (const Scenario& scenario : catalogue.scenarios()) width = std::max(width, scenario.name.size());
  fmt::print("scenarios ({} check --scenario NAME)\n", program_name());
  for (const Scenario& scenario : catalogue.scenarios()) {
    std::string verdicts;
    for (const Claim& claim : scenario.claims) {
      for (const ExpectedVerdict& each : claim.expect) {
        const std::string text = each.trace_length                ? fmt::format("breaks in {}", *each.trace_length)
                                 : each.verdict == Verdict::holds ? "holds"
                                                                  : "breaks";
        verdicts += fmt::format("{}{}: {} {}", verdicts.empty() ? "" : "; ", claim.design, each.property, text);
      }
    }
    std::string line = fmt::format("  {:<{}}  ", scenario.name, width);
    for (const std::string& each : wrapped(scenario.situation, page_width - width - 4)) {
      fmt::print("{}{}\n", line, each);
      line = std::string(width + 4, ' ');
    }
    for (const std::string& each : wrapped(verdicts, page_width - width - 6)) {
      fmt::print("{}  {}\n", std::string(width + 4, ' '), each);
    }
  }
  return 0;
}

}  // namespace fencecheck
