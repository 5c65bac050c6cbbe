// SQLite as an engine: values in and out, what several sessions do to each other, and contents that are put back.
#include <sqlite3.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fencecheck/engines/server.h>
#include <fencecheck/model/world.h>

#include "sqlite_checks.h"

namespace fencecheck::engines {
namespace {

/// Everything that does not depend on where the database is.
class Sqlite : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Engine> engine = open(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Everywhere, Sqlite, testing::Values("memory", "wal", "rollback"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(Sqlite, ValuesComeOutAsTheyAre) {
  const Answer answer = must(*engine, 1, "SELECT NULL AS none, 7, -0.5 AS half, 'it''s' AS text, x'410042' AS blob");
  EXPECT_EQ(answer.columns, (std::vector<std::string>{"none", "7", "half", "text", "blob"}));
  EXPECT_EQ(answer.table, (Table{{std::nullopt, "7", "-0.5", "it's", std::string("A\0B", 3)}}));
  EXPECT_EQ(answer.rows, 1);
}

TEST_P(Sqlite, ParametersAreIntegersWhereTheyLookLikeThem) {
  std::vector<std::pair<Cell, std::string>> cases{{std::nullopt, "null"}};
  for (const char* text : {"0", "-12", "999999999999999999", "-999999999999999999"})
    cases.emplace_back(text, "integer");
  for (const char* text : {"1000000000000000000", "007", "-0", "-", "", "1.5", "1 ", "w1"}) {
    cases.emplace_back(text, "text");
  }
  for (const auto& [cell, type] : cases) {
    const Answer answer = must(*engine, 1, "SELECT typeof(:it), :it", {{"it", cell}});
    EXPECT_EQ(answer.table, (Table{{type, cell}})) << cell.value_or("NULL");
  }
}

TEST_P(Sqlite, AParameterWithoutAValueIsAMistakeAndOneTooManyIsNot) {
  EXPECT_EQ(run(*engine, 1, "SELECT :a, :b", {{"a", "1"}}), (Answer{"SQLITE_ERROR"}));
  EXPECT_EQ(run(*engine, 1, "SELECT :a, :b", {{"a", "1"}}).message,
            "parameter :b has no value: parameters are written as :name");
  EXPECT_EQ(run(*engine, 1, "SELECT ?").message, "parameter ? has no value: parameters are written as :name");
  EXPECT_EQ(must(*engine, 1, "SELECT :a", {{"b", "2"}, {"a", "1"}}).table, (Table{{"1"}}));
  EXPECT_EQ(must(*engine, 1, "SELECT ':a'").table, (Table{{":a"}}));
}

TEST_P(Sqlite, RowsAreThoseThatCameBackOrElseThoseThatChanged) {
  EXPECT_EQ(must(*engine, 1, "CREATE TABLE t (a)").rows, 0);
  EXPECT_EQ(must(*engine, 1, "INSERT INTO t VALUES (1), (2), (3)").rows, 3);
  EXPECT_EQ(must(*engine, 1, "BEGIN").rows, 0) << "not those of the statement before";
  EXPECT_EQ(must(*engine, 1, "UPDATE t SET a = 9 WHERE a > 1").rows, 2);
  EXPECT_EQ(must(*engine, 1, "UPDATE t SET a = 9 WHERE a > 10").rows, 0);
  EXPECT_EQ(must(*engine, 1, "INSERT INTO t VALUES (4) RETURNING a, a + 1"),
            (Answer{"", "", 1, {"a", "a + 1"}, {{"4", "5"}}}));
  EXPECT_EQ(must(*engine, 1, "COMMIT").rows, 0);
  EXPECT_EQ(must(*engine, 1, "CREATE TABLE copy AS SELECT * FROM t").rows, 0);
  EXPECT_EQ(must(*engine, 1, "SELECT a FROM t WHERE a = 9").rows, 2);
  EXPECT_EQ(must(*engine, 1, "SELECT a FROM t WHERE a = 10"), (Answer{"", "", 0, {"a"}, {}}));
  EXPECT_EQ(must(*engine, 1, "DELETE FROM t").rows, 4);
}

TEST_P(Sqlite, ATriggersChangesAreNotCounted) {
  must(*engine, 1, "CREATE TABLE t (a)");
  must(*engine, 1, "CREATE TABLE log (a)");
  must(*engine, 1, "CREATE TRIGGER note AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a), (new.a); END");
  EXPECT_EQ(must(*engine, 1, "INSERT INTO t VALUES (1)").rows, 1);
  EXPECT_EQ(must(*engine, 1, "SELECT * FROM log").rows, 2);
}

TEST_P(Sqlite, WhatSqliteRefusesIsAnAnswer) {
  must(*engine, 0, "CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE, c CHECK (c < 5), d NOT NULL DEFAULT 0)");
  must(*engine, 0, "INSERT INTO t VALUES (1, 1, 1, 1)");
  EXPECT_EQ(error_of(*engine, 1, "SELEC 1"), "SQLITE_ERROR");
  EXPECT_EQ(run(*engine, 1, "SELEC 1").message, "near \"SELEC\": syntax error");
  EXPECT_EQ(run(*engine, 1, "SELECT * FROM u").message, "no such table: u");
  EXPECT_EQ(error_of(*engine, 1, "INSERT INTO t VALUES (1, 2, 1, 1)"), "SQLITE_CONSTRAINT_PRIMARYKEY");
  EXPECT_EQ(error_of(*engine, 1, "INSERT INTO t VALUES (2, 1, 1, 1)"), "SQLITE_CONSTRAINT_UNIQUE");
  EXPECT_EQ(error_of(*engine, 1, "INSERT INTO t VALUES (2, 2, 9, 1)"), "SQLITE_CONSTRAINT_CHECK");
  EXPECT_EQ(error_of(*engine, 1, "INSERT INTO t VALUES (2, 2, 1, NULL)"), "SQLITE_CONSTRAINT_NOTNULL");
  EXPECT_EQ(error_of(*engine, 1, "INSERT INTO t VALUES ('x', 2, 1, 1)"), "SQLITE_MISMATCH");
  EXPECT_EQ(error_of(*engine, 1, "COMMIT"), "SQLITE_ERROR");
  // The first row came, and is not half an answer.
  EXPECT_EQ(run(*engine, 1, "SELECT 1 UNION ALL SELECT abs(-9223372036854775808)"), (Answer{"SQLITE_ERROR"}));
  EXPECT_EQ(must(*engine, 1, "SELECT count(*) FROM t").table, (Table{{"1"}}));
}

TEST_P(Sqlite, AStepIsOneStatement) {
  must(*engine, 0, "CREATE TABLE t (a)");
  const Answer two = run(*engine, 1, "INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)");
  EXPECT_EQ(two.error, "SQLITE_ERROR");
  EXPECT_EQ(two.message, "there is more than one statement in this step: each step is one statement");
  for (const char* text : {"", "  ;", "-- nothing"}) {
    EXPECT_EQ(run(*engine, 1, text).message, "there is no statement in this step: each step is one statement") << text;
  }
  EXPECT_EQ(must(*engine, 1, "SELECT count(*) FROM t").table, (Table{{"0"}})) << "nothing of it was run";
  EXPECT_EQ(must(*engine, 1, "SELECT 1; -- one\n /* and ; no more */ ; ").table, (Table{{"1"}}));
  EXPECT_EQ(must(*engine, 1, "SELECT ';' -- open end").table, (Table{{";"}}));
}

TEST_P(Sqlite, TheSecondWriterIsBusyUntilTheFirstIsDone) {
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN IMMEDIATE");
  EXPECT_EQ(run(*engine, 2, "BEGIN IMMEDIATE"), (Answer{"SQLITE_BUSY"}));
  EXPECT_EQ(run(*engine, 2, "BEGIN IMMEDIATE").message, "database is locked");
  EXPECT_EQ(error_of(*engine, 2, "UPDATE lease SET token = 9"), "SQLITE_BUSY");
  EXPECT_TRUE(engine->is_open(1));
  EXPECT_FALSE(engine->is_open(2));
  EXPECT_FALSE(engine->is_open(3)) << "it was never used";
  EXPECT_EQ(must(*engine, 1, take, {{"me", "1"}}).rows, 1);
  must(*engine, 1, "COMMIT");
  EXPECT_FALSE(engine->is_open(1));
  must(*engine, 2, "BEGIN IMMEDIATE");
  EXPECT_EQ(must(*engine, 2, take, {{"me", "2"}}).rows, 0);
}

TEST_P(Sqlite, ASessionThatIsCutOffLosesWhatItHasOpenAndCanBeUsedAgain) {
  set_up_lease(*engine);
  const std::string before = committed(*engine).text;
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 1, take, {{"me", "1"}});
  engine->end(1);
  engine->end(2);  // was never used
  EXPECT_FALSE(engine->is_open(1));
  EXPECT_EQ(committed(*engine).text, before);
  must(*engine, 2, "BEGIN IMMEDIATE");
  must(*engine, 2, "ROLLBACK");
  EXPECT_EQ(must(*engine, 1, take, {{"me", "1"}}).rows, 1);
  EXPECT_EQ(committed(*engine).text, "lease (id, holder, token)\n  1, '1', 1\n" + std::string(lease_schema))
      << "a column of type TEXT takes an integer as text";
}

TEST_P(Sqlite, EverySessionWorks) {
  set_up_lease(*engine);
  for (int session = 0; session < max_sessions; ++session) {
    EXPECT_EQ(must(*engine, session, "UPDATE lease SET token = token + 1 RETURNING token").table,
              (Table{{std::to_string(session + 1)}}));
  }
  EXPECT_THROW(run(*engine, max_sessions, "SELECT 1"), std::out_of_range);
}

TEST_P(Sqlite, AContentIsReadByPeople) {
  EXPECT_EQ(committed(*engine).text, "");
  must(*engine, 0, "CREATE TABLE \"two words\" (\"a \"\"b\"\"\", n INTEGER PRIMARY KEY AUTOINCREMENT)");
  must(*engine, 0, "CREATE TABLE empty (a UNIQUE)");
  must(*engine, 0, "CREATE INDEX by_a ON empty (a, a)");
  must(*engine, 0, "INSERT INTO \"two words\" VALUES ('it''s', 10), (1.0, 9), (1, 100), (NULL, 3), (x'00ff', 4)");
  must(*engine, 0, "INSERT INTO \"two words\" VALUES ('a' || char(10) || 'b', 5), ('NULL', 6), ('ü', 7), (1e300, 8)");
  must(*engine, 0, "INSERT INTO \"two words\" VALUES (-1e999, 11), (0.1, 12), (-7, 13)");
  must(*engine, 0, "PRAGMA user_version = 5");
  EXPECT_EQ(committed(*engine).text,
            "empty (a)\n"
            "  (no rows)\n"
            "sqlite_sequence (name, seq)\n"
            "  'two words', 100\n"
            "\"two words\" (\"a \"\"b\"\"\", n)\n"
            "  'NULL', 6\n"
            "  'it''s', 10\n"
            "  'ü', 7\n"
            "  -7, 13\n"
            "  -9e999, 11\n"
            "  0.1, 12\n"
            "  1.0, 9\n"
            "  1e+300, 8\n"
            "  CAST(x'610a62' AS TEXT), 5\n"
            "  NULL, 3\n"
            "  x'00ff', 4\n"
            "  1, 100\n"
            "\n"
            "CREATE INDEX by_a ON empty (a, a);\n"
            "CREATE TABLE empty (a UNIQUE);\n"
            "CREATE TABLE sqlite_sequence(name,seq);\n"
            "CREATE TABLE \"two words\" (\"a \"\"b\"\"\", n INTEGER PRIMARY KEY AUTOINCREMENT);\n"
            "PRAGMA user_version = 5\n");
}

TEST_P(Sqlite, ContentsAreEqualByWhateverWayTheyCameAbout) {
  must(*engine, 0, "CREATE TABLE t (a COLLATE NOCASE, b)");
  const Content start = committed(*engine);
  const auto text_after = [&](const std::vector<std::string>& statements) {
    engine->load(start);
    for (const std::string& each : statements) must(*engine, 1, each);
    return committed(*engine).text;
  };
  const std::string text = text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2), (10, 2)"});
  EXPECT_EQ(text_after({"INSERT INTO t VALUES (10, 2), ('A', 1), (9, 2), ('x', 0)", "DELETE FROM t WHERE b = 0",
                        "INSERT INTO t VALUES ('a', 1)"}),
            text);
  EXPECT_EQ(text_after({"BEGIN", "INSERT INTO t VALUES (9, 2), (10, 2), ('A', 1)", "SAVEPOINT s", "DELETE FROM t",
                        "ROLLBACK TO s", "INSERT INTO t VALUES ('a', 1)", "COMMIT"}),
            text);
  EXPECT_NE(text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2), ('10', 2)"}), text);
  EXPECT_NE(text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2), (10, 2.0)"}), text);
  EXPECT_NE(text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2)"}), text);
  EXPECT_NE(text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2), (10, 2)", "CREATE TABLE u (a)"}), text);
  EXPECT_NE(text_after({"INSERT INTO t VALUES ('a', 1), ('A', 1), (9, 2), (10, 2)", "CREATE INDEX i ON t (a)"}), text);
}

TEST_P(Sqlite, LoadPutsContentsBackAndEndsTransactions) {
  const Content nothing = committed(*engine);
  set_up_lease(*engine);
  const Content free = committed(*engine);
  must(*engine, 1, take, {{"me", "w"}});
  const Content taken = committed(*engine);
  for (int round = 0; round < 3; ++round) {
    must(*engine, 1, "BEGIN IMMEDIATE");
    must(*engine, 1, "UPDATE lease SET token = 77");
    run(*engine, 2, "BEGIN");
    run(*engine, 2, "SELECT * FROM lease");
    engine->load(free);
    EXPECT_FALSE(engine->is_open(1));
    EXPECT_FALSE(engine->is_open(2));
    EXPECT_EQ(committed(*engine).text, free.text);
    EXPECT_EQ(must(*engine, 2, "SELECT * FROM lease").table, (Table{{"1", std::nullopt, "0"}}));
    engine->load(taken);
    EXPECT_EQ(must(*engine, 2, "SELECT * FROM lease").table, (Table{{"1", "w", "1"}}));
    EXPECT_EQ(must(*engine, 1, take, {{"me", "v"}}).rows, 0);
    EXPECT_EQ(committed(*engine).text, taken.text);
    engine->load(nothing);
    EXPECT_EQ(committed(*engine).text, "");
    EXPECT_EQ(error_of(*engine, 1, "SELECT * FROM lease"), "SQLITE_ERROR");
    engine->load(taken);
  }
}

TEST_P(Sqlite, AContentThatIsThereAlreadyIsPutBackFromWhatIsNotCommittedToo) {
  set_up_lease(*engine);
  const Content free = committed(*engine);
  must(*engine, 1, take, {{"me", "w"}});
  engine->load(free);
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 1, "UPDATE lease SET token = 77");
  engine->load(free);  // nothing was committed since
  EXPECT_EQ(must(*engine, 1, "SELECT token FROM lease").table, (Table{{"0"}}));
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 1, "UPDATE lease SET token = 78");
  must(*engine, 1, "COMMIT");
  engine->load(free);
  EXPECT_EQ(must(*engine, 1, "SELECT token FROM lease").table, (Table{{"0"}}));
}

