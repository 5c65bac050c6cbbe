#include <fencecheck/engines/sqlite_session.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace fencecheck::engines::sqlite {
namespace {

constexpr int steps_between_looks = 10000;  // of SQLite's virtual machine: some 100 microseconds
constexpr std::size_t max_digits = 18;      // always fit into 64 bits

// With a value these change nothing that a step could see, or what is committed, or only look something up.
constexpr auto harmless_pragmas = std::to_array<std::string_view>(
    {"application_id", "busy_timeout", "cache_size", "foreign_key_check", "foreign_key_list", "index_info",
     "index_list", "index_xinfo", "integrity_check", "mmap_size", "quick_check", "synchronous", "table_info",
     "table_list", "table_xinfo", "temp_store", "user_version", "wal_autocheckpoint", "wal_checkpoint"});

bool is_harmless(const std::string& lower_name) {
  return std::find(harmless_pragmas.begin(), harmless_pragmas.end(), lower_name) != harmless_pragmas.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_schema_table(std::string_view name) { return name == "sqlite_master" || name == "sqlite_temp_master"; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_integer(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.size() <= max_digits && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), is_digit);
}

/// Whether `text` is blank, comments and semicolons: nothing that SQLite would run.
bool says_nothing(std::string_view text) {
  while (!text.empty()) {
    std::size_t skipped = 1;
    if (text.starts_with("--")) {
      skipped = text.find('\n');
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      skipped = end == std::string_view::npos ? end : end + 2;
    } else if (text[0] != ';' && std::isspace(static_cast<unsigned char>(text[0])) == 0) {
      return false;
    }
    text.remove_prefix(std::min(skipped, text.size()));
  }
  return true;
}

Answer mistake(std::string message) { return {code_name(SQLITE_ERROR), std::move(message)}; }

/// A statement is left ready for its next time, and forgets what was bound to it.
class Running {
 public:
  explicit Running(sqlite3_stmt* statement) : statement_(statement) {}
  ~Running() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  sqlite3_stmt* statement_;
};

// The bytes stay where they are for as long as the statement runs.
void bind_cell(sqlite3_stmt* made, int index, const Cell& cell) {
  if (!cell) {
    sqlite3_bind_null(made, index);
  } else if (is_integer(*cell)) {
    std::int64_t number = 0;
    std::from_chars(cell->data(), cell->data() + cell->size(), number);
    sqlite3_bind_int64(made, index, number);
  } else {
    sqlite3_bind_text64(made, index, cell->data(), cell->size(), nullptr, SQLITE_UTF8);
  }
}

void add_row(sqlite3_stmt* made, Answer& answer) {
  std::vector<Cell>& row = answer.table.emplace_back();
  for (int i = 0; i < sqlite3_column_count(made); ++i) {
    row.push_back(sqlite3_column_type(made, i) == SQLITE_NULL ? std::nullopt : Cell(column_bytes(made, i)));
  }
}

constexpr const char* only_within =
    "changes() and last_insert_rowid() are known here only after a change in the same transaction, and "
    "total_changes() never: use RETURNING, or what `rows` says of the statement itself";

}  // namespace

Session::Session(const Place& place, double statement_seconds, Committed& committed)
    : database_(place),
      statement_time_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(statement_seconds))),
      committed_(committed) {
  sqlite3* const handle = database_.handle();
  sqlite3_set_authorizer(handle, authorize, this);
  sqlite3_progress_handler(handle, steps_between_looks, is_late, this);
  sqlite3_commit_hook(handle, on_commit, this);
  add_function("changes", changes);
  add_function("last_insert_rowid", last_insert_rowid);
  add_function("total_changes", total_changes);
}

void Session::add_function(const char* name, void (*function)(sqlite3_context*, int, sqlite3_value**)) {
  constexpr int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
  if (sqlite3_create_function_v2(database_.handle(), name, 0, flags, this, function, nullptr, nullptr, nullptr) !=
      SQLITE_OK) {
    database_.fail("open its database");
  }
}

void Session::settle() {
  if (database_.settled()) return;
  sqlite3_set_authorizer(database_.handle(), nullptr, nullptr);  // what it refuses, it refuses to designs
  database_.settle();
  sqlite3_set_authorizer(database_.handle(), authorize, this);
}

Answer Session::run(const Statement& statement) {
  deadline_ = Clock::now() + statement_time_;
  settle();
  Answer answer;
  sqlite3_stmt* const made = prepared(statement.text, answer);
  if (made == nullptr) return answer;
  const Running running(made);
  if (!bind(made, statement, answer)) return answer;
  commits_ = false;
  step_to_end(made, statement.text, answer);
  if (sqlite3_stmt_readonly(made) == 0) wrote_ = true;
  note_what_is_committed();
  return answer;
}

void Session::roll_back() {
  deadline_ = Clock::time_point::max();  // or it would be late, long after the last statement
  database_.roll_back();
  note_what_is_committed();
}

void Session::note_what_is_committed() {
  if (std::exchange(commits_, false)) {
    committed_.anything = true;
    committed_.schema |= changes_schema_;
  }
  if (is_open()) return;
  changes_schema_ = false;
  wrote_ = false;
  sqlite3_set_last_insert_rowid(database_.handle(), 0);
}

