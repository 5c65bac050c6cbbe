#include <fencecheck/engines/sqlite_database.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include <fencecheck/engines/engine.h>

namespace fencecheck::engines::sqlite {
namespace {

constexpr int primary_code = 0xff;           // an extended code has its primary one in the low byte
constexpr std::size_t max_statements = 500;  // of a design there are a few dozen

// SQLite knows these by number only.
constexpr auto code_names = std::to_array<std::pair<int, const char*>>({
    {SQLITE_ERROR, "SQLITE_ERROR"},
    {SQLITE_INTERNAL, "SQLITE_INTERNAL"},
    {SQLITE_PERM, "SQLITE_PERM"},
    {SQLITE_ABORT, "SQLITE_ABORT"},
    {SQLITE_BUSY, "SQLITE_BUSY"},
    {SQLITE_LOCKED, "SQLITE_LOCKED"},
    {SQLITE_NOMEM, "SQLITE_NOMEM"},
    {SQLITE_READONLY, "SQLITE_READONLY"},
    {SQLITE_INTERRUPT, "SQLITE_INTERRUPT"},
    {SQLITE_IOERR, "SQLITE_IOERR"},
    {SQLITE_CORRUPT, "SQLITE_CORRUPT"},
    {SQLITE_NOTFOUND, "SQLITE_NOTFOUND"},
    {SQLITE_FULL, "SQLITE_FULL"},
    {SQLITE_CANTOPEN, "SQLITE_CANTOPEN"},
    {SQLITE_PROTOCOL, "SQLITE_PROTOCOL"},
    {SQLITE_SCHEMA, "SQLITE_SCHEMA"},
    {SQLITE_TOOBIG, "SQLITE_TOOBIG"},
    {SQLITE_CONSTRAINT, "SQLITE_CONSTRAINT"},
    {SQLITE_MISMATCH, "SQLITE_MISMATCH"},
    {SQLITE_MISUSE, "SQLITE_MISUSE"},
    {SQLITE_AUTH, "SQLITE_AUTH"},
    {SQLITE_RANGE, "SQLITE_RANGE"},
    {SQLITE_NOTADB, "SQLITE_NOTADB"},
    {SQLITE_ABORT_ROLLBACK, "SQLITE_ABORT_ROLLBACK"},
    {SQLITE_BUSY_RECOVERY, "SQLITE_BUSY_RECOVERY"},
    {SQLITE_BUSY_SNAPSHOT, "SQLITE_BUSY_SNAPSHOT"},
    {SQLITE_CONSTRAINT_CHECK, "SQLITE_CONSTRAINT_CHECK"},
    {SQLITE_CONSTRAINT_COMMITHOOK, "SQLITE_CONSTRAINT_COMMITHOOK"},
    {SQLITE_CONSTRAINT_DATATYPE, "SQLITE_CONSTRAINT_DATATYPE"},
    {SQLITE_CONSTRAINT_FOREIGNKEY, "SQLITE_CONSTRAINT_FOREIGNKEY"},
    {SQLITE_CONSTRAINT_NOTNULL, "SQLITE_CONSTRAINT_NOTNULL"},
    {SQLITE_CONSTRAINT_PRIMARYKEY, "SQLITE_CONSTRAINT_PRIMARYKEY"},
    {SQLITE_CONSTRAINT_ROWID, "SQLITE_CONSTRAINT_ROWID"},
    {SQLITE_CONSTRAINT_TRIGGER, "SQLITE_CONSTRAINT_TRIGGER"},
    {SQLITE_CONSTRAINT_UNIQUE, "SQLITE_CONSTRAINT_UNIQUE"},
    {SQLITE_CORRUPT_INDEX, "SQLITE_CORRUPT_INDEX"},
    {SQLITE_ERROR_MISSING_COLLSEQ, "SQLITE_ERROR_MISSING_COLLSEQ"},
    {SQLITE_IOERR_FSTAT, "SQLITE_IOERR_FSTAT"},
    {SQLITE_IOERR_READ, "SQLITE_IOERR_READ"},
    {SQLITE_IOERR_SHMSIZE, "SQLITE_IOERR_SHMSIZE"},
    {SQLITE_IOERR_WRITE, "SQLITE_IOERR_WRITE"},
});

}  // namespace

std::string code_name(int code) {
  const auto* const known =
      std::find_if(code_names.begin(), code_names.end(), [&](const auto& each) { return each.first == code; });
  return known != code_names.end() ? known->second : fmt::format("SQLITE_{}", code);
}

bool is_fatal(int code) {
  const int primary = code & primary_code;
  return primary == SQLITE_FULL || primary == SQLITE_IOERR || primary == SQLITE_CORRUPT || primary == SQLITE_NOMEM ||
         primary == SQLITE_NOTADB;
}

Database::Database(const Place& place) : place_(place) {
  sqlite3* opened = nullptr;
  // One thread drives an engine, so SQLite needs no locks of its own for a connection.
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(place_.uri.c_str(), &opened, flags, nullptr);
  handle_.reset(opened);  // even where it failed there is one, which knows why
  if (code != SQLITE_OK) fail("open its database");
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_FKEY, place_.foreign_keys ? 1 : 0, nullptr);
  settle();
}

