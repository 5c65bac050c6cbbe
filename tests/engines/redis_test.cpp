#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/server.h>
#include <fencecheck/model/world.h>

#include "engine_checks.h"

namespace fencecheck::engines {
namespace {

using Table = std::vector<std::vector<Cell>>;

const char* const compare_and_delete =
    "EVAL 'if redis.call(\"GET\", KEYS[1]) == ARGV[1] then\n  return redis.call(\"DEL\", KEYS[1])\nend\nreturn 0' "
    "1 lock :token";

bool has_server() { return find_program("redis-server").has_value(); }

class RedisTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_server()) GTEST_SKIP() << "the package redis-server is not installed";
    engine_ = open_engine({.kind = "redis", .statement_seconds = seconds_});
  }

  Answer run(int session, const std::string& text, const std::vector<Parameter>& parameters = {}) {
    std::optional<Answer> answer = engine_->run(session, {text, parameters});
    EXPECT_TRUE(answer.has_value()) << text;
    return answer.value_or(Answer{.error = "blocked"});
  }

  /// The only value of an answer of one row.
  std::string one(int session, const std::string& text, const std::vector<Parameter>& parameters = {}) {
    const Answer answer = run(session, text, parameters);
    if (!answer.error.empty()) return "error: " + answer.message;
    if (answer.rows == 0) return "(no row)";
    return answer.rows == 1 ? answer.table.at(0).at(0).value_or("(nothing)") : "(many rows)";
  }

  std::string error(int session, const std::string& text) { return run(session, text).error; }
  Table table(int session, const std::string& text) { return run(session, text).table; }
  std::string text() { return engine_->content().value().text; }

  pid_t server_pid() {
    const std::string info = one(outside, "INFO server");
    const std::string name = "process_id:";
    return std::stoi(info.substr(info.find(name) + name.size()));
  }

  double seconds_ = 10;
  std::unique_ptr<Engine> engine_;
};

TEST_F(RedisTest, SaysWhatItIs) {
  const std::string description = engine_->description();
  EXPECT_TRUE(description.starts_with("Redis ")) << description;
  EXPECT_NE(description.find_first_of("0123456789"), description.npos) << description;
  EXPECT_TRUE(description.ends_with(", a private server")) << description;
}

TEST_F(RedisTest, AReplyBecomesRows) {
  EXPECT_EQ(run(1, "SET a 1"), (Answer{.rows = 1, .columns = {"result"}, .table = {{"OK"}}}));
  EXPECT_EQ(run(1, "GET a"), (Answer{.rows = 1, .columns = {"result"}, .table = {{"1"}}}));
  EXPECT_EQ(run(1, "INCR a"), (Answer{.rows = 1, .columns = {"result"}, .table = {{"2"}}}));
  EXPECT_EQ(run(1, "GET b"), (Answer{.rows = 0, .columns = {"result"}}));
  EXPECT_EQ(run(1, "MGET a b a"), (Answer{.rows = 3, .columns = {"result"}, .table = {{"2"}, {std::nullopt}, {"2"}}}));
  EXPECT_EQ(run(1, "DEL b"), (Answer{.rows = 1, .columns = {"result"}, .table = {{"0"}}}));
  EXPECT_EQ(run(1, "LRANGE none 0 -1"), (Answer{.rows = 0, .columns = {"result"}}));
  EXPECT_EQ(table(1, "EVAL 'return {1, {2, \"x\", {3}}, false}' 0"), (Table{{"1"}, {"2 x 3"}, {std::nullopt}}));
}

TEST_F(RedisTest, WordsAreQuotedAndParametersArePutIn) {
  EXPECT_EQ(one(1, "set  k\n\t'two words' "), "OK");
  EXPECT_EQ(one(1, "get k"), "two words");
  EXPECT_EQ(one(1, "ECHO \"it's\nhere\""), "it's\nhere");
  EXPECT_EQ(one(1, "ECHO 'a \\n \" b'"), "a \\n \" b");
  EXPECT_EQ(one(1, "ECHO ''"), "");
  const std::vector<Parameter> parameters{{"v", "a b 'c'"}, {"nothing", std::nullopt}};
  EXPECT_EQ(one(1, "ECHO :v", parameters), "a b 'c'");
  EXPECT_EQ(one(1, "ECHO :nothing", parameters), "");
  EXPECT_EQ(one(1, "ECHO ':v'", parameters), ":v");
  EXPECT_EQ(one(1, "ECHO key:v", parameters), "key:v");
  EXPECT_EQ(one(1, "ECHO :v:v", parameters), ":v:v");
  EXPECT_EQ(one(1, "ECHO :w", parameters), "error: ERR the parameter ':w' has no value");
}