// A session remembers a schema by its number, and from one content two schemas can be made that SQLite numbers alike.
TEST_P(Sqlite, SchemasThatBranchOffOneContentAreNotConfused) {
  must(*engine, 0, "CREATE TABLE t (a)");
  const Content start = committed(*engine);
  const std::vector<std::string> branches{"CREATE TABLE x (p, q)", "CREATE TABLE x (q, p, r)", "CREATE TABLE other (z)",
                                          "ALTER TABLE t ADD COLUMN b DEFAULT 5"};
  std::vector<Content> contents;
  for (const std::string& branch : branches) {
    engine->load(start);
    must(*engine, 1, branch);
    for (int session = 1; session < 4; ++session) must(*engine, session, "SELECT * FROM t");
    contents.push_back(committed(*engine));
  }
  for (int round = 0; round < 2; ++round) {
    for (const int session : {3, 2, 1}) {
      engine->load(contents[0]);
      must(*engine, session, "INSERT INTO x (p) VALUES ('p')");
      EXPECT_EQ(must(*engine, session, "SELECT * FROM x"), (Answer{"", "", 1, {"p", "q"}, {{"p", std::nullopt}}}));
      engine->load(contents[1]);
      must(*engine, session, "INSERT INTO x (p) VALUES ('p')");
      EXPECT_EQ(must(*engine, session, "SELECT * FROM x"),
                (Answer{"", "", 1, {"q", "p", "r"}, {{std::nullopt, "p", std::nullopt}}}));
      EXPECT_EQ(
          committed(*engine).text,
          "t (a)\n  (no rows)\nx (q, p, r)\n  NULL, 'p', NULL\n\nCREATE TABLE t (a);\nCREATE TABLE x (q, p, r);\n");
      engine->load(contents[2]);
      EXPECT_EQ(error_of(*engine, session, "SELECT * FROM x"), "SQLITE_ERROR");
      EXPECT_EQ(must(*engine, session, "SELECT * FROM t").columns, (std::vector<std::string>{"a"}));
      engine->load(contents[3]);
      EXPECT_EQ(must(*engine, session, "SELECT * FROM t").columns, (std::vector<std::string>{"a", "b"}));
      engine->load(start);
      EXPECT_EQ(error_of(*engine, session, "SELECT * FROM other"), "SQLITE_ERROR");
    }
  }
}

