#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <random>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/zookeeper_server.h>

#include "zookeeper_support.h"

namespace fencecheck::engines {
namespace {

/// One engine for all: a server takes a second to start.
class ZookeeperTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (zookeeper::is_installed()) engine_ = open_engine({.kind = "zookeeper"});
  }
  static void TearDownTestSuite() { engine_.reset(); }

  void SetUp() override {
    if (!engine_) GTEST_SKIP() << "the package zookeeper is not installed";
    engine_->load({});
  }

  static Answer run_as(int session, const std::string& text, const std::vector<Parameter>& parameters = {}) {
    std::optional<Answer> answer = engine_->run(session, {text, parameters});
    EXPECT_TRUE(answer.has_value()) << text;
    return answer.value_or(Answer{.error = "blocked"});
  }
  static Answer run(const std::string& text, const std::vector<Parameter>& parameters = {}) {
    return run_as(1, text, parameters);
  }
  static std::string message(const std::string& text, const std::vector<Parameter>& parameters = {}) {
    const Answer answer = run(text, parameters);
    return answer.error + ": " + answer.message;
  }
  static std::string text() { return engine_->content().value().text; }

  static std::unique_ptr<Engine> engine_;
};
std::unique_ptr<Engine> ZookeeperTest::engine_;

TEST_F(ZookeeperTest, SaysWhatItIs) {
  const std::string description = engine_->description();
  EXPECT_TRUE(description.starts_with("ZooKeeper 3.")) << description;
  EXPECT_TRUE(description.ends_with(", a private server")) << description;
  EXPECT_EQ(description.find("-,"), std::string::npos) << description;
}

TEST_F(ZookeeperTest, NodesAreCreatedSetReadAndDeleted) {
  EXPECT_EQ(text(), nothing_yet);
  EXPECT_EQ(run("get /row"), not_there);
  EXPECT_EQ(run("create /row v0"), created(1, "/row"));
  EXPECT_EQ(run("get /row"), got("v0", 0, 1, 1));
  EXPECT_EQ(run("set /row v1"), was_set(1, 2));
  EXPECT_EQ(run("set /row v1"), was_set(2, 3)) << "the same value is a change as well";
  EXPECT_EQ(run("get /row"), got("v1", 2, 1, 3));
  EXPECT_EQ(run("set /row v2 if version = 2"), was_set(3, 4));
  EXPECT_EQ(run("set /row v3 if version = 2"), error("ZBADVERSION"));
  EXPECT_EQ(run("delete /row if version = 2"), error("ZBADVERSION"));
  EXPECT_EQ(run("get /row"), got("v2", 3, 1, 4)) << "what was refused has changed nothing";
  EXPECT_EQ(run("create /row/part p"), created(5, "/row/part")) << "and does not count";
  EXPECT_EQ(text(),
            "zxid 5\n/ \"\" version 0, czxid 0, mzxid 0, next child 1\n"
            "/row \"v2\" version 3, czxid 1, mzxid 4, next child 1\n"
            "/row/part \"p\" version 0, czxid 5, mzxid 5\n");
  EXPECT_EQ(run("delete /row/part if version = 0"), done);
  EXPECT_EQ(run("delete /row"), done);
  EXPECT_EQ(text(), "zxid 7\n/ \"\" version 0, czxid 0, mzxid 0, next child 1\n");
  EXPECT_EQ(run("create /row v4"), created(8, "/row"));
  EXPECT_EQ(run("get /row"), got("v4", 0, 8, 8)) << "a node that comes back begins anew";
}

TEST_F(ZookeeperTest, TheRootIsANode) {
  EXPECT_EQ(run("get /"), got("", 0, 0, 0));
  EXPECT_EQ(run("set / r"), was_set(1, 1));
  EXPECT_EQ(run("get /"), got("r", 1, 0, 1));
  EXPECT_EQ(run("create / r"), error("ZNODEEXISTS"));
  EXPECT_EQ(run("create / r sequential"), created(2, "/0000000000"));
  EXPECT_EQ(run("lowest /"), lowest(2, "/0000000000", "r"));
  EXPECT_EQ(run("count /"), counted(1));
  EXPECT_EQ(run("multi check / version = 1; set / s"), was_set(2, 3));
}

