// A server process of our own: in a temporary folder, on a loopback port, ended with the object.
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fencecheck::engines {

/// A new folder below the system's temporary folder (TMPDIR), removed with everything in it when the object goes; where
/// this process ends without that, killed by a signal for instance, a small helper process removes it.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Gives the folder to a user, for servers that refuse to run as root.
  void give_to(uid_t user, gid_t group) const;

 private:
  std::filesystem::path path_;
  pid_t helper_ = -1;
  int lifeline_ = -1;  ///< open as long as we live
};

/// Whom a server runs as, where it refuses to run as root.
struct RunAs {
  uid_t user;
  gid_t group;
};

/// The user `name`, or `nobody` where there is none; nothing where we are not root, and run it as ourselves.
std::optional<RunAs> unprivileged(const std::string& name);

/// A child process with its output in a file. It is in a process group of its own, so that a Ctrl-C does not reach it,
/// and dies with us, however we end.
class ServerProcess {
 public:
  /// `command`: the program (a path) and its arguments.
  ServerProcess(const std::vector<std::string>& command, const std::filesystem::path& log,
                const std::optional<RunAs>& run_as = std::nullopt);
  /// Ends it: `stop()` with SIGTERM, and SIGKILL where that does not end it within two seconds.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  pid_t pid() const { return pid_; }
  bool is_running();
  void stop(int signal);

  /// The last lines of its output, for messages.
  std::string log_tail() const;

 private:
  pid_t pid_ = -1;
  std::filesystem::path log_;
};

/// A TCP port of 127.0.0.1 that nobody listens on at this moment.
int free_port();

/// The path of `program`: in one of `folders`, or in PATH; nothing where it is in neither.
std::optional<std::filesystem::path> find_program(const std::string& program,
                                                  const std::vector<std::filesystem::path>& folders = {});

/// Calls `ready` every few milliseconds until it gives true. Throws EngineFailure, with the end of the server's output,
/// where the server ends before that, or `seconds` have passed.
void wait_until_ready(ServerProcess& server, const std::string& name, double seconds,
                      const std::function<bool()>& ready);

/// Runs a program to its end. Throws EngineFailure with its output where it fails.
void run_to_end(const std::vector<std::string>& command, const std::filesystem::path& log,
                const std::optional<RunAs>& run_as = std::nullopt);

}  // namespace fencecheck::engines
