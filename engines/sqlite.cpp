// SQLite inside this process: a connection for each session, to a database in memory or in a file.
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/server.h>
#include <fencecheck/engines/sqlite_keeper.h>
#include <fencecheck/engines/sqlite_session.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace {

using sqlite::Committed;
using sqlite::Keeper;
using sqlite::Place;
using sqlite::Session;

namespace fs = std::filesystem;

// Contents are kept by the thousand, and most tables of a design fit into less than the usual 4096 bytes. Nothing is
// lost where the machine goes down: so nobody waits for a disk, either.
constexpr const char* small_pages = "PRAGMA page_size = 512;";
constexpr const char* in_wal = "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;";
constexpr const char* in_rollback = "PRAGMA page_size = 512; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;";

struct Settings {
  std::string storage;
  bool foreign_keys = false;
};

bool read_switch(const std::string& name, const std::string& value) {
  if (value == "on" || value == "true") return true;
  if (value == "off" || value == "false") return false;
  throw UsageError(fmt::format("sqlite: {} = \"{}\": it is \"on\" or \"off\"", name, value));
}

Settings read_settings(const EngineOptions& options) {
  Settings settings{options.url.empty() ? "memory" : "wal", false};
  for (const auto& [name, value] : options.settings) {
    if (name == "storage") {
      settings.storage = value;
    } else if (name == "foreign_keys") {
      settings.foreign_keys = read_switch(name, value);
    } else {
      throw UsageError(fmt::format("sqlite: unknown setting '{}': there are storage, foreign_keys", name));
    }
  }
  if (settings.storage != "memory" && settings.storage != "wal" && settings.storage != "rollback") {
    throw UsageError(
        fmt::format("sqlite: storage = \"{}\": it is \"memory\", \"wal\" or \"rollback\"", settings.storage));
  }
  if (settings.storage == "memory" && !options.url.empty()) {
    throw UsageError(fmt::format(
        "sqlite: a database in memory is not in '{}': storage is \"wal\" or \"rollback\" there", options.url));
  }
  return settings;
}

/// The file as a URI, in which some characters mean something else.
std::string uri_of(const fs::path& file) {
  std::string uri = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri;
}

