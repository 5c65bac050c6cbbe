// What every connection to SQLite has: where it goes, its handle, and statements that are prepared once.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace fencecheck::engines::sqlite {

/// The symbol of an extended result code, "SQLITE_BUSY_SNAPSHOT"; of a rare one "SQLITE_" and its number.
std::string code_name(int code);

/// Whether SQLite cannot go on after `code`: disk full or broken, no memory. Anything else is an answer.
bool is_fatal(int code);

/// A database, and how each connection to it is set up.
struct Place {
  std::string uri;
  std::string told;     ///< "in memory": for messages
  std::string pragmas;  ///< statements that need the database, so that a lock may be in their way
  bool foreign_keys = false;
};

struct Finalize {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

class Database {
 public:
  /// Throws EngineFailure where it cannot be opened. A lock that is in the way of the place's pragmas is no failure:
  /// they are to be run later.
  explicit Database(const Place& place);

  sqlite3* handle() const { return handle_.get(); }
  bool in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }

  /// Runs the place's pragmas. Not settled still where a lock is in their way.
  void settle() { settled_ = place_.pragmas.empty() || execute(place_.pragmas); }
  bool settled() const { return settled_; }

  /// Prepares the first statement of `text`; null where there is none. Gives the result code, and where the statement
  /// ends.
  int prepare(const std::string& text, Prepared& statement, std::size_t& end) const;

  /// The statement that was kept under this text, or null.
  sqlite3_stmt* kept(const std::string& text) const;
  sqlite3_stmt* keep(const std::string& text, Prepared statement);

  /// Runs statements that give nothing back. False where a lock is in the way; throws EngineFailure on anything else.
  bool execute(const std::string& text);

  /// Ends the transaction, where there is one, without its changes.
  void roll_back();

  /// Throws EngineFailure with SQLite's words to its last error. `doing`: "read the database".
  [[noreturn]] void fail(const std::string& doing) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close(handle); }
  };

  Place place_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::unordered_map<std::string, Prepared> kept_;  // goes before the handle
  bool settled_ = false;
};

/// Reads what a query gives, row by row, and leaves its statement ready for the next time.
class Cursor {
 public:
  Cursor(Database& database, const std::string& query);
  ~Cursor() { sqlite3_reset(statement_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Goes to the next row; false after the last one, and where a lock is in the way. Throws EngineFailure.
  bool next();
  bool locked() const { return locked_; }

  /// Columns are known from the first `next` on.
  sqlite3_stmt* statement() const { return statement_; }

 private:
  bool check(int code);

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  bool locked_ = false;
};

/// The bytes of a column of the row that `statement` stands on, whatever its type; empty for NULL.
std::string column_bytes(sqlite3_stmt* statement, int column);

}  // namespace fencecheck::engines::sqlite