/// The statement ready to run; null, and why in `answer`, where there is none.
sqlite3_stmt* Session::prepared(const std::string& text, Answer& answer) {
  if (sqlite3_stmt* const kept = database_.kept(text)) return kept;
  Prepared made;
  std::size_t end = 0;
  refusal_.clear();
  const bool changed_schema = std::exchange(changes_schema_, false);
  const int code = database_.prepare(text, made, end);
  // Only when it is prepared does it show that a statement changes the schema, so it is prepared each time.
  const bool keep = !changes_schema_;
  changes_schema_ |= changed_schema;
  sqlite3_busy_timeout(database_.handle(), 0);  // a pragma may have set one
  if (code != SQLITE_OK) {
    answer = refused(code, text);
  } else if (!made) {
    answer = mistake("there is no statement in this step: each step is one statement");
  } else if (!says_nothing(std::string_view(text).substr(end))) {
    answer = mistake("there is more than one statement in this step: each step is one statement");
  } else {
    if (keep) return database_.keep(text, std::move(made));
    once_ = std::move(made);
    return once_.get();
  }
  return nullptr;
}

bool Session::bind(sqlite3_stmt* made, const Statement& statement, Answer& answer) const {
  for (int i = 1; i <= sqlite3_bind_parameter_count(made); ++i) {
    const char* const name = sqlite3_bind_parameter_name(made, i);
    const auto given =
        std::find_if(statement.parameters.begin(), statement.parameters.end(),
                     [&](const Parameter& each) { return name != nullptr && name[0] == ':' && each.name == name + 1; });
    if (given == statement.parameters.end()) {
      answer = mistake(fmt::format("parameter {} has no value: parameters are written as :name", name ? name : "?"));
      return false;
    }
    bind_cell(made, i, given->value);
  }
  return true;
}

void Session::step_to_end(sqlite3_stmt* made, const std::string& text, Answer& answer) {
  const sqlite3_int64 changed_before = sqlite3_total_changes64(database_.handle());
  int code = sqlite3_step(made);
  for (; code == SQLITE_ROW; code = sqlite3_step(made)) add_row(made, answer);
  if (code != SQLITE_DONE) {
    answer = refused(code, text);
    return;
  }
  const int columns = sqlite3_column_count(made);
  for (int i = 0; i < columns; ++i) answer.columns.emplace_back(sqlite3_column_name(made, i));
  if (columns > 0) {
    answer.rows = static_cast<std::int64_t>(answer.table.size());
  } else if (sqlite3_total_changes64(database_.handle()) != changed_before) {
    answer.rows = sqlite3_changes64(database_.handle());  // else this tells of an earlier statement
  }
}

/// What SQLite says to a statement that it did not run to its end.
Answer Session::refused(int code, const std::string& text) const {
  if (code == SQLITE_INTERRUPT) {
    const double seconds = std::chrono::duration<double>(statement_time_).count();
    throw EngineFailure(fmt::format("SQLite did not finish this statement within {} seconds: {}", seconds, text));
  }
  if (is_fatal(code)) database_.fail(fmt::format("run '{}'", text));
  return {code_name(code), refusal_.empty() ? sqlite3_errmsg(database_.handle()) : refusal_};
}

int Session::refuse(std::string why) {
  refusal_ = std::move(why);
  return SQLITE_DENY;
}

int Session::authorize(void* self, int action, const char* first, const char* second, const char*, const char*) {
  Session& session = *static_cast<Session*>(self);
  switch (action) {
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE: session.changes_schema_ |= is_schema_table(first); return SQLITE_OK;
    case SQLITE_ALTER_TABLE:
    case SQLITE_ANALYZE:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VTABLE: session.changes_schema_ = true; return SQLITE_OK;
    case SQLITE_PRAGMA:
      if (second == nullptr || is_harmless(lower(first))) return SQLITE_OK;
      return session.refuse(fmt::format(
          "PRAGMA {} cannot be set in a step, since it is no part of what is committed: `storage` and `foreign_keys` "
          "are settings of the engine",
          first));
    case SQLITE_ATTACH:
    case SQLITE_DETACH: return session.refuse("a step uses one database, without ATTACH, DETACH and VACUUM");
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_CREATE_TEMP_VIEW:
      return session.refuse("a step has nothing TEMP, since it is no part of what is committed");
    default: return SQLITE_OK;
  }
}

int Session::is_late(void* self) { return Clock::now() > static_cast<Session*>(self)->deadline_ ? 1 : 0; }

int Session::on_commit(void* self) {
  static_cast<Session*>(self)->commits_ = true;
  return 0;
}

void Session::changes(sqlite3_context* context, int, sqlite3_value**) {
  const Session& session = *static_cast<Session*>(sqlite3_user_data(context));
  if (!session.is_open() || !session.wrote_) return sqlite3_result_error(context, only_within, -1);
  sqlite3_result_int64(context, sqlite3_changes64(session.database_.handle()));
}

void Session::last_insert_rowid(sqlite3_context* context, int, sqlite3_value**) {
  const Session& session = *static_cast<Session*>(sqlite3_user_data(context));
  const sqlite3_int64 row = sqlite3_last_insert_rowid(session.database_.handle());
  if (!session.is_open() || row == 0) return sqlite3_result_error(context, only_within, -1);
  sqlite3_result_int64(context, row);
}

void Session::total_changes(sqlite3_context* context, int, sqlite3_value**) {
  sqlite3_result_error(context, only_within, -1);
}

}  // namespace fencecheck::engines::sqlite