TEST_F(RedisTest, ErrorsAreAnswers) {
  run(1, "SET k v");
  EXPECT_EQ(error(1, "LPUSH k x"), "WRONGTYPE");
  EXPECT_EQ(run(1, "LPUSH k x").message, "WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(error(1, "NOSUCHCOMMAND"), "ERR");
  EXPECT_EQ(error(1, "GET"), "ERR");
  EXPECT_EQ(error(1, "EVAL 'return redis.error_reply(\"LOCKED by b\")' 0"), "LOCKED");
  EXPECT_EQ(run(1, "").message, "ERR there is no command");
  EXPECT_EQ(run(1, "GET 'k").message, "ERR a quote is not closed");
  EXPECT_EQ(run(1, "GET 'k'l").message, "ERR a space must follow a closing quote");
  EXPECT_EQ(run(1, "GET k'l'").message, "ERR a quote must stand at the beginning of a word");
  EXPECT_EQ(run(1, "GET 'k'l"), (Answer{.error = "ERR"}));
}

TEST_F(RedisTest, WhatCannotBeExploredIsRefused) {
  EXPECT_EQ(run(1, "blpop q 0").message, "ERR BLPOP: blocking commands cannot be explored");
  EXPECT_EQ(run(1, "XREAD BLOCK 0 STREAMS s $").message, "ERR XREAD: blocking commands cannot be explored");
  EXPECT_EQ(run(1, "XREAD COUNT 1 STREAMS block 0").error, "");
  EXPECT_EQ(run(1, "SUBSCRIBE c").message, "ERR SUBSCRIBE: what is not in the database cannot be explored");
  EXPECT_EQ(run(1, "SELECT 1").message, "ERR SELECT: what is not in the database cannot be explored");
  EXPECT_EQ(run(1, "TIME").message, "ERR TIME: the clock cannot be explored; give the time as a parameter");
  EXPECT_EQ(run(1, "SCRIPT KILL").error, "ERR");
  EXPECT_EQ(run(1, "SCRIPT").error, "ERR");
  EXPECT_TRUE(engine_->unblocked().empty());
}

TEST_F(RedisTest, ALockIsTakenOnceAndReleasedByItsHolder) {
  EXPECT_EQ(run(1, "SET lock :token NX PX 30000", {{"token", "a"}}).rows, 1);
  EXPECT_EQ(run(2, "SET lock :token NX PX 30000", {{"token", "b"}}).rows, 0);
  EXPECT_EQ(one(2, compare_and_delete, {{"token", "b"}}), "0");
  EXPECT_EQ(one(2, "GET lock"), "a");
  EXPECT_EQ(one(1, compare_and_delete, {{"token", "a"}}), "1");
  EXPECT_EQ(one(1, "GET lock"), "(no row)");
}

TEST_F(RedisTest, NoKeyVanishesByItself) {
  EXPECT_EQ(one(1, "SET a 1 PX 40"), "OK");
  EXPECT_EQ(one(1, "EVAL 'return redis.call(\"PSETEX\", KEYS[1], 40, 1)' 1 b"), "OK");
  run(1, "MULTI");
  run(1, "SET c 1 PX 40");
  run(1, "EXEC");
  const Content before = engine_->content().value();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(table(2, "MGET a b c"), (Table{{"1"}, {"1"}, {"1"}}));
  EXPECT_EQ(one(2, "SET d 1"), "OK");
  EXPECT_EQ(text(), "a string \"1\", expires\nb string \"1\", expires\nc string \"1\", expires\nd string \"1\"\n");
  engine_->load(before);
  EXPECT_EQ(one(2, "PTTL a"), "1000000000");
  EXPECT_EQ(one(2, "TTL b"), "1000000");
  EXPECT_EQ(one(2, "TTL d"), "-2");
  EXPECT_EQ(one(1, "PEXPIRE a 0"), "1");
  EXPECT_EQ(one(1, "EXISTS a"), "0");
}

TEST_F(RedisTest, ThatTimeStandsStillTouchesNoKey) {
  run(1, "SET k v PX 30000");
  EXPECT_EQ(one(2, "WATCH k"), "OK");
  run(1, "SET other v PX 30000");
  text();
  run(2, "MULTI");
  run(2, "GET k");
  EXPECT_EQ(table(2, "EXEC"), (Table{{"v"}}));
}

TEST_F(RedisTest, ATransactionRunsUnlessAWatchedKeyWasTouched) {
  run(outside, "SET k 1");
  EXPECT_EQ(one(1, "WATCH k"), "OK");
  EXPECT_EQ(one(1, "MULTI"), "OK");
  EXPECT_EQ(one(1, "SET k 2"), "QUEUED");
  EXPECT_EQ(text(), "k string \"1\"\n") << "nothing is committed yet";
  EXPECT_EQ(run(1, "EXEC"), (Answer{.rows = 1, .columns = {"result"}, .table = {{"OK"}}}));
  EXPECT_EQ(text(), "k string \"2\"\n");

  run(1, "WATCH k");
  run(2, "SET k 3");
  run(1, "MULTI");
  run(1, "SET k 4");
  EXPECT_EQ(run(1, "EXEC"), (Answer{.rows = 0, .columns = {"result"}}));
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_EQ(text(), "k string \"3\"\n");
}

TEST_F(RedisTest, AnErrorInATransactionIsOneOfItsRows) {
  run(1, "SET k v");
  run(1, "MULTI");
  run(1, "LPUSH k x");
  run(1, "SET l 1");
  EXPECT_EQ(table(1, "EXEC"), (Table{{"WRONGTYPE Operation against a key holding the wrong kind of value"}, {"OK"}}));
  run(1, "MULTI");
  EXPECT_EQ(error(1, "GET"), "ERR");
  EXPECT_EQ(error(1, "EXEC"), "EXECABORT");
  EXPECT_FALSE(engine_->is_open(1));
}

TEST_F(RedisTest, ASessionIsOpenInATransactionAndWhileItWatches) {
  const auto open_after = [this](const std::string& command) {
    run(1, command);
    return engine_->is_open(1);
  };
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_FALSE(open_after("SET k v"));
  EXPECT_FALSE(open_after("WATCH")) << "it was refused";
  EXPECT_TRUE(open_after("WATCH k"));
  EXPECT_FALSE(engine_->is_open(2));
  EXPECT_FALSE(open_after("UNWATCH"));
  EXPECT_TRUE(open_after("MULTI"));
  EXPECT_TRUE(open_after("UNWATCH")) << "it was queued";
  EXPECT_FALSE(open_after("EXEC now")) << "a malformed EXEC gives the transaction up";
  EXPECT_EQ(error(1, "EXEC"), "ERR");
  EXPECT_TRUE(open_after("MULTI"));
  EXPECT_FALSE(open_after("EXEC"));
  EXPECT_TRUE(open_after("MULTI"));
  EXPECT_FALSE(open_after("DISCARD"));
  EXPECT_TRUE(open_after("WATCH k"));
  EXPECT_TRUE(open_after("EXEC")) << "there was no MULTI";
  EXPECT_FALSE(open_after("RESET"));
  EXPECT_EQ(one(1, "RESET"), "RESET");
  EXPECT_TRUE(open_after("MULTI"));
  engine_->end(1);
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_EQ(error(1, "EXEC"), "ERR") << "the transaction is gone";
}

TEST_F(RedisTest, TheEndOfASessionForgetsWhatItWatched) {
  run(1, "SET k 1");
  run(1, "WATCH k");
  engine_->end(1);
  run(2, "SET k 2");
  run(1, "MULTI");
  run(1, "GET k");
  EXPECT_EQ(table(1, "EXEC"), (Table{{"2"}}));
}

TEST_F(RedisTest, ContentIsWrittenForAPerson) {
  EXPECT_EQ(text(), "");
  run(1, "SET 'b \"key' 'line\nback\\slash'");
  run(1, "SET a:1 :v", {{"v", std::string("\0\x7f\xff", 3)}});
  run(1, "HSET hash z 1 y 2");
  run(1, "SADD set b a");
  run(1, "RPUSH list b a");
  run(1, "ZADD zset 2 a 1.5 b");
  run(1, "EXPIRE list 7");
  run(1, "SET Z 1");
  EXPECT_EQ(text(), R"(Z string "1"
a:1 string "\x00\x7f\xff"
"b \"key" string "line\nback\\slash"
hash hash {"y": "2", "z": "1"}
list list ["b", "a"], expires
set set {"a", "b"}
zset zset {"b": 1.5, "a": 2}
)");
  run(1, "FLUSHALL");
  run(1, "XADD stream 1-1 f v");
  EXPECT_TRUE(text().starts_with("stream stream 1")) << text();
}

TEST_F(RedisTest, ContentIsEqualHoweverItCameAbout) {
  run(1, "HSET hash a 1 b 2");
  run(1, "SADD set x y");
  run(1, "SET lock a PX 1000");
  const std::string first = text();
  run(1, "FLUSHDB");
  EXPECT_EQ(text(), "");
  run(2, "SET lock a EX 500");
  run(2, "SADD set y x");
  run(2, "HSET hash b 2 a 1");
  EXPECT_EQ(text(), first);
  run(2, "PERSIST lock");
  EXPECT_NE(text(), first);
  run(2, "PEXPIRE lock 1234");
  EXPECT_EQ(text(), first);
  run(2, "HSET hash a 2");
  EXPECT_NE(text(), first);
}

TEST_F(RedisTest, OrdersThatRedisDoesNotPromiseAreSorted) {
  run(1, "SADD set c a b");
  run(1, "HSET hash z 1 y 2");
  EXPECT_EQ(table(1, "SMEMBERS set"), (Table{{"a"}, {"b"}, {"c"}}));
  EXPECT_EQ(table(1, "HGETALL hash"), (Table{{"y"}, {"2"}, {"z"}, {"1"}}));
  EXPECT_EQ(table(1, "KEYS *"), (Table{{"hash"}, {"set"}}));
}

TEST_F(RedisTest, LoadPutsEverythingBack) {
  const Content empty = engine_->content().value();
  for (const char* command :
       {"SET s v", "SET t v PX 30000", "HSET h a 1", "SADD u x y", "RPUSH l 1 2", "ZADD z 1 a", "XADD x 1-1 f v"}) {
    EXPECT_EQ(error(1, command), "") << command;
  }
  const Content full = engine_->content().value();
  EXPECT_EQ(std::count(full.text.begin(), full.text.end(), '\n'), 7) << full.text;
  engine_->load(empty);
  EXPECT_EQ(one(1, "DBSIZE"), "0");
  EXPECT_EQ(text(), "");
  engine_->load(full);
  EXPECT_EQ(one(1, "DBSIZE"), "7");
  EXPECT_EQ(text(), full.text);
  EXPECT_EQ(table(1, "XRANGE x - +"), (Table{{"1-1 f v"}}));
  EXPECT_EQ(one(1, "GET t"), "v");
  EXPECT_EQ(one(1, "SET s other"), "OK");
  engine_->load(full);
  EXPECT_EQ(one(1, "GET s"), "v");
  engine_->load({});
  EXPECT_EQ(text(), "");
}

TEST_F(RedisTest, LoadInTheMiddleOfATransactionGivesItUp) {
  run(1, "SET k 1");
  const Content content = engine_->content().value();
  run(1, "WATCH k");
  run(1, "MULTI");
  run(1, "SET k 2");
  run(2, "WATCH k");
  engine_->load(content);
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_FALSE(engine_->is_open(2));
  EXPECT_EQ(error(1, "EXEC"), "ERR");
  EXPECT_EQ(one(1, "GET k"), "1");
  EXPECT_EQ(text(), content.text);
}

TEST_F(RedisTest, AScriptIsKnownByItsHashWhereItWasLoaded) {
  const Content empty = engine_->content().value();
  const std::string hash = one(1, "SCRIPT LOAD 'return 42'");
  ASSERT_EQ(hash.size(), 40U) << hash;
  EXPECT_EQ(text(), "script " + hash + "\n");
  EXPECT_EQ(one(2, "EVALSHA " + hash + " 0"), "42");
  EXPECT_EQ(one(2, "SCRIPT EXISTS " + hash), "1");
  const Content loaded = engine_->content().value();
  engine_->load(empty);
  EXPECT_EQ(error(2, "EVALSHA " + hash + " 0"), "NOSCRIPT");
  EXPECT_EQ(one(2, "EVAL 'return 42' 0"), "42");
  EXPECT_EQ(error(2, "EVALSHA " + hash + " 0"), "NOSCRIPT") << "what EVAL leaves behind is no content";
  EXPECT_EQ(one(2, "SCRIPT EXISTS " + hash), "0");
  engine_->load(loaded);
  EXPECT_EQ(one(2, "EVALSHA " + hash + " 0"), "42");
  EXPECT_EQ(one(2, "SCRIPT FLUSH"), "OK");
  EXPECT_EQ(error(2, "EVALSHA " + hash + " 0"), "NOSCRIPT");
  EXPECT_EQ(text(), "");
}

TEST_F(RedisTest, ARestoreStartsTheServerAnewWithWhatItSaved) {
  run(1, "SET counter 3");
  run(1, "SET lock h1 PX 30000");
  const std::string hash = one(1, "SCRIPT LOAD 'return 42'");
  const Content backup = engine_->content().value();
  run(1, "INCR counter");
  run(1, "DEL lock");
  run(1, "WATCH counter");
  const pid_t before = server_pid();
  EXPECT_EQ(engine_->restore(backup), "started anew with the saved RDB file");
  EXPECT_NE(server_pid(), before);
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_EQ(text(), "counter string \"3\"\nlock string \"h1\", expires\n") << "loaded scripts are in no RDB file";
  EXPECT_EQ(error(2, "EVALSHA " + hash + " 0"), "NOSCRIPT");
  EXPECT_EQ(one(2, "INCR counter"), "4");
  engine_->load(backup);
  EXPECT_EQ(text(), backup.text);
}

TEST_F(RedisTest, AServerThatDiesIsAFailure) {
  run(1, "SET k v");
  ASSERT_EQ(::kill(server_pid(), SIGKILL), 0);
  const std::string broken = "the connection to Redis broke: ";
  EXPECT_EQ(failure_of([&] { run(1, "GET k"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { run(1, "SET k w"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->content(); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->load({"k string \"v\"\n", "0\n"}); }).substr(0, broken.size()), broken);
}

TEST_F(RedisTest, AFailureShowsTheEndOfTheLog) {
  ASSERT_EQ(::kill(server_pid(), SIGTERM), 0);  // of which the server tells its log
  std::string failure = "no EngineFailure";
  for (int i = 0; i < 1000 && failure == "no EngineFailure"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    failure = failure_of([&] { run(1, "SET k w"); });
  }
  EXPECT_NE(failure.find(" The end of the server's log:\n"), failure.npos) << failure;
  EXPECT_NE(failure.find("ready to exit"), failure.npos) << failure;
}

class ImpatientRedisTest : public RedisTest {
 protected:
  ImpatientRedisTest() { seconds_ = 0.2; }
};

TEST_F(ImpatientRedisTest, AServerThatDoesNotAnswerIsAFailure) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of([&] { run(1, "EVAL 'while true do end' 0"); }), "Redis did not answer within 0.2 seconds");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
  EXPECT_EQ(failure_of([&] { engine_->content(); }), "Redis did not answer within 0.2 seconds");
}

TEST(RedisOptions, AnySettingIsUnknown) {
  try {
    open_engine({.kind = "redis", .settings = {{"maxmemory", "1mb"}}});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& mistake) {
    EXPECT_STREQ(mistake.what(), "setting 'maxmemory': redis has no settings");
  }
}

TEST(RedisOptions, AnAddressHasAForm) {
  for (const char* url : {"127.0.0.1:1", "redis://", "redis://host", "redis://:1", "redis://host:0", "redis://host:x",
                          "redis://host:65536", "redis://host:1/a", "redis://host:1/-1", "redis://user@host:1/0"}) {
    try {
      open_engine({.kind = "redis", .url = url});
      ADD_FAILURE() << url << ": nothing was thrown";
    } catch (const UsageError& mistake) {
      EXPECT_EQ(mistake.what(), std::string("url '") + url +
                                    "': should be redis://host:port/database, such as redis://127.0.0.1:6379/0");
    }
  }
}

TEST(RedisOptions, NobodyAtTheAddressIsMissing) {
  const std::string url = "redis://127.0.0.1:" + std::to_string(free_port());
  try {
    open_engine({.kind = "redis", .url = url});
    FAIL() << "nothing was thrown";
  } catch (const EngineMissing& missing) {
    EXPECT_EQ(missing.what(),
              "nobody answers at " + url +
                  ": Connection refused. Start a Redis there, or leave --engine-url out for a private one");
  }
}

TEST(RedisOptions, AServerThatIsNotInstalledIsMissing) {
  EXPECT_EQ(missing_without_programs("redis"),
            "there is no redis-server in PATH: install the package redis-server, or name a server that runs with "
            "--engine-url");
}

/// A server that belongs to somebody else, as `url` names one.
class RedisUrlTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_server()) GTEST_SKIP() << "the package redis-server is not installed";
    folder_.emplace("fencecheck-test");
    server_.emplace(std::vector<std::string>{find_program("redis-server")->string(), "--port", std::to_string(port_),
                                             "--bind", "127.0.0.1", "--dir", folder_->path().string(), "--save", ""},
                    folder_->path() / "log");
    wait_until_ready(*server_, "redis-server", 10, [this] {
      try {
        open(15);
        return true;
      } catch (const EngineMissing&) {
        return false;
      }
    });
  }

  std::string url(int database) const {
    return "redis://127.0.0.1:" + std::to_string(port_) + "/" + std::to_string(database);
  }
  std::unique_ptr<Engine> open(int database) const { return open_engine({.kind = "redis", .url = url(database)}); }
  static std::string mistake_at(const std::string& url) {
    try {
      open_engine({.kind = "redis", .url = url});
    } catch (const UsageError& mistake) {
      return mistake.what();
    }
    return "no UsageError";
  }

  int port_ = free_port();
  std::optional<TemporaryFolder> folder_;
  std::optional<ServerProcess> server_;
};

