// What the tests of PostgreSQL share: statements that have to succeed, to fail, or to wait.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/postgresql_connection.h>
#include <fencecheck/engines/postgresql_server.h>

namespace fencecheck::engines::postgresql_test {

using Table = std::vector<std::vector<Cell>>;
using Unblocked = std::vector<std::pair<int, Answer>>;

inline const std::string isolation = "isolation";

/// Nothing where PostgreSQL is not installed: the test is to be skipped.
inline std::unique_ptr<Engine> open_if_there(const EngineOptions& options) {
  try {
    return open_engine(options);
  } catch (const EngineMissing& missing) {
    if (!options.url.empty()) throw;
    return nullptr;
  }
}

inline const char* const skipped = "PostgreSQL is not there: install the Debian package postgresql";

inline std::optional<Answer> send(Engine& engine, int session, const std::string& text,
                                  std::vector<Parameter> values = {}) {
  return engine.run(session, {text, std::move(values)});
}

/// Runs what is not blocked.
inline Answer run(Engine& engine, int session, const std::string& text, std::vector<Parameter> values = {}) {
  std::optional<Answer> answer = send(engine, session, text, std::move(values));
  if (!answer) throw std::logic_error("blocked: " + text);
  return std::move(*answer);
}

/// Runs what succeeds.
inline Answer must(Engine& engine, int session, const std::string& text, std::vector<Parameter> values = {}) {
  Answer answer = run(engine, session, text, std::move(values));
  EXPECT_EQ(answer.error, "") << text << ": " << answer.message;
  return answer;
}

inline std::string error_of(Engine& engine, int session, const std::string& text) {
  return run(engine, session, text).error;
}

/// Sends what has to wait.
inline void blocks(Engine& engine, int session, const std::string& text) {
  EXPECT_EQ(send(engine, session, text), std::nullopt) << text;
  EXPECT_EQ(engine.unblocked(), Unblocked{}) << text;
}

inline Content committed(Engine& engine) {
  std::optional<Content> content = engine.content();
  if (!content) throw std::logic_error("a lock is in the way");
  return std::move(*content);
}

inline Answer changed(std::int64_t rows) { return {"", "", rows}; }

/// A message of what `action` throws as `Error`.
template <typename Error, typename Action>
std::string thrown(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// One server for all tests, whose tables are removed before each.
class Postgresql : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    engine_ = open_if_there({"postgresql"});
    if (engine_) empty_ = committed(*engine_);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  void SetUp() override {
    if (!engine_) GTEST_SKIP() << skipped;
    engine_->load(empty_);
    must(engine(), outside, "CREATE TABLE account (id int PRIMARY KEY, owner text, n int NOT NULL)");
    must(engine(), outside, "INSERT INTO account VALUES (1, 'a', 10), (2, NULL, 20)");
  }

  static Engine& engine() { return *engine_; }

  inline static std::unique_ptr<Engine> engine_;
  inline static Content empty_;
};

/// A server that runs already.
class PostgresqlUrl : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      server_ = std::make_unique<postgresql::PrivateServer>();
    } catch (const EngineMissing&) {  // the tests are skipped
    }
  }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << skipped;
  }
  static std::string ask(const std::string& text) {
    postgresql::Connection connection(server_->address());
    const Answer answer = connection.ask(text, 5);
    EXPECT_EQ(answer.error, "") << answer.message;
    return answer.table.empty() ? "" : answer.table[0].at(0).value_or("NULL");
  }
  static EngineOptions options(const std::string& more = "") { return {"postgresql", {}, server_->url() + more}; }
  static std::string schemas() { return ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'fencecheck_check'"); }

  inline static std::unique_ptr<postgresql::PrivateServer> server_;
};

/// A server for each test, as its sessions are of another isolation level in each.
class Levels : public testing::Test {
 protected:
  void open(const std::string& level) {
    engine_ = open_if_there({"postgresql", {{isolation, level}}});
    if (!engine_) GTEST_SKIP() << skipped;
    must(*engine_, outside, "CREATE TABLE t (id int PRIMARY KEY, n int)");
    must(*engine_, outside, "INSERT INTO t VALUES (1, 0), (2, 0)");
    EXPECT_EQ(must(*engine_, 1, "SHOW transaction_isolation").table, (Table{{level}}));
  }
  std::unique_ptr<Engine> engine_;
};

}  // namespace fencecheck::engines::postgresql_test