TEST_P(Sqlite, ASchemaThatWasNeverCommittedIsForgotten) {
  must(*engine, 0, "CREATE TABLE t (a)");
  const Content start = committed(*engine);
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "CREATE TABLE x (a)");
  must(*engine, 1, "INSERT INTO x VALUES (1)");
  engine->load(start);
  EXPECT_EQ(run(*engine, 1, "INSERT INTO x VALUES (1)").message, "no such table: x");
  must(*engine, 2, "CREATE TABLE x (b)");
  EXPECT_EQ(run(*engine, 1, "INSERT INTO x (a) VALUES (1)").message, "table x has no column named a");
}

TEST_P(Sqlite, AContentGoesFromOneEngineToAnother) {
  set_up_lease(*engine);
  must(*engine, 1, take, {{"me", "w"}});
  const Content taken = committed(*engine);
  for (const char* storage : {"memory", "wal", "rollback"}) {
    const std::unique_ptr<Engine> other = open(storage);
    must(*other, 1, "CREATE TABLE something_else (a)");
    must(*other, 1, "SELECT * FROM something_else");
    other->load(taken);
    EXPECT_EQ(committed(*other).text, taken.text);
    EXPECT_EQ(must(*other, 1, "SELECT holder FROM lease").table, (Table{{"w"}}));
  }
}

