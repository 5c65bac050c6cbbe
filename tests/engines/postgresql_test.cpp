// PostgreSQL as an engine: values in and out, who waits for whom, and contents that are put back.
#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fencecheck/engines/engine.h>
#include <fencecheck/engines/postgresql_effects.h>
#include <fencecheck/engines/postgresql_hold.h>
#include <fencecheck/engines/postgresql_server.h>
#include <fencecheck/model/world.h>
#include <fencecheck/tests/engines/postgresql_support.h>

namespace fencecheck::engines {
namespace {

namespace fs = std::filesystem;

using namespace postgresql_test;

// --- values ----------------------------------------------------------------------------------------------------------

TEST_F(Postgresql, ItSaysWhatItIs) {
  const std::string text = engine().description();
  EXPECT_TRUE(text.starts_with("PostgreSQL 1")) << text;
  EXPECT_TRUE(text.ends_with(" at a private server, read committed")) << text;
}

TEST_F(Postgresql, ParametersGoInAndNothingIsNull) {
  const std::vector<Parameter> values{{"who", "o'Neil \\ :n"}, {"none", std::nullopt}, {"n", "7"}};
  EXPECT_EQ(must(engine(), 1, "INSERT INTO account VALUES (:n, :who, :n + 1), (8, :none, 3)", values).rows, 2);
  EXPECT_EQ(must(engine(), 1, "SELECT * FROM account WHERE id >= :n ORDER BY id", values),
            (Answer{"", "", 2, {"id", "owner", "n"}, {{"7", "o'Neil \\ :n", "8"}, {"8", std::nullopt, "3"}}}));
  EXPECT_EQ(must(engine(), 1, "SELECT ':n', n::text FROM account WHERE id = :n", values).table, (Table{{":n", "8"}}));
  EXPECT_EQ(must(engine(), 1, "SELECT :none::int IS NULL, :who = ''", values).table, (Table{{"t", "f"}}));
  EXPECT_EQ(error_of(engine(), 1, "SELECT :unknown"), "42601");
}

TEST_F(Postgresql, RowsAreThoseThatCameBackOrElseThoseThatChanged) {
  EXPECT_EQ(must(engine(), 1, "UPDATE account SET n = n + 1"), changed(2));
  EXPECT_EQ(must(engine(), 1, "BEGIN"), changed(0));
  EXPECT_EQ(must(engine(), 1, "UPDATE account SET n = 0 WHERE id = 3"), changed(0));
  EXPECT_EQ(must(engine(), 1, "ROLLBACK"), changed(0));
  EXPECT_EQ(must(engine(), 1, "SELECT id FROM account WHERE id = 3"), (Answer{"", "", 0, {"id"}, {}}));
  EXPECT_EQ(must(engine(), 1, "DELETE FROM account WHERE id = 1 RETURNING n"), (Answer{"", "", 1, {"n"}, {{"11"}}}));
}

TEST_F(Postgresql, WhatItRefusesIsAnAnswer) {
  EXPECT_EQ(error_of(engine(), 1, "SELEC 1"), "42601");
  EXPECT_EQ(error_of(engine(), 1, "SELECT 1; SELECT 2"), "42601");
  EXPECT_EQ(error_of(engine(), 1, "SELECT * FROM absent"), "42P01");
  EXPECT_EQ(error_of(engine(), 1, "INSERT INTO account VALUES (1, 'b', 1)"), "23505");
  EXPECT_EQ(run(engine(), 1, "SELECT 1 / 0").message, "division by zero");
  EXPECT_EQ(error_of(engine(), 1, "COPY account TO STDOUT"), "0A000");
  EXPECT_EQ(error_of(engine(), 1, "COPY account FROM STDIN"), "0A000");
  EXPECT_EQ(must(engine(), 1, "SELECT count(*) FROM account").table, (Table{{"2"}})) << "the session can go on";
}

TEST_F(Postgresql, AFailedTransactionIsOpenUntilItIsRolledBack) {
  must(engine(), 1, "BEGIN");
  EXPECT_EQ(error_of(engine(), 1, "SELECT 1 / 0"), "22012");
  EXPECT_EQ(error_of(engine(), 1, "SELECT 1"), "25P02");
  EXPECT_TRUE(engine().is_open(1));
  must(engine(), 1, "ROLLBACK");
  EXPECT_FALSE(engine().is_open(1));
  EXPECT_FALSE(engine().is_open(9)) << "it was never used";
}

TEST_F(Postgresql, ASessionThatAnotherEndsIsAnAnswer) {
  must(engine(), 1, "BEGIN");
  const Answer pid = must(engine(), 2, "SELECT pg_backend_pid()");
  must(engine(), 1, "SELECT pg_terminate_backend(:pid::int, 5000)", {{"pid", pid.table[0][0]}});
  EXPECT_EQ(error_of(engine(), 2, "SELECT 1"), "57P01");
  EXPECT_FALSE(engine().is_open(2));
  EXPECT_EQ(must(engine(), 2, "SELECT 1").rows, 1) << "it can be used again";
}

// --- waiting ---------------------------------------------------------------------------------------------------------

TEST_F(Postgresql, AnUpdateWaitsForAnOpenTransactionAndSeesWhatItCommitted) {
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 11 WHERE id = 1");
  blocks(engine(), 2, "UPDATE account SET owner = 'b' WHERE id = 1 AND n = 10");
  EXPECT_TRUE(engine().is_open(1));
  EXPECT_TRUE(engine().is_open(2));
  EXPECT_EQ(must(engine(), 3, "SELECT n FROM account WHERE id = 1").table, (Table{{"10"}}));
  EXPECT_EQ(must(engine(), 1, "COMMIT"), changed(0));
  // It was sent when n was still 10, and in READ COMMITTED it looks again.
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, changed(0)}}));

  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 12 WHERE id = 1");
  blocks(engine(), 2, "UPDATE account SET n = n + 1 WHERE id = 1");
  must(engine(), 1, "COMMIT");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, changed(1)}}));
  EXPECT_EQ(engine().unblocked(), Unblocked{});
  EXPECT_EQ(must(engine(), 3, "SELECT n FROM account WHERE id = 1").table, (Table{{"13"}}));
  EXPECT_FALSE(engine().is_open(2));
}

