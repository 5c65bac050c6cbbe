#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/postgresql_catalog.h>
#include <fencecheck/engines/postgresql_connection.h>
#include <fencecheck/engines/postgresql_effects.h>
#include <fencecheck/engines/postgresql_hold.h>
#include <fencecheck/engines/postgresql_monitor.h>
#include <fencecheck/engines/postgresql_server.h>
#include <fencecheck/model/world.h>

namespace fencecheck::engines {
namespace postgresql {
namespace {

constexpr std::chrono::milliseconds look{20};  // at the socket, before the monitor is asked
constexpr const char* no_such_table = "42P01";

// Dead rows are cleared away before they fill a page: from then on the server reuses their places, and the order in
// which rows lie, and are found where no ORDER BY says otherwise, would depend on everything that was before.
constexpr std::size_t page_bytes = 7000;

/// The isolation level that a design asks for.
std::string isolation_of(const EngineOptions& options) {
  static constexpr std::array<const char*, 3> levels{"read committed", "repeatable read", "serializable"};
  std::string isolation = levels[0];
  for (const auto& [name, value] : options.settings) {
    if (name != "isolation") {
      throw UsageError(fmt::format("postgresql has no setting '{}': there is isolation", name));
    }
    if (std::find(levels.begin(), levels.end(), value) == levels.end()) {
      throw UsageError(fmt::format(
          "isolation of postgresql is '{}': there are 'read committed', 'repeatable read' and 'serializable'", value));
    }
    isolation = value;
  }
  return isolation;
}

std::string escaped(std::string value) {
  for (std::size_t at = 0; (at = value.find(' ', at)) != std::string::npos; at += 2) value.insert(at, "\\");
  return value;
}

struct Session {
  std::unique_ptr<Connection> connection;  ///< opened when it is first used
  Effects effects;                         ///< of the statement that is under way, or was last
  std::string waits_since;                 ///< the wait that is known to be for good; empty where it is not blocked
  std::uint64_t sent = 0;                  ///< the number of its last statement
  bool has_run = false;                    ///< anything since its traces were removed
  bool is_defining = false;                ///< in its transaction
  std::optional<Hold> hold;                ///< on its backend, while it is blocked and another does something

  bool is_blocked() const { return !waits_since.empty(); }
};

class Postgresql final : public Engine {
 public:
  explicit Postgresql(const EngineOptions& options)
      : isolation_(isolation_of(options)),
        seconds_(options.statement_seconds),
        place_(place_of(options.url)),
        monitor_(std::make_unique<Monitor>(place_, std::max(seconds_, 5.0))) {
    description_ = fmt::format("PostgreSQL {} at {}, {}", monitor_->version(), place_.name, isolation_);
  }

  ~Postgresql() override {
    try {
      stop_all();
    } catch (const std::exception&) {  // a server that is gone has stopped all by itself
    }
  }

  std::string description() const override { return description_; }
  void load(const Content& content) override;
  std::optional<Content> content() override;
  std::optional<Answer> run(int number, const Statement& statement) override;
  std::vector<std::pair<int, Answer>> unblocked() override;
  void end(int number) override;
  bool is_open(int number) const override;

 private:
  Session& at(int session) { return sessions_.at(static_cast<std::size_t>(session)); }
  std::vector<int> pids() const;
  std::vector<Session*> blocked();
  void hold_blocked(const Session& but);
  void connect(Session& session);
  void disconnect(Session& session);
  bool is_alive();
  bool nothing_is_open() const;

  std::optional<Answer> settle(Session& session);
  void settle_free(std::map<std::uint64_t, std::pair<int, Answer>>& done);
  Answer finish(Session& session, Answer answer);
  [[noreturn]] void give_up(Session& session, const std::string& text);

  void stop(const std::vector<Session*>& sessions);
  void stop_all();
  void clean(Session& session);

  void look_at_tables();
  void require_tables_of(const Image& image);
  void put_back(const Image& image);
  std::optional<Content> read();

  std::string isolation_;
  double seconds_;
  Place place_;
  std::unique_ptr<Monitor> monitor_;
  std::string description_;
  std::array<Session, max_sessions> sessions_;
  std::uint64_t sent_ = 0;