TEST_P(Sqlite, TwoEnginesDoNotSeeEachOther) {
  const std::unique_ptr<Engine> other = open(GetParam());
  set_up_lease(*engine);
  EXPECT_EQ(committed(*other).text, "");
  EXPECT_EQ(error_of(*other, 1, "SELECT * FROM lease"), "SQLITE_ERROR");
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*other, 1, "BEGIN IMMEDIATE");
}

TEST_P(Sqlite, AStatementWithoutAnEndIsAFailure) {
  EngineOptions options = options_for(GetParam());
  options.statement_seconds = 0.05;
  const std::unique_ptr<Engine> brief = open_engine(options);
  const std::string endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
  EXPECT_EQ(thrown<EngineFailure>([&] { run(*brief, 1, endless); }),
            "SQLite did not finish this statement within 0.05 seconds: " + endless);
  EXPECT_EQ(must(*brief, 1, "SELECT 1").table, (Table{{"1"}})) << "the session goes on";
}

TEST_P(Sqlite, NothingOfASessionOutlivesItsTransaction) {
  set_up_lease(*engine);
  EXPECT_EQ(run(*engine, 1, "PRAGMA foreign_keys = ON").message,
            "PRAGMA foreign_keys cannot be set in a step, since it is no part of what is committed: `storage` and "
            "`foreign_keys` are settings of the engine");
  EXPECT_EQ(error_of(*engine, 1, "PRAGMA journal_mode = delete"), "SQLITE_AUTH");
  EXPECT_EQ(error_of(*engine, 1, "PRAGMA schema_version = 3"), "SQLITE_AUTH");
  EXPECT_EQ(run(*engine, 1, "CREATE TEMP TABLE x (a)").message,
            "a step has nothing TEMP, since it is no part of what is committed");
  for (const char* text : {"ATTACH ':memory:' AS x", "VACUUM", "DETACH main"}) {
    EXPECT_EQ(run(*engine, 1, text), (Answer{"SQLITE_AUTH"})) << text;
    EXPECT_EQ(run(*engine, 1, text).message, "a step uses one database, without ATTACH, DETACH and VACUUM") << text;
  }
  EXPECT_EQ(must(*engine, 1, "PRAGMA foreign_keys").table, (Table{{"0"}}));
  EXPECT_EQ(must(*engine, 1, "PRAGMA table_info(lease)").rows, 3);
  must(*engine, 1, "PRAGMA synchronous = NORMAL");
}

