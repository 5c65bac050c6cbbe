#include <fencecheck/engines/zookeeper_server.h>

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines::zookeeper {
namespace {

constexpr double start_seconds = 30;
constexpr double word_seconds = 1;
constexpr int start_attempts = 3;

// Where Debian has it. The jar names all that it needs, save the one that writes the log.
const std::filesystem::path java_folder = "/usr/share/java";
const std::filesystem::path server_jar = java_folder / "zookeeper.jar";
const std::filesystem::path log_jar = java_folder / "slf4j-simple.jar";

std::string java_program() {
  const char* otherwise = "install the package zookeeper, or name a server that runs with --engine-url";
  const auto java = find_program("java");
  if (!java) throw EngineMissing(fmt::format("there is no java in PATH: {}", otherwise));
  if (!is_installed()) throw EngineMissing(fmt::format("there is no {}: {}", server_jar.string(), otherwise));
  return java->string();
}

/// A connection that gives up after a while.
class Connection {
 public:
  Connection(const addrinfo& address, double seconds)
      : socket_(::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, address.ai_protocol)) {
    const timeval limit{static_cast<time_t>(seconds),
                        static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1'000'000)};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);  // connecting, too
    if (socket_ < 0 || ::connect(socket_, address.ai_addr, address.ai_addrlen) != 0) close();
  }
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Nothing where it is not answered.
  std::optional<std::string> answer_to(const std::string& question) const {
    if (socket_ < 0 || ::send(socket_, question.data(), question.size(), MSG_NOSIGNAL) < 0) return std::nullopt;
    std::string answer;
    std::array<char, 1024> buffer{};
    for (;;) {
      const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
      if (count == 0) return answer;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return std::nullopt;
      answer.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  int socket_;
};

}  // namespace

std::optional<std::string> four_letter_word(const std::string& host, int port, const std::string& word,
                                            double seconds) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return std::nullopt;
  std::optional<std::string> answer;
  for (const addrinfo* each = found; each != nullptr && !answer; each = each->ai_next) {
    answer = Connection(*each, seconds).answer_to(word);
  }
  ::freeaddrinfo(found);
  return answer;
}

std::string version_in(const std::string& srvr) {
  const std::string label = "Zookeeper version: ";
  const std::size_t begin = srvr.find(label);
  if (begin == std::string::npos) return {};
  const std::string rest = srvr.substr(begin + label.size());
  return rest.substr(0, rest.find_first_of("-, \n"));
}

bool is_installed() { return find_program("java") && std::filesystem::exists(server_jar); }

Server::Server() : folder_("fencecheck-zookeeper") {
  for (int attempt = 1;; ++attempt) {
    try {
      start();
      return;
    } catch (const EngineFailure&) {  // where it ended at once, somebody may have taken the port in between
      if (attempt == start_attempts || !process_ || process_->is_running()) throw;
      process_.reset();
    }
  }
}

Server::~Server() {
  if (process_) process_->stop(SIGKILL);  // nothing in it is to be kept
}

std::string Server::address() const { return fmt::format("127.0.0.1:{}", port_); }

void Server::start() {
  const std::string java = java_program();
  port_ = free_port();
  const std::filesystem::path settings = folder_.path() / "zoo.cfg";
  // No session ends by time, as long as an exploration may last. Nothing has to survive, so it need not wait for the
  // disk. Of `conf` we learn whose server it is.
  std::ofstream(settings) << fmt::format(
      "dataDir={}\nclientPort={}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n"
      "4lw.commands.whitelist=srvr,conf\nforceSync=no\ntickTime=2000\nmaxSessionTimeout=3600000\n"
      "maxClientCnxns=0\nmaxCnxns=1000\n",
      (folder_.path() / "data").string(), port_);
  process_.emplace(
      std::vector<std::string>{java, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
                               "-Dzookeeper.jmx.log4j.disable=true", "-Dzookeeper.preAllocSize=1024",
                               "-Dzookeeper.digest.enabled=false", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                               "-cp", server_jar.string() + ":" + log_jar.string(),
                               "org.apache.zookeeper.server.ZooKeeperServerMain", settings.string()},
      folder_.path() / "log");
  wait_until_ready(*process_, "ZooKeeper", start_seconds, [this] { return is_ready(); });
}

/// Whether our own server answers, and serves already: another one may have taken its port.
bool Server::is_ready() {
  const auto settings = four_letter_word("127.0.0.1", port_, "conf", word_seconds);
  if (!settings || settings->find(folder_.path().string()) == std::string::npos) return false;
  const auto state = four_letter_word("127.0.0.1", port_, "srvr", word_seconds);
  if (!state || state->find("Mode: ") == std::string::npos) return false;
  version_ = version_in(*state);
  return true;
}

}  // namespace fencecheck::engines::zookeeper