TEST_F(ZookeeperTest, WhatZooKeeperRefusesHasTheNameOfTheClients) {
  run("create /lock ''");
  run("create /lock/a '' ephemeral");
  EXPECT_EQ(message("create /lock x"), "ZNODEEXISTS: node exists");
  EXPECT_EQ(message("create /none/a x"), "ZNONODE: no node");
  EXPECT_EQ(message("create /lock/a/b x"), "ZNOCHILDRENFOREPHEMERALS: no children for ephemerals");
  EXPECT_EQ(message("set /none x"), "ZNONODE: no node");
  EXPECT_EQ(message("set /lock x if version = 7"), "ZBADVERSION: bad version");
  EXPECT_EQ(message("delete /none"), "ZNONODE: no node");
  EXPECT_EQ(message("delete /lock"), "ZNOTEMPTY: not empty");
  EXPECT_EQ(message("lowest /none"), "ZNONODE: no node");
  EXPECT_EQ(message("count /none"), "ZNONODE: no node");
  EXPECT_EQ(message("multi set /lock x; check /lock version = 0"), "ZBADVERSION: bad version (operation 2)");
}

TEST_F(ZookeeperTest, SequentialNodesAreNumberedByTheirParent) {
  run("create /lock ''");
  EXPECT_EQ(run("lowest /lock"), none_lowest);
  EXPECT_EQ(run("count /lock"), counted(0));
  EXPECT_EQ(run("create /lock/n- h1 ephemeral sequential"), created(2, "/lock/n-0000000000"));
  EXPECT_EQ(run("create /lock/m- h2 sequential ephemeral"), created(3, "/lock/m-0000000001"));
  EXPECT_EQ(run("create /lock/plain x"), created(4, "/lock/plain"));
  EXPECT_EQ(run("create /lock/ h3 sequential"), created(5, "/lock/0000000003")) << "a plain child counts as well";
  EXPECT_EQ(run("count /lock"), counted(4));
  EXPECT_EQ(run("lowest /lock"), lowest(2, "/lock/n-0000000000", "h1"));
  run("delete /lock/n-0000000000");
  EXPECT_EQ(run("lowest /lock"), lowest(3, "/lock/m-0000000001", "h2")) << "by the number, and not by the name";
  run("delete /lock/m-0000000001");
  run("delete /lock/0000000003");
  EXPECT_EQ(run("lowest /lock"), none_lowest) << "a child without a number is none of them";
  EXPECT_EQ(run("create /lock/n- h4 sequential"), created(9, "/lock/n-0000000004")) << "numbers do not come back";
}

TEST_F(ZookeeperTest, AMultiIsAllOrNothing) {
  run("create /row v0");
  run("create /highest 1");
  EXPECT_EQ(run("multi check /row version = 0; set /highest 2 if version = 0; set /row v1"), was_set(1, 3));
  EXPECT_EQ(run("get /row"), got("v1", 1, 1, 3)) << "one multi is one change";
  EXPECT_EQ(run("get /highest"), got("2", 1, 2, 3));
  const std::string before = text();
  EXPECT_EQ(run("multi set /row v2; set /highest 3 if version = 0"), error("ZBADVERSION"));
  EXPECT_EQ(run("multi create /a x; create /row x"), error("ZNODEEXISTS"));
  EXPECT_EQ(run("multi delete /row; set /none x"), error("ZNONODE"));
  EXPECT_EQ(text(), before);
  EXPECT_EQ(run("multi delete /highest; create /n- x ephemeral sequential; set /row v2"), created(4, "/n-0000000002"));
  EXPECT_EQ(run("multi check /row version = 2"), done);
  EXPECT_EQ(run("multi delete /n-0000000002"), done);
  EXPECT_EQ(run("multi create /row/a x; create /row/b y; delete /row/a"), created(6, "/row/a"));
  EXPECT_EQ(text(),
            "zxid 6\n/ \"\" version 0, czxid 0, mzxid 0, next child 3\n"
            "/row \"v2\" version 2, czxid 1, mzxid 4, next child 2\n"
            "/row/b \"y\" version 0, czxid 6, mzxid 6\n")
      << "one that only checks does not count";
}

