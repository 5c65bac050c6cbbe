// A ZooKeeper of our own: a single server that keeps nothing beyond its life.
#pragma once

#include <sys/types.h>
#include <optional>
#include <string>

#include <fencecheck/engines/server.h>

namespace fencecheck::engines::zookeeper {

/// What a ZooKeeper answers to one of its four-letter words; nothing where nobody accepts a connection, or answers
/// within `seconds`.
std::optional<std::string> four_letter_word(const std::string& host, int port, const std::string& word, double seconds);

/// The version in an answer to `srvr`, as "3.8.0"; empty where there is none.
std::string version_in(const std::string& srvr);

/// Whether there is a server to start.
bool is_installed();

class Server {
 public:
  /// Starts it on a loopback port, in a temporary folder. Throws EngineMissing where the package zookeeper is not
  /// installed, EngineFailure where it does not start.
  Server();
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::string address() const;
  const std::string& version() const { return version_; }
  pid_t pid() const { return process_->pid(); }
  std::string log_tail() const { return process_->log_tail(); }

 private:
  void start();
  bool is_ready();

  TemporaryFolder folder_;
  int port_ = 0;
  std::string version_;
  std::optional<ServerProcess> process_;
};

}  // namespace fencecheck::engines::zookeeper