TEST_F(Postgresql, ThoseThatWaitGoOnOneAfterTheOtherAndAreToldInTheOrderOfSending) {
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "SELECT n FROM account WHERE id = 1 FOR UPDATE");
  blocks(engine(), 3, "UPDATE account SET owner = '3', n = n + 1 WHERE id = 1 RETURNING n");
  blocks(engine(), 2, "UPDATE account SET owner = '2', n = n + 1 WHERE id = 1 RETURNING n");
  must(engine(), 1, "ROLLBACK");
  const Unblocked done = engine().unblocked();
  ASSERT_EQ(done.size(), 2U);
  EXPECT_EQ(done[0], (std::pair{3, Answer{"", "", 1, {"n"}, {{"11"}}}}));
  EXPECT_EQ(done[1], (std::pair{2, Answer{"", "", 1, {"n"}, {{"12"}}}}));
}

TEST_F(Postgresql, OneThatGoesOnCanWaitAgainForAnother) {
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 0 WHERE id = 1");
  must(engine(), 2, "BEGIN");
  blocks(engine(), 2, "UPDATE account SET n = n + 5 WHERE id = 1");
  blocks(engine(), 3, "UPDATE account SET n = n + 7 WHERE id = 1");
  must(engine(), 1, "COMMIT");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, changed(1)}})) << "and 3 waits for 2";
  EXPECT_EQ(engine().unblocked(), Unblocked{});
  must(engine(), 2, "COMMIT");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{3, changed(1)}}));
  EXPECT_EQ(must(engine(), 1, "SELECT n FROM account WHERE id = 1").table, (Table{{"12"}}));
}

TEST_F(Postgresql, OneThatWasSentEarlierCanWaitForOneThatWasSentLater) {
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "INSERT INTO account VALUES (3, 'c', 30)");
  must(engine(), 3, "BEGIN");
  must(engine(), 3, "UPDATE account SET n = 1 WHERE id = 2");
  blocks(engine(), 2, "UPDATE account SET n = n + 5 WHERE id = 2 RETURNING n");
  blocks(engine(), 3, "INSERT INTO account VALUES (3, 'd', 40)");
  must(engine(), 1, "COMMIT");
  // 3 fails, which takes its update back, and so lets 2 go on.
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, Answer{"", "", 1, {"n"}, {{"25"}}}}, {3, Answer{"23505"}}}));
  must(engine(), 3, "ROLLBACK");
}

