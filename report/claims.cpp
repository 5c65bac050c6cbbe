#include <fencecheck/report/claims.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/report/expectation.h>
#include <fencecheck/report/json_run.h>

namespace fencecheck {
namespace {

ExpectedVerdict expected_from(const std::string& property, const Json& json) {
  ExpectedVerdict expected{property, Verdict::violated, std::nullopt};
  if (json.is_number_integer()) {
    expected.trace_length = json.get<int>();
    return expected;
  }
  const std::string word = json.is_string() ? json.get<std::string>() : json.dump();
  const std::optional<Verdict> verdict = parse_verdict(word);
  if (!verdict || *verdict == Verdict::not_applicable || *verdict == Verdict::unknown) {
    throw UsageError(fmt::format("{}: '{}' is neither `holds`, `violated` nor a number of steps", property, word));
  }
  expected.verdict = *verdict;
  return expected;
}

Claim claim_from(const Json& json) {
  Claim claim;
  claim.design = json.at("design").get<std::string>();
  if (json.contains("bounds")) claim.bounds = bounds_from(json.at("bounds"));
  if (json.contains("switches")) claim.switches = switches_from(json.at("switches"));
  for (const auto& [property, value] : json.at("expect").items()) {
    claim.expect.push_back(expected_from(property, value));
  }
  if (claim.expect.empty()) throw UsageError(fmt::format("{}: nothing is expected of it", claim.design));
  return claim;
}

std::optional<int> trace_length(const PropertyResult& result) {
  return result.trace ? std::optional(result.trace->length()) : std::nullopt;
}

}  // namespace

std::string ExpectedVerdict::text() const { return describe(verdict, trace_length); }

CheckOptions options_for(const Claim& claim, CheckOptions common, const Bounds& bounds, const SwitchValues& switches) {
  common.bounds = claim.bounds.value_or(bounds);
  common.switches = switches;
  for (const auto& [name, value] : claim.switches) common.switches[name] = value;
  for (const ExpectedVerdict& each : claim.expect) common.properties.push_back(each.property);
  return common;
}

std::vector<Scenario> parse_scenarios(const std::string& text, const std::string& where) {
  std::string name = "the first entry";
  try {
    std::vector<Scenario> scenarios;
    for (const Json& json : Json::parse(text)) {
      Scenario scenario;
      scenario.name = name = json.at("name").get<std::string>();
      scenario.situation = json.at("situation").get<std::string>();
      for (const Json& claim : json.at("claims")) scenario.claims.push_back(claim_from(claim));
      scenarios.push_back(std::move(scenario));
    }
    return scenarios;
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{}: {}: {}", where, name, error.what()));
  }
}

std::vector<std::string> unmet(const Claim& claim, const CheckResult& result) {
  std::vector<std::string> sentences;
  for (const ExpectedVerdict& expected : claim.expect) {
    const auto found = std::find_if(result.properties.begin(), result.properties.end(),
                                    [&](const PropertyResult& each) { return each.info.name == expected.property; });
    if (found == result.properties.end()) {
      sentences.push_back(fmt::format("{} is not judged, expected {}", expected.property, expected.text()));
      continue;
    }
    const bool same_length = !expected.trace_length || trace_length(*found) == expected.trace_length;
    if (found->verdict == expected.verdict && same_length && !found->vacuous) continue;
    sentences.push_back(fmt::format("{} {}, expected {}", expected.property,
                                    describe(found->verdict, trace_length(*found), found->vacuous), expected.text()));
  }
  return sentences;
}

}  // namespace fencecheck
