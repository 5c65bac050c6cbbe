// What the tests of the SQLite engine share: a lease in a table, and statements that have to succeed.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/engines/engine.h>

#include "engine_checks.h"

namespace fencecheck::engines {

namespace fs = std::filesystem;

using Table = std::vector<std::vector<Cell>>;

inline EngineOptions options_for(const std::string& storage) {
  EngineOptions options{"sqlite"};
  if (!storage.empty()) options.settings["storage"] = storage;
  return options;
}

inline std::unique_ptr<Engine> open(const std::string& storage) { return open_engine(options_for(storage)); }

inline Answer run(Engine& engine, int session, const std::string& text, std::vector<Parameter> parameters = {}) {
  const std::optional<Answer> answer = engine.run(session, {text, std::move(parameters)});
  EXPECT_TRUE(engine.unblocked().empty());
  if (!answer) throw std::logic_error("SQLite never waits");
  return *answer;
}

/// Runs what has to succeed.
inline Answer must(Engine& engine, int session, const std::string& text, std::vector<Parameter> parameters = {}) {
  Answer answer = run(engine, session, text, std::move(parameters));
  EXPECT_EQ(answer.error, "") << text << ": " << answer.message;
  return answer;
}

inline std::string error_of(Engine& engine, int session, const std::string& text) {
  return run(engine, session, text).error;
}

inline Content committed(Engine& engine) {
  const std::optional<Content> content = engine.content();
  if (!content) throw std::logic_error("a lock is in the way");
  return *content;
}

inline void set_up_lease(Engine& engine) {
  must(engine, 0, "CREATE TABLE lease (id INTEGER PRIMARY KEY, holder TEXT, token INTEGER NOT NULL)");
  must(engine, 0, "INSERT INTO lease VALUES (1, NULL, 0)");
}

inline constexpr const char* take = "UPDATE lease SET holder = :me, token = token + 1 WHERE id = 1 AND holder IS NULL";
inline constexpr const char* lease_schema =
    "\nCREATE TABLE lease (id INTEGER PRIMARY KEY, holder TEXT, token INTEGER NOT NULL);\n";

inline std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& each : fs::directory_iterator(folder)) names.push_back(each.path().filename());
  return names;
}

/// A database file as a user may have it.
inline void make_database(const fs::path& file, const char* statements) {
  sqlite3* opened = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &opened), SQLITE_OK);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> handle(opened, sqlite3_close);
  ASSERT_EQ(sqlite3_exec(opened, statements, nullptr, nullptr, nullptr), SQLITE_OK);
}

}  // namespace fencecheck::engines