TEST_F(Postgresql, TwoThatAreWokenTogetherGoOnInTheOrderOfSending) {
  const Answer pid = must(engine(), 4, "SELECT pg_backend_pid()");
  if (!postgresql::Hold::of(std::atoi(pid.table[0][0]->c_str()))) GTEST_SKIP() << "ptrace is not allowed here";
  for (int round = 0; round < 50; ++round) {
    const int first = 2 + round % 2;
    must(engine(), 1, "BEGIN");
    must(engine(), 1, "INSERT INTO account VALUES (3, '1', 0)");
    blocks(engine(), first, "INSERT INTO account VALUES (3, 'first', 0) ON CONFLICT DO NOTHING");
    blocks(engine(), 5 - first, "INSERT INTO account VALUES (3, 'last', 0) ON CONFLICT DO NOTHING");
    if (round % 4 < 2) {
      must(engine(), 1, "ROLLBACK");
    } else {
      engine().end(1);
    }
    ASSERT_EQ(engine().unblocked(), (Unblocked{{first, changed(1)}, {5 - first, changed(0)}})) << round;
    EXPECT_EQ(must(engine(), 4, "DELETE FROM account WHERE id = 3 RETURNING owner").table, (Table{{"first"}}));
  }
}

TEST_F(Postgresql, SelectForUpdateWaitsAndSkipsLockedRows) {
  must(engine(), 1, "BEGIN");
  EXPECT_EQ(must(engine(), 1, "SELECT id FROM account WHERE id = 1 FOR UPDATE").table, (Table{{"1"}}));
  EXPECT_EQ(error_of(engine(), 2, "SELECT id FROM account WHERE id = 1 FOR UPDATE NOWAIT"), "55P03");
  EXPECT_EQ(must(engine(), 2, "SELECT id FROM account ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED").table,
            (Table{{"2"}}));
  blocks(engine(), 2, "SELECT id FROM account WHERE id = 1 FOR UPDATE");
  must(engine(), 1, "DELETE FROM account WHERE id = 1");
  must(engine(), 1, "COMMIT");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, Answer{"", "", 0, {"id"}, {}}}}));
}

TEST_F(Postgresql, ADeadlockAlwaysFailsTheOneThatClosesTheCircle) {
  for (int round = 0; round < 20; ++round) {
    const int first = round % 2 == 0 ? 1 : 2;
    const int last = 3 - first;
    for (const int session : {1, 2}) {
      must(engine(), session, "BEGIN");
      must(engine(), session, fmt::format("UPDATE account SET n = {} WHERE id = {}", round, session));
    }
    blocks(engine(), first, fmt::format("UPDATE account SET n = 0 WHERE id = {}", last));
    EXPECT_EQ(error_of(engine(), last, fmt::format("UPDATE account SET n = 0 WHERE id = {}", first)), "40P01");
    EXPECT_EQ(engine().unblocked(), (Unblocked{{first, changed(1)}}));
    must(engine(), first, "ROLLBACK");
    must(engine(), last, "ROLLBACK");
  }
}

TEST_F(Postgresql, ACircleOfThreeFailsTheLastToo) {
  must(engine(), outside, "INSERT INTO account VALUES (3, 'c', 30)");
  for (const int session : {1, 2, 3}) {
    must(engine(), session, "BEGIN");
    must(engine(), session, fmt::format("UPDATE account SET n = 1 WHERE id = {}", session));
  }
  blocks(engine(), 2, "UPDATE account SET n = 2 WHERE id = 3");
  blocks(engine(), 1, "UPDATE account SET n = 2 WHERE id = 2");
  EXPECT_EQ(error_of(engine(), 3, "UPDATE account SET n = 2 WHERE id = 1"), "40P01");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, changed(1)}})) << "1 still waits for 2";
  must(engine(), 2, "COMMIT");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{1, changed(1)}}));
}

TEST_F(Postgresql, AdvisoryLocksKeepASessionOpen) {
  must(engine(), 1, "SELECT pg_advisory_lock(7)");
  EXPECT_TRUE(engine().is_open(1));
  EXPECT_FALSE(engine().is_open(2));
  EXPECT_EQ(must(engine(), 2, "SELECT pg_try_advisory_lock(7)").table, (Table{{"f"}}));
  EXPECT_FALSE(engine().is_open(2));
  blocks(engine(), 2, "SELECT pg_advisory_lock(7)");
  must(engine(), 1, "SELECT pg_advisory_unlock(7)");
  EXPECT_EQ(engine().unblocked(), (Unblocked{{2, Answer{"", "", 1, {"pg_advisory_lock"}, {{""}}}}}));
  EXPECT_FALSE(engine().is_open(1));
  EXPECT_TRUE(engine().is_open(2));
  engine().end(2);
  EXPECT_FALSE(engine().is_open(2));
  must(engine(), 1, "SELECT pg_advisory_lock(7)");
  engine().load(committed(engine()));
  EXPECT_FALSE(engine().is_open(1));
  EXPECT_EQ(must(engine(), 2, "SELECT pg_try_advisory_lock(7)").table, (Table{{"t"}}));
}