TEST_F(ZookeeperTest, WordsAreQuotedAndParametersArePutIn) {
  EXPECT_EQ(run("create\n '/a key'\t\"it's; = so\""), created(1, "/a key"));
  EXPECT_EQ(run("get '/a key'"), got("it's; = so", 0, 1, 1));
  const std::vector<Parameter> parameters{
      {"k", "/if"}, {"v", std::string("\0\n\xff", 3)}, {"nothing", std::nullopt}, {"two", "2"}};
  EXPECT_EQ(run("create :k :v", parameters), created(2, "/if"));
  EXPECT_EQ(run("get /if"), got(std::string("\0\n\xff", 3), 0, 2, 2));
  EXPECT_EQ(run("set :k :nothing", parameters), was_set(1, 3));
  EXPECT_EQ(run("get :k", parameters), got("", 1, 2, 3));
  EXPECT_EQ(run("set /if 'if' if version=1", parameters), was_set(2, 4));
  EXPECT_EQ(run("set /if multi if version=:two;", parameters).error, "SYNTAX");
  EXPECT_EQ(run("multi set /if a:v if version=:two;set '/a key' ':v'", parameters), was_set(3, 5));
  EXPECT_EQ(text(),
            "zxid 5\n/ \"\" version 0, czxid 0, mzxid 0, next child 2\n"
            "\"/a key\" \":v\" version 1, czxid 1, mzxid 5\n"
            "/if \"a:v\" version 3, czxid 2, mzxid 5\n");
}

TEST_F(ZookeeperTest, WhatIsNoRequestIsRefused) {
  const std::string verbs = "`create`, `set`, `get`, `delete`, `lowest`, `count`, `expire` or `multi` should stand ";
  EXPECT_EQ(message(""), "SYNTAX: " + verbs + "at the beginning, and there is nothing");
  EXPECT_EQ(message("SET /a b"), "SYNTAX: " + verbs + "at the beginning, and there is `SET`");
  EXPECT_EQ(message("apart:get /a"), "SYNTAX: " + verbs + "at the beginning, and there is `apart:get`");
  EXPECT_EQ(message("apart: "), "SYNTAX: " + verbs + "behind `apart:`, and there is nothing");
  EXPECT_EQ(message("check /a version = 1"), "SYNTAX: " + verbs + "at the beginning, and there is `check`");
  EXPECT_EQ(message("get"), "SYNTAX: a path should stand behind `get`, and there is nothing");
  EXPECT_EQ(message("get /a /b"), "SYNTAX: the end should stand behind `/a`, and there is `/b`");
  EXPECT_EQ(message("get = a"), "SYNTAX: a path should stand behind `get`, and there is `=`");
  EXPECT_EQ(message("set /a if version = 1"), "SYNTAX: a value should stand behind `/a`, and there is `if`");
  EXPECT_EQ(message("create /a ephemeral"), "SYNTAX: a value should stand behind `/a`, and there is `ephemeral`");
  EXPECT_EQ(message("create /a b ephemeral ephemeral"),
            "SYNTAX: the end should stand behind `ephemeral`, and there is `ephemeral`");
  EXPECT_EQ(message("set /a b if mzxid = 1"), "SYNTAX: `version = N` should stand behind `if`, and there is `mzxid`");
  EXPECT_EQ(message("set /a b if version 1"), "SYNTAX: `=` should stand behind `version`, and there is `1`");
  EXPECT_EQ(message("set /a b if version ="), "SYNTAX: a version should stand behind `=`, and there is nothing");
  const std::string version = "version: that is a whole number up to 2147483647";
  EXPECT_EQ(message("set /a b if version = x"), "SYNTAX: `x` is no " + version);
  EXPECT_EQ(message("set /a b if version = -1"), "SYNTAX: `-1` is no " + version);
  EXPECT_EQ(message("set /a b if version = 2147483648"), "SYNTAX: `2147483648` is no " + version);
  EXPECT_EQ(message("delete /a if version = :v", {{"v", "h1"}}), "SYNTAX: `:v` is 'h1', which is no " + version);
  EXPECT_EQ(message("delete /a if version = :v", {{"v", std::nullopt}}),
            "SYNTAX: `:v` is nothing, which is no " + version);
  EXPECT_EQ(message("multi get /a"),
            "SYNTAX: `create`, `set`, `delete` or `check` should stand behind `multi`, and there is `get`");
  EXPECT_EQ(message("multi set /a b;"),
            "SYNTAX: `create`, `set`, `delete` or `check` should stand behind `;`, and there is nothing");
  EXPECT_EQ(message("multi set /a b set /b c"),
            "SYNTAX: `;` and another operation, or the end should stand behind `b`, and there is `set`");
  EXPECT_EQ(message("multi check /a = 1"), "SYNTAX: `version = N` should stand behind `/a`, and there is `=`");
  EXPECT_EQ(message("get :who"), "SYNTAX: the parameter ':who' has no value");
  EXPECT_EQ(message("get '/a"), "SYNTAX: a quote is not closed");
  EXPECT_EQ(message("get '/a'b"), "SYNTAX: a space must follow a closing quote");
  EXPECT_EQ(message("get /a'b'"), "SYNTAX: a quote must stand at the beginning of a word");
  EXPECT_EQ(text(), nothing_yet);
}

