#include <fencecheck/engines/etcd_server.h>

#include <fmt/core.h>

#include <csignal>
#include <vector>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/etcd_gateway.h>

namespace fencecheck::engines::etcd {
namespace {

constexpr double start_seconds = 15;
constexpr int start_attempts = 3;

std::string server_program() {
  if (const auto program = find_program("etcd")) return program->string();
  throw EngineMissing(
      "there is no etcd in PATH: install the package etcd-server, or name a server that runs with --engine-url");
}

/// Runs etcdctl with the words that make it speak version 3 of the interface.
void run_client(std::vector<std::string> arguments, const std::filesystem::path& log) {
  const auto client = find_program("etcdctl");
  const auto env = find_program("env");
  if (!client || !env) throw EngineMissing("there is no etcdctl in PATH: install the package etcd-client");
  std::vector<std::string> command{env->string(), "ETCDCTL_API=3", client->string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  run_to_end(command, log);
}

/// For what is beside an engine, which knows better what a refusal means.
nlohmann::json ask(Gateway& gateway, const std::string& path, const nlohmann::json& body) {
  try {
    return gateway.ask(path, body);
  } catch (const Lost& lost) {
    throw EngineFailure(fmt::format("etcd does not answer to {}: {}", path, lost.reason));
  } catch (const Refused& refused) {
    throw EngineFailure(fmt::format("etcd refuses {}: {}", path, refused.message));
  }
}

}  // namespace

Server::Server(double seconds) : seconds_(seconds), folder_("fencecheck-etcd"), data_(folder_.path() / "data") {
  const std::string program = server_program();
  for (int attempt = 1;; ++attempt) {
    try {
      choose_ports();
      start();
      return;
    } catch (const EngineFailure&) {  // where it ended at once, somebody may have taken a port in between
      if (attempt == start_attempts || !process_ || process_->is_running()) throw;
      process_.reset();
      std::filesystem::remove_all(data_);
    }
  }
}

Server::~Server() {
  if (process_) process_->stop(SIGKILL);  // nothing in it is to be kept
}

void Server::choose_ports() {
  url_ = fmt::format("http://127.0.0.1:{}", free_port());
  do {
    peer_port_ = free_port();
  } while (url_.ends_with(fmt::format(":{}", peer_port_)));
}

std::string Server::peer_url() const { return fmt::format("http://127.0.0.1:{}", peer_port_); }

void Server::start() {
  // Nothing has to survive, so it need not wait for the disk; an election among one is over soon.
  process_.emplace(std::vector<std::string>{server_program(), "--name", name(), "--data-dir", data_.string(),
                                            "--listen-client-urls", url_, "--advertise-client-urls", url_,
                                            "--listen-peer-urls", peer_url(), "--initial-advertise-peer-urls",
                                            peer_url(), "--initial-cluster", name() + "=" + peer_url(),
                                            "--heartbeat-interval=10", "--election-timeout=100", "--unsafe-no-fsync"},
                   folder_.path() / "log");
  gateway_ = std::make_unique<Gateway>(url_, seconds_);
  wait_until_ready(*process_, "etcd", start_seconds, [this] { return is_ready(); });
}

/// Whether our own server answers: another one may have taken its port.
bool Server::is_ready() {
  try {
    const nlohmann::json members = gateway_->ask("cluster/member/list", nlohmann::json::object());
    version_ = gateway_->ask("maintenance/status", nlohmann::json::object()).value("version", "");
    return members.at("members").at(0).value("name", "") == name();
  } catch (const Lost&) {
    return false;
  } catch (const Refused&) {
    return false;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

std::int64_t Server::put(const std::string& key, const std::string& value) {
  return revision_in(ask(*gateway_, "kv/put", {{"key", base64(key)}, {"value", base64(value)}}));
}

std::optional<std::string> Server::get(const std::string& key) {
  const nlohmann::json range = ask(*gateway_, "kv/range", {{"key", base64(key)}});
  const auto found = range.find("kvs");
  if (found == range.end()) return std::nullopt;
  return bytes_of(found->at(0).value("value", ""));
}

std::filesystem::path Server::save_snapshot() {
  std::filesystem::path file = folder_.path() / fmt::format("snapshot-{}", ++copies_);
  run_client({"--endpoints=" + url_, "snapshot", "save", file.string()}, folder_.path() / "client-log");
  return file;
}

void Server::restore_snapshot(const std::filesystem::path& snapshot) {
  const std::filesystem::path data = folder_.path() / fmt::format("data-{}", ++copies_);
  run_client({"snapshot", "restore", snapshot.string(), "--data-dir", data.string(), "--name", name(),
              "--initial-cluster", name() + "=" + peer_url(), "--initial-advertise-peer-urls", peer_url()},
             folder_.path() / "client-log");
  process_->stop(SIGKILL);
  std::filesystem::remove_all(data_);
  data_ = data;
  start();
}

}  // namespace fencecheck::engines::etcd
