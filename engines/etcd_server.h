// An etcd of our own: a single member that keeps nothing beyond its life, and can be restored from a snapshot of
// itself.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fencecheck/engines/server.h>

namespace fencecheck::engines::etcd {

class Gateway;

class Server {
 public:
  /// Starts it on loopback ports, in a temporary folder. Each wait for an answer takes `seconds` at most. Throws
  /// EngineMissing where the package etcd-server is not installed, EngineFailure where it does not start.
  explicit Server(double seconds);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const std::string& url() const { return url_; }
  const std::string& version() const { return version_; }
  pid_t pid() const { return process_->pid(); }
  std::string log_tail() const { return process_->log_tail(); }
  Gateway& gateway() { return *gateway_; }

  /// Puts a key, beside whatever an engine keeps there, and gives the revision that the server itself has then. Throws
  /// EngineFailure.
  std::int64_t put(const std::string& key, const std::string& value);

  /// The value of a key; nothing where it is not there. Throws EngineFailure.
  std::optional<std::string> get(const std::string& key);

  /// Saves all that is stored with etcdctl and gives the file, which lives as long as this object. Throws EngineMissing
  /// where the package etcd-client is not installed, EngineFailure where saving fails.
  std::filesystem::path save_snapshot();

  /// Ends the server and starts it anew with what `snapshot` holds: its revision goes back to that of the snapshot.
  /// Throws as save_snapshot and the constructor do.
  void restore_snapshot(const std::filesystem::path& snapshot);

 private:
  void choose_ports();
  void start();
  bool is_ready();
  std::string peer_url() const;
  std::string name() const { return folder_.path().filename().string(); }

  double seconds_;
  TemporaryFolder folder_;
  std::filesystem::path data_;
  int copies_ = 0;  ///< snapshots and restores so far, each with a path of its own
  int peer_port_ = 0;
  std::string url_;
  std::string version_;
  std::optional<ServerProcess> process_;
  std::unique_ptr<Gateway> gateway_;
};

}  // namespace fencecheck::engines::etcd
