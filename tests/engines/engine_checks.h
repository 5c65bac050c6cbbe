// What the tests of several engines share.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/server.h>

namespace fencecheck::engines {

/// The message of what `action` throws as `Error`; `otherwise` where it throws nothing.
template <class Error, class Action>
std::string thrown(Action action, const char* otherwise = "nothing was thrown") {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return otherwise;
}

template <class Action>
std::string failure_of(Action action) {
  return thrown<EngineFailure>(action, "no EngineFailure");
}

struct Child {
  pid_t pid = 0;
  std::string program;
  bool is_over = false;  ///< it waits to be waited for
};

/// The child processes of this one.
inline std::vector<Child> children() {
  std::vector<Child> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string number;
    std::string name;
    std::string state;
    pid_t parent = 0;
    if (!(file >> number >> name >> state >> parent) || parent != ::getpid()) continue;
    found.push_back({std::stoi(number), name.substr(1, name.size() - 2), state == "Z"});
  }
  return found;
}

/// The server that an engine of ours started: our child that runs `program`; 0 where there is none.
inline pid_t server_running(const std::string& program) {
  for (const Child& each : children()) {
    if (each.program == program && !each.is_over) return each.pid;
  }
  return 0;
}

/// Stops a server that is a child of ours, and waits until all of its threads stand still.
inline bool stand_still(pid_t server) {
  int status = 0;
  return ::kill(server, SIGSTOP) == 0 && ::waitpid(server, &status, WUNTRACED) == server && WIFSTOPPED(status);
}

/// Puts a content back into a server that stood still: it may need a moment until it answers in time again.
inline void load_once_it_answers(Engine& engine, const Content& content) {
  for (int attempts = 20; attempts > 1; --attempts) {
    if (failure_of([&] { engine.load(content); }) == "no EngineFailure") return;
  }
  engine.load(content);
}

/// The message where `kind` is opened and no program is installed.
inline std::string missing_without_programs(const std::string& kind) {
  const TemporaryFolder folder("fencecheck-test");
  const char* path = ::getenv("PATH");
  const std::string before = path != nullptr ? path : "";
  ::setenv("PATH", folder.path().c_str(), 1);
  const std::string message = thrown<EngineMissing>([&] { open_engine({.kind = kind}); });
  ::setenv("PATH", before.c_str(), 1);
  return message;
}

}  // namespace fencecheck::engines