TEST_F(Postgresql, ASessionThatIsCutOffLosesWhatItHasOpenAndCanBeUsedAgain) {
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 0 WHERE id = 1");
  blocks(engine(), 2, "UPDATE account SET n = n + 1 WHERE id = 1");
  blocks(engine(), 3, "UPDATE account SET n = n + 2 WHERE id = 1");
  engine().end(2);  // in the middle of its statement, which never comes to pass
  EXPECT_EQ(engine().unblocked(), Unblocked{});
  EXPECT_FALSE(engine().is_open(2));
  engine().end(1);
  EXPECT_EQ(engine().unblocked(), (Unblocked{{3, changed(1)}}));
  EXPECT_EQ(must(engine(), 1, "SELECT n FROM account WHERE id = 1").table, (Table{{"12"}}));
  EXPECT_EQ(must(engine(), 2, "SELECT n FROM account WHERE id = 1").table, (Table{{"12"}}));
  engine().end(9);  // was never used
}

// --- contents --------------------------------------------------------------------------------------------------------

TEST_F(Postgresql, AContentIsWhatIsCommitted) {
  const std::string before = "account (id, owner, n)\n(1,a,10)\n(2,,20)\n";
  EXPECT_EQ(committed(engine()).text, before);
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 11 WHERE id = 1");
  EXPECT_EQ(committed(engine()).text, before);
  must(engine(), 1, "COMMIT");
  EXPECT_EQ(committed(engine()).text, "account (id, owner, n)\n(1,a,11)\n(2,,20)\n");
  must(engine(), 1, "UPDATE account SET n = 10 WHERE id = 1");
  EXPECT_EQ(committed(engine()).text, before) << "however the rows lie";
  must(engine(), 1, "UPDATE account SET owner = '' WHERE id = 2");
  EXPECT_EQ(committed(engine()).text, "account (id, owner, n)\n(1,a,10)\n(2,\"\",20)\n") << "nothing is not empty";
}

TEST_F(Postgresql, AContentComesBackWhateverIsOpenOrBlocked) {
  const Content content = committed(engine());
  must(engine(), 1, "INSERT INTO account VALUES (4, 'd', 40)");
  must(engine(), 1, "DELETE FROM account WHERE id = 2");
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "UPDATE account SET n = 0 WHERE id = 1");
  must(engine(), 2, "BEGIN");
  must(engine(), 2, "UPDATE account SET n = 0 WHERE id = 4");
  blocks(engine(), 2, "UPDATE account SET n = 1 WHERE id = 1");
  blocks(engine(), 3, "UPDATE account SET n = 2 WHERE id = 1");
  blocks(engine(), 4, "UPDATE account SET n = 3 WHERE id = 4");
  EXPECT_NE(committed(engine()).text, content.text);
  engine().load(content);
  EXPECT_EQ(engine().unblocked(), Unblocked{});
  EXPECT_EQ(committed(engine()).text, content.text);
  for (const int session : {1, 2, 3, 4}) {
    EXPECT_FALSE(engine().is_open(session)) << session;
    EXPECT_EQ(must(engine(), session, "UPDATE account SET n = n + 1 WHERE id = 1").rows, 1) << session;
  }
  EXPECT_EQ(must(engine(), 1, "SELECT n FROM account WHERE id = 1").table, (Table{{"14"}}));
}