TEST_P(Sqlite, ABusyTimeoutIsNotWaitedFor) {
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 2, "PRAGMA busy_timeout = 60000");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(error_of(*engine, 2, "BEGIN IMMEDIATE"), "SQLITE_BUSY");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST_P(Sqlite, FunctionsThatRememberTellOfTheSameTransactionOnly) {
  must(*engine, 0, "CREATE TABLE t (a INTEGER PRIMARY KEY)");
  must(*engine, 1, "INSERT INTO t VALUES (5), (6)");
  for (const char* function : {"changes()", "last_insert_rowid()", "total_changes()"}) {
    const Answer answer = run(*engine, 1, std::string("SELECT ") + function);
    EXPECT_EQ(answer.error, "SQLITE_ERROR") << function;
    EXPECT_EQ(answer.message,
              "changes() and last_insert_rowid() are known here only after a change in the same transaction, and "
              "total_changes() never: use RETURNING, or what `rows` says of the statement itself");
  }
  must(*engine, 1, "BEGIN");
  EXPECT_EQ(error_of(*engine, 1, "SELECT changes()"), "SQLITE_ERROR");
  must(*engine, 1, "UPDATE t SET a = 7 WHERE a = 8");
  EXPECT_EQ(must(*engine, 1, "SELECT changes()").table, (Table{{"0"}}));
  EXPECT_EQ(error_of(*engine, 1, "SELECT last_insert_rowid()"), "SQLITE_ERROR");
  must(*engine, 1, "INSERT INTO t VALUES (9)");
  EXPECT_EQ(must(*engine, 1, "SELECT changes(), last_insert_rowid()").table, (Table{{"1", "9"}}));
  must(*engine, 1, "COMMIT");
  EXPECT_EQ(error_of(*engine, 1, "SELECT last_insert_rowid()"), "SQLITE_ERROR");
}

