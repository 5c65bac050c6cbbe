#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <utility>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/etcd_server.h>
#include <fencecheck/engines/server.h>
#include <fencecheck/model/world.h>

#include "engine_checks.h"

namespace fencecheck::engines {
namespace {

const std::vector<std::string> of_get{"value", "create_revision", "mod_revision", "version"};
const std::vector<std::string> of_txn_with_get{"revision", "value", "create_revision", "mod_revision", "version"};

bool has_server() { return find_program("etcd").has_value(); }
bool has_client() { return find_program("etcdctl").has_value(); }

Answer put_at(int revision) { return {.rows = 1, .columns = {"revision"}, .table = {{std::to_string(revision)}}}; }
Answer got(const std::string& value, int created, int modified, int version) {
  return {.rows = 1,
          .columns = of_get,
          .table = {{value, std::to_string(created), std::to_string(modified), std::to_string(version)}}};
}
const Answer not_there{.rows = 0, .columns = of_get};

class EtcdTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_server()) GTEST_SKIP() << "the package etcd-server is not installed";
    engine_ = open_engine({.kind = "etcd", .statement_seconds = seconds_});
  }

  Answer run(const std::string& text, const std::vector<Parameter>& parameters = {}) {
    std::optional<Answer> answer = engine_->run(1, {text, parameters});
    EXPECT_TRUE(answer.has_value()) << text;
    return answer.value_or(Answer{.error = "blocked"});
  }
  std::string message(const std::string& text, const std::vector<Parameter>& parameters = {}) {
    const Answer answer = run(text, parameters);
    return answer.error + ": " + answer.message;
  }
  bool holds(const std::string& condition) {
    const Answer answer = run("txn if " + condition + " then get any");
    EXPECT_EQ(answer.error, "") << condition << ": " << answer.message;
    return answer.rows == 1;
  }
  std::string text() { return engine_->content().value().text; }

  double seconds_ = 10;
  std::unique_ptr<Engine> engine_;
};

TEST_F(EtcdTest, SaysWhatItIs) {
  const std::string description = engine_->description();
  EXPECT_TRUE(description.starts_with("etcd 3.")) << description;
  EXPECT_TRUE(description.ends_with(", a private server")) << description;
}

TEST_F(EtcdTest, RevisionsBeginAtOneAndCountChanges) {
  EXPECT_EQ(text(), "revision 1\n");
  EXPECT_EQ(run("get a"), not_there);
  EXPECT_EQ(run("put a 1"), put_at(2));
  EXPECT_EQ(run("put a 1"), put_at(3)) << "the same value is a change as well";
  EXPECT_EQ(run("get a"), got("1", 2, 3, 2));
  EXPECT_EQ(run("put b 2"), put_at(4));
  EXPECT_EQ(run("del a"), (Answer{.rows = 1, .columns = {"deleted", "revision"}, .table = {{"1", "5"}}}));
  EXPECT_EQ(run("del a"), (Answer{.rows = 0, .columns = {"deleted", "revision"}, .table = {{"0", "5"}}}));
  EXPECT_EQ(run("put a 3"), put_at(6));
  EXPECT_EQ(run("get a"), got("3", 6, 6, 1)) << "a key that comes back begins anew";
  EXPECT_EQ(text(), "revision 6\na \"3\" created 6, modified 6, version 1\nb \"2\" created 4, modified 4, version 1\n");
}

TEST_F(EtcdTest, ATxnRunsOneOfItsBranches) {
  const std::string acquire = "txn if create_revision(lock) = 0 then put lock :handle else get lock";
  EXPECT_EQ(run(acquire, {{"handle", "h1"}}), put_at(2));
  EXPECT_EQ(run(acquire, {{"handle", "h2"}}),
            (Answer{.rows = 0, .columns = of_txn_with_get, .table = {{"2", "h1", "2", "2", "1"}}}));
  EXPECT_EQ(run("txn if value(lock) = h1 and version(lock) = 1 then del lock"), put_at(3));
  EXPECT_EQ(run("txn if value(lock) = h1 then del lock"),
            (Answer{.rows = 0, .columns = {"revision"}, .table = {{"3"}}}));
  EXPECT_EQ(run("txn then put a 1; put b 2"), put_at(4)) << "all in one revision, without a condition";
  EXPECT_EQ(text(), "revision 4\na \"1\" created 4, modified 4, version 1\nb \"2\" created 4, modified 4, version 1\n");
}