TEST_F(Postgresql, EveryKindOfColumnComesBack) {
  must(engine(), outside, R"(CREATE TABLE "Odd Name" (id bigint GENERATED ALWAYS AS IDENTITY, "a b" text[], j jsonb,
                             at timestamptz, raw bytea, f float8, twice int GENERATED ALWAYS AS (length(t) * 2) STORED,
                             gone int, t varchar(40), account int REFERENCES account))");
  must(engine(), outside, R"(ALTER TABLE "Odd Name" DROP COLUMN gone)");
  must(engine(), outside,
       R"(INSERT INTO "Odd Name" ("a b", j, at, raw, f, t, account) VALUES ('{"x, y",NULL}', '{"k": "it''s"}',
          '2024-02-29 12:00:00.123456+02', '\x00ff', 0.1, E'two\nlines, "quoted" \\ (1)', 2), (NULL, NULL, NULL, NULL,
          NULL, NULL, NULL))");
  const Content content = committed(engine());
  EXPECT_EQ(content.text,
            "\"Odd Name\" (id, \"a b\", j, at, raw, f, twice, t, account)\n"
            "(1,\"{\"\"x, y\"\",NULL}\",\"{\"\"k\"\": \"\"it's\"\"}\",\"2024-02-29 10:00:00.123456+00\","
            "\"\\\\x00ff\",0.1,50,\"two\nlines, \"\"quoted\"\" \\\\ (1)\",2)\n"
            "(2,,,,,,,,)\n"
            "account (id, owner, n)\n(1,a,10)\n(2,,20)\n"
            "sequence \"Odd Name_id_seq\" (last_value, is_called)\n(2, true)\n");
  must(engine(), 1, R"(DELETE FROM "Odd Name")");
  must(engine(), 1, "DELETE FROM account");
  engine().load(content);
  EXPECT_EQ(committed(engine()).text, content.text);
  EXPECT_EQ(must(engine(), 1, R"(INSERT INTO "Odd Name" (t) VALUES ('x') RETURNING id)").table, (Table{{"3"}}));
  engine().load(content);
  must(engine(), 1, "DELETE FROM account WHERE id = 1");
  EXPECT_EQ(error_of(engine(), 1, "DELETE FROM account WHERE id = 2"), "23503") << "the foreign key counts again";
}

TEST_F(Postgresql, SequencesComeBackThoughNoTransactionTakesThemBack) {
  must(engine(), outside, "CREATE SEQUENCE token");
  const Content fresh = committed(engine());
  EXPECT_TRUE(fresh.text.ends_with("sequence token (last_value, is_called)\n(1, false)\n")) << fresh.text;
  must(engine(), 1, "BEGIN");
  EXPECT_EQ(must(engine(), 1, "SELECT nextval('token')").table, (Table{{"1"}}));
  must(engine(), 1, "ROLLBACK");
  const Content used = committed(engine());
  EXPECT_TRUE(used.text.ends_with("(1, true)\n")) << used.text;
  engine().load(fresh);
  EXPECT_EQ(must(engine(), 1, "SELECT nextval('token')").table, (Table{{"1"}}));
  engine().load(used);
  EXPECT_EQ(must(engine(), 2, "SELECT nextval('token')").table, (Table{{"2"}}));
}

TEST_F(Postgresql, TriggersDoNotTouchAContentThatIsPutBack) {
  must(engine(), outside, "CREATE TABLE log (n int)");
  must(engine(), outside,
       "CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS "
       "'BEGIN INSERT INTO log VALUES (new.n); RETURN new; END'");
  must(engine(), outside, "CREATE TRIGGER noted AFTER INSERT ON account FOR EACH ROW EXECUTE FUNCTION note()");
  const Content content = committed(engine());
  must(engine(), 1, "INSERT INTO account VALUES (3, 'c', 30)");
  EXPECT_EQ(must(engine(), 1, "SELECT n FROM log").table, (Table{{"30"}}));
  engine().load(content);
  EXPECT_EQ(committed(engine()).text, content.text);
  EXPECT_EQ(must(engine(), 1, "SELECT n FROM log").rows, 0);
}

TEST_F(Postgresql, WhatASessionSetForItselfIsGoneAfterALoad) {
  const Content content = committed(engine());
  must(engine(), 1, "SET enable_sort = off");
  must(engine(), 1, "CREATE TEMP TABLE mine (a int)");
  must(engine(), 1, "PREPARE one AS SELECT 1");
  engine().load(content);
  EXPECT_EQ(must(engine(), 1, "SHOW enable_sort").table, (Table{{"on"}}));
  EXPECT_EQ(error_of(engine(), 1, "SELECT * FROM mine"), "42P01");
  EXPECT_EQ(error_of(engine(), 1, "EXECUTE one"), "26000");
  EXPECT_EQ(must(engine(), 1, "SHOW search_path").table, (Table{{"public"}}));
}