TEST_P(Sqlite, ForeignKeysAreASetting) {
  for (const auto& [value, error] : {std::pair("on", "SQLITE_CONSTRAINT_FOREIGNKEY"), std::pair("off", "")}) {
    EngineOptions options = options_for(GetParam());
    options.settings["foreign_keys"] = value;
    const std::unique_ptr<Engine> own = open_engine(options);
    must(*own, 0, "CREATE TABLE parent (id INTEGER PRIMARY KEY)");
    must(*own, 0, "CREATE TABLE child (parent REFERENCES parent (id))");
    EXPECT_EQ(error_of(*own, 1, "INSERT INTO child VALUES (1)"), error);
  }
}

TEST_P(Sqlite, AFullDatabaseIsAFailure) {
  must(*engine, 0, "CREATE TABLE t (n INTEGER PRIMARY KEY AUTOINCREMENT)");
  must(*engine, 0, "INSERT INTO t VALUES (9223372036854775807)");
  const std::string message = thrown<EngineFailure>([&] { run(*engine, 1, "INSERT INTO t DEFAULT VALUES"); });
  EXPECT_TRUE(
      message.ends_with("cannot run 'INSERT INTO t DEFAULT VALUES': database or disk is full (SQLITE_FULL); "
                        "make room where it is"))
      << message;
}

TEST_P(Sqlite, TenThousandRounds) {
  set_up_lease(*engine);
  const Content free = committed(*engine);
  must(*engine, 1, take, {{"me", "w"}});
  const std::string taken = committed(*engine).text;
  for (int round = 0; round < 10000; ++round) {
    engine->load(free);
    const int session = 1 + round % 3;
    ASSERT_EQ(must(*engine, session, take, {{"me", "w"}}).rows, 1) << round;
    if (round % 2 == 0) must(*engine, session, "BEGIN IMMEDIATE");
    const std::optional<Content> content = engine->content();
    if (content) {
      ASSERT_EQ(content->text, taken) << round;
    }
  }
}

// ---- What depends on where the database is
// ---------------------------------------------------------------------------

TEST(SqliteInMemory, AWriterKeepsEveryoneElseFromReading) {
  const std::unique_ptr<Engine> engine = open("memory");
  set_up_lease(*engine);
  const std::string before = committed(*engine).text;
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "SELECT * FROM lease");
  EXPECT_EQ(committed(*engine).text, before) << "readers do not";
  must(*engine, 1, "UPDATE lease SET token = 5");
  EXPECT_FALSE(engine->content());
  EXPECT_EQ(error_of(*engine, 2, "SELECT * FROM lease"), "SQLITE_BUSY");
  must(*engine, 1, "COMMIT");
  EXPECT_EQ(must(*engine, 2, "SELECT token FROM lease").table, (Table{{"5"}}));
  EXPECT_EQ(committed(*engine).text, "lease (id, holder, token)\n  1, NULL, 5\n" + std::string(lease_schema));
}