TEST_F(ZookeeperTest, WhatIsNoPathIsRefused) {
  EXPECT_EQ(message("get lock"), "SYNTAX: `lock` is no path: it must begin with /");
  EXPECT_EQ(message("get ''"), "SYNTAX: `''` is no path: it must begin with /");
  EXPECT_EQ(message("get :p", {{"p", "lock"}}), "SYNTAX: `:p` is 'lock', which is no path: it must begin with /");
  EXPECT_EQ(message("get :p", {{"p", std::nullopt}}),
            "SYNTAX: `:p` is nothing, which is no path: it must begin with /");
  EXPECT_EQ(message("set /a/ b"), "SYNTAX: `/a/` is no path: only that of a sequential node may end in /");
  EXPECT_EQ(message("create /a/ b ephemeral"), "SYNTAX: `/a/` is no path: only that of a sequential node may end in /");
  EXPECT_EQ(message("create /a// b sequential"), "SYNTAX: `/a//` is no path: it has two / in a row");
  EXPECT_EQ(message("get //a"), "SYNTAX: `//a` is no path: it has two / in a row");
  EXPECT_EQ(message("get /a/../b"), "SYNTAX: `/a/../b` is no path: no part of it may be . or ..");
  EXPECT_EQ(message("get /."), "SYNTAX: `/.` is no path: no part of it may be . or ..");
  EXPECT_EQ(message("get :p", {{"p", "/a\nb"}}),
            "SYNTAX: `:p` is '/a\nb', which is no path: only printable ASCII may be in it");
  EXPECT_EQ(message("delete /"), "SYNTAX: `/` is no path to delete: the root stays");
  EXPECT_EQ(message("multi delete /"), "SYNTAX: `/` is no path to delete: the root stays");
}

// ---- Sessions --------------------------------------------------------------------------------------------------