/// Throws UsageError where `file` holds anything. Looks at it in a way that writes nothing, not even beside it.
void require_empty(const fs::path& file) {
  for (const char* beside : {"-wal", "-journal"}) {
    if (fs::exists(file.string() + beside)) {
      throw UsageError(
          fmt::format("sqlite: '{}' is in use, or was when something crashed: give a file that is empty or "
                      "not there yet",
                      file.string()));
    }
  }
  sqlite3* opened = nullptr;
  const std::string uri = uri_of(file) + "?mode=ro&immutable=1";
  int code = sqlite3_open_v2(uri.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> handle(opened, sqlite3_close);
  sqlite3_stmt* made = nullptr;
  if (code == SQLITE_OK) code = sqlite3_prepare_v2(opened, "SELECT 1 FROM sqlite_schema", -1, &made, nullptr);
  const sqlite::Prepared query(made);
  if (code == SQLITE_OK) code = sqlite3_step(made);
  if (code == SQLITE_DONE) return;
  const std::string found =
      code == SQLITE_ROW ? "has tables" : fmt::format("is no database of SQLite's ({})", sqlite3_errmsg(opened));
  throw UsageError(fmt::format("sqlite: '{}' {}: give a file that is empty or not there yet", file.string(), found));
}

/// Where the database is, for as long as the engine is there.
class Storage {
 public:
  Storage(const Settings& settings, const std::string& url) {
    place_.foreign_keys = settings.foreign_keys;
    if (settings.storage == "memory") {
      use_memory();
    } else {
      use_file(url.empty() ? in_temporary_folder() : at(url), settings.storage == "wal");
    }
  }
  ~Storage() {
    std::error_code ignored;  // there is nobody to tell
    if (!made_.empty()) fs::remove(made_, ignored);
  }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const Place& place() const { return place_; }
  bool is_users() const { return is_users_; }

 private:
  void use_memory() {
    static std::atomic<int> count = 0;
    place_.uri = fmt::format("file:/fencecheck-{}-{}?vfs=memdb", ::getpid(), ++count);
    place_.pragmas = small_pages;
    place_.told = "in memory";
  }

  void use_file(const fs::path& file, bool wal) {
    place_.uri = uri_of(file);
    place_.pragmas = wal ? in_wal : in_rollback;
    place_.told = wal ? "in a file in WAL mode" : "in a file with a rollback journal";
    if (is_users_) place_.told += fmt::format(", '{}'", file.string());
  }

  fs::path in_temporary_folder() {
    // A name with a folder of its own in front stays there: in memory, where the machine has such a place.
    const fs::path ram = "/dev/shm";
    const bool usable = ::access(ram.c_str(), W_OK | X_OK) == 0;
    folder_.emplace(usable ? (ram / "fencecheck-sqlite").string() : "fencecheck-sqlite");
    return folder_->path() / "store.db";
  }

  fs::path at(const std::string& url) {
    fs::path file = url;
    is_users_ = true;
    if (fs::exists(file)) {
      require_empty(file);
    } else if (const fs::path parent = fs::absolute(file).parent_path(); fs::is_directory(parent)) {
      made_ = file;
    } else {
      throw UsageError(fmt::format("sqlite: there is no folder '{}' for the database '{}'", parent.string(), url));
    }
    return file;
  }

  std::optional<TemporaryFolder> folder_;
  fs::path made_;  // to be removed
  bool is_users_ = false;
  Place place_;
};

class Sqlite final : public Engine {
 public:
  Sqlite(const Settings& settings, const EngineOptions& options)
      : storage_(settings, options.url), statement_seconds_(options.statement_seconds), keeper_(storage_.place()) {
    if (storage_.is_users()) empty_ = keeper_.content(true);
  }
  ~Sqlite() override;
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  std::string description() const override {
    return fmt::format("SQLite {} {}", sqlite3_libversion(), storage_.place().told);
  }

  void load(const Content& content) override {
    for (const auto& session : sessions_) {
      if (session) session->roll_back();
    }
    keeper_.load(content, std::exchange(committed_.anything, false));
  }

  std::optional<Content> content() override {
    std::optional<Content> content = keeper_.content(committed_.anything);
    if (content) committed_.anything = false;
    return content;
  }

  std::optional<Answer> run(int session, const Statement& statement) override {
    std::unique_ptr<Session>& own = sessions_.at(static_cast<std::size_t>(session));
    if (!own) own = std::make_unique<Session>(storage_.place(), statement_seconds_, committed_);
    Answer answer = own->run(statement);
    if (std::exchange(committed_.schema, false)) keeper_.schema_was_changed();
    return answer;
  }

  // Without a busy timeout SQLite never waits: a lock in the way is an answer.
  std::vector<std::pair<int, Answer>> unblocked() override { return {}; }

  void end(int session) override { sessions_.at(static_cast<std::size_t>(session)).reset(); }

  bool is_open(int session) const override {
    const std::unique_ptr<Session>& own = sessions_.at(static_cast<std::size_t>(session));
    return own && own->is_open();
  }

 private:
  Storage storage_;
  double statement_seconds_;
  Committed committed_;
  Keeper keeper_;
  std::optional<Content> empty_;  // of a user's file, as it was found
  std::array<std::unique_ptr<Session>, max_sessions> sessions_;
};

Sqlite::~Sqlite() {
  if (!empty_) return;
  try {
    load(*empty_);
  } catch (const std::exception&) {  // the user's file stays as it is, and the next run says that it is not empty
    return;
  }
}

}  // namespace

std::unique_ptr<Engine> open_sqlite(const EngineOptions& options) {
  return std::make_unique<Sqlite>(read_settings(options), options);
}

}  // namespace fencecheck::engines
