#include <fencecheck/engines/sqlite_content.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

namespace fencecheck::engines::sqlite {
namespace {

using Row = std::vector<std::string>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
bool is_of_name(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string in_quotes(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    out += c;
    if (c == quote) out += c;
  }
  return out + quote;
}

std::string quoted_name(const std::string& name) {
  const bool plain = !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), is_of_name);
  return plain ? name : in_quotes(name, '"');
}

std::string quoted_blob(std::string_view bytes) {
  std::string out = "x'";
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out + "'";
}

// A text with a line break in it would look like two rows.
std::string quoted_text(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) return fmt::format("CAST({} AS TEXT)", quoted_blob(text));
  return in_quotes(text, '\'');
}

// The shortest text that is read as the same number again, and never as an integer.
std::string quoted_real(double number) {
  if (std::isinf(number)) return number < 0 ? "-9e999" : "9e999";
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  std::string text(buffer.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Numbers by their size where that is plain to see, so that 9 comes before 10. What counts is that it is one order.
bool cell_before(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& cell) {
    const bool number = std::all_of(cell.begin(), cell.end(), is_digit);
    return std::tuple(number, number ? cell.size() : 0, std::string_view(cell));
  };
  return key(a) < key(b);
}

bool row_before(const Row& a, const Row& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), cell_before);
}

/// "leases (id, holder)" and its rows, set in. False where a lock is in the way.
bool add_table(Database& database, const std::string& name, std::string& out) {
  Cursor cursor(database, "SELECT * FROM " + in_quotes(name, '"'));
  std::vector<Row> rows;
  const auto read = [&] {
    const int columns = sqlite3_column_count(cursor.statement());
    Row row;
    for (int i = 0; i < columns; ++i) row.push_back(quoted_value(cursor.statement(), i));
    rows.push_back(std::move(row));
  };
  while (cursor.next()) read();
  if (cursor.locked()) return false;
  Row names;
  for (int i = 0; i < sqlite3_column_count(cursor.statement()); ++i) {
    names.push_back(quoted_name(sqlite3_column_name(cursor.statement(), i)));
  }
  std::sort(rows.begin(), rows.end(), row_before);
  out += fmt::format("{} ({})\n", quoted_name(name), fmt::join(names, ", "));
  for (const Row& row : rows) out += fmt::format("  {}\n", fmt::join(row, ", "));
  if (rows.empty()) out += "  (no rows)\n";
  return true;
}

/// What is in the header of the database for its user to set.
bool add_header(Database& database, std::string& out) {
  for (const char* name : {"user_version", "application_id"}) {
    Cursor cursor(database, std::string("PRAGMA ") + name);
    if (!cursor.next()) return false;
    const std::string value = quoted_value(cursor.statement(), 0);
    if (value != "0") out += fmt::format("PRAGMA {} = {}\n", name, value);
  }
  return true;
}

}  // namespace

std::string quoted_value(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL: return "NULL";
    case SQLITE_INTEGER: return fmt::format("{}", sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT: return quoted_real(sqlite3_column_double(statement, column));
    case SQLITE_BLOB: return quoted_blob(column_bytes(statement, column));
    default: return quoted_text(column_bytes(statement, column));
  }
}

std::optional<std::string> content_text(Database& database) {
  std::string text;
  std::string schema;
  std::vector<std::string> tables;
  {
    Cursor cursor(database, "SELECT type, name, sql FROM sqlite_schema ORDER BY name, type");
    while (cursor.next()) {
      if (column_bytes(cursor.statement(), 0) == "table") tables.push_back(column_bytes(cursor.statement(), 1));
      const std::string sql = column_bytes(cursor.statement(), 2);
      if (!sql.empty()) schema += sql + ";\n";  // the index of a UNIQUE has none
    }
    if (cursor.locked()) return std::nullopt;
  }
  for (const std::string& table : tables) {
    if (!add_table(database, table, text)) return std::nullopt;
  }
  if (!add_header(database, schema)) return std::nullopt;
  return schema.empty() ? text : text + "\n" + schema;
}

}  // namespace fencecheck::engines::sqlite