TEST_F(ZookeeperTest, AnExpiredSessionLosesItsNodesAndDoesNotKnow) {
  run("create /lock ''");
  EXPECT_EQ(run_as(1, "create /lock/n- h1 ephemeral sequential"), created(2, "/lock/n-0000000000"));
  EXPECT_EQ(run_as(2, "create /lock/n- h2 ephemeral sequential"), created(3, "/lock/n-0000000001"));
  EXPECT_EQ(run_as(1, "create /mine x ephemeral"), created(4, "/mine"));
  EXPECT_EQ(run_as(outside, "expire /lock"), done);
  EXPECT_EQ(text(),
            "zxid 5\n/ \"\" version 0, czxid 0, mzxid 0, next child 2\n"
            "/lock \"\" version 0, czxid 1, mzxid 1, next child 2\n"
            "/lock/n-0000000001 \"h2\" version 0, czxid 3, mzxid 3, of session 2\n"
            "session 1 has expired unawares\n");
  EXPECT_EQ(run_as(2, "lowest /lock"), lowest(3, "/lock/n-0000000001", "h2"));
  EXPECT_EQ(run_as(1, "set /lock x"), error("ZSESSIONEXPIRED"));
  EXPECT_EQ(run_as(1, "set /lock x"), was_set(1, 6)) << "once, then it has a new session";
  EXPECT_EQ(run_as(1, "create /lock/n- h3 ephemeral sequential"), created(7, "/lock/n-0000000002"));
  EXPECT_EQ(text(),
            "zxid 7\n/ \"\" version 0, czxid 0, mzxid 0, next child 2\n"
            "/lock \"x\" version 1, czxid 1, mzxid 6, next child 3\n"
            "/lock/n-0000000001 \"h2\" version 0, czxid 3, mzxid 3, of session 2\n"
            "/lock/n-0000000002 \"h3\" version 0, czxid 7, mzxid 7, of session 1\n");
}

TEST_F(ZookeeperTest, ExpireFindsTheOwner) {
  run("create /lock ''");
  EXPECT_EQ(run_as(outside, "expire /none"), nobody);
  EXPECT_EQ(run_as(outside, "expire /lock"), nobody);
  run("create /lock/n- plain sequential");
  EXPECT_EQ(run_as(outside, "expire /lock"), nobody) << "the lowest child belongs to no session";
  EXPECT_EQ(run_as(outside, "expire /"), nobody);
  EXPECT_EQ(run_as(2, "create /lock/n- h ephemeral sequential"), created(3, "/lock/n-0000000001"));
  EXPECT_EQ(run_as(outside, "expire /lock"), nobody);
  EXPECT_EQ(run_as(outside, "expire /lock/n-0000000001"), done);
  EXPECT_EQ(run_as(2, "get /lock"), error("ZSESSIONEXPIRED")) << "to read it needs a session as well";
  EXPECT_EQ(run_as(2, "get /lock"), got("", 0, 1, 1));
  EXPECT_EQ(run_as(2, "create /n- h ephemeral sequential"), created(5, "/n-0000000001"));
  EXPECT_EQ(run_as(2, "expire /"), done) << "its own one";
  EXPECT_EQ(run_as(2, "count /"), error("ZSESSIONEXPIRED"));
  EXPECT_EQ(run_as(2, "count /"), counted(1));
}

TEST_F(ZookeeperTest, ARequestApartOfAnExpiredSessionIsCarriedOut) {
  run("create /row v0");
  run("create /lock h1 ephemeral");
  EXPECT_EQ(run_as(outside, "expire /lock"), done);
  EXPECT_EQ(run("apart: set /row v1"), was_set(1, 4));
  EXPECT_EQ(run("apart: multi set /row v2 if version = 1"), was_set(2, 5));
  EXPECT_EQ(run("apart: get /row"), got("v2", 2, 1, 5));
  EXPECT_TRUE(text().ends_with("session 1 has expired unawares\n")) << "it still does not know";
  EXPECT_EQ(run("set /row v3"), error("ZSESSIONEXPIRED"));
  EXPECT_EQ(run("apart: get /row"), got("v2", 2, 1, 5)) << "what was refused was not carried out";
}

