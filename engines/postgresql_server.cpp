#include <fencecheck/engines/postgresql_server.h>

#include <libpq-fe.h>
#include <sys/un.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <fencecheck/model/world.h>

namespace fencecheck::engines::postgresql {
namespace {

namespace fs = std::filesystem;

constexpr double start_seconds = 20;
constexpr const char* packaged = "/usr/lib/postgresql";
constexpr const char* private_port = "5432";  // only a part of the socket's name

/// The folders of Debian's packages, the newest version first.
std::vector<fs::path> packaged_folders() {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code none;  // where there is no such folder
  for (const fs::directory_entry& each : fs::directory_iterator(packaged, none)) {
    found.emplace_back(std::atoi(each.path().filename().c_str()), each.path() / "bin");
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> folders;
  for (auto& [version, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

/// The folder that has both programs; the one of PATH comes first.
fs::path program_folder() {
  std::optional<fs::path> initdb = find_program("initdb");
  if (!initdb) initdb = find_program("initdb", packaged_folders());
  if (initdb && fs::exists(initdb->parent_path() / "postgres")) return initdb->parent_path();
  throw EngineMissing(
      fmt::format("PostgreSQL is not installed: there is no initdb in PATH or below {}. Install the Debian package "
                  "`postgresql`, or give the url of a server that runs.",
                  packaged));
}

/// Whether a socket can be in `folder`: the length of its path is limited, and the server takes a comma for the end of
/// it.
bool takes_socket(const fs::path& folder) {
  return folder.string().find(',') == std::string::npos &&
         folder.string().size() + std::string("/.s.PGSQL.5432.lock").size() < sizeof(sockaddr_un::sun_path);
}

/// What makes it fast, as it need not outlive us, and the same every time.
std::vector<std::string> server_settings() {
  return {"fsync=off",
          "synchronous_commit=off",
          "full_page_writes=off",
          "autovacuum=off",
          "jit=off",
          "max_connections=30",
          "wal_level=minimal",
          "max_wal_senders=0",
          "max_wal_size=64MB",
          "checkpoint_timeout=1h",
          "shared_buffers=32MB",
          "huge_pages=off",
          "dynamic_shared_memory_type=mmap",  // files in the folder, which go with it however the server ends
          "timezone=UTC"};
}

/// "localhost:5432/shop": where the words of libpq lead.
std::string name_of(const PQconninfoOption* words) {
  std::string host = "localhost";
  std::string port = "5432";
  std::string database;
  for (; words->keyword != nullptr; ++words) {
    if (words->val == nullptr) continue;
    const std::string keyword = words->keyword;
    if (keyword == "host" || (keyword == "hostaddr" && host == "localhost")) host = words->val;
    if (keyword == "port") port = words->val;
    if (keyword == "dbname") database = words->val;
  }
  return host + ":" + port + (database.empty() ? "" : "/" + database);
}

struct FreeWords {
  void operator()(PQconninfoOption* words) const { PQconninfoFree(words); }
};

Place place_of_url(const std::string& url) {
  char* complaint = nullptr;
  const std::unique_ptr<PQconninfoOption, FreeWords> words(PQconninfoParse(url.c_str(), &complaint));
  if (!words) {
    std::string why = complaint == nullptr ? "" : complaint;
    PQfreemem(complaint);
    why.erase(why.find_last_not_of('\n') + 1);
    throw UsageError(fmt::format(
        "the url of PostgreSQL cannot be read: {}. It looks like postgresql://user@host:5432/database", why));
  }
  Place place{nullptr, {{"connect_timeout", "5"}, {"dbname", url}}, name_of(words.get()), "", "fencecheck_check"};
  for (const PQconninfoOption* each = words.get(); each->keyword != nullptr; ++each) {
    if (std::string_view(each->keyword) == "options" && each->val != nullptr) place.options = each->val;
  }
  return place;
}

}  // namespace

PrivateServer::PrivateServer() : folder_("fencecheck-postgresql") {
  const fs::path programs = program_folder();
  const std::optional<RunAs> user = unprivileged("postgres");
  if (user) folder_.give_to(user->user, user->group);
  const fs::path data = folder_.path() / "data";
  const fs::path log = folder_.path() / "log";
  run_to_end(
      {programs / "initdb", "-D", data, "-U", "postgres", "--no-sync", "--auth=trust", "--locale=C", "--encoding=UTF8"},
      log, user);

  // A socket in our folder is nobody else's way in, unlike a port, and faster.
  const bool by_socket = takes_socket(folder_.path());
  const std::string port = by_socket ? private_port : std::to_string(free_port());
  std::vector<std::string> command{programs / "postgres", "-D", data, "-p", port};
  std::vector<std::string> settings = server_settings();
  settings.emplace_back(by_socket ? "listen_addresses=" : "listen_addresses=127.0.0.1");
  settings.push_back("unix_socket_directories=" + (by_socket ? folder_.path().string() : std::string()));
  for (std::string& each : settings) {
    command.emplace_back("-c");
    command.push_back(std::move(each));
  }
  address_ = {{"host", by_socket ? folder_.path().string() : "127.0.0.1"},
              {"port", port},
              {"user", "postgres"},
              {"dbname", "postgres"},
              {"sslmode", "disable"},
              {"gssencmode", "disable"}};
  process_ = std::make_unique<ServerProcess>(command, log, user);
  const AddressWords words(address_);
  wait_until_ready(*process_, "PostgreSQL", start_seconds,
                   [&] { return PQpingParams(words.names.data(), words.values.data(), 0) == PQPING_OK; });
}

PrivateServer::~PrivateServer() {
  // It need not write anything for a later start. With SIGTERM it would wait for its clients.
  process_->stop(SIGQUIT);
}

std::string PrivateServer::url() const {
  std::string url;
  for (const auto& [word, value] : address_) url += fmt::format("{}='{}' ", word, value);
  return url;
}

Address Place::with(const std::string& settings) const {
  Address all = address;
  all.emplace_back("options", options + " " + settings);
  all.emplace_back("client_encoding", "UTF8");
  all.emplace_back("application_name", "fencecheck");
  return all;
}

EngineFailure Place::failure(const std::string& message) const {
  std::string text = fmt::format("PostgreSQL at {}: {}", name, message);
  if (!server) return EngineFailure(text);
  const std::string log = server->log_tail();
  return EngineFailure(log.empty() ? text : text + ". The end of its log:\n" + log);
}

Place place_of(const std::string& url) {
  if (url.empty()) {
    Place place{std::make_unique<PrivateServer>(), {}, "a private server", "", "public"};
    place.address = place.server->address();
    return place;
  }
  Place place = place_of_url(url);
  try {
    const Connection trial(place.address);
  } catch (const ConnectionLost& lost) {
    const AddressWords words(place.address);
    const PGPing answer = PQpingParams(words.names.data(), words.values.data(), 1);
    if (answer == PQPING_OK) {
      throw UsageError(fmt::format("PostgreSQL at {} does not let us in: {}", place.name, lost.what()));
    }
    // The client library's words go on with a question on a line of its own.
    const std::string all = lost.what();
    throw EngineMissing(
        fmt::format("no PostgreSQL answers at {}: {}. Start it there, or leave --engine-url out for a private server",
                    place.name, all.substr(0, all.find('\n'))));
  }
  return place;
}

}  // namespace fencecheck::engines::postgresql
