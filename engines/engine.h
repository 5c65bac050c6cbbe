// A real store, as the exploration drives it: put into a known content, sent statements on one of several sessions, and
// asked what it holds.
//
// An engine knows nothing of leases. It is driven by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fencecheck::engines {

/// A value that goes into a statement or comes out of one; nothing stands for NULL, or for what is not there.
using Cell = std::optional<std::string>;

struct Parameter {
  std::string name;  ///< without the colon
  Cell value;

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// One statement: its text as a design file has it, with `:name` where a parameter goes, and the parameters that the
/// text names.
struct Statement {
  std::string text;
  std::vector<Parameter> parameters = {};

  friend bool operator==(const Statement&, const Statement&) = default;
};

/// What an engine answered to one statement.
struct Answer {
  std::string error = {};    ///< the engine's code, such as "40001" or "SQLITE_BUSY"; empty where it succeeded
  std::string message = {};  ///< the engine's words to an error; not part of what is compared
  std::int64_t rows = 0;     ///< that came back; of a statement that gives none back, those that it changed
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> table = {};  ///< what came back, row by row

  friend bool operator==(const Answer& a, const Answer& b) {
    return a.error == b.error && a.rows == b.rows && a.columns == b.columns && a.table == b.table;
  }
};

/// Everything that is committed.
struct Content {
  std::string text;   ///< equal exactly where the contents are; a person can read it
  std::string image;  ///< what the engine needs to get there again
};

/// The session of fencecheck itself, which reads what is committed and makes faults happen. Workers have 1, 2, …,
/// requests that come late those behind them.
constexpr int outside = 0;
constexpr int max_sessions = 12;

/// The store is not there: its package is not installed, or nobody answers at the address. Says what would help.
class EngineMissing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The store gave up in the middle: it died, ran out of disk, or did not answer in time.
class EngineFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// "SQLite 3.40.1 in memory": for reports.
  virtual std::string description() const = 0;

  /// Puts `content` back, as `content()` gave it. Before that it ends whatever is open in any session: transactions are
  /// rolled back, statements that are blocked are given up.
  virtual void load(const Content& content) = 0;

  /// What is committed now. Nothing where a lock of some session is in the way of reading it.
  virtual std::optional<Content> content() = 0;

  /// Sends a statement on `session` (0 … max_sessions - 1), which must have none that is blocked. Gives its answer, or
  /// nothing where it is blocked by another session; it then goes on by itself some time. What the engine refuses is an
  /// answer with an error. Throws EngineFailure where it does not answer at all.
  virtual std::optional<Answer> run(int session, const Statement& statement) = 0;

  /// The statements that were blocked and are no longer, in the order in which they were sent, with their answers.
  /// Waits until each statement that was sent is either done or known to be blocked.
  virtual std::vector<std::pair<int, Answer>> unblocked() = 0;

  /// The session is cut off: what it has open is rolled back, its locks are released. It can be used again.
  virtual void end(int session) = 0;

  /// Whether `session` has more than what is committed: an open transaction, a lock that it holds, a key that it
  /// watches.
  virtual bool is_open(int session) const = 0;

  /// What `session` has open, in words: two sessions of which they are equal behave the same on the same content.
  /// Nothing where the engine cannot say, as with a transaction's snapshot and locks.
  virtual std::optional<std::string> open_state(int /*session*/) { return std::nullopt; }

  /// As load, by the tools with which an operator restores the store from a backup, where that is more than putting the
  /// content back. Gives in a few words what was done, "etcdctl snapshot restore: revision 3", and nothing where it was
  /// just that.
  virtual std::string restore(const Content& backup) {
    load(backup);
    return {};
  }
};

/// How an engine is to be started: the kind, and what the design file says in the table of that name.
struct EngineOptions {
  std::string kind;                                  ///< "sqlite", "postgresql", "redis", "etcd", "zookeeper"
  std::map<std::string, std::string> settings = {};  ///< checked by the engine; throws UsageError on unknown ones
  std::string url = {};                              ///< of a server that runs already; empty: a private one
  double statement_seconds = 10;                     ///< after which a statement counts as never answered
};

/// Starts an engine that is empty. Throws UsageError where an option is wrong (an unknown kind or setting, a database
/// that is not empty), EngineMissing, or EngineFailure.
std::unique_ptr<Engine> open_engine(const EngineOptions& options);

// One for each kind, behind open_engine.
std::unique_ptr<Engine> open_sqlite(const EngineOptions& options);
std::unique_ptr<Engine> open_postgresql(const EngineOptions& options);
std::unique_ptr<Engine> open_redis(const EngineOptions& options);
std::unique_ptr<Engine> open_etcd(const EngineOptions& options);
std::unique_ptr<Engine> open_zookeeper(const EngineOptions& options);

}  // namespace fencecheck::engines