TEST_F(EtcdTest, ATxnAnswersItsLastGet) {
  run("put a 1");
  run("put b 2");
  EXPECT_EQ(run("txn then get a; get b; put c 3"),
            (Answer{.rows = 1, .columns = of_txn_with_get, .table = {{"4", "2", "3", "3", "1"}}}));
  EXPECT_EQ(run("txn then get a; get none"),
            (Answer{.rows = 1,
                    .columns = of_txn_with_get,
                    .table = {{"4", std::nullopt, std::nullopt, std::nullopt, std::nullopt}}}));
  EXPECT_EQ(run("txn then put a 5; get a"),
            (Answer{.rows = 1, .columns = of_txn_with_get, .table = {{"5", "5", "2", "5", "2"}}}));
}

TEST_F(EtcdTest, ConditionsCompareAsEtcdDoes) {
  run("put k 5");
  run("put k 9");  // created at 2, modified at 3, version 2
  const std::map<std::string, bool> expected{{"create_revision(k) = 2", true},
                                             {"create_revision(k) = 3", false},
                                             {"create_revision(k) != 2", false},
                                             {"mod_revision(k) = 3", true},
                                             {"mod_revision(k) > 2", true},
                                             {"mod_revision(k) > 3", false},
                                             {"mod_revision(k) < 3", false},
                                             {"mod_revision(k) < 4", true},
                                             {"version(k) = 2", true},
                                             {"version(k) < 2", false},
                                             {"value(k) = 9", true},
                                             {"value(k) != 9", false},
                                             {"value(k) > 10", true},
                                             {"value(none) != 9", false},
                                             {"create_revision(none) = 0", true},
                                             {"mod_revision(none) > -1", true},
                                             {"version(none) < 1", true},
                                             {"mod_revision(k) > 0", true},
                                             {"version(k)=2 and value(k)!=5", true},
                                             {"version(k) = 2 and value(k) = 5", false}};
  for (const auto& [condition, held] : expected) EXPECT_EQ(holds(condition), held) << condition;
}

TEST_F(EtcdTest, WordsAreQuotedAndParametersArePutIn) {
  EXPECT_EQ(run("put\n 'a key'\t\"it's; (so)\""), put_at(2));
  EXPECT_EQ(run("get 'a key'"), got("it's; (so)", 2, 2, 1));
  const std::vector<Parameter> parameters{
      {"k", "then"}, {"v", std::string("\0\n\xff", 3)}, {"nothing", std::nullopt}, {"two", "2"}};
  EXPECT_EQ(run("put :k :v", parameters), put_at(3));
  EXPECT_EQ(run("get 'then'"), got(std::string("\0\n\xff", 3), 3, 3, 1));
  EXPECT_EQ(run("put k :nothing", parameters), put_at(4));
  EXPECT_EQ(run("get k"), got("", 4, 4, 1));
  EXPECT_EQ(run("put k ':v'", parameters), put_at(5));
  EXPECT_EQ(run("put /locks/a:v x:v", parameters), put_at(6));
  EXPECT_EQ(run("txn if create_revision('a key')=:two and mod_revision(none)=:nothing then get k", parameters).rows, 1);
  EXPECT_EQ(run("txn if value(:k) = :v then get k", parameters).rows, 1);
  EXPECT_EQ(text(), R"text(revision 6
/locks/a:v "x:v" created 6, modified 6, version 1
"a key" "it's; (so)" created 2, modified 2, version 1
k ":v" created 4, modified 5, version 2
then "\x00\n\xff" created 3, modified 3, version 1
)text");
}

