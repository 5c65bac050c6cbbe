// What is claimed of situations, of public reports, of the survey's table of smallest models, and of the 23 mistakes
// that it suggests as mutants, each of which is a design: every claim is checked.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include <nlohmann/json.hpp>

#include <fencecheck/designs/catalogue.h>
#include <fencecheck/report/claims.h>
#include <fencecheck/report/expectation.h>

namespace fencecheck {
namespace {

std::string content_of(const std::string& file) {
  std::ifstream in(std::string(FENCECHECK_TEST_DATA) + "/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Scenario> scenarios() { return parse_scenarios(designs::scenarios_json(), "scenarios.json"); }
std::vector<Scenario> reports() { return parse_scenarios(content_of("reports.json"), "reports.json"); }
std::vector<Scenario> smallest_models() {
  return parse_scenarios(content_of("smallest_models.json"), "smallest_models.json");
}

std::vector<Scenario> survey_mutants() {
  return parse_scenarios(content_of("survey_mutants.json"), "survey_mutants.json");
}

/// What is not as claimed, a sentence each.
std::vector<std::string> unmet(const Scenario& scenario) {
  static const std::map<std::string, designs::Entry> entries = [] {
    std::map<std::string, designs::Entry> result;
    for (designs::Entry& entry : designs::catalogue()) {
      const std::string name = entry.design->text().name;
      result.emplace(name, std::move(entry));
    }
    return result;
  }();
  std::vector<std::string> sentences;
  for (const Claim& claim : scenario.claims) {
    const auto found = entries.find(claim.design);
    if (found == entries.end()) {
      sentences.push_back("there is no design " + claim.design);
      continue;
    }
    const Expectation expectation = parse_expectation(found->second.expected_json, claim.design);
    const CheckOptions options = options_for(claim, {}, expectation.bounds, expectation.switches);
    for (const std::string& each : fencecheck::unmet(claim, check(*found->second.design, options))) {
      sentences.push_back(claim.design + ": " + each);
    }
  }
  return sentences;
}

class EachClaim : public ::testing::TestWithParam<Scenario> {};

TEST_P(EachClaim, IsMet) { EXPECT_EQ(unmet(GetParam()), std::vector<std::string>{}) << GetParam().situation; }

std::string name_of(const ::testing::TestParamInfo<Scenario>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EachClaim, ::testing::ValuesIn(scenarios()), name_of);
INSTANTIATE_TEST_SUITE_P(Reports, EachClaim, ::testing::ValuesIn(reports()), name_of);
INSTANTIATE_TEST_SUITE_P(SmallestModels, EachClaim, ::testing::ValuesIn(smallest_models()), name_of);

INSTANTIATE_TEST_SUITE_P(SurveyMutants, EachClaim, ::testing::ValuesIn(survey_mutants()), name_of);

TEST(SurveyMutants, AreTwentyThree) { EXPECT_EQ(survey_mutants().size(), 23U); }

TEST(Reports, AreAllSaidButFive) {
  const std::vector<Scenario> all = reports();
  EXPECT_EQ(all.size(), 40u) << "the numbered reports of the domain's survey";
  const auto unsaid =
      std::count_if(all.begin(), all.end(), [](const Scenario& report) { return report.claims.empty(); });
  EXPECT_LE(unsaid, 5);
}

TEST(SmallestModels, AreAsLongAsTheSurveySaysOrTheDataSaysWhyNot) {
  for (const auto& row : nlohmann::json::parse(content_of("smallest_models.json"))) {
    for (const auto& claim : row.at("claims")) {
      for (const auto& [property, expected] : claim.at("expect").items()) {
        if (!expected.is_number_integer()) continue;
        const int difference = std::abs(expected.get<int>() - row.at("survey").get<int>());
        EXPECT_TRUE(difference <= 2 || row.contains("because")) << row.at("name") << ": " << property;
      }
    }
  }
}

}  // namespace
}  // namespace fencecheck