TEST(SqliteInMemory, AReaderIsInTheWayOfACommit) {
  const std::unique_ptr<Engine> engine = open("memory");
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "SELECT * FROM lease");
  must(*engine, 2, "BEGIN IMMEDIATE");
  must(*engine, 2, "UPDATE lease SET token = 5");
  EXPECT_EQ(error_of(*engine, 2, "COMMIT"), "SQLITE_BUSY");
  EXPECT_TRUE(engine->is_open(2));
  must(*engine, 1, "COMMIT");
  must(*engine, 2, "COMMIT");
  EXPECT_EQ(must(*engine, 1, "SELECT token FROM lease").table, (Table{{"5"}}));
}

TEST(SqliteInWal, AReaderKeepsItsSnapshotAndCannotWriteOnTopOfIt) {
  const std::unique_ptr<Engine> engine = open("wal");
  EXPECT_EQ(engine->description(), std::string("SQLite ") + sqlite3_libversion() + " in a file in WAL mode");
  EXPECT_EQ(must(*engine, 1, "PRAGMA journal_mode").table, (Table{{"wal"}}));
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "SELECT token FROM lease");
  must(*engine, 2, "UPDATE lease SET token = 5");
  EXPECT_EQ(must(*engine, 1, "SELECT token FROM lease").table, (Table{{"0"}}));
  EXPECT_EQ(run(*engine, 1, "UPDATE lease SET token = token + 1"), (Answer{"SQLITE_BUSY_SNAPSHOT"}));
  EXPECT_TRUE(engine->is_open(1));
  must(*engine, 1, "ROLLBACK");
  EXPECT_EQ(must(*engine, 1, "UPDATE lease SET token = token + 1 RETURNING token").table, (Table{{"6"}}));
}

TEST(SqliteInWal, AWriterKeepsNobodyFromReading) {
  const std::unique_ptr<Engine> engine = open("wal");
  set_up_lease(*engine);
  const std::string before = committed(*engine).text;
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 1, "UPDATE lease SET token = 5");
  EXPECT_EQ(committed(*engine).text, before);
  EXPECT_EQ(must(*engine, 2, "SELECT token FROM lease").table, (Table{{"0"}}));
  must(*engine, 1, "COMMIT");
  EXPECT_EQ(committed(*engine).text, "lease (id, holder, token)\n  1, NULL, 5\n" + std::string(lease_schema));
}

TEST(SqliteInWal, AContentIsReadBesideASnapshotThatIsOlder) {
  const std::unique_ptr<Engine> engine = open("wal");
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "SELECT token FROM lease");
  must(*engine, 2, "UPDATE lease SET token = 5");
  must(*engine, 2, "CREATE TABLE t (a)");
  const Content content = committed(*engine);
  EXPECT_EQ(error_of(*engine, 1, "SELECT * FROM t"), "SQLITE_ERROR");
  engine->load(content);
  EXPECT_EQ(must(*engine, 1, "SELECT count(*) FROM t").table, (Table{{"0"}}));
}

TEST(SqliteWithARollbackJournal, AWriterLetsOthersReadUntilItCommits) {
  const std::unique_ptr<Engine> engine = open("rollback");
  EXPECT_EQ(engine->description(),
            std::string("SQLite ") + sqlite3_libversion() + " in a file with a rollback journal");
  set_up_lease(*engine);
  const std::string before = committed(*engine).text;
  must(*engine, 1, "BEGIN IMMEDIATE");
  must(*engine, 1, "UPDATE lease SET token = 5");
  EXPECT_EQ(committed(*engine).text, before);
  must(*engine, 2, "BEGIN");
  EXPECT_EQ(must(*engine, 2, "SELECT token FROM lease").table, (Table{{"0"}}));
  EXPECT_EQ(error_of(*engine, 1, "COMMIT"), "SQLITE_BUSY");
  EXPECT_FALSE(engine->content()) << "a commit that waits lets no new reader in";
  EXPECT_EQ(error_of(*engine, 3, "SELECT token FROM lease"), "SQLITE_BUSY") << "opened while it was locked";
  must(*engine, 2, "COMMIT");
  must(*engine, 1, "COMMIT");
  EXPECT_EQ(must(*engine, 3, "SELECT token FROM lease").table, (Table{{"5"}}));
}

TEST(SqliteWithARollbackJournal, ASessionIsOpenedWhileAnotherLocksEverything) {
  const std::unique_ptr<Engine> engine = open("rollback");
  set_up_lease(*engine);
  must(*engine, 1, "BEGIN EXCLUSIVE");
  EXPECT_EQ(error_of(*engine, 2, "BEGIN IMMEDIATE"), "SQLITE_BUSY");
  EXPECT_FALSE(engine->content());
  must(*engine, 1, "ROLLBACK");
  EXPECT_EQ(must(*engine, 2, "PRAGMA journal_mode").table, (Table{{"memory"}}));
}