TEST_F(EtcdTest, WhatIsNoRequestIsRefused) {
  EXPECT_EQ(run("put"), (Answer{.error = "SYNTAX"}));
  EXPECT_EQ(message(""),
            "SYNTAX: `put`, `get`, `del`, `txn` or `advance` should stand at the beginning, and there is nothing");
  EXPECT_EQ(message("PUT a b"),
            "SYNTAX: `put`, `get`, `del`, `txn` or `advance` should stand at the beginning, and there is `PUT`");
  EXPECT_EQ(message("put a"), "SYNTAX: a value should stand behind `a`, and there is nothing");
  EXPECT_EQ(message("put then b"), "SYNTAX: a key should stand behind `put`, and there is `then`");
  EXPECT_EQ(message("get a b"), "SYNTAX: the end should stand behind `a`, and there is `b`");
  EXPECT_EQ(message("txn put a b"), "SYNTAX: `then` should stand behind `txn`, and there is `put`");
  EXPECT_EQ(message("txn if lock = 0 then get a"),
            "SYNTAX: `create_revision`, `mod_revision`, `version` or `value` should stand behind `if`, and there is "
            "`lock`");
  EXPECT_EQ(message("txn if version lock = 0 then get a"),
            "SYNTAX: `(KEY)` should stand behind `version`, and there is `lock`");
  EXPECT_EQ(message("txn if version(lock = 0 then get a"), "SYNTAX: `)` should stand behind `lock`, and there is `=`");
  EXPECT_EQ(message("txn if version(k) >= 1 then get a"),
            "SYNTAX: one of = != < > (an etcd compares in no other way) should stand behind `)`, and there is `>=`");
  EXPECT_EQ(message("txn if version(k) = 1x then get a"), "SYNTAX: `1x` is no whole number");
  EXPECT_EQ(message("txn if version(k) = :v then get a", {{"v", "h1"}}),
            "SYNTAX: `:v` is 'h1', which is no whole number");
  EXPECT_EQ(message("txn if version(k) = 99999999999999999999 then get a"),
            "SYNTAX: 99999999999999999999 is too large");
  EXPECT_EQ(message("txn then get a;"), "SYNTAX: `put`, `get` or `del` should stand behind `;`, and there is nothing");
  EXPECT_EQ(message("txn then get a get b"),
            "SYNTAX: `;` and another operation, or the end should stand behind `a`, and there is `get`");
  EXPECT_EQ(message("get :who"), "SYNTAX: the parameter ':who' has no value");
  EXPECT_EQ(message("get 'a"), "SYNTAX: a quote is not closed");
  EXPECT_EQ(message("get 'a'b"), "SYNTAX: a space must follow a closing quote");
  EXPECT_EQ(message("get a'b'"), "SYNTAX: a quote must stand at the beginning of a word");
  EXPECT_EQ(text(), "revision 1\n");
}

TEST_F(EtcdTest, WhatEtcdRefusesIsAnAnswer) {
  EXPECT_EQ(message("put '' v"), "GRPC_INVALID_ARGUMENT: etcdserver: key is not provided");
  EXPECT_EQ(message("txn then put a 1; put a 2"),
            "GRPC_INVALID_ARGUMENT: etcdserver: duplicate key given in txn request");
  EXPECT_EQ(text(), "revision 1\n");
  EXPECT_EQ(run("put a 1"), put_at(2)) << "the connection goes on";
}

TEST_F(EtcdTest, NothingIsEverOpenOrBlocked) {
  run("put a 1");
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_TRUE(engine_->unblocked().empty());
  engine_->end(1);
  EXPECT_EQ(run("get a"), got("1", 2, 2, 1));
}

TEST_F(EtcdTest, LoadPutsEverythingBack) {
  const Content empty = engine_->content().value();
  for (const char* each : {"put row v0", "put row v1", "put gone x", "txn then put lock h1; put row v2", "del gone",
                           "put row v3", "put lock h2", "put other y", "del other"}) {
    EXPECT_EQ(run(each).error, "") << each;
  }
  const Content full = engine_->content().value();
  EXPECT_EQ(full.text,
            "revision 10\nlock \"h2\" created 5, modified 8, version 2\nrow \"v3\" created 2, modified 7, version 4\n");
  engine_->load(empty);
  EXPECT_EQ(text(), "revision 1\n");
  EXPECT_EQ(run("get row"), not_there);
  EXPECT_EQ(run("put row v9"), put_at(2));
  engine_->load(full);
  EXPECT_EQ(run("get row"), got("v3", 2, 7, 4));
  EXPECT_EQ(run("get lock"), got("h2", 5, 8, 2));
  EXPECT_EQ(run("get gone"), not_there);
  EXPECT_EQ(run("put row v4"), put_at(11));
  EXPECT_EQ(run("get row"), got("v4", 2, 11, 5));
  EXPECT_EQ(run("put gone z"), put_at(12));
  EXPECT_EQ(run("get gone"), got("z", 12, 12, 1));
  engine_->load({});
  EXPECT_EQ(text(), "revision 1\n");
}