TEST_F(Postgresql, TablesThatCameLaterAreDroppedAndThoseThatWentAreAnError) {
  const Content content = committed(engine());
  must(engine(), 1, "CREATE TABLE later (a int)");
  must(engine(), 1, "SELECT 5 AS b INTO copy");
  EXPECT_EQ(committed(engine()).text, content.text + "copy (b)\n(5)\nlater (a)\n");
  engine().load(content);
  EXPECT_EQ(committed(engine()).text, content.text);
  EXPECT_EQ(error_of(engine(), 1, "SELECT * FROM later"), "42P01");
  must(engine(), 1, "ALTER TABLE account ALTER n TYPE bigint");
  expect_part(thrown<UsageError>([&] { engine().load(content); }), "CREATE, ALTER and DROP belong into the setup");
  must(engine(), 1, "DROP TABLE account");
  EXPECT_EQ(committed(engine()).text, "");
  thrown<UsageError>([&] { engine().load(content); });
}

TEST_F(Postgresql, ATableOfATransactionIsThereWhenItIsCommitted) {
  const std::string before = committed(engine()).text;
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "CREATE TABLE later (a int)");
  EXPECT_EQ(committed(engine()).text, before);
  must(engine(), 1, "COMMIT");
  EXPECT_EQ(committed(engine()).text, before + "later (a)\n");
}

TEST_F(Postgresql, ATableThatIsLockedCannotBeRead) {
  const Content content = committed(engine());
  must(engine(), 1, "BEGIN");
  must(engine(), 1, "LOCK TABLE account");
  EXPECT_FALSE(engine().content().has_value());
  blocks(engine(), 2, "SELECT * FROM account");
  engine().load(content);
  EXPECT_EQ(committed(engine()).text, content.text);
}

TEST_F(Postgresql, RowsLieTheSameWayAfterEveryLoad) {
  const Content content = committed(engine());
  const std::vector<std::string> steps{"UPDATE account SET n = n + 1 WHERE id = 1",
                                       "INSERT INTO account VALUES (0, 'z', 0)",
                                       "UPDATE account SET n = n + 1 WHERE id = 2"};
  for (int round = 0; round < 300; ++round) {
    engine().load(content);
    for (std::size_t i = 0; i < steps.size(); ++i) must(engine(), 1 + (round + static_cast<int>(i)) % 3, steps[i]);
    const Table rows = must(engine(), 4, "SELECT id, n FROM account").table;
    ASSERT_EQ(rows, (Table{{"1", "11"}, {"0", "0"}, {"2", "21"}})) << round;
  }
}

// --- isolation -------------------------------------------------------------------------------------------------------

TEST_F(Levels, RepeatableReadRefusesALostUpdate) {
  open("repeatable read");
  if (!engine_) return;
  must(*engine_, 1, "BEGIN");
  must(*engine_, 1, "UPDATE t SET n = 1 WHERE id = 1");
  blocks(*engine_, 2, "UPDATE t SET n = 2 WHERE id = 1");
  must(*engine_, 1, "COMMIT");
  EXPECT_EQ(engine_->unblocked(), (Unblocked{{2, Answer{"40001"}}}));
}

TEST_F(Levels, SerializableRefusesWriteSkewAndNothingElse) {
  open("serializable");
  if (!engine_) return;
  for (const std::string other : {"1", "2"}) {
    for (const int session : {1, 2}) must(*engine_, session, "BEGIN");
    must(*engine_, 1, "SELECT n FROM t WHERE id = " + other);
    must(*engine_, 2, "SELECT n FROM t WHERE id = " + std::string(other == "1" ? "2" : "1"));
    must(*engine_, 1, "UPDATE t SET n = 1 WHERE id = 1");
    must(*engine_, 2, "UPDATE t SET n = 1 WHERE id = 2");
    must(*engine_, 1, "COMMIT");
    EXPECT_EQ(error_of(*engine_, 2, "COMMIT"), other == "1" ? "" : "40001");
  }
}

// --- failures --------------------------------------------------------------------------------------------------------

TEST(PostgresqlOptions, UnknownSettingsAreRefused) {
  EXPECT_EQ(thrown<UsageError>([] {
              open_engine({"postgresql", {{"isolaton", "x"}}});
            }),
            "postgresql has no setting 'isolaton': there is isolation");
  EXPECT_EQ(thrown<UsageError>([] {
              open_engine({"postgresql", {{isolation, "chaos"}}});
            }),
            "isolation of postgresql is 'chaos': there are 'read committed', 'repeatable read' and 'serializable'");
}

