// What is claimed of the queue, and what is known not to hold.
#include <gtest/gtest.h>

#include <fencecheck/report/gtest.h>

#include "queue.h"
#include "queue_naive.h"

using fencecheck::breaks;
using fencecheck::holds;

TEST(NaiveQueue, TakesTheResultOfAnOldAttempt) {
  EXPECT_TRUE(breaks<NaiveQueue>("no-stale-write", 7, {.workers = 2, .leases = 3}));
}
TEST(NaiveQueue, PutsBackAJobThatIsDone) {
  EXPECT_TRUE(breaks<NaiveQueue>("snapshot-still-current", 5, {.workers = 2, .leases = 3}));
}

TEST(Queue, KeepsOldAttemptsOut) {
  EXPECT_TRUE(holds<Queue>("no-stale-write", Queue::bounds));
  EXPECT_TRUE(holds<Queue>("successor-fences-at-issue", Queue::bounds));
}
TEST(Queue, PutsBackOnlyWhatIsStuck) { EXPECT_TRUE(holds<Queue>("snapshot-still-current", Queue::bounds)); }
TEST(Queue, SendsOneMail) { EXPECT_TRUE(holds<Queue>("one-request-one-effect", Queue::bounds)); }
TEST(Queue, CanAlwaysStillSendItsMail) { EXPECT_TRUE(holds<Queue>("settles-in-the-end", Queue::bounds)); }

// Known and accepted.
TEST(Queue, SendsASecondMailOnceTheKeyIsForgotten) {
  EXPECT_TRUE(
      breaks<Queue>("one-request-one-effect", 7, {.workers = 2, .leases = 3, .lost_replies = 1, .cleanups = 1}));
}
TEST(Queue, IsNotSafeFromARestoreOfTheJobTable) {
  EXPECT_TRUE(breaks<Queue>("successor-fences-at-issue", 4, {.workers = 2, .leases = 3, .store_restores = 1}));
}