/// Behind the first ones, contents come from copies that were written before: further on in the real store than others.
TEST_F(EtcdTest, ContentIsTheSameHoweverOftenItIsPutBack) {
  run("put row v0");
  run("put lock h1");
  run("del lock");
  run("put row v1");
  const Content start = engine_->content().value();
  ASSERT_EQ(start.text, "revision 5\nrow \"v1\" created 2, modified 5, version 2\n");
  for (int i = 0; i < 20; ++i) {
    engine_->load(start);
    EXPECT_EQ(run("get row"), got("v1", 2, 5, 2)) << i;
    EXPECT_EQ(run("txn if create_revision(row) = 2 and mod_revision(row) = 5 then put lock h2"), put_at(6)) << i;
    EXPECT_EQ(run("txn if create_revision(lock) > 5 and mod_revision(row) < 6 then put row v2"), put_at(7)) << i;
    EXPECT_TRUE(holds("create_revision(row) = 2 and mod_revision(row) = 7 and create_revision(lock) = 6")) << i;
    EXPECT_TRUE(holds("create_revision(row) < 6 and mod_revision(row) > 5 and create_revision(lock) != 5")) << i;
    const Content later = engine_->content().value();
    ASSERT_EQ(later.text,
              "revision 7\nlock \"h2\" created 6, modified 6, version 1\nrow \"v2\" created 2, modified 7, "
              "version 3\n")
        << i;
    engine_->load(i % 2 == 0 ? start : later);
    EXPECT_EQ(run("get row"), i % 2 == 0 ? got("v1", 2, 5, 2) : got("v2", 2, 7, 3)) << i;
  }
}

TEST_F(EtcdTest, WhatIsNotChangedNeedsNoNewCopy) {
  run("put row v0");
  const Content one = engine_->content().value();
  run("put row v1");
  const Content two = engine_->content().value();
  for (int i = 0; i < 3; ++i) {
    engine_->load(one);
    EXPECT_EQ(run("txn if value(row) = v7 then put row v8").rows, 0);
    engine_->load(two);
    EXPECT_EQ(run("get row"), got("v1", 2, 3, 2));
  }
  engine_->load(one);
  EXPECT_EQ(run("put row v9"), put_at(3));
  engine_->load(one);
  EXPECT_EQ(run("get row"), got("v0", 2, 2, 1)) << "the copy that was changed does not come back";
}

TEST_F(EtcdTest, ManyKeysOfOneTxnComeBack) {
  std::string all = "txn then put k0 v";
  for (int i = 1; i < 100; ++i) all += "; put k" + std::to_string(i) + " v";
  EXPECT_EQ(run(all), put_at(2));
  const Content content = engine_->content().value();
  run("put k5 w");
  engine_->load(content);
  EXPECT_EQ(text(), content.text);
  EXPECT_EQ(run("get k99"), got("v", 2, 2, 1));
  EXPECT_EQ(run("get k5"), got("v", 2, 2, 1));
}

TEST_F(EtcdTest, ContentsAreRightAcrossAClearing) {
  run("put row v0");
  const Content content = engine_->content().value();
  for (int i = 0; i < 30; ++i) {
    for (int each = 0; each < 200; ++each) run("put row v1");
    engine_->load(content);
    ASSERT_EQ(run("get row"), got("v0", 2, 2, 1)) << i;
    ASSERT_EQ(run("put row v1"), put_at(3)) << i;
  }
}

TEST_F(EtcdTest, AContentThatNoEtcdCanHoldIsAFailure) {
  EXPECT_EQ(failure_of([&] {
              engine_->load({"x", R"({"revision":5,"keys":[["aw==","dg==",2,3,3]]})"});
            }),
            "no etcd can hold the key k created at 2, modified at 3, with version 3");
  EXPECT_EQ(failure_of([&] {
              engine_->load({"x", R"({"revision":5,"keys":[["aw==","dg==",2,6,2]]})"});
            }),
            "no etcd can hold the key k created at 2, modified at 6, with version 2");
}