TEST_F(RedisUrlTest, ADatabaseIsUsedAndClearedAtTheEnd) {
  {
    const auto engine = open(3);
    EXPECT_TRUE(engine->description().ends_with(" at " + url(3))) << engine->description();
    engine->run(1, {"SET k v"});
    EXPECT_EQ(engine->content().value().text, "k string \"v\"\n");
    EXPECT_EQ(mistake_at(url(3)), "the database at " + url(3) +
                                      " is not empty (keys: 1), and an exploration would remove what is in it. Name an "
                                      "empty one, or leave --engine-url out for a private server");
    EXPECT_EQ(engine->run(2, {"GET k"}), (Answer{.rows = 1, .columns = {"result"}, .table = {{"v"}}}));
  }
  EXPECT_EQ(open(3)->content().value().text, "");
}

TEST_F(RedisUrlTest, OtherDatabasesAreLeftAlone) {
  const auto other = open(2);
  other->run(1, {"SET theirs 1"});
  {
    const auto engine = open(1);
    engine->run(1, {"WATCH k"});
    engine->end(1);  // which must not bring the session to another database
    engine->run(1, {"SET k v"});
    EXPECT_EQ(engine->content().value().text, "k string \"v\"\n");
    engine->run(1, {"FLUSHALL"});
    EXPECT_EQ(engine->content().value().text, "");
  }
  EXPECT_EQ(other->run(1, {"GET theirs"}), (Answer{.rows = 1, .columns = {"result"}, .table = {{"1"}}}));
}

TEST_F(RedisUrlTest, ADatabaseThatIsNotThereIsAMistake) {
  EXPECT_EQ(mistake_at(url(9999)), url(9999) + " refuses: ERR DB index is out of range");
}

}  // namespace
}  // namespace fencecheck::engines