TEST_F(ZookeeperTest, AnEphemeralNodeNeedsASessionThatMayEnd) {
  const std::string refused =
      "SYNTAX: an ephemeral node should belong to a worker's session: this one is of no worker, or apart";
  EXPECT_EQ(message("apart: create /a b ephemeral"), refused);
  EXPECT_EQ(message("apart: multi create /a b ephemeral"), refused);
  EXPECT_EQ(run_as(outside, "create /a b ephemeral").message, refused.substr(8));
  EXPECT_EQ(text(), nothing_yet);
}

TEST_F(ZookeeperTest, WhoIsCutOffLosesItsNodesAndKnows) {
  run("create /lock ''");
  engine_->end(1);
  EXPECT_EQ(run("get /lock"), got("", 0, 1, 1)) << "a session that owns nothing is as good as a new one";
  run("create /lock/a x ephemeral");
  run("create /lock/b x ephemeral");
  engine_->end(1);
  EXPECT_EQ(text(),
            "zxid 4\n/ \"\" version 0, czxid 0, mzxid 0, next child 1\n"
            "/lock \"\" version 0, czxid 1, mzxid 1, next child 2\n");
  EXPECT_EQ(run("create /lock/n- x ephemeral sequential"), created(5, "/lock/n-0000000002"));
  EXPECT_EQ(run_as(outside, "expire /lock"), done);
  engine_->end(1);
  EXPECT_EQ(run("count /lock"), counted(0)) << "who has died begins with a new session";
}

TEST_F(ZookeeperTest, NothingIsEverOpenOrBlocked) {
  run("create /lock x ephemeral");
  EXPECT_FALSE(engine_->is_open(1));
  EXPECT_TRUE(engine_->unblocked().empty());
}

// ---- Putting back ----------------------------------------------------------------------------------------------

TEST_F(ZookeeperTest, LoadPutsEverythingBack) {
  const Content empty = engine_->content().value();
  EXPECT_EQ(empty.text, nothing_yet);
  run("create /lock ''");
  run("create /row v0");
  for (int i = 1; i <= 3; ++i) run("set /row v" + std::to_string(i));
  run_as(1, "create /lock/n- h1 ephemeral sequential");
  run_as(2, "create /lock/n- h2 ephemeral sequential");
  run_as(3, "create /lock/n- h3 ephemeral sequential");
  run_as(2, "set /lock/n-0000000001 h2b");
  EXPECT_EQ(run_as(outside, "expire /lock"), done);
  const Content full = engine_->content().value();
  const std::string expected =
      "zxid 10\n/ \"\" version 0, czxid 0, mzxid 0, next child 2\n"
      "/lock \"\" version 0, czxid 1, mzxid 1, next child 3\n"
      "/lock/n-0000000001 \"h2b\" version 1, czxid 7, mzxid 9, of session 2\n"
      "/lock/n-0000000002 \"h3\" version 0, czxid 8, mzxid 8, of session 3\n"
      "/row \"v3\" version 3, czxid 2, mzxid 5\n"
      "session 1 has expired unawares\n";
  EXPECT_EQ(full.text, expected);
  engine_->load(empty);
  EXPECT_EQ(text(), nothing_yet);
  EXPECT_EQ(run("get /row"), not_there);
  EXPECT_EQ(run("create /other x"), created(1, "/other"));
  for (int i = 0; i < 3; ++i) {
    engine_->load(full);
    EXPECT_EQ(text(), expected);
    EXPECT_EQ(run_as(2, "get /row"), got("v3", 3, 2, 5));
    EXPECT_EQ(run_as(2, "lowest /lock"), lowest(7, "/lock/n-0000000001", "h2b"));
    EXPECT_EQ(run_as(1, "get /row"), error("ZSESSIONEXPIRED"));
    EXPECT_EQ(run_as(1, "create /lock/n- h4 ephemeral sequential"), created(11, "/lock/n-0000000003"));
    EXPECT_EQ(run_as(outside, "expire /lock"), done);
    EXPECT_EQ(run_as(1, "lowest /lock"), lowest(8, "/lock/n-0000000002", "h3"));
    EXPECT_EQ(run_as(1, "multi set /row v4 if version = 3; delete /lock/n-0000000002"), was_set(4, 13));
    EXPECT_EQ(run_as(1, "get /row"), got("v4", 4, 2, 13));
    EXPECT_EQ(run_as(1, "create /n- x sequential"), created(14, "/n-0000000002"));
  }
}

