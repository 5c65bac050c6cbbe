// A crew does one job together at a time, and survives a job that fails.
#include <fencecheck/explorer/crew.h>

#include <atomic>
#include <barrier>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace fencecheck::tests {
namespace {

using explorer::Crew;

/// Who ran, and on which thread.
struct Roll {
  explicit Roll(int size) : times(static_cast<std::size_t>(size)), threads(static_cast<std::size_t>(size)) {}
  void note(int number) {
    ++times[static_cast<std::size_t>(number)];
    threads[static_cast<std::size_t>(number)] = std::this_thread::get_id();
  }
  std::vector<int> times;
  std::vector<std::thread::id> threads;
};

TEST(Crew, EachHandRunsOnceOnAThreadOfItsOwnAndTheCallerIsTheFirst) {
  Crew crew(4);
  Roll roll(4);
  crew.run(4, [&](int number) { roll.note(number); });
  EXPECT_EQ(roll.times, (std::vector{1, 1, 1, 1}));
  EXPECT_EQ(roll.threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(roll.threads.begin(), roll.threads.end()).size(), 4U);
}

TEST(Crew, HandsWorkAtTheSameTime) {
  Crew crew(3);
  std::barrier meeting(3);  // nobody passes before all have come
  crew.run(3, [&](int) { meeting.arrive_and_wait(); });
}

TEST(Crew, FewerHandsThanThreadsLeaveTheOthersIdle) {
  Crew crew(4);
  Roll roll(4);
  crew.run(2, [&](int number) { roll.note(number); });
  EXPECT_EQ(roll.times, (std::vector{1, 1, 0, 0}));
  crew.run(1, [&](int number) { roll.note(number); });
  EXPECT_EQ(roll.times, (std::vector{2, 1, 0, 0}));
}

TEST(Crew, ItIsUsedManyTimesOver) {
  Crew crew(3);
  std::atomic<int> done = 0;
  for (int round = 1; round <= 2000; ++round) {
    crew.run(3, [&](int) { ++done; });
    ASSERT_EQ(done, 3 * round) << "run returned before all had done the job";
  }
}

TEST(Crew, AnExceptionOfAnyHandIsThrownAgainAfterAllAreDone) {
  Crew crew(3);
  for (int failing = 0; failing < 3; ++failing) {
    std::atomic<int> done = 0;
    const auto job = [&](int number) {
      if (number == failing) throw std::runtime_error("hand " + std::to_string(number));
      ++done;
    };
    try {
      crew.run(3, job);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "hand " + std::to_string(failing));
    }
    EXPECT_EQ(done, 2);
  }
}

TEST(Crew, AfterAFailureTheNextJobIsDoneAsUsual) {
  Crew crew(2);
  EXPECT_THROW(crew.run(2, [](int) { throw std::runtime_error("both"); }), std::runtime_error);
  Roll roll(2);
  EXPECT_NO_THROW(crew.run(2, [&](int number) { roll.note(number); }));
  EXPECT_EQ(roll.times, (std::vector{1, 1}));
}

TEST(Crew, ACrewThatNeverWorkedIsDismissed) {
  const Crew idle(3);
  const Crew single(1);
  EXPECT_EQ(idle.size(), 3);
  EXPECT_EQ(single.size(), 1);
}

}  // namespace
}  // namespace fencecheck::tests
