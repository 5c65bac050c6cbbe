#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/server.h>

#include "engine_checks.h"

namespace fencecheck::engines {
namespace {

using std::filesystem::path;

std::string text_of(const path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

/// Whether a process is there that is not only waiting to be reaped.
bool lives(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  stat >> number >> name >> state;
  return !state.empty() && state != "Z";
}

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

TEST(TemporaryFolder, IsOursAloneAndGoesWithEverythingInIt) {
  path where;
  {
    const TemporaryFolder folder("fencecheck-test");
    where = folder.path();
    EXPECT_EQ(where.parent_path(), std::filesystem::temp_directory_path());
    EXPECT_EQ(where.filename().string().substr(0, 16), "fencecheck-test-");
    EXPECT_EQ(std::filesystem::status(where).permissions(), std::filesystem::perms::owner_all);
    std::filesystem::create_directories(where / "a" / "b");
    std::ofstream(where / "a" / "b" / "file") << "something";
    ASSERT_TRUE(std::filesystem::exists(where / "a" / "b" / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(where));
}

TEST(TemporaryFolder, TwoOfOneNameAreTwo) {
  const TemporaryFolder first("fencecheck-test");
  const TemporaryFolder second("fencecheck-test");
  EXPECT_NE(first.path(), second.path());
}

TEST(TemporaryFolder, IsRemovedByAHelperWhereItsMakerIsKilled) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t maker = ::fork();
  if (maker == 0) {
    const TemporaryFolder folder("fencecheck-test");
    std::ofstream(folder.path() / "file") << "in it";
    const std::string path = folder.path().string();
    if (::write(ends[1], path.data(), path.size()) < 0) ::_exit(1);
    ::pause();
  }
  std::array<char, 1000> buffer{};
  ASSERT_GT(::read(ends[0], buffer.data(), buffer.size() - 1), 0);
  const std::filesystem::path path = buffer.data();
  EXPECT_TRUE(std::filesystem::exists(path / "file"));
  ::kill(maker, SIGKILL);
  ::waitpid(maker, nullptr, 0);
  for (int i = 0; i < 500 && std::filesystem::exists(path); ++i) ::usleep(20'000);
  EXPECT_FALSE(std::filesystem::exists(path));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(ServerProcess, WhatDoesNotStartSaysWhatAndWhy) {
  const TemporaryFolder folder("fencecheck-test");
  EXPECT_EQ(failure_of([&] { ServerProcess({"/nowhere/server"}, folder.path() / "log"); }),
            "cannot start '/nowhere/server': No such file or directory");
  EXPECT_EQ(failure_of([&] { ServerProcess({"/"}, folder.path() / "log"); }), "cannot start '/': Permission denied");
  const std::string log = (folder.path() / "missing" / "log").string();
  EXPECT_EQ(failure_of([&] { ServerProcess(shell("true"), log); }),
            "cannot open '" + log + "': No such file or directory");
  for (const Child& each : children()) EXPECT_EQ(each.program, "sh") << "more than the one that removes the folder";
}

TEST(ServerProcess, OneThatEndsAtOnceIsSeenAndToldWithItsLastLines) {
  const TemporaryFolder folder("fencecheck-test");
  ServerProcess server(shell("for i in 1 2 3 4 5 6 7; do echo line $i; done; echo the end >&2; exit 1"),
                       folder.path() / "log");
  EXPECT_EQ(failure_of([&] { wait_until_ready(server, "the server", 10, [] { return false; }); }),
            "the server ended before it was ready. The end of its output:\n"
            "line 4\nline 5\nline 6\nline 7\nthe end");
  EXPECT_FALSE(server.is_running());
}

TEST(ServerProcess, OneThatIsNeverReadyIsGivenUp) {
  const TemporaryFolder folder("fencecheck-test");
  ServerProcess server(shell("exec sleep 1000"), folder.path() / "log");
  EXPECT_EQ(failure_of([&] { wait_until_ready(server, "the server", 0.05, [] { return false; }); }),
            "the server was not ready within 0.05 seconds. It wrote nothing.");
  EXPECT_TRUE(server.is_running());
}

TEST(ServerProcess, ReadinessIsAskedForUntilItIsThere) {
  const TemporaryFolder folder("fencecheck-test");
  ServerProcess server(shell("exec sleep 1000"), folder.path() / "log");
  int asked = 0;
  wait_until_ready(server, "the server", 10, [&] { return ++asked == 3; });
  EXPECT_EQ(asked, 3);
}

TEST(ServerProcess, LogTailIsTheLastFiveLines) {
  const TemporaryFolder folder("fencecheck-test");
  const path log = folder.path() / "log";
  ServerProcess server(shell("exec sleep 1000"), log);
  EXPECT_EQ(server.log_tail(), "");
  std::ofstream(log) << "one\n";
  EXPECT_EQ(server.log_tail(), "one");
  std::ofstream(log) << "1\n2\n3\n4\n5";
  EXPECT_EQ(server.log_tail(), "1\n2\n3\n4\n5");
  std::ofstream(log) << "0\n1\n2\n\n4\n5\n\n";
  EXPECT_EQ(server.log_tail(), "1\n2\n\n4\n5");
  std::ofstream(log) << std::string(100000, 'x') << "\nlast\n";
  EXPECT_EQ(server.log_tail(), std::string(4096 - 6, 'x') + "\nlast");
}

TEST(ServerProcess, IsGoneAfterTheObject) {
  const TemporaryFolder folder("fencecheck-test");
  pid_t pid = -1;
  {
    ServerProcess server(shell("exec sleep 1000"), folder.path() / "log");
    pid = server.pid();
    EXPECT_TRUE(server.is_running());
    EXPECT_TRUE(lives(pid));
    EXPECT_EQ(::getpgid(pid), pid);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ServerProcess, WhatItStartedIsEndedWithIt) {
  const TemporaryFolder folder("fencecheck-test");
  const path file = folder.path() / "grandchild";
  pid_t grandchild = -1;
  {
    const ServerProcess server(shell("sleep 1000 & echo $! >" + file.string() + "; wait"), folder.path() / "log");
    ASSERT_TRUE(comes_true([&] { return text_of(file).ends_with('\n'); }));
    grandchild = std::stoi(text_of(file));
    ASSERT_TRUE(lives(grandchild));
  }
  EXPECT_TRUE(comes_true([&] { return !lives(grandchild); }));
}

TEST(ServerProcess, OneThatIgnoresTheSignalIsKilled) {
  const TemporaryFolder folder("fencecheck-test");
  const path file = folder.path() / "trap";
  ServerProcess server(shell("trap '' TERM; echo set >" + file.string() + "; while :; do sleep 1; done"),
                       folder.path() / "log");
  ASSERT_TRUE(comes_true([&] { return text_of(file) == "set\n"; }));
  const pid_t pid = server.pid();
  const auto begin = std::chrono::steady_clock::now();
  server.stop(SIGTERM);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_FALSE(server.is_running());
  EXPECT_EQ(server.pid(), -1);
  EXPECT_EQ(::kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

TEST(ServerProcess, DiesWithUsHoweverWeEnd) {
  const TemporaryFolder folder("fencecheck-test");
  const path file = folder.path() / "pid";
  const pid_t us = ::fork();
  ASSERT_GE(us, 0);
  if (us == 0) {
    failure_of([&] {
      const ServerProcess server(shell("exec sleep 1000"), folder.path() / "log");
      std::ofstream(file) << server.pid() << std::endl;
      while (true) ::pause();
    });
    ::_exit(1);  // it did not start: we are not the one who runs the tests
  }
  const bool started = comes_true([&] { return text_of(file).ends_with('\n'); });
  ::kill(us, SIGKILL);
  ::waitpid(us, nullptr, 0);
  ASSERT_TRUE(started);
  const pid_t server = std::stoi(text_of(file));
  EXPECT_TRUE(comes_true([&] { return !lives(server); }));
}

TEST(ServerProcess, TakesNothingOfOursAlong) {
  const TemporaryFolder folder("fencecheck-test");
  const path ours = folder.path() / "ours";
  std::ofstream(ours) << "kept open";
  const int open_file = ::open(ours.c_str(), O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(open_file, 0);
  run_to_end(shell("ls -l /proc/$$/fd; cat; pwd"), folder.path() / "log");
  ::close(open_file);
  const std::string log = text_of(folder.path() / "log");
  EXPECT_NE(log.find("0 -> /dev/null"), log.npos) << log;
  EXPECT_NE(log.find("1 -> " + (folder.path() / "log").string()), log.npos) << log;
  EXPECT_EQ(log.find(ours.string()), log.npos) << log;
  EXPECT_TRUE(log.ends_with("\n" + folder.path().string() + "\n")) << log;
}

TEST(ServerProcess, RunsAsAnotherUserWhereWeAreRoot) {
  const auto run_as = unprivileged("no-such-user");
  if (::geteuid() != 0) {
    EXPECT_FALSE(run_as.has_value());
    GTEST_SKIP() << "only root can run a program as another user";
  }
  ASSERT_TRUE(run_as.has_value());
  EXPECT_EQ(unprivileged("nobody")->user, run_as->user);
  const TemporaryFolder folder("fencecheck-test");
  folder.give_to(run_as->user, run_as->group);
  run_to_end(shell("id -u; id -G; touch made"), folder.path() / "log", run_as);
  EXPECT_EQ(text_of(folder.path() / "log"), std::to_string(run_as->user) + "\n" + std::to_string(run_as->group) + "\n");
  struct stat made {};
  ASSERT_EQ(::stat((folder.path() / "made").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, run_as->user);
}

TEST(RunToEnd, FailsWithTheOutputOfTheProgram) {
  const TemporaryFolder folder("fencecheck-test");
  const path log = folder.path() / "log";
  EXPECT_EQ(failure_of([&] { run_to_end(shell("echo no room; exit 3"), log); }),
            "'/bin/sh' failed with exit status 3. The end of its output:\nno room");
  EXPECT_EQ(failure_of([&] { run_to_end(shell("kill -9 $$"), folder.path() / "other"); }),
            "'/bin/sh' was ended by signal 9. It wrote nothing.");
  EXPECT_EQ(failure_of([&] { run_to_end(shell("exit 0"), log); }), "no EngineFailure");
}

TEST(FreePort, CanBeListenedOn) {
  const int port = free_port();
  ASSERT_GT(port, 0);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(socket, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(socket, 1), 0);
  ::close(socket);
}

TEST(FindProgram, LooksIntoTheFoldersAndThenIntoThePath) {
  const TemporaryFolder folder("fencecheck-test");
  const path own = folder.path() / "sh";
  std::ofstream(own) << "#!/bin/sh\n";
  EXPECT_NE(find_program("sh", {folder.path()}), own) << "it cannot be executed";
  std::filesystem::permissions(own, std::filesystem::perms::owner_all);
  EXPECT_EQ(find_program("sh", {folder.path()}), own);
  EXPECT_NE(find_program("sh"), std::nullopt);
  EXPECT_NE(find_program("sh"), own);
  EXPECT_EQ(find_program("no-such-program-anywhere", {folder.path(), "/nowhere"}), std::nullopt);
}

}  // namespace
}  // namespace fencecheck::engines
