#include <fencecheck/report/expectation.h>

#include <fmt/core.h>

#include <algorithm>

#include <fencecheck/report/json_run.h>
#include <fencecheck/report/story.h>

namespace fencecheck {
namespace {

std::optional<int> optional_int(const Json& json, const char* key) {
  if (!json.contains(key) || json.at(key).is_null()) return std::nullopt;
  return json.at(key).get<int>();
}

const ExpectedProperty* find(const Expectation& expectation, std::string_view name) {
  const auto found = std::find_if(expectation.properties.begin(), expectation.properties.end(),
                                  [&](const ExpectedProperty& each) { return each.name == name; });
  return found == expectation.properties.end() ? nullptr : &*found;
}

std::string describe(const PropertyResult& each) {
  return describe(each.verdict, each.trace ? std::optional(each.trace->length()) : std::nullopt, each.vacuous,
                  each.witness_length);
}

std::string describe(const ExpectedProperty& each) {
  return describe(each.verdict, each.trace_length, each.vacuous, each.witness_length);
}

}  // namespace

std::string describe(Verdict verdict, std::optional<int> trace_length, bool vacuous,
                     std::optional<int> witness_length) {
  std::string text = to_string(verdict);
  if (trace_length) text += " in " + steps_text(*trace_length);
  if (vacuous) text += ", vacuously";
  if (witness_length) text += ", witness of " + steps_text(*witness_length);
  return text;
}

std::optional<Verdict> parse_verdict(const std::string& word) {
  for (const Verdict verdict : {Verdict::holds, Verdict::violated, Verdict::unknown, Verdict::not_applicable}) {
    if (word == to_string(verdict)) return verdict;
  }
  return std::nullopt;
}

Expectation parse_expectation(const std::string& text, const std::string& where) {
  try {
    const Json json = Json::parse(text);
    Expectation expectation;
    expectation.source = json.at("source").get<std::string>();
    expectation.bounds = bounds_from(json.at("bounds"));
    expectation.switches = switches_from(json.at("switches"));
    expectation.states = json.at("states").get<std::uint64_t>();
    expectation.full_states = json.at("full_states").get<std::uint64_t>();
    expectation.full_transitions = json.at("full_transitions").get<std::uint64_t>();
    expectation.depth = json.at("depth").get<int>();
    for (const auto& [name, value] : json.at("properties").items()) {
      const std::string word = value.at("verdict").get<std::string>();
      const std::optional<Verdict> verdict = parse_verdict(word);
      if (!verdict) throw UsageError(fmt::format("'{}' is not a verdict", word));
      expectation.properties.push_back({name, *verdict, optional_int(value, "trace_length"),
                                        value.value("vacuous", false), optional_int(value, "witness_length")});
    }
    if (json.contains("uncovered")) {
      for (const Json& gap : json.at("uncovered")) expectation.uncovered.push_back(gap.get<std::string>());
    }
    if (json.contains("mutants")) {
      for (const auto& [name, value] : json.at("mutants").items()) {
        expectation.mutants.push_back({name, value.value("caught_by", ""), value.value("because", "")});
      }
    }
    return expectation;
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{}: {}", where, error.what()));
  }
}

bool is_expected(const PropertyResult& result, const Expectation& expectation) {
  const ExpectedProperty* expected = find(expectation, result.info.name);
  if (expected == nullptr && result.verdict == Verdict::not_applicable) return true;
  return expected != nullptr && describe(*expected) == describe(result);
}

std::vector<std::string> unexpected(const CheckResult& result, const Expectation& expectation) {
  std::vector<std::string> differences;
  const auto compare = [&](const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) differences.push_back(fmt::format("{} is {}, expected {}", what, found, expected));
  };
  for (const PropertyResult& each : result.properties) {
    if (is_expected(each, expectation)) continue;
    const ExpectedProperty* expected = find(expectation, each.info.name);
    differences.push_back(fmt::format("{} {}, expected {}", each.info.name, describe(each),
                                      expected == nullptr ? "nothing" : describe(*expected)));
  }
  if (result.symmetry) compare("the number of states", result.states, expectation.states);
  compare("the number of states without symmetry", result.full_states, expectation.full_states);
  compare("the number of transitions without symmetry", result.full_transitions, expectation.full_transitions);
  compare("the depth", static_cast<std::uint64_t>(result.depth), static_cast<std::uint64_t>(expectation.depth));
  return differences;
}

}  // namespace fencecheck