class RandomHistory : public ZookeeperTest {
 protected:
  int any(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  std::string any_path() {
    static const std::array<std::string, 7> paths{"/a",     "/a/b",         "/c", "/c/n-0000000000", "/c/n-0000000001",
                                                  "/a/b/d", "/n-0000000002"};
    return paths.at(static_cast<std::size_t>(any(static_cast<int>(paths.size()))));
  }

  /// A request, and what it does to a model.
  struct Request {
    std::string text;
    std::function<Answer(Model&)> modelled;
  };

  Request any_change(int session, bool in_multi) {
    const std::string path = any_path();
    const std::string value = "v" + std::to_string(any(3));
    const int version = any(3) - 1;
    const std::string condition = version < 0 ? "" : " if version = " + std::to_string(version);
    switch (any(in_multi ? 5 : 4)) {
      case 0: {
        const bool ephemeral = any(2) == 0;
        return {"create " + path + " " + value + (ephemeral ? " ephemeral" : ""),
                [=](Model& model) { return model.create(session, path, value, ephemeral, false); }};
      }
      case 1: {
        const std::string below = any(2) == 0 ? "/c/n-" : "/n-";
        return {"create " + below + " " + value + " ephemeral sequential",
                [=](Model& model) { return model.create(session, below, value, true, true); }};
      }
      case 2:
        return {"set " + path + " " + value + condition, [=](Model& model) { return model.set(path, value, version); }};
      case 3: return {"delete " + path + condition, [=](Model& model) { return model.remove(path, version); }};
      default:
        return {"check " + path + " version = " + std::to_string(version + 1),
                [=](Model& model) { return model.check(path, version + 1); }};
    }
  }

  Request any_multi(int session) {
    const Request first = any_change(session, true);
    const Request second = any_change(session, true);
    return {"multi " + first.text + "; " + second.text, [=](Model& model) {
              return model.multi({first.modelled, second.modelled});
            }};
  }

  Request any_request(int session) {
    const std::string path = any_path();
    switch (any(9)) {
      case 0: return {"get " + path, [=](Model& model) { return model.get(path); }};
      case 1: return {"lowest " + path, [=](Model& model) { return model.lowest_child(path); }};
      case 2: return {"expire " + path, [=](Model& model) { return model.expire(path); }};
      case 3:
      case 4: return any_multi(session);
      default: return any_change(session, false);
    }
  }

  /// The same request to both.
  void step() {
    const int session = 1 + any(3);
    if (any(12) == 0) {
      engine_->end(session);
      model_.forget(session);
      model_.cut_off(session);
      return;
    }
    const Request request = any_request(session);
    const Answer expected = model_.forget(session) ? error("ZSESSIONEXPIRED") : request.modelled(model_);
    EXPECT_EQ(run_as(session, request.text), expected) << "session " << session << ": " << request.text;
  }

  std::mt19937 random_{20240229};
  Model model_;
};

TEST_F(RandomHistory, EveryContentComesBackAsAModelOfItSays) {
  std::map<std::string, std::pair<Content, Model>> seen;
  for (int history = 0; history < 60 && !HasFailure(); ++history) {
    if (!seen.empty()) {  // from a content that was met before
      auto from = seen.begin();
      std::advance(from, any(static_cast<int>(seen.size())));
      engine_->load(from->second.first);
      model_ = from->second.second;
    }
    for (int i = 0; i < 25; ++i) {
      ASSERT_EQ(text(), model_.text()) << "history " << history << ", step " << i;
      seen.emplace(text(), std::pair{engine_->content().value(), model_});
      step();
    }
  }
  EXPECT_GT(seen.size(), 300U);
}

}  // namespace
}  // namespace fencecheck::engines
