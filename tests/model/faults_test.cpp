// Faults beyond expiry and restores, programs beside the workers, clocks, and what requests carry: each as one run.
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <fencecheck/designs/acquire-answered-again/design.h>
#include <fencecheck/fencecheck.h>
#include <fencecheck/properties/design_of.h>

#include "../support/play.h"

namespace fencecheck::tests {
namespace {

using Numbers = std::vector<int>;

// A lock, a row that remembers what it was sent, and a worker that looks at both.
struct Plain {
  static constexpr std::string_view name = "plain";
  struct Memory {
    static constexpr std::string_view field_names[] = {"seen", "recovered"};
    Unique seen;
    Flag recovered;
  };
  struct Table {
    struct Row {
      static constexpr std::string_view field_names[] = {"highest", "value", "id", "fingerprint"};
      Token highest;
      Value value;
      RequestId id;
      Fingerprint fingerprint;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row = {r.token, r.value, r.id, r.fingerprint};
      return Reply::accepted;
    });
  };
  using Issuer = CountingIssuer;
  using Stores = stores<Table>;
  static constexpr auto look = step("look", [](const Issuer::Record& lock, Memory& memory) {
    memory.seen = lock.holder;
    return Reply::next;
  });
  static constexpr auto worker = program(acquire, at(issuer, look), write<0>, finally(release));
};

template <class D>
std::unique_ptr<World> world_of(const Bounds& bounds) {
  return DesignOf<D>().world(bounds, {});
}

Bounds with(int Bounds::*fault, int count = 1) {
  Bounds bounds{.workers = 2, .leases = 3};
  bounds.*fault = count;
  return bounds;
}

// --- crashes
// -----------------------------------------------------------------------------------------------------------

TEST(Crash, ForgetsEverythingAndLeavesTheLockHeld) {
  const auto world = world_of<Plain>(with(&Bounds::crashes));
  Play play(*world);
  EXPECT_FALSE(play.can_fault_of(ActionKind::crash, 0)) << "a worker that has nothing has nothing to lose";
  play.step(0, "acquire");
  play.step(0, "look");
  EXPECT_EQ(play.memory(0), (Numbers{1, 0}));
  play.fault_of(ActionKind::crash, 0);
  EXPECT_EQ(play.memory(0), (Numbers{0, 0}));
  EXPECT_EQ(play.told().workers[0].token, 0);
  EXPECT_EQ(play.next_step(0), "acquire");
  EXPECT_EQ(play.told().holder, 1);
  play.fault(ActionKind::expiry, 0);
  play.step(0, "acquire");
  EXPECT_FALSE(play.can_fault_of(ActionKind::crash, 0)) << "the budget is used up";
}

struct KeepsAFlag : Plain {
  static constexpr Memory after_crash(const Memory& memory) { return {memory.seen, {}}; }
};

TEST(Crash, LeavesWhatTheDesignKeepsOnDisk) {
  const auto world = world_of<KeepsAFlag>(with(&Bounds::crashes));
  Play play(*world);
  play.step(0, "acquire");
  play.step(0, "look");
  play.fault_of(ActionKind::crash, 0);
  EXPECT_EQ(play.memory(0), (Numbers{1, 0}));
}

// --- replies and requests
// ------------------------------------------------------------------------------------------------

TEST(LostReply, IsOfAStepThatHappened) {
  const auto world = world_of<Plain>(with(&Bounds::lost_replies));
  Play play(*world);
  play.step(0, "acquire");
  play.step(0, "look");
  const StepTold told = play.step(0, "write, its reply lost");
  EXPECT_EQ(told.reply, "accepted");
  EXPECT_EQ(told.wrote, Numbers{0});
  EXPECT_EQ(play.next_step(0), "release") << "the worker goes on as if it had been turned away";
  EXPECT_FALSE(play.can(0, "release, its reply lost"));
}

TEST(LostReply, OfAGrantLeavesAWorkerThatKnowsOfNoGrant) {
  const auto world = world_of<Plain>(with(&Bounds::lost_replies));
  Play play(*world);
  const StepTold told = play.step(0, "acquire, its reply lost");
  EXPECT_TRUE(told.granted);
  EXPECT_EQ(play.told().holder, 1);
  EXPECT_EQ(play.told().workers[0].lease, 0);
  EXPECT_EQ(play.next_step(0), "acquire");
  EXPECT_FALSE(play.can(1, "acquire"));
}

TEST(Grant, MayBeHandedOutAgainToItsOwnerAndTakesNoNewLease) {
  Bounds bounds = with(&Bounds::lost_replies);
  bounds.leases = 1;
  const auto world = world_of<designs::AcquireAnsweredAgain>(bounds);
  Play play(*world);
  play.step(0, "acquire, its reply lost");
  EXPECT_FALSE(play.can(1, "acquire"));
  const StepTold told = play.step(0, "acquire");
  EXPECT_TRUE(told.granted);
  EXPECT_EQ(told.lease, 1);
  EXPECT_EQ(told.granted_token, 1);
  EXPECT_EQ(play.told().newest_lease, 1);
  EXPECT_EQ(play.told().workers[0].lease, 1);
  EXPECT_EQ(play.told().workers[0].token, 1);
}

struct Retries : Plain {
  static constexpr auto worker = program(acquire, retry(write<0>), finally(release));
};

TEST(LostReply, IsFollowedByTheSameStepWhereTheProgramRetries) {
  const auto world = world_of<Retries>(with(&Bounds::lost_replies, 2));
  Play play(*world);
  play.step(0, "acquire");
  play.step(0, "write, its reply lost");
  play.step(0, "write, its reply lost");
  EXPECT_EQ(play.next_step(0), "write");
  play.step(0, "write");
  EXPECT_EQ(play.next_step(0), "release");
}

struct Recovers : Plain {
  static constexpr auto note = step("note", [](Memory& memory) {
    memory.recovered = true;
    return Reply::next;
  });
  static constexpr auto worker = program(acquire, on_unknown(write<0>, locally(note), at(issuer, look)),
                                         at(store<0>, Table::write), finally(release));
};

TEST(LostReply, IsFollowedByTheRecoveryAndOnlyThen) {
  const auto world = world_of<Recovers>(with(&Bounds::lost_replies));
  Play play(*world);
  play.step(0, "acquire");
  Play told_of_it = play;
  told_of_it.step(0, "write");
  EXPECT_EQ(told_of_it.next_step(0), "write") << "the recovery is passed by";
  play.step(0, "write, its reply lost");
  EXPECT_EQ(play.next_step(0), "note");
  play.step(0, "note");
  EXPECT_EQ(play.memory(0), (Numbers{0, 1}));
  play.step(0, "look");
  EXPECT_EQ(play.next_step(0), "write") << "behind the recovery the program goes on";
}

TEST(LateRequest, ArrivesWithWhatItsSenderHadWhenItWasSent) {
  const auto world = world_of<Plain>(with(&Bounds::late_requests));
  Play play(*world);
  play.step(0, "acquire");
  play.step(0, "look");
  play.step(0, "write, given up and still under way");
  EXPECT_EQ(play.fields(1)[0], 0) << "nothing has happened yet";
  ASSERT_EQ(play.told().under_way.size(), 1u);
  EXPECT_EQ(play.told().under_way[0].step, "write");
  play.step(0, "release");
  play.step(0, "acquire");
  EXPECT_EQ(play.told().workers[0].lease, 2) << "the sender itself holds a newer lease";
  const StepTold arrival = play.fault(ActionKind::arrival, 0);
  EXPECT_EQ(arrival.lease, 1);
  EXPECT_EQ(arrival.arrived, "write");
  EXPECT_EQ(arrival.wrote, Numbers{0});
  EXPECT_EQ(play.fields(1), (Numbers{1, 1, 1 | 1 << 4, 1 | 1 << 4}));
  EXPECT_TRUE(play.told().under_way.empty());
  EXPECT_EQ(play.told().workers[0].lease, 2);
}

TEST(LateRequest, IsNeverAGrant) {
  const auto world = world_of<Plain>(with(&Bounds::late_requests));
  EXPECT_FALSE(Play(*world).can(0, "acquire, given up and still under way"));
}

TEST(Duplicate, ArrivesASecondTime) {
  const auto world = world_of<Plain>(with(&Bounds::duplicates));
  Play play(*world);
  play.step(0, "acquire");
  play.step(0, "look");
  EXPECT_EQ(play.step(0, "write, a copy still under way").wrote, Numbers{0});
  EXPECT_EQ(play.next_step(0), "release");
  EXPECT_EQ(play.fault(ActionKind::arrival, 0).wrote, Numbers{0});
}

struct ManyWays : Plain {
  static constexpr auto worker = program(acquire, write<0>, under_new_id(write<0>), with_changed_payload(write<0>),
                                         request<2>(write<0>), finally(release));
};

TEST(Request, HasTheIdOfItsOperationUnlessTheProgramSaysOtherwise) {
  const auto world = world_of<ManyWays>({.workers = 1, .leases = 1});
  Play play(*world);
  constexpr int first = 1 | 1 << 4;
  constexpr int second = 1 | 2 << 4;
  constexpr int other_name = 1 << 6;
  play.step(0, "acquire");
  for (const auto& [id, fingerprint] : std::vector<std::pair<int, int>>{
           {first, first}, {first | other_name, first}, {first, first | other_name}, {second, second}}) {
    play.step(0, "write");
    EXPECT_EQ(play.fields(1)[2], id);
    EXPECT_EQ(play.fields(1)[3], fingerprint);
  }
}

// --- the lock service
// ----------------------------------------------------------------------------------------------------

TEST(LockLoss, TakesCounterAndHolder) {
  const auto world = world_of<Plain>(with(&Bounds::lock_losses));
  Play play(*world);
  EXPECT_FALSE(play.can_fault(ActionKind::lock_loss, 0)) << "there is no record yet";
  play.step(0, "acquire");
  play.fault(ActionKind::lock_loss, 0);
  EXPECT_EQ(play.fields(0), (Numbers{0, 0}));
  EXPECT_EQ(play.step(1, "acquire").granted_token, 1) << "the number is handed out again";
}

struct Asks : Plain {
  static constexpr auto ask = step("ask", [](const Issuer::Record& lock, const Reachability& service, Memory& memory) {
    if (!service.reachable) return Reply::refused;
    memory.seen = lock.holder;
    return Reply::next;
  });
  static constexpr auto worker = program(acquire, at(issuer, ask), write<0>, finally(release));
};

TEST(Outage, MakesEveryStepWaitButTheOneThatAsks) {
  const auto world = world_of<Asks>(with(&Bounds::outages));
  Play play(*world);
  play.step(0, "acquire");
  play.fault(ActionKind::outage, 0);
  EXPECT_FALSE(play.can(1, "acquire"));
  EXPECT_EQ(play.step(0, "ask").reply, "refused");
  EXPECT_FALSE(play.can(0, "release"));
  play.fault(ActionKind::end_of_outage, 0);
  play.step(0, "release");
  EXPECT_FALSE(play.can_fault(ActionKind::outage, 0));
}

TEST(StaleRead, AnswersFromTheReplica) {
  const auto world = world_of<Plain>(with(&Bounds::stale_reads));
  Play play(*world);
  play.step(0, "acquire");
  play.fault(ActionKind::catch_up, 0);
  play.fault(ActionKind::expiry, 0);
  play.step(1, "acquire");
  play.step(0, "look, answered by a replica that lags");
  EXPECT_EQ(play.memory(0)[0], 1) << "the holder before";
  EXPECT_EQ(play.told().holder, 2);
  play.step(1, "look");
  EXPECT_EQ(play.memory(1)[0], 2);
}

// --- clocks
// --------------------------------------------------------------------------------------------------------------

struct Timed {
  static constexpr std::string_view name = "timed";
  struct Memory {
    Ticks left;
  };
  struct Issuer : CountingIssuer {
    struct Record {
      static constexpr std::string_view field_names[] = {"counter", "holder", "left"};
      Token counter;
      Unique holder;
      Ticks left;
    };
    static constexpr Unique holder(const Record& record) { return record.holder; }
    static constexpr bool may_expire(const Record& record) { return record.left == Ticks{}; }
    static constexpr void expire(Record& record) { record.holder = {}; }
    static constexpr Backup backup(const Record& record) { return {record.counter}; }
    static constexpr auto restore = step("restore", [](Record& record, const Backup& saved) {
      record = {saved.counter, {}, {}};
      return Reply::accepted;
    });
    static constexpr auto acquire = step("acquire", [](Record& record, Grant& grant, Memory& memory) {
      if (record.holder.exists()) return Reply::wait;
      record = {record.counter.next(), grant.handle, Ticks(2)};
      grant.token = record.counter;
      memory.left = Ticks(2);
      return Reply::granted;
    });
  };
  struct Table {
    struct Row {
      Value value;
    };
    static constexpr auto write = step("write", [](Row& row, const Request& r) {
      row.value = r.value;
      return Reply::accepted;
    });
  };
  using Stores = stores<Table>;
  static bool believes(const Memory& memory) { return memory.left > Ticks{}; }
  static constexpr auto worker = program(acquire, write<0>);
};

TEST(Clock, TicksForAllUntilNothingRunsAnyMore) {
  const auto world = world_of<Timed>({.workers = 2, .leases = 2});
  Play play(*world);
  EXPECT_FALSE(play.can_fault(ActionKind::tick, 0)) << "nothing runs yet";
  play.step(0, "acquire");
  EXPECT_FALSE(play.can_fault(ActionKind::expiry, 0)) << "the lease has two ticks left";
  for (const int left : {1, 0}) {
    play.fault(ActionKind::tick, 0);
    EXPECT_EQ(play.fields(0)[2], left);
    EXPECT_EQ(play.memory(0)[0], left);
  }
  EXPECT_FALSE(play.can_fault(ActionKind::tick, 0));
  EXPECT_TRUE(play.can_fault(ActionKind::expiry, 0));
}

TEST(Clock, ThatDriftsTicksAlone) {
  const auto world = world_of<Timed>(with(&Bounds::clock_drifts));
  Play play(*world);
  play.step(0, "acquire");
  Play ahead = play;
  ahead.fault(ActionKind::drift, 0);
  EXPECT_EQ(ahead.fields(0)[2], 1);
  EXPECT_EQ(ahead.memory(0)[0], 2);
  play.fault_of(ActionKind::drift, 0);
  EXPECT_EQ(play.fields(0)[2], 2);
  EXPECT_EQ(play.memory(0)[0], 1);
  EXPECT_FALSE(play.can_fault(ActionKind::drift, 0));
}

// --- other programs
// --------------------------------------------------------------------------------------------------------

struct Several : Plain {
  static constexpr auto renew = step("renew", [](Issuer::Record& lock, const Request& r) {
    return lock.holder == r.handle && r.handle.exists() ? Reply::next : Reply::wait;
  });
  static constexpr auto sweep = step("sweep", [](Table::Row& row) {
    row.highest = Token{};
    return Reply::next;
  });
  static constexpr auto clean = step("clean up", [](Table::Row& row) {
    row.id = {};
    return Reply::accepted;
  });
  static constexpr auto beside = program(at(issuer, renew), at(issuer, look));
  static constexpr auto others = programs(named("sweeper", program(at(store<0>, sweep))));
  static constexpr auto forger = program(write<0>);
  static constexpr auto faults = declared(cleanup(at(store<0>, clean)));
};

TEST(Beside, RunsWithTheGrantAndTheMemoryOfItsWorker) {
  const auto world = world_of<Several>({.workers = 2, .leases = 2});
  Play play(*world);
  EXPECT_FALSE(play.can(0, "renew"));
  play.step(0, "acquire");
  play.step(0, "renew");
  EXPECT_FALSE(play.can(0, "renew"));
  play.step(0, "look");  // of the main program: it comes first, and both have one
  play.step(0, "look");
  play.step(0, "renew");
  EXPECT_EQ(play.next_step(0), "write");
}

TEST(Others, RunOnceInTheWorldAndWithoutALease) {
  const auto world = world_of<Several>({.workers = 2, .leases = 2});
  Play play(*world);
  ASSERT_EQ(play.told().workers.size(), 4u) << "two workers, the forger, the sweeper";
  EXPECT_EQ(play.told().workers[3].name, "sweeper");
  play.step(0, "acquire");
  play.step(0, "look");
  play.step(0, "write");
  EXPECT_EQ(play.fields(1)[0], 1);
  const StepTold swept = play.step(3, "sweep");
  EXPECT_EQ(swept.lease, 0);
  EXPECT_EQ(play.fields(1)[0], 0);
}

TEST(Forger, SendsOnceATokenAboveAllOthers) {
  const auto without = world_of<Several>({.workers = 2, .leases = 2});
  EXPECT_FALSE(Play(*without).can(2, "write"));
  const auto world = world_of<Several>(with(&Bounds::forged_tokens));
  Play play(*world);
  play.step(2, "write");
  EXPECT_EQ(play.fields(1)[0], 4) << "three leases are possible";
  EXPECT_FALSE(play.can(2, "write"));
}

TEST(Declared, FaultsHappenWhereTheyChangeSomething) {
  const auto world = world_of<Several>(with(&Bounds::cleanups));
  Play play(*world);
  EXPECT_FALSE(play.can_fault(ActionKind::declared, 1));
  play.step(0, "acquire");
  play.step(0, "look");
  play.step(0, "write");
  play.fault(ActionKind::declared, 1);
  EXPECT_EQ(play.fields(1)[2], 0);
  EXPECT_FALSE(play.can_fault(ActionKind::declared, 1));
}

struct Begins : Plain {
  struct Table : Plain::Table {
    static constexpr Row begins() { return {Token(2), {}, {}, {}}; }
  };
  using Stores = stores<Table>;
};

TEST(Store, MayBeginWithSomething) {
  const auto world = world_of<Begins>({.workers = 1, .leases = 3, .store_restores = 1});
  const Play play(*world);
  EXPECT_EQ(play.fields(1), (Numbers{2, 0, 0, 0}));
  EXPECT_FALSE(play.can_fault(ActionKind::restore, 1)) << "its backup is the same";
}

// --- what is not used costs nothing
// ------------------------------------------------------------------------------------------

int bits(const Bounds& bounds) {
  const std::vector<std::uint8_t> all = world_of<Plain>(bounds)->field_bits();
  return std::accumulate(all.begin(), all.end(), 0);
}

TEST(Budget, TakesBitsOnlyWhereItIsGiven) {
  const int without = bits(with(&Bounds::crashes, 0));
  EXPECT_EQ(bits(with(&Bounds::crashes)), without + 1);
  EXPECT_EQ(bits(with(&Bounds::lost_replies)), without + 1);
  EXPECT_EQ(bits(with(&Bounds::lock_losses)), without + 1);
  EXPECT_EQ(bits(with(&Bounds::outages)), without + 2) << "what is left, and whether one goes on";
  EXPECT_EQ(bits(with(&Bounds::stale_reads)), without + 1 + 2 + 2) << "what is left, and the replica";
  EXPECT_EQ(bits(with(&Bounds::late_requests)), without + 1 + 3 + 2 + 2 + 2 + 1)
      << "what is left; step, token, lease and memory of one request";
}

}  // namespace
}  // namespace fencecheck::tests