// ---- Options
// ---------------------------------------------------------------------------------------------------------

TEST(SqliteOptions, MistakesAreNamed) {
  const auto complaint = [](std::map<std::string, std::string> settings, const std::string& url = "") {
    return thrown<UsageError>([&] { open_engine({"sqlite", std::move(settings), url}); });
  };
  EXPECT_EQ(complaint({{"storag", "wal"}}), "sqlite: unknown setting 'storag': there are storage, foreign_keys");
  EXPECT_EQ(complaint({{"storage", "disk"}}), "sqlite: storage = \"disk\": it is \"memory\", \"wal\" or \"rollback\"");
  EXPECT_EQ(complaint({{"foreign_keys", "yes"}}), "sqlite: foreign_keys = \"yes\": it is \"on\" or \"off\"");
  EXPECT_EQ(complaint({{"storage", "memory"}}, "x.db"),
            "sqlite: a database in memory is not in 'x.db': storage is \"wal\" or \"rollback\" there");
  EXPECT_FALSE(fs::exists("x.db"));
  EXPECT_EQ(open("")->description(), std::string("SQLite ") + sqlite3_libversion() + " in memory") << "the default";
}

class SqliteAtAPath : public testing::Test {
 protected:
  std::unique_ptr<Engine> open() const { return open_engine({"sqlite", {}, file.string()}); }
  std::string complaint() const {
    return thrown<UsageError>([&] { open(); });
  }

  TemporaryFolder folder{"sqlite-test"};
  fs::path file = folder.path() / "a %41?b#.db";
};

TEST_F(SqliteAtAPath, AFileThatIsNotThereIsMadeAndRemoved) {
  {
    const std::unique_ptr<Engine> engine = open();
    EXPECT_EQ(engine->description(),
              std::string("SQLite ") + sqlite3_libversion() + " in a file in WAL mode, '" + file.string() + "'");
    set_up_lease(*engine);
    EXPECT_TRUE(fs::exists(file));
  }
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{}));
}

TEST_F(SqliteAtAPath, ADatabaseWithoutTablesIsUsedAndLeftWithout) {
  make_database(file, "PRAGMA user_version = 7; CREATE TABLE t (a); DROP TABLE t");
  for (int time = 0; time < 2; ++time) {
    const std::unique_ptr<Engine> engine = open();
    EXPECT_EQ(committed(*engine).text, "\nPRAGMA user_version = 7\n");
    set_up_lease(*engine);
    const Content free = committed(*engine);
    must(*engine, 1, take, {{"me", "w"}});
    engine->load(free);
    EXPECT_EQ(committed(*engine).text, free.text);
    must(*engine, 1, "BEGIN IMMEDIATE");
  }
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{file.filename()}));
}

TEST_F(SqliteAtAPath, ADatabaseWithTablesIsNotTouched) {
  make_database(file, "PRAGMA journal_mode = WAL; CREATE TABLE precious (a); INSERT INTO precious VALUES (1)");
  const std::string before = bytes_of(file);
  EXPECT_EQ(complaint(), "sqlite: '" + file.string() + "' has tables: give a file that is empty or not there yet");
  EXPECT_EQ(bytes_of(file), before);
  EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{file.filename()}));
}

TEST_F(SqliteAtAPath, WhatIsNoDatabaseOrInUseIsNotTouched) {
  std::ofstream(file) << "Dear diary,\n" << std::string(2000, 'x');
  EXPECT_EQ(complaint(), "sqlite: '" + file.string() +
                             "' is no database of SQLite's (file is not a database): give a file that is empty or not "
                             "there yet");
  EXPECT_EQ(bytes_of(file), "Dear diary,\n" + std::string(2000, 'x'));
  std::ofstream(file, std::ios::trunc).close();
  std::ofstream(file.string() + "-wal") << "something";
  EXPECT_EQ(complaint(), "sqlite: '" + file.string() +
                             "' is in use, or was when something crashed: give a file that is empty or not there yet");
  file = folder.path() / "missing" / "x.db";
  EXPECT_EQ(complaint(), "sqlite: there is no folder '" + file.parent_path().string() + "' for the database '" +
                             file.string() + "'");
}

}  // namespace
}  // namespace fencecheck::engines