TEST(PostgresqlFailure, AServerThatIsKilledIsAFailureAndLeavesNothing) {
  auto engine = open_if_there({"postgresql"});
  if (!engine) GTEST_SKIP() << skipped;
  const std::string file = *must(*engine, 1, "SELECT pg_read_file('postmaster.pid')").table.at(0).at(0);
  const fs::path folder = fs::path(*must(*engine, 1, "SHOW data_directory").table.at(0).at(0)).parent_path();
  const auto pid = static_cast<pid_t>(std::atoi(file.c_str()));
  ASSERT_GT(pid, 1);
  EXPECT_TRUE(fs::exists(folder));
  must(*engine, 1, "CREATE TABLE t (a int)");
  must(*engine, 1, "BEGIN");
  must(*engine, 1, "LOCK TABLE t");
  blocks(*engine, 2, "SELECT * FROM t");
  ::kill(pid, SIGQUIT);
  expect_part(thrown<EngineFailure>([&] {
                for (int i = 0; i < 500; ++i) {
                  run(*engine, 1, "SELECT 1");
                  std::this_thread::sleep_for(std::chrono::milliseconds(10));
                }
              }),
              "The end of its log:");
  thrown<EngineFailure>([&] { engine->unblocked(); });
  thrown<EngineFailure>([&] { run(*engine, 3, "SELECT 1"); });
  engine.reset();
  EXPECT_FALSE(fs::exists(folder));
}

TEST(PostgresqlFailure, AFolderWithALongNameIsNoObstacle) {
  const TemporaryFolder folder("fencecheck-test");
  const fs::path deep = folder.path() / std::string(100, 'x');
  fs::create_directory(deep);
  for (const fs::path& each : {folder.path(), deep}) fs::permissions(each, fs::perms(0755));
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", deep.c_str(), 1);
  const auto engine = open_if_there({"postgresql"});
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
  if (!engine) GTEST_SKIP() << skipped;
  EXPECT_EQ(must(*engine, 1, "SHOW listen_addresses").table, (Table{{"127.0.0.1"}}));
}

TEST(PostgresqlFailure, AStatementThatNeverAnswersIsAFailure) {
  const auto engine = open_if_there({"postgresql", {}, "", 0.3});
  if (!engine) GTEST_SKIP() << skipped;
  const auto begin = std::chrono::steady_clock::now();
  const std::string message = thrown<EngineFailure>([&] { run(*engine, 1, "SELECT pg_sleep(60)"); });
  expect_part(message, "PostgreSQL at a private server: a statement did not answer within 0.3 seconds");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(must(*engine, 1, "SELECT 1").rows, 1) << "the statement was cancelled";
}

TEST(PostgresqlAddress, AnAddressWhereNobodyAnswersIsNamed) {
  const std::string url = fmt::format("postgresql://me:secret@127.0.0.1:{}/shop", free_port());
  const std::string message = thrown<EngineMissing>([&] { open_engine({"postgresql", {}, url}); });
  EXPECT_TRUE(message.starts_with("no PostgreSQL answers at 127.0.0.1:")) << message;
  expect_part(message, "/shop: ");
  expect_part(message, ". Start it there, or leave --engine-url out for a private server");
  EXPECT_EQ(message.find_first_of("\n\t"), std::string::npos) << message;
  EXPECT_EQ(message.find("secret"), std::string::npos) << message;
  expect_part(thrown<UsageError>([] { open_engine({"postgresql", {}, "postgresql://[host"}); }), "cannot be read");
}

TEST_F(PostgresqlUrl, ItsSchemaIsOursAndGoesAgain) {
  ask("CREATE TABLE theirs (a int)");
  {
    const auto engine = open_engine(options());
    expect_part(engine->description(), ":5432/postgres, read committed");
    EXPECT_EQ(schemas(), "1");
    must(*engine, 1, "CREATE TABLE t (a int)");
    must(*engine, 1, "INSERT INTO t VALUES (1)");
    const Content content = committed(*engine);
    EXPECT_EQ(content.text, "t (a)\n(1)\n");
    must(*engine, 1, "BEGIN");
    must(*engine, 1, "UPDATE t SET a = 2");
    blocks(*engine, 2, "DELETE FROM t");
    expect_part(thrown<UsageError>([] { open_engine(options()); }), "another fencecheck is at work on PostgreSQL at ");
    engine->load(content);
    EXPECT_EQ(committed(*engine).text, content.text);
    must(*engine, 1, "BEGIN");
    must(*engine, 1, "UPDATE t SET a = 2");
    blocks(*engine, 2, "DELETE FROM t");
  }
  EXPECT_EQ(schemas(), "0");
  EXPECT_EQ(ask("SELECT count(*) FROM theirs"), "0");
  ask("DROP TABLE theirs");
}

