// The nine assertions of the first text that this project began with, on the model with an issuer, one resource and a
// clock: the same run, step by step. Times are ticks; one is a thousand of the text's units.
#include <gtest/gtest.h>

#include <fencecheck/designs/strict-fence-and-clock/design.h>
#include <fencecheck/properties/design_of.h>

#include "../support/play.h"

namespace fencecheck::tests {
namespace {

using Reference = designs::StrictFenceAndClock;
using Numbers = std::vector<int>;

constexpr int a = 0;
constexpr int b = 1;
constexpr std::size_t issuer_component = 0;
constexpr std::size_t resource = 1;
constexpr Bounds two_leases{.workers = 2, .leases = 2};

class FirstSeed : public ::testing::Test {
 protected:
  // A is granted the lease, and stands still until it has expired and B was granted the next.
  static void let_the_first_lease_expire(Play& play) {
    play.step(a, "acquire");
    for (int t = 0; t < Reference::Issuer::lease_ticks; ++t) {
      EXPECT_FALSE(play.can_fault(ActionKind::expiry, 0)) << "after " << t << " ticks";
      play.fault(ActionKind::tick, 0);
    }
    play.fault(ActionKind::expiry, 0);
    play.step(b, "acquire");
  }

  std::unique_ptr<World> world_ = DesignOf<Reference>().world(two_leases, {});
  Play play_{*world_};
};

TEST_F(FirstSeed, FirstAIsGrantedTokenOneAtTheBeginning) {
  const StepTold granted = play_.step(a, "acquire");
  EXPECT_TRUE(granted.granted);
  EXPECT_EQ(granted.granted_token, 1);
}

TEST_F(FirstSeed, SecondAfterSixTicksTheLeaseHasExpiredAndBIsGrantedTokenTwo) {
  let_the_first_lease_expire(play_);
  EXPECT_EQ(play_.fields(issuer_component), (Numbers{2, 2, 6})) << "counter, holder, ticks left";
}

TEST_F(FirstSeed, ThirdBsWriteIsAccepted) {
  let_the_first_lease_expire(play_);
  EXPECT_EQ(play_.step(b, "compare and write").reply, "accepted");
}

TEST_F(FirstSeed, FourthTheResourceThenHoldsTokenTwoAndBsValue) {
  let_the_first_lease_expire(play_);
  play_.step(b, "compare and write");
  EXPECT_EQ(play_.fields(resource), (Numbers{2, 2}));
}

TEST_F(FirstSeed, FifthAsLateWriteIsRefusedAsStale) {
  let_the_first_lease_expire(play_);
  play_.step(b, "compare and write");
  EXPECT_EQ(play_.step(a, "compare and write").reply, "stale");
}

TEST_F(FirstSeed, SixthTheValueIsStillBs) {
  let_the_first_lease_expire(play_);
  play_.step(b, "compare and write");
  play_.step(a, "compare and write");
  EXPECT_EQ(play_.fields(resource), (Numbers{2, 2}));
}

TEST_F(FirstSeed, SeventhASecondWriteWithTheEqualTokenIsRefused) {
  let_the_first_lease_expire(play_);
  play_.step(b, "compare and write");
  EXPECT_EQ(play_.step(b, "compare and write").reply, "stale");
  EXPECT_EQ(play_.fields(resource), (Numbers{2, 2}));
}

TEST_F(FirstSeed, EighthWithoutTheComparisonBothWritesAreAcceptedAndTheOldValueRemains) {
  const std::unique_ptr<World> unfenced = DesignOf<Reference>().world(two_leases, {{"compare", "no"}});
  Play play(*unfenced);
  let_the_first_lease_expire(play);
  EXPECT_EQ(play.step(b, "compare and write").reply, "accepted");
  EXPECT_EQ(play.step(a, "compare and write").reply, "accepted");
  EXPECT_EQ(play.fields(resource)[1], 1) << "the value of the first lease";
}

TEST_F(FirstSeed, NinthAsReleaseWithItsOldHandleIsRefusedAndBStillHolds) {
  let_the_first_lease_expire(play_);
  play_.step(b, "compare and write");
  play_.step(a, "compare and write");
  EXPECT_EQ(play_.step(a, "release").reply, "refused");
  EXPECT_EQ(play_.fields(issuer_component)[1], 2) << "B's grant";
}

}  // namespace
}  // namespace fencecheck::tests
