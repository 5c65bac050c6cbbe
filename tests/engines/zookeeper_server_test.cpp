// The ZooKeeper adapter's servers: its own one, how that fails, and one of the user's.
#define THREADED  // for the C client's calls that wait
#include <gtest/gtest.h>
#include <unistd.h>
#include <zookeeper/zookeeper.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/server.h>
#include <fencecheck/engines/zookeeper_client.h>
#include <fencecheck/engines/zookeeper_server.h>
#include <fencecheck/model/world.h>

#include "engine_checks.h"
#include "zookeeper_support.h"

namespace fencecheck::engines {
namespace {

using Seconds = std::chrono::duration<double>;

/// The folder that its server was started in: that of its settings, the last word of its command.
std::filesystem::path folder_of(pid_t server) {
  std::ifstream file("/proc/" + std::to_string(server) + "/cmdline");
  std::string settings;
  for (std::string word; std::getline(file, word, '\0');) settings = word;
  return std::filesystem::path(settings).parent_path();
}

// ---- Failures --------------------------------------------------------------------------------------------------

class ZookeeperFailure : public testing::Test {
 protected:
  void SetUp() override {
    if (!zookeeper::is_installed()) GTEST_SKIP() << "the package zookeeper is not installed";
    engine_ = open_engine({.kind = "zookeeper", .statement_seconds = 1});
    server_ = server_running("java");
    ASSERT_GT(server_, 0);
    folder_ = folder_of(server_);
    ASSERT_TRUE(std::filesystem::exists(folder_ / "zoo.cfg")) << folder_;
  }
  void TearDown() override {
    if (!engine_) return;
    const auto begin = std::chrono::steady_clock::now();
    engine_.reset();
    EXPECT_LT(Seconds(std::chrono::steady_clock::now() - begin).count(), 1.4) << "it ends without waiting";
    EXPECT_FALSE(std::filesystem::exists(folder_));
    EXPECT_NE(::kill(server_, 0), 0);
  }

  std::optional<Answer> run(int session, const std::string& text) { return engine_->run(session, {text}); }

  std::unique_ptr<Engine> engine_;
  pid_t server_ = 0;
  std::filesystem::path folder_;
};

TEST_F(ZookeeperFailure, AServerThatDiesIsAFailure) {
  run(1, "create /lock x ephemeral");
  run(2, "create /row x");
  ASSERT_EQ(::kill(server_, SIGKILL), 0);
  const std::string broken = "the connection to ZooKeeper failed: ";
  EXPECT_EQ(failure_of([&] { run(1, "get /row"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { run(2, "set /row y"); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->content(); }).substr(0, broken.size()), broken);
  EXPECT_EQ(failure_of([&] { engine_->load({}); }).substr(0, broken.size()), broken);
}

TEST_F(ZookeeperFailure, AServerThatDoesNotAnswerIsAFailure) {
  run(1, "create /lock x ephemeral");
  run(2, "create /row x");
  const Content content = engine_->content().value();
  ASSERT_TRUE(stand_still(server_));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of([&] { run(1, "set /row y"); }), "ZooKeeper did not answer within 1 seconds");
  EXPECT_GE(Seconds(std::chrono::steady_clock::now() - begin).count(), 1.0);
  EXPECT_EQ(failure_of([&] { engine_->content(); }), "ZooKeeper did not answer within 1 seconds");
  ASSERT_EQ(::kill(server_, SIGCONT), 0);
  load_once_it_answers(*engine_, content);
  EXPECT_EQ(run(1, "get /lock"), got("x", 0, 1, 1)) << "it goes on once the server does";
  EXPECT_EQ(run(1, "expire /lock"), done);
}

TEST_F(ZookeeperFailure, AServerThatIsStoppedDoesNotHoldUpTheEnd) {
  for (int session = 0; session < max_sessions; ++session) run(session, "get /");
  ASSERT_TRUE(stand_still(server_));
}

// ---- Options ---------------------------------------------------------------------------------------------------

TEST(ZookeeperOptions, AnySettingIsUnknown) {
  EXPECT_EQ(thrown<UsageError>([] {
              open_engine({.kind = "zookeeper", .settings = {{"chroot", "/a"}}});
            }),
            "setting 'chroot': zookeeper has no settings");
}

TEST(ZookeeperOptions, AnAddressHasAForm) {
  for (const char* url : {"127.0.0.1", ":2181", "host:", "host:0", "host:65536", "host:x", "host:2181/a",
                          "a:2181,b:2181", "http://host:2181", "host:1:2"}) {
    EXPECT_EQ(thrown<UsageError>([&] { open_engine({.kind = "zookeeper", .url = url}); }),
              std::string("url '") + url + "': should be host:port of one server, such as 127.0.0.1:2181");
  }
}

TEST(ZookeeperOptions, NobodyAtTheAddressIsMissing) {
  const std::string url = "127.0.0.1:" + std::to_string(free_port());
  EXPECT_EQ(
      thrown<EngineMissing>([&] { open_engine({.kind = "zookeeper", .url = url}); }),
      "nobody answers at " + url +
          ": nobody accepts a connection, or answers. Start a ZooKeeper there, or leave --engine-url out for a private "
          "one");
}

TEST(ZookeeperOptions, AServerThatIsNotInstalledIsMissing) {
  EXPECT_EQ(missing_without_programs("zookeeper"),
            "there is no java in PATH: install the package zookeeper, or name a server that runs with --engine-url");
}

/// A server that belongs to somebody else, as `url` names one.
class ZookeeperUrlTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (zookeeper::is_installed()) server_.emplace();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << "the package zookeeper is not installed";
    theirs_.emplace(server_->address(), 10.0);
  }

