// A connection to a PostgreSQL server that is sent one statement at a time, and does not wait for its answer by itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fencecheck/engines/engine.h>

// What libpq calls PGconn and PGresult; its header is for those who call it.
struct pg_conn;
struct pg_result;

namespace fencecheck::engines::postgresql {

using Clock = std::chrono::steady_clock;

/// Words of libpq and their values, of which a later one counts for more than an earlier one.
using Address = std::vector<std::pair<std::string, std::string>>;

/// The server closed the connection, or never accepted it.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A text as a literal of SQL.
std::string literal(std::string_view text);

/// The address as it is given to libpq's functions of two arrays, which end with a null pointer.
struct AddressWords {
  explicit AddressWords(const Address& address);
  std::vector<const char*> names;
  std::vector<const char*> values;
};

class Connection {
 public:
  /// Waits until it is open. Throws ConnectionLost, in the server's words.
  explicit Connection(const Address& address);

  int pid() const;
  int version() const;
  bool is_lost() const;
  /// No statement is under way, and no transaction is open.
  bool is_idle() const;

  /// Sends one statement with its parameters. What cannot be sent is found out by take().
  void send(const Statement& statement);
  /// Sends several statements of our own, which are one transaction.
  void send(const std::string& script);

  /// The answer to what was sent; nothing where it is not there yet. Does not wait. Where the connection is lost, an
  /// error with the server's last code, or without a code where it gave none.
  std::optional<Answer> take();

  /// Waits for something to come. False where nothing did.
  bool wait(std::chrono::milliseconds time) const;

  /// Whether the server said, since the last call, that a statement waited for a lock so long that it has looked for a
  /// deadlock. It says so only where `log_lock_waits` is on and `client_min_messages` lets it.
  bool take_lock_report() { return std::exchange(lock_reported_, false); }

  /// Sends a script and waits for its answer, of the last statement or of the one that failed. Throws ConnectionLost,
  /// and EngineFailure where there is no answer within `seconds`.
  Answer ask(const std::string& script, double seconds);

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
    void operator()(pg_result* result) const;
  };
  using Result = std::unique_ptr<pg_result, Close>;

  static void notice(void* self, const pg_result* report);
  Answer answer_of_last();
  std::string last_words() const;

  std::unique_ptr<pg_conn, Close> connection_;
  Result last_;
  bool lock_reported_ = false;
  bool gave_up_ = false;  ///< in the middle of a COPY, out of which no other statement leads
};

}  // namespace fencecheck::engines::postgresql
