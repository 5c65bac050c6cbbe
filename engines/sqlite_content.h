// What a SQLite database holds, as a text.
#pragma once

#include <optional>
#include <string>

#include <fencecheck/engines/sqlite_database.h>

namespace fencecheck::engines::sqlite {

/// Every table in the order of names, with its rows in an order that depends on nothing but them, and then the schema.
/// Two databases have the same text exactly where they hold the same, rowids that no column shows left aside. Nothing
/// where a lock is in the way. Throws EngineFailure.
std::optional<std::string> content_text(Database& database);

/// A value as SQL writes it: NULL, 5, 1.0, 'it''s', x'00ff'.
std::string quoted_value(sqlite3_stmt* statement, int column);

}  // namespace fencecheck::engines::sqlite
