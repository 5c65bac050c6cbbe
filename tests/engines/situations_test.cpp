// What the exploration knows of a store, on a small engine whose every answer is known: a number, and one lock.
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/engines/situations.h>

namespace fencecheck::tests {
namespace {

using namespace engines;  // NOLINT(google-build-using-namespace): all of it is about them

/// "begin", "add", "commit" and "take": a lock that is held to the end of the transaction. Outside of one, "add"
/// commits by itself and needs the lock for a moment. "chance" answers differently each time.
class Counter final : public Engine {
 public:
  std::string description() const override { return "a counter"; }

  void load(const Content& content) override {
    sessions_.clear();
    waiting_.clear();
    number_ = std::stoi(content.image);
  }

  std::optional<Content> content() override {
    return Content{"number " + std::to_string(number_), std::to_string(number_)};
  }

  std::optional<Answer> run(int session, const Statement& statement) override {
    ++runs;
    const bool needs_lock = statement.text == "take" || statement.text == "add";
    if (needs_lock && holder() != -1 && holder() != session) {
      waiting_.emplace_back(session, statement.text);
      return std::nullopt;
    }
    return done(session, statement.text);
  }

  std::vector<std::pair<int, Answer>> unblocked() override {
    std::vector<std::pair<int, Answer>> result;
    while (!waiting_.empty() && holder() == -1) {
      const auto [session, text] = waiting_.front();
      waiting_.pop_front();
      result.emplace_back(session, done(session, text));
    }
    return result;
  }

  void end(int session) override {
    sessions_.erase(session);
    std::erase_if(waiting_, [&](const auto& each) { return each.first == session; });
  }
  bool is_open(int session) const override { return sessions_.count(session) != 0; }

  int runs = 0;

 private:
  struct Open {
    bool has_lock = false;
    int added = 0;
  };

  int holder() const {
    for (const auto& [session, open] : sessions_) {
      if (open.has_lock) return session;
    }
    return -1;
  }

  Answer done(int session, const std::string& text) {
    if (text == "chance") return Answer{.rows = ++chance_};
    if (text == "read") return Answer{.rows = 1, .columns = {"value"}, .table = {{std::to_string(number_)}}};
    const auto open = sessions_.find(session);
    if (text == "begin") {
      sessions_[session] = {};
    } else if (text == "take") {
      sessions_[session].has_lock = true;
    } else if (text == "add" && open != sessions_.end()) {
      open->second = {true, open->second.added + 1};
    } else if (text == "add") {
      ++number_;
    } else if (text == "commit" && open != sessions_.end()) {
      number_ += open->second.added;
      sessions_.erase(open);
    }
    return Answer{.rows = 1};
  }

  int number_ = 0;
  int chance_ = 0;
  std::map<int, Open> sessions_;
  std::deque<std::pair<int, std::string>> waiting_;
};

struct SituationsTest : testing::Test {
  Situations::Number run(Situations::Number where, int session, const std::string& text) {
    return situations.run(where, session, {text}).after;
  }
  std::string text(Situations::Number where) { return situations.text(situations.committed(where)); }

  Counter engine;
  Situations situations{engine, {{"read"}}};
};

TEST_F(SituationsTest, RunAStatementOnceInEachContentAndRememberWhatItDid) {
  const auto one = run(situations.start(), 1, "add");
  EXPECT_EQ(text(one), "number 1");
  const int runs = engine.runs;
  EXPECT_EQ(run(situations.start(), 1, "add"), one);
  EXPECT_EQ(engine.runs, runs);
  EXPECT_EQ(situations.remembered(), 1u);
  EXPECT_NE(run(situations.start(), 2, "add"), situations.start()) << "another session is another statement";
  EXPECT_EQ(situations.content_count(), 2u);
  EXPECT_EQ(situations.seen(one)[0].table[0][0], "1");
}

TEST_F(SituationsTest, GoBackToAnyContent) {
  const auto two = run(run(situations.start(), 1, "add"), 1, "add");
  EXPECT_EQ(text(two), "number 2");
  EXPECT_EQ(text(run(situations.start(), 1, "read")), "number 0");
  EXPECT_EQ(text(run(two, 1, "add")), "number 3");
}

TEST_F(SituationsTest, KeepWhatIsOpenApartFromWhatIsCommitted) {
  const auto open = run(run(situations.start(), 1, "begin"), 1, "add");
  EXPECT_TRUE(situations.is_open(open, 1));
  EXPECT_FALSE(situations.at_rest(open));
  EXPECT_EQ(text(open), "number 0");
  const auto done = run(open, 1, "commit");
  EXPECT_TRUE(situations.at_rest(done));
  EXPECT_EQ(text(done), "number 1");
  EXPECT_EQ(text(situations.cut_off(open, 1).after), "number 0");
}

TEST_F(SituationsTest, TellWhatWasCommittedBeforeABlockedStatementWentOn) {
  const auto held = run(run(situations.start(), 1, "begin"), 1, "add");
  const Situations::Outcome sent = situations.run(held, 2, {"add"});
  EXPECT_FALSE(sent.answer.has_value());
  EXPECT_TRUE(situations.is_pending(sent.after, 2));
  EXPECT_EQ(text(sent.after), "number 0");
  const Situations::Outcome committed = situations.run(sent.after, 1, {"commit"});
  ASSERT_EQ(committed.unblocked.size(), 1u);
  EXPECT_EQ(committed.unblocked[0].session, 2);
  EXPECT_EQ(situations.text(committed.committed), "number 1") << "the commit alone";
  EXPECT_EQ(situations.text(committed.unblocked[0].committed), "number 2");
  EXPECT_EQ(text(committed.after), "number 2");
  EXPECT_TRUE(situations.at_rest(committed.after));
}

TEST_F(SituationsTest, LetTwoThatWaitGoOnInTheOrderInWhichTheyWereSent) {
  const auto held = run(run(situations.start(), 1, "begin"), 1, "take");
  const auto waiting = run(run(held, 3, "add"), 2, "add");
  const Situations::Outcome ended = situations.cut_off(waiting, 1);
  ASSERT_EQ(ended.unblocked.size(), 2u);
  EXPECT_EQ(situations.text(ended.committed), "number 0");
  EXPECT_EQ(ended.unblocked[0].session, 3);
  EXPECT_EQ(situations.text(ended.unblocked[0].committed), "number 1");
  EXPECT_EQ(ended.unblocked[1].session, 2);
  EXPECT_EQ(situations.text(ended.unblocked[1].committed), "number 2");
}

TEST_F(SituationsTest, LeaveATransactionOutThatEndedAndLeftNothingBehind) {
  const auto open = run(situations.start(), 1, "begin");
  const auto other = run(run(open, 2, "begin"), 2, "take");
  EXPECT_NE(other, open);
  EXPECT_EQ(situations.cut_off(other, 2).after, open);
  EXPECT_EQ(run(open, 2, "read"), open) << "a statement by itself that changed nothing";
  EXPECT_NE(run(open, 2, "add"), open);
}

TEST_F(SituationsTest, SayWhenAnAnswerDependsOnSomethingElse) {
  EXPECT_THROW(situations.run(situations.start(), 1, {"chance"}), NonDeterministic);
  const auto open = run(situations.start(), 1, "begin");
  const auto by_chance = run(open, 1, "chance");
  EXPECT_EQ(text(run(situations.start(), 2, "add")), "number 1") << "the engine is somewhere else now";
  EXPECT_THROW(run(by_chance, 1, "add"), NonDeterministic) << "on the way there";
}

}  // namespace
}  // namespace fencecheck::tests