TEST_F(EtcdTest, ARestoreIsARealOneAndTakesTheRevisionBack) {
  if (!has_client()) GTEST_SKIP() << "the package etcd-client is not installed";
  run("put lock h1");
  run("put lock h2");
  const Content backup = engine_->content().value();
  run("del lock");
  EXPECT_EQ(run("put lock h3"), put_at(5));
  const pid_t before = server_running("etcd");
  EXPECT_EQ(engine_->restore(backup), "etcdctl snapshot restore: revision 3");
  EXPECT_NE(server_running("etcd"), before);
  EXPECT_EQ(text(), "revision 3\nlock \"h2\" created 2, modified 3, version 2\n");
  EXPECT_EQ(run("get lock"), got("h2", 2, 3, 2));
  EXPECT_EQ(run("put lock h4"), put_at(4)) << "a revision that was there before";
  engine_->load({});
  EXPECT_EQ(run("put lock h5"), put_at(2)) << "what is put back afterwards is right, too";
}

TEST_F(EtcdTest, TheRevisionCanBeAdvanced) {
  run("put lock h1");
  EXPECT_EQ(run("advance 1"), put_at(2)) << "it is beyond that already";
  EXPECT_EQ(run("advance :issued", {{"issued", "7"}}), put_at(7));
  EXPECT_EQ(text(), "revision 7\nlock \"h1\" created 2, modified 2, version 1\n");
  EXPECT_EQ(run("put lock h2"), put_at(8));
  EXPECT_EQ(run("advance far").error, "SYNTAX");
}

TEST_F(EtcdTest, AServerThatDiesIsAFailure) {
  run("put k v");
  const pid_t server = server_running("etcd");
  ASSERT_GT(server, 0);
  ASSERT_EQ(::kill(server, SIGKILL), 0);
  const std::string broken = "the connection to etcd failed: ";
  EXPECT_EQ(failure_of([&] { run("get k"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { run("put k w"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->content(); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->load({}); }).substr(0, broken.size()), broken);
}

class ImpatientEtcdTest : public EtcdTest {
 protected:
  ImpatientEtcdTest() { seconds_ = 1; }
};

TEST_F(ImpatientEtcdTest, AServerThatDoesNotAnswerIsAFailure) {
  run("put k v");
  const Content content = engine_->content().value();
  const pid_t server = server_running("etcd");
  ASSERT_GT(server, 0);
  ASSERT_TRUE(stand_still(server));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of([&] { run("put k w"); }), "etcd did not answer within 1 seconds");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  ASSERT_EQ(::kill(server, SIGCONT), 0);
  load_once_it_answers(*engine_, content);
  EXPECT_EQ(run("get k"), got("v", 2, 2, 1)) << "it goes on once the server does";
}

TEST(EtcdOptions, AnySettingIsUnknown) {
  try {
    open_engine({.kind = "etcd", .settings = {{"quota", "1"}}});
    FAIL() << "nothing was thrown";
  } catch (const UsageError& mistake) {
    EXPECT_STREQ(mistake.what(), "setting 'quota': etcd has no settings");
  }
}

TEST(EtcdOptions, AnAddressHasAForm) {
  for (const char* url : {"127.0.0.1:2379", "http://", "http://host", "http://:1", "http://host:0", "http://host:x",
                          "http://host:65536", "http://host:1/", "https://host:1", "http://user@host:1"}) {
    try {
      open_engine({.kind = "etcd", .url = url});
      ADD_FAILURE() << url << ": nothing was thrown";
    } catch (const UsageError& mistake) {
      EXPECT_EQ(mistake.what(),
                std::string("url '") + url + "': should be http://host:port, such as http://127.0.0.1:2379");
    }
  }
}

TEST(EtcdOptions, NobodyAtTheAddressIsMissing) {
  const std::string url = "http://127.0.0.1:" + std::to_string(free_port());
  try {
    open_engine({.kind = "etcd", .url = url});
    FAIL() << "nothing was thrown";
  } catch (const EngineMissing& missing) {
    EXPECT_EQ(missing.what(), "nobody answers at " + url +
                                  ": nobody accepts a connection. Start an etcd there, or leave --engine-url out for a "
                                  "private one");
  }
}

TEST(EtcdOptions, AServerThatIsNotInstalledIsMissing) {
  EXPECT_EQ(missing_without_programs("etcd"),
            "there is no etcd in PATH: install the package etcd-server, or name a server that runs with --engine-url");
}

/// A server that belongs to somebody else, as `url` names one.
class EtcdUrlTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_server()) GTEST_SKIP() << "the package etcd-server is not installed";
    server_.emplace(10.0);
  }

  std::unique_ptr<Engine> open() const { return open_engine({.kind = "etcd", .url = server_->url()}); }
  std::string mistake() const {
    try {
      open();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no UsageError";
  }

  std::optional<etcd::Server> server_;
};

