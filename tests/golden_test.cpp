// `core` gives the exact numbers on which five independently written checkers agree.
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/explorer/search.h>

#include "reference/golden_file.h"
#include "support/checks.h"
#include "support/core_world.h"

namespace fencecheck::reference {
// For GoogleTest, when it lists the rows.
void PrintTo(const GoldenRow& row, std::ostream* out) { *out << row.name; }
}  // namespace fencecheck::reference

namespace fencecheck::tests {
namespace {

using explorer::Search;
using explorer::SearchResult;
using reference::GoldenRow;

std::vector<GoldenRow> rows() { return reference::read_golden(GOLDEN_FILE); }

class Golden : public testing::TestWithParam<GoldenRow> {};

TEST_P(Golden, CoreGivesTheNumbersOfThisRow) {
  for (const int threads : {1, 2}) {
    EXPECT_TRUE(core_agrees(GetParam().setup, GetParam().result, threads)) << threads << " threads";
  }
}

std::string name_of(const testing::TestParamInfo<GoldenRow>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(, Golden, testing::ValuesIn(rows()), name_of);

TEST(GoldenFile, HasAllOfItsRows) { EXPECT_EQ(rows().size(), 28U); }

TEST(GoldenFile, IsReadWithAllOfItsColumns) {
  const GoldenRow row = rows().at(4);
  EXPECT_EQ(row.name, "W2_S1_L3_IR1_SR1_none_accept_name_no");
  EXPECT_EQ(row.setup.workers, 2);
  EXPECT_EQ(row.setup.leases, 3);
  EXPECT_EQ(row.setup.issuer_restores, 1);
  EXPECT_EQ(row.setup.release, reference::Release::name);
  EXPECT_EQ(row.result.states, 5524U);
  EXPECT_EQ(row.result.transitions, 17866U);
  EXPECT_EQ(row.result.depth, 14);
  EXPECT_EQ(row.result.lengths, (reference::Lengths{5, 5, 4, std::nullopt, 3}));
  EXPECT_EQ(row.result.states_up_to_symmetry, 2915U);
}

TEST(GoldenFile, ADifferenceInAnyColumnIsNoticed) {
  const reference::Result right = rows().at(4).result;
  EXPECT_EQ(differences(right, right), "");
  reference::Result wrong = right;
  ++wrong.states;
  EXPECT_EQ(differences(wrong, right), "states is 5525 instead of 5524");
  wrong = right;
  ++wrong.depth;
  wrong.lengths[3] = 4;
  EXPECT_EQ(differences(wrong, right), "depth is 15 instead of 14, newest_never_rejected is 4 instead of holds");
  wrong = right;
  ++wrong.transitions;
  --wrong.states_up_to_symmetry;
  EXPECT_EQ(differences(wrong, right),
            "transitions is 17867 instead of 17866, states_up_to_symmetry is 2914 instead of 2915");
}

// --- the space that is measured
// ---------------------------------------------------------------------------------------

class BenchmarkSpace : public testing::TestWithParam<int> {
 protected:
  void expect_figures(bool symmetry, std::uint64_t states) {
    const auto world = core_world({.workers = 5, .stores = 2, .leases = 8, .check = reference::Check::atomic});
    Search search(*world, options(GetParam(), symmetry));
    const SearchResult& result = search.run();
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(result.states, states);
    EXPECT_EQ(result.full_states, 8'741'329U);
    EXPECT_EQ(result.full_transitions, 44'756'590U);
    EXPECT_EQ(result.depth, 32);
    using reference::Lengths;
    Lengths lengths;
    for (std::size_t p = 0; p < lengths.size(); ++p) {
      lengths[p] = result.first_met[static_cast<std::size_t>(violated_target(p))];
    }
    // Only a successor's newest lease does not fence at once.
    EXPECT_EQ(lengths, (Lengths{std::nullopt, std::nullopt, 4, std::nullopt, std::nullopt}));
  }
};

TEST_P(BenchmarkSpace, HasEightPointSevenMillionStatesAndItsTwoPropertiesHold) { expect_figures(false, 8'741'329); }

TEST_P(BenchmarkSpace, HasSeventyEightThousandStatesUpToSymmetry) { expect_figures(true, 78'443); }

INSTANTIATE_TEST_SUITE_P(Threads, BenchmarkSpace, testing::Values(1, 2));

}  // namespace
}  // namespace fencecheck::tests