  static std::unique_ptr<Engine> open() { return open_engine({.kind = "zookeeper", .url = server_->address()}); }
  static std::string mistake() {
    return thrown<UsageError>([] { open(); });
  }

  int create(const std::string& path) { return change({zookeeper::Operation::Verb::create, path, "theirs"}); }
  int remove(const std::string& path) { return change({zookeeper::Operation::Verb::remove, path}); }
  int change(const zookeeper::Operation& operation) { return theirs_->change(operation).error; }
  bool exists(const std::string& path) { return theirs_->get(path).error == ZOK; }

  static std::optional<zookeeper::Server> server_;
  std::optional<zookeeper::Client> theirs_;
};
std::optional<zookeeper::Server> ZookeeperUrlTest::server_;

TEST_F(ZookeeperUrlTest, OurNodesAreBelowOneThatIsRemovedAtTheEnd) {
  EXPECT_EQ(create("/row"), ZOK);
  {
    const auto engine = open();
    EXPECT_TRUE(engine->description().ends_with(" at " + server_->address())) << engine->description();
    EXPECT_EQ(engine->run(1, {"create /row ours"}), created(1, "/row")) << "zxids begin at 0 all the same";
    EXPECT_EQ(engine->run(1, {"create /lock h ephemeral"}), created(2, "/lock"));
    const Content content = engine->content().value();
    engine->run(1, {"delete /row"});
    engine->load(content);
    EXPECT_EQ(engine->run(1, {"get /row"}), got("ours", 0, 1, 1));
    EXPECT_NE(mistake().find(" has nodes below /fencecheck (as many as 2)"), std::string::npos) << mistake();
    EXPECT_EQ(engine->run(1, {"get /row"}), got("ours", 0, 1, 1)) << "whoever was refused has touched nothing";
  }
  EXPECT_FALSE(exists("/fencecheck"));
  EXPECT_TRUE(exists("/row"));
  EXPECT_EQ(remove("/row"), ZOK);
}

TEST_F(ZookeeperUrlTest, NodesOfOthersBelowItAreAMistake) {
  EXPECT_EQ(create("/fencecheck"), ZOK);
  { EXPECT_EQ(open()->content().value().text, nothing_yet) << "where it is empty it is as good as none"; }
  EXPECT_TRUE(exists("/fencecheck")) << "it is not ours";
  EXPECT_EQ(create("/fencecheck/a"), ZOK);
  EXPECT_EQ(mistake(), "the ZooKeeper at " + server_->address() +
                           " has nodes below /fencecheck (as many as 1), and an exploration would remove them. Delete "
                           "them, or leave --engine-url out for a private server");
  EXPECT_EQ(remove("/fencecheck/a"), ZOK);
  EXPECT_EQ(remove("/fencecheck"), ZOK);
}

TEST_F(ZookeeperUrlTest, SomebodyElseWhoWritesIsAFailure) {
  const auto engine = open();
  const std::string expected =
      "what is below /fencecheck in the ZooKeeper at " + server_->address() +
      " has changed between two requests of fencecheck's: somebody else writes there. Name one that nobody uses, or "
      "leave --engine-url out for a private server";
  engine->run(1, {"create /row ours"});
  EXPECT_EQ(change({zookeeper::Operation::Verb::set, "/fencecheck/1/row", "theirs"}), ZOK);
  EXPECT_EQ(failure_of([&] { engine->run(1, {"get /row"}); }), expected);
  engine->load({});
  EXPECT_EQ(create("/fencecheck/2/other"), ZOK);
  EXPECT_EQ(failure_of([&] { engine->run(1, {"create /row ours"}); }), expected);
  engine->load({});
  EXPECT_EQ(engine->run(1, {"create /row ours"}), created(1, "/row"));
}

/// A real client, with a session that can be closed under it.
class RealClientTest : public ZookeeperUrlTest {
 protected:
  static zhandle_t* handle(const clientid_t* id = nullptr) {
    return zookeeper_init(server_->address().c_str(), nullptr, 60'000, id, nullptr, ZOO_NO_LOG_CLIENTENV);
  }

  /// A second client with the same session closes it. The session is with whoever connected last, and the first client
  /// takes it back as soon as it notices: until one is quick enough.
  void close_under_it(const clientid_t& id) {
    for (int attempt = 0; attempt < 100 && exists("/lock"); ++attempt) {
      zhandle_t* second = handle(&id);
      for (int i = 0; i < 1000 && zoo_state(second) != ZOO_CONNECTED_STATE; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      zookeeper_close(second);
      std::this_thread::sleep_for(std::chrono::milliseconds(attempt));
    }
    EXPECT_FALSE(exists("/lock"));
  }

  static int write(zhandle_t* client) { return zoo_set(client, "/", "x", 1, -1); }
};

/// What an engine answers to a worker whose session it has closed is what really happens to a client.
TEST_F(RealClientTest, WhoseSessionWasClosedIsAnsweredThatItHasExpired) {
  zhandle_t* client = handle();
  ASSERT_EQ(zoo_create(client, "/lock", "h", 1, &ZOO_OPEN_ACL_UNSAFE, ZOO_EPHEMERAL, nullptr, 0), ZOK);
  const clientid_t id = *zoo_client_id(client);
  close_under_it(id);
  // It comes back, as after a long pause: a request that waits for the connection is answered, once.
  zhandle_t* back = handle(&id);
  EXPECT_EQ(write(back), ZSESSIONEXPIRED);
  EXPECT_EQ(write(back), ZINVALIDSTATE) << "then it needs a new handle";
  zookeeper_close(back);
  // The one that was there all the time learns it as soon as it is connected again, with or without a request.
  int answer = ZCONNECTIONLOSS;
  for (int attempt = 0; attempt < 100 && answer == ZCONNECTIONLOSS; ++attempt) answer = write(client);
  EXPECT_TRUE(answer == ZSESSIONEXPIRED || answer == ZINVALIDSTATE) << answer;
  EXPECT_EQ(zoo_state(client), ZOO_EXPIRED_SESSION_STATE);
  zookeeper_close(client);
}

}  // namespace
}  // namespace fencecheck::engines