  Catalog catalog_;
  std::map<std::uint64_t, Catalog> catalogs_;  ///< all that contents were read with
  bool catalog_is_old_ = true;

  std::optional<Content> known_;      ///< what is committed, where nothing has happened since
  bool in_order_ = false;             ///< the rows lie as they were put back
  std::size_t written_ = page_bytes;  ///< bytes of rows in one table since dead ones were cleared away, at most
  std::size_t row_bytes_ = 100;       ///< of a row that a statement writes, at most
  bool outlives_ = false;             ///< some statement left something in its session
  bool locks_by_name_ = false;        ///< some statement took an advisory lock
  mutable std::optional<std::set<int>> holders_;  ///< of such locks, where nothing has happened since
};

// --- sessions --------------------------------------------------------------------------------------------------------

std::vector<int> Postgresql::pids() const {
  std::vector<int> pids;
  for (const Session& each : sessions_) {
    if (each.connection) pids.push_back(each.connection->pid());
  }
  return pids;
}

/// In the order in which their statements were sent.
std::vector<Session*> Postgresql::blocked() {
  std::vector<Session*> found;
  for (Session& each : sessions_) {
    if (each.is_blocked()) found.push_back(&each);
  }
  std::sort(found.begin(), found.end(), [](const Session* a, const Session* b) { return a->sent < b->sent; });
  return found;
}

/// Two that wait for the end of the same transaction, such as for a key that it has inserted, are woken together, and
/// whoever is faster wins. So before anything is done that may wake them, they are held; unblocked() lets them go one
/// by one. One alone needs no holding; and of a server that is not ours, backends cannot be held.
void Postgresql::hold_blocked(const Session& but) {
  const std::vector<Session*> waiting = blocked();
  if (waiting.size() < 2 || !place_.server) return;
  for (Session* each : waiting) {
    if (each != &but && !each->hold) each->hold = Hold::of(each->connection->pid());
  }
}

// On tables as small as ours, the planner would read them from end to end where it uses an index on a large one; and a
// serializable transaction that has read all rows conflicts with every other.
void Postgresql::connect(Session& session) {
  if (session.connection) return;
  const std::string settings = fmt::format("-c search_path={} -c default_transaction_isolation={} {}", place_.schema,
                                           escaped(isolation_), "-c enable_seqscan=off");
  try {
    session.connection = std::make_unique<Connection>(place_.with(settings + " " + monitor_->session_settings()));
  } catch (const ConnectionLost& lost) {
    throw place_.failure(lost.what());
  }
}

void Postgresql::disconnect(Session& session) {
  const int pid = session.connection->pid();
  session = Session{};
  monitor_->terminate(pid);
}

/// Asks the server itself: a session can have been ended by another, or by a timeout of its own.
bool Postgresql::is_alive() {
  try {
    monitor_->ask("SELECT 1");
    return true;
  } catch (const EngineFailure&) {
    return false;
  }
}

bool Postgresql::nothing_is_open() const {
  return std::all_of(sessions_.begin(), sessions_.end(),
                     [](const Session& each) { return !each.connection || each.connection->is_idle(); });
}

// --- statements ------------------------------------------------------------------------------------------------------

std::optional<Answer> Postgresql::run(int number, const Statement& statement) {
  Session& session = at(number);
  connect(session);
  known_.reset();
  holders_.reset();
  session.effects = Effects::of(statement.text);
  session.has_run = true;
  session.sent = ++sent_;
  session.is_defining |= session.effects.defines;
  if (session.effects.defines) {
    catalog_is_old_ = true;
    written_ = page_bytes;
  }
  outlives_ |= session.effects.outlives;
  locks_by_name_ |= session.effects.locks_by_name;
  hold_blocked(session);
  session.connection->send(statement);
  return settle(session);
}

/// Waits until the statement that was sent is done, or known to be blocked. A session that waits looks for a deadlock
/// once, after a while; only when that is over it is called blocked. So it is always the last one to close a circle
/// that finds it, and whose statement fails.
std::optional<Answer> Postgresql::settle(Session& session) {
  Connection& connection = *session.connection;
  const Clock::time_point begin = Clock::now();
  bool ask = session.is_blocked();
  while (true) {
    if (std::optional<Answer> answer = connection.take()) return finish(session, std::move(*answer));
    const bool reported = connection.take_lock_report();
    if (ask || reported) {
      const std::optional<Wait> wait = monitor_->wait_of(connection.pid(), pids(), reported);
      if (wait && wait->is_by_us && (wait->is_for_good || wait->began == session.waits_since)) {
        session.waits_since = wait->began;
        return std::nullopt;
      }
    }
    ask = !connection.wait(look);
    if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds_) {
      give_up(session, fmt::format("a statement did not answer within {} seconds", seconds_));
    }
  }
}

/// What is to be noted of a statement that is done.
Answer Postgresql::finish(Session& session, Answer answer) {
  session.waits_since.clear();
  known_.reset();
  holders_.reset();
  if (session.effects.writes) {
    written_ += row_bytes_ * static_cast<std::size_t>(std::max<std::int64_t>(answer.rows, 1));
  }
  if (!session.connection->is_lost()) {
    const bool is_idle = session.connection->is_idle();
    // Whatever ends a transaction, or is one by itself, may have committed rows; only reading has not.
    if (is_idle && (session.effects.writes || session.effects.commits)) in_order_ = false;
    if (is_idle) session.is_defining = false;
    return answer;
  }
  if (answer.error.empty() || !is_alive()) throw place_.failure("the connection is lost: " + answer.message);
  disconnect(session);
  in_order_ = false;
  return answer;
}

void Postgresql::give_up(Session& session, const std::string& text) {
  stop({&session});
  throw place_.failure(text);
}

std::vector<std::pair<int, Answer>> Postgresql::unblocked() {
  std::map<std::uint64_t, std::pair<int, Answer>> done;
  const std::vector<Session*> waiting = blocked();
  settle_free(done);
  for (Session* each : waiting) {
    if (!each->hold) continue;
    each->hold.reset();
    settle_free(done);
  }
  std::vector<std::pair<int, Answer>> answers;
  for (auto& [sent, answer] : done) answers.push_back(std::move(answer));
  return answers;
}

/// Settles those that are blocked and not held. One that goes on can let go another that was looked at before it.
void Postgresql::settle_free(std::map<std::uint64_t, std::pair<int, Answer>>& done) {
  for (bool again = true; again;) {
    again = false;
    for (Session* session : blocked()) {
      if (session->hold) continue;
      const std::string before = session->waits_since;
      const std::uint64_t sent = session->sent;
      std::optional<Answer> answer = settle(*session);
      again |= answer || session->waits_since != before;
      if (answer) done.emplace(sent, std::pair(static_cast<int>(session - sessions_.data()), std::move(*answer)));
    }
  }
}

/// Cancels what the sessions do, and waits until they do nothing.
void Postgresql::stop(const std::vector<Session*>& sessions) {
  std::vector<int> pids;
  for (const Session* each : sessions) pids.push_back(each->connection->pid());
  monitor_->cancel(pids);
  for (Session* session : sessions) {
    const Clock::time_point begin = Clock::now();
    std::optional<Answer> answer;
    while (!(answer = session->connection->take())) {
      if (Clock::now() - begin > std::chrono::seconds(5)) throw place_.failure("a statement cannot be cancelled");
      session->connection->wait(look);
    }
    finish(*session, std::move(*answer));
  }
}

void Postgresql::stop_all() {
  for (Session& each : sessions_) each.hold.reset();
  stop(blocked());
  for (Session& each : sessions_) clean(each);
}

/// Removes what a session that does nothing has left: its transaction, its locks, and its settings.
void Postgresql::clean(Session& session) {
  if (!session.connection || !session.has_run) return;
  std::vector<std::string> scripts;
  if (!session.connection->is_idle()) scripts.emplace_back("ROLLBACK");
  if (locks_by_name_ && !outlives_) scripts.emplace_back("SELECT pg_advisory_unlock_all()");
  if (outlives_) scripts.emplace_back("DISCARD ALL");
  try {
    for (const std::string& each : scripts) session.connection->ask(each, seconds_);
    session.has_run = session.is_defining = false;
  } catch (const ConnectionLost& lost) {
    if (!is_alive()) throw place_.failure(lost.what());
    disconnect(session);
  }
}

void Postgresql::end(int number) {
  Session& session = at(number);
  holders_.reset();
  hold_blocked(session);
  session.hold.reset();
  if (session.is_blocked()) stop({&session});
  if (!blocked().empty()) known_.reset();  // one that waits for this session goes on, and may commit
  clean(session);
}

bool Postgresql::is_open(int number) const {
  const Session& session = sessions_.at(static_cast<std::size_t>(number));
  if (!session.connection) return false;
  if (!session.connection->is_idle()) return true;
  if (!locks_by_name_ || !session.has_run) return false;
  if (!holders_) holders_ = monitor_->holders_of_named_locks();
  return holders_->contains(session.connection->pid());
}

// --- contents --------------------------------------------------------------------------------------------------------

void Postgresql::look_at_tables() {
  if (!catalog_is_old_) return;
  catalog_ = Catalog(place_.schema, monitor_->ask(Catalog::query(place_.schema)));
  monitor_->keep_content_query(catalog_.content_query());
  catalogs_.try_emplace(catalog_.fingerprint(), catalog_);
  // What is defined in a transaction shows only when that is committed.
  catalog_is_old_ =
      std::any_of(sessions_.begin(), sessions_.end(), [](const Session& each) { return each.is_defining; });
}

std::optional<Content> Postgresql::content() {
  if (known_) return known_;
  const bool is_new = catalog_is_old_;
  std::optional<Content> content = read();
  // New tables are as after any load from the start: in how their rows lie, and in what the planner knows of them.
  if (content && is_new && nothing_is_open()) {
    put_back(Image::of(*content));
    in_order_ = true;
  }
  known_ = content;
  return content;
}

std::optional<Content> Postgresql::read() {
  for (const bool at_last : {false, true}) {
    look_at_tables();
    if (catalog_.is_empty()) return catalog_.content({});
    const Answer answer = monitor_->content();
    if (answer.error.empty()) return catalog_.content(answer);
    if (answer.error == lock_not_available) return std::nullopt;
    if (at_last || answer.error != no_such_table) throw place_.failure(answer.message);
    catalog_is_old_ = true;  // a table went without a statement that shows it
  }
  return std::nullopt;
}

void Postgresql::load(const Content& content) {
  stop_all();
  look_at_tables();
  const Image image = Image::of(content);
  require_tables_of(image);
  if (known_ && known_->text == content.text && in_order_ && written_ < page_bytes) return;
  known_.reset();
  put_back(image);
  in_order_ = true;
  known_ = content;
}

/// Drops the tables that came into being after the content was read. Throws UsageError where that is not all.
void Postgresql::require_tables_of(const Image& image) {
  if (image.fingerprint == catalog_.fingerprint()) return;
  known_.reset();
  if (const auto wanted = catalogs_.find(image.fingerprint); wanted != catalogs_.end()) {
    if (const std::string script = catalog_.dropping(wanted->second); !script.empty()) monitor_->ask(script);
    catalog_is_old_ = true;
    look_at_tables();
  }
  if (image.fingerprint == catalog_.fingerprint()) return;
  throw UsageError(
      "a statement of the design changes or drops tables, and fencecheck cannot take that back: it puts back rows "
      "only. CREATE, ALTER and DROP belong into the setup");
}

void Postgresql::put_back(const Image& image) {
  const std::string emptying = catalog_.emptying();
  row_bytes_ = std::max(row_bytes_, image.row_bytes);
  if (written_ + image.table_bytes < page_bytes) {
    monitor_->ask(emptying + image.script);
    written_ += image.table_bytes;
    return;
  }
  monitor_->ask(emptying);
  if (const std::string cleaning = catalog_.cleaning(); !cleaning.empty()) monitor_->ask(cleaning);
  monitor_->ask(image.script);
  written_ = image.table_bytes;
}

}  // namespace
}  // namespace postgresql

std::unique_ptr<Engine> open_postgresql(const EngineOptions& options) {
  return std::make_unique<postgresql::Postgresql>(options);
}

}  // namespace fencecheck::engines