TEST_F(EtcdUrlTest, OurKeysAreBelowAPrefixThatIsClearedAtTheEnd) {
  EXPECT_EQ(server_->put("fencechecker", "theirs"), 2);
  EXPECT_EQ(server_->put("row", "theirs"), 3);
  {
    const auto engine = open();
    EXPECT_TRUE(engine->description().ends_with(" at " + server_->url())) << engine->description();
    EXPECT_EQ(engine->run(1, {"put row ours"}), put_at(2)) << "revisions begin at 1 all the same";
    const Content content = engine->content().value();
    EXPECT_EQ(content.text, "revision 2\nrow \"ours\" created 2, modified 2, version 1\n");
    engine->run(1, {"del row"});
    engine->load(content);
    EXPECT_EQ(engine->run(1, {"get row"}), got("ours", 2, 2, 1));
    EXPECT_NE(mistake().find(" has keys below fencecheck/ (as many as "), std::string::npos) << mistake();
    EXPECT_EQ(engine->run(1, {"get row"}), got("ours", 2, 2, 1)) << "whoever was refused has touched nothing";
  }
  const auto engine = open();
  EXPECT_EQ(engine->content().value().text, "revision 1\n");
  EXPECT_EQ(server_->get("fencechecker"), "theirs");
  EXPECT_EQ(server_->get("row"), "theirs");
}

TEST_F(EtcdUrlTest, AKeyOfOthersBelowThePrefixIsAMistake) {
  server_->put("fencecheck/a", "theirs");
  EXPECT_EQ(mistake(), "the etcd at " + server_->url() +
                           " has keys below fencecheck/ (as many as 1), and an exploration would remove them. Delete "
                           "them, or leave --engine-url out for a private server");
  EXPECT_EQ(server_->get("fencecheck/a"), "theirs");
}

TEST_F(EtcdUrlTest, SomebodyElseWhoWritesIsAFailure) {
  const auto engine = open();
  engine->run(1, {"put row ours"});
  server_->put("theirs", "1");
  const std::string expected = "the revision of the etcd at " + server_->url() +
                               " has changed between two requests of fencecheck's: somebody else writes to it. Name "
                               "one that nobody uses, or leave --engine-url out for a private server";
  EXPECT_EQ(failure_of([&] { engine->content(); }), expected);
  engine->load({});
  server_->put("theirs", "2");
  EXPECT_EQ(failure_of([&] { engine->run(1, {"put row ours"}); }), expected);
}

/// What a restore does to tokens, on the server itself: these are the revisions that it has, and no virtual ones.
class EtcdSnapshot : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_server()) GTEST_SKIP() << "the package etcd-server is not installed";
    if (!has_client()) GTEST_SKIP() << "the package etcd-client is not installed";
    server_.emplace(10.0);
  }

  /// Grants the lock twice, with a snapshot in between, and restores it. Gives both tokens.
  std::pair<std::int64_t, std::int64_t> grant_twice_and_restore() {
    const std::int64_t first = server_->put("lock", "h1");
    const std::filesystem::path snapshot = server_->save_snapshot();
    const std::int64_t second = server_->put("lock", "h2");
    server_->restore_snapshot(snapshot);
    return {first, second};
  }

  std::optional<etcd::Server> server_;
};

TEST_F(EtcdSnapshot, RestoreTakesTheRevisionBack) {
  const auto [first, second] = grant_twice_and_restore();
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 3);
  EXPECT_EQ(server_->get("lock"), "h1");
  EXPECT_EQ(server_->put("lock", "h3"), second) << "the same token, handed out a second time";
}

TEST_F(EtcdSnapshot, ARevisionThatIsAdvancedBeforeAnybodyIsServedStaysAbove) {
  const std::int64_t highest = grant_twice_and_restore().second;
  std::int64_t revision = server_->put("filler", "");
  while (revision < highest) revision = server_->put("filler", "");
  EXPECT_EQ(revision, highest);
  EXPECT_EQ(server_->put("lock", "h3"), highest + 1) << "above every token that was ever handed out";
}

}  // namespace
}  // namespace fencecheck::engines