TEST_F(PostgresqlUrl, ASchemaThatHoldsAnythingIsNotTouched) {
  ask("CREATE SCHEMA fencecheck_check CREATE TABLE precious (a int)");
  const std::string message = thrown<UsageError>([] { open_engine(options()); });
  expect_part(message, "the schema fencecheck_check of PostgreSQL at ");
  expect_part(message, " is not empty; fencecheck touches nothing in it.");
  EXPECT_EQ(ask("SELECT count(*) FROM fencecheck_check.precious"), "0");
  ask("DROP TABLE fencecheck_check.precious");
  EXPECT_EQ(committed(*open_engine(options())).text, "") << "an empty one will do";
  EXPECT_EQ(schemas(), "0");
}

TEST_F(PostgresqlUrl, AUserWithoutRightsOverTheServerWillDo) {
  ask("SET client_min_messages = error; DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN");
  expect_part(thrown<UsageError>([] { open_engine(options("user=plain")); }),
              "cannot make the schema fencecheck_check in PostgreSQL at ");
  ask("GRANT CREATE ON DATABASE postgres TO plain");
  ask("ALTER SYSTEM SET deadlock_timeout = '50ms'");
  ask("SELECT pg_reload_conf()");
  {
    const auto engine = open_engine(options("user=plain"));
    must(*engine, outside, "CREATE TABLE a_child (a int, parent int)");
    must(*engine, outside, "CREATE TABLE parent (id int PRIMARY KEY)");
    must(*engine, outside, "ALTER TABLE a_child ADD FOREIGN KEY (parent) REFERENCES parent");
    must(*engine, outside, "INSERT INTO parent VALUES (1), (2)");
    must(*engine, outside, "INSERT INTO a_child VALUES (1, 1)");
    const Content content = committed(*engine);
    must(*engine, 1, "DELETE FROM a_child");
    engine->load(content);
    EXPECT_EQ(committed(*engine).text, "a_child (a, parent)\n(1,1)\nparent (id)\n(1)\n(2)\n");
    for (const int session : {1, 2}) {
      must(*engine, session, "BEGIN");
      must(*engine, session, fmt::format("SELECT id FROM parent WHERE id = {} FOR UPDATE", session));
    }
    blocks(*engine, 2, "SELECT id FROM parent WHERE id = 1 FOR UPDATE");
    EXPECT_EQ(error_of(*engine, 1, "SELECT id FROM parent WHERE id = 2 FOR UPDATE"), "40P01");
    EXPECT_EQ(engine->unblocked(), (Unblocked{{2, Answer{"", "", 1, {"id"}, {{"1"}}}}}));
  }
  EXPECT_EQ(schemas(), "0");
}

// --- what a text shows -----------------------------------------------------------------------------------------------

std::string effects(const std::string& text) {
  const postgresql::Effects found = postgresql::Effects::of(text);
  return std::string(found.writes ? "w" : "") + (found.commits ? "c" : "") + (found.defines ? "d" : "") +
         (found.outlives ? "o" : "") + (found.locks_by_name ? "l" : "");
}

TEST(PostgresqlEffects, AreReadFromTheFirstWordAndAFewNames) {
  EXPECT_EQ(effects("SELECT attempts FROM t"), "");
  EXPECT_EQ(effects(" (values (1))"), "");
  EXPECT_EQ(effects("/* why */ -- and\n insert INTO t VALUES (1)"), "w");
  EXPECT_EQ(effects("WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x"), "w");
  EXPECT_EQ(effects("BEGIN ISOLATION LEVEL SERIALIZABLE"), "");
  EXPECT_EQ(effects("commit"), "c");
  EXPECT_EQ(effects("CREATE TABLE t (a int)"), "wd");
  EXPECT_EQ(effects("CREATE TEMP TABLE t (a int)"), "wdo");
  EXPECT_EQ(effects("SELECT pg_Advisory_lock(1)"), "l");
  EXPECT_EQ(effects("DO $$ BEGIN PERFORM 1; END $$"), "wcdo");
  EXPECT_EQ(effects("/* open"), "wcdo");
}

}  // namespace
}  // namespace fencecheck::engines
