// What is claimed of the design, one line each. A claim that fails prints the run that refutes it.
#include <gtest/gtest.h>

#include <fencecheck/report/gtest.h>

#include "my_store.h"

using fencecheck::breaks;
using fencecheck::holds;

TEST(MyStore, KeepsOldOwnersOut) { EXPECT_TRUE(holds<MyStore>("no-stale-write", {.workers = 3, .leases = 4})); }

TEST(MyStore, NeverTurnsTheNewestOwnerAway) {
  EXPECT_TRUE(holds<MyStore>("newest-never-rejected", {.workers = 3, .leases = 4}));
}

TEST(MyStore, ReleasesOnlyItsOwnLock) {
  EXPECT_TRUE(holds<MyStore>("no-foreign-release", {.workers = 3, .leases = 4}));
}

// Known and accepted: until the new owner's first write arrives, an old one's still passes.
TEST(MyStore, DoesNotFenceFromTheMomentOfTheGrant) {
  EXPECT_TRUE(breaks<MyStore>("successor-fences-at-issue", 4, {.workers = 2, .leases = 2}));
}

TEST(MyStore, IsNotSafeFromARestoreOfTheLockService) {
  EXPECT_TRUE(breaks<MyStore>("no-stale-write", 8, {.workers = 2, .leases = 4, .issuer_restores = 1}));
}
