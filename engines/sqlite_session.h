// One session: a connection that is sent statements of a design.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/sqlite_database.h>

namespace fencecheck::engines::sqlite {

/// What sessions have committed since somebody last looked.
struct Committed {
  bool anything = false;
  bool schema = false;  ///< a table, an index, … was made, changed or dropped
};

/// Nothing of a session outlives its transaction: statements that would set something in the session itself are
/// refused, as are functions that tell of statements before the transaction. A content that is put back would not have
/// put those back.
class Session {
 public:
  /// Notes in `committed` what it commits. Throws EngineFailure where the database cannot be opened.
  Session(const Place& place, double statement_seconds, Committed& committed);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Throws EngineFailure where the statement does not end in time, or SQLite cannot go on.
  Answer run(const Statement& statement);

  bool is_open() const { return database_.in_transaction(); }
  void roll_back();

 private:
  using Clock = std::chrono::steady_clock;

  static int authorize(void* self, int action, const char* first, const char* second, const char* schema,
                       const char* source);
  static int is_late(void* self);
  static int on_commit(void* self);
  static void changes(sqlite3_context* context, int count, sqlite3_value** values);
  static void last_insert_rowid(sqlite3_context* context, int count, sqlite3_value** values);
  static void total_changes(sqlite3_context* context, int count, sqlite3_value** values);

  void settle();
  int refuse(std::string why);
  void add_function(const char* name, void (*function)(sqlite3_context*, int, sqlite3_value**));
  sqlite3_stmt* prepared(const std::string& text, Answer& answer);
  bool bind(sqlite3_stmt* made, const Statement& statement, Answer& answer) const;
  void step_to_end(sqlite3_stmt* made, const std::string& text, Answer& answer);
  Answer refused(int code, const std::string& text) const;
  void note_what_is_committed();

  Database database_;
  Prepared once_;  // the last statement that is not to be kept
  Clock::duration statement_time_;
  Committed& committed_;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::string refusal_;          // why the authorizer said no
  bool changes_schema_ = false;  // the transaction that is open, or the statement
  bool wrote_ = false;           // in the transaction that is open
  bool commits_ = false;         // the statement that runs
};

}  // namespace fencecheck::engines::sqlite