int Database::prepare(const std::string& text, Prepared& statement, std::size_t& end) const {
  sqlite3_stmt* made = nullptr;
  const char* tail = nullptr;
  const int code =
      sqlite3_prepare_v3(handle(), text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT, &made, &tail);
  statement.reset(made);
  end = tail == nullptr ? text.size() : static_cast<std::size_t>(tail - text.data());
  return code;
}

sqlite3_stmt* Database::kept(const std::string& text) const {
  const auto found = kept_.find(text);
  return found == kept_.end() ? nullptr : found->second.get();
}

sqlite3_stmt* Database::keep(const std::string& text, Prepared statement) {
  if (kept_.size() >= max_statements) kept_.clear();
  return (kept_[text] = std::move(statement)).get();
}

bool Database::execute(const std::string& text) {
  const int code = sqlite3_exec(handle(), text.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK && (code & primary_code) != SQLITE_BUSY) fail(fmt::format("run '{}'", text));
  return code == SQLITE_OK;
}

void Database::roll_back() {
  if (!in_transaction()) return;
  Cursor rollback(*this, "ROLLBACK");
  rollback.next();
}

void Database::fail(const std::string& doing) const {
  const int code = handle_ ? sqlite3_extended_errcode(handle()) : SQLITE_NOMEM;
  const char* const words = handle_ ? sqlite3_errmsg(handle()) : sqlite3_errstr(code);
  const char* const help = (code & primary_code) == SQLITE_FULL ? "; make room where it is" : "";
  throw EngineFailure(
      fmt::format("SQLite, {}: cannot {}: {} ({}){}", place_.told, doing, words, code_name(code), help));
}

Cursor::Cursor(Database& database, const std::string& query) : database_(database), statement_(database.kept(query)) {
  if (statement_ != nullptr) return;
  Prepared made;
  std::size_t end = 0;
  if (check(database_.prepare(query, made, end))) statement_ = database_.keep(query, std::move(made));
}

bool Cursor::next() {
  if (statement_ == nullptr) return false;
  const int code = sqlite3_step(statement_);
  return check(code) && code == SQLITE_ROW;
}

bool Cursor::check(int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return true;
  if ((code & primary_code) != SQLITE_BUSY) database_.fail("read its database");
  locked_ = true;
  return false;
}

std::string column_bytes(sqlite3_stmt* statement, int column) {
  const bool blob = sqlite3_column_type(statement, column) == SQLITE_BLOB;
  const void* const bytes =
      blob ? sqlite3_column_blob(statement, column) : static_cast<const void*>(sqlite3_column_text(statement, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

}  // namespace fencecheck::engines::sqlite
