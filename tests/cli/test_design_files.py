"""Design files: stores in the statements that they really run, and what goes wrong with them."""

import json
import shutil
import sqlite3

from harness import (ALL_HOLD, STORE_FAILED, STORE_MISSING, STORES, USAGE, VIOLATED, CliTest, FileTest, main, run)


class Files(CliTest):
    def test_the_conditional_update_holds_and_select_then_update_breaks(self) -> None:
        done = run("check", str(STORES / "conditional-update.toml"), str(STORES / "select-then-update.toml"),
                   "--property", "no-stale-write")
        self.assertEqual(done.code, ALL_HOLD, done)
        self.assertIn("no-stale-write                  holds; witness: 5 steps", done.out)
        self.assertIn("no-stale-write                  VIOLATED in 7 steps", done.out)
        self.assertIn("> UPDATE account SET", done.out)
        self.assertIn("6784 states, 19959 transitions, depth 18", done.out)

    def test_the_same_bytes_each_time_and_for_any_number_of_threads(self) -> None:
        line = ("check", str(STORES / "sqlite-transaction-wal.toml"))
        first = run(*line, "--threads", "1")
        self.assertEqual(first.out, run(*line, "--threads", "2").out)

    def test_a_verdict_without_what_the_file_expects(self) -> None:
        done = run("check", str(STORES / "select-then-update.toml"), "--workers", "3")
        self.assertEqual(done.code, VIOLATED, "with other bounds the file's expectations do not count")

    def test_the_steps_of_a_file_are_shown(self) -> None:
        done = run("show", str(STORES / "select-then-update.toml"))
        self.assertEqual(done.code, ALL_HOLD, done)
        self.assertIn("read the highest token", done.out)


    def test_random_walks(self) -> None:
        done = run("check", str(STORES / "select-then-update.toml"), "--simulate", "500", "--property",
                   "no-stale-write")
        self.assertEqual(done.code, VIOLATED, done)
        self.assertIn("searched  500 random walks with seed 1", done.out)
        self.assertIn("no-stale-write                  VIOLATED in 7 steps", done.out)

    def test_the_matrix(self) -> None:
        done = run("matrix", str(STORES / "conditional-update.toml"), "--max-faults", "1")
        self.assertEqual(done.code, ALL_HOLD, done)
        self.assertIn("  successor-fences-at-issue         expiry (4); issuer restore (4); late request (5); "
                      "duplicate (5)\n", done.out)
        self.assertIn("  honest-answers                    holds under every 1 fault\n", done.out)

    def test_coverage(self) -> None:
        done = run("check", str(STORES / "conditional-update.toml"), "--coverage", "--no-expiry", "--leases", "1")
        self.assertIn('"the token is not older than the highest seen"', done.out)

    def test_there_are_no_mutants(self) -> None:
        done = run("mutate", str(STORES / "conditional-update.toml"))
        self.assertEqual((done.code, done.out), (USAGE, ""))
        self.assertIn("a design file has no mutants", done.err)


class Starter(FileTest):
    def test_init_writes_a_file_that_passes(self) -> None:
        done = run("init", "mine.toml", "--engine", "sqlite", cwd=self.folder)
        self.assertEqual((done.code, done.err), (ALL_HOLD, ""))
        self.assertIn("fencecheck check mine.toml", done.out)
        self.assertIn("fencecheck check mine.toml", (self.folder / "mine.toml").read_text(encoding="utf-8"))
        self.assertEqual(self.check("mine.toml").returncode, ALL_HOLD)

    def test_a_starter_for_each_engine(self) -> None:
        for engine in ("sqlite", "postgresql", "redis", "etcd", "zookeeper"):
            done = run("init", f"{engine}.toml", "--engine", engine, cwd=self.folder)
            self.assertEqual((done.code, done.err), (ALL_HOLD, ""))
            written = (self.folder / f"{engine}.toml").read_text(encoding="utf-8")
            example = (STORES / f"starter-{engine}.toml").read_text(encoding="utf-8")
            self.assertEqual(written, example.replace(f"starter-{engine}.toml", f"{engine}.toml"))

    def test_init_overwrites_nothing(self) -> None:
        self.file("mine", "mine.toml")
        done = run("init", "mine.toml", "--engine", "sqlite", cwd=self.folder)
        self.assertEqual(done.code, USAGE)
        self.assertEqual(done.err, "fencecheck: init mine.toml: it is there already; nothing was written\n")
        self.assertEqual((self.folder / "mine.toml").read_text(encoding="utf-8"), "mine")

    def test_init_asks_for_the_engine(self) -> None:
        done = run("init", "mine.toml", cwd=self.folder)
        self.assertEqual(done.code, USAGE)
        self.assertIn("say which store it is for: --engine sqlite, or --engine postgresql", done.err)
        done = run("init", "folder", "--engine", "sqlite", cwd=self.folder)
        self.assertEqual(done.err,
                         "fencecheck: init folder: --engine is for a design file: name one that ends in .toml\n")
        self.assertEqual(list(self.folder.iterdir()), [])


class LateRequests(FileTest):
    def counted(self) -> str:
        """Each update is counted, whether it was made before or not."""
        self.changed("conditional-update.toml", "payload = :value", "payload = :value, times = times + 1")
        text = (self.folder / "store.toml").read_text(encoding="utf-8")
        text = text.replace("payload TEXT", "payload TEXT, times INTEGER").replace("(1, 0, NULL)", "(1, 0, NULL, 0)")
        return self.file(text.replace("payload AS value", "payload AS value, times AS effect"))

    def test_a_request_that_comes_twice(self) -> None:
        line = (self.counted(), "--property", "one-request-one-effect")
        self.assertEqual(self.check(*line).returncode, ALL_HOLD)
        done = self.check(*line, "--duplicates", "1")
        self.assertEqual(done.returncode, VIOLATED)
        self.assertIn("one-request-one-effect          VIOLATED in 3 steps", done.stdout)
        self.assertIn("** late: compare and write", done.stdout)
        self.assertEqual(done.stdout.count("> UPDATE account SET"), 2)

    def test_a_request_that_is_made_again_and_still_under_way(self) -> None:
        name = self.counted()
        text = (self.folder / name).read_text(encoding="utf-8")
        line = (self.file(text.replace('name = "compare and write"', 'name = "compare and write"\nretry = true')),
                "--property", "one-request-one-effect")
        self.assertEqual(self.check(*line).returncode, ALL_HOLD)
        done = self.check(*line, "--late-requests", "1")
        self.assertEqual(done.returncode, VIOLATED)
        self.assertIn("one-request-one-effect          VIOLATED in 4 steps", done.stdout)
        self.assertIn("compare and write, given", done.stdout)

    def test_a_late_write_that_frees_the_lock_of_somebody_else(self) -> None:
        """A job table, where the lock is a column of the row: finishing a job frees it."""
        done = self.check(str(STORES / "sqlite-job-by-owner.toml"), "--property", "no-foreign-release",
                          "--late-requests", "1")
        self.assertIn("no-foreign-release              VIOLATED in 5 steps", done.stdout)
        self.assertIn("holder A#2 -> none", done.stdout)

    def test_what_is_typed_by_hand_of_a_late_request(self) -> None:
        self.check(str(STORES / "sqlite-job-by-owner.toml"), "--property", "no-stale-write", "--emit-sql", "run.sql")
        script = (self.folder / "run.sql").read_text(encoding="utf-8")
        self.assertIn("-- (nothing is typed yet: it arrives in a later step)\n", script)

    def test_a_statement_of_a_transaction_never_comes_late(self) -> None:
        name = self.changed("sqlite-transaction-wal.toml", "[sqlite]", "release = false\n\n[sqlite]")
        states = []
        for late in ("0", "1"):
            done = self.check(name, "--late-requests", late, "--format", "json")
            states.append(json.loads(done.stdout)["states"])
        self.assertEqual(states, [397, 397])


class Mistakes(FileTest):
    def test_no_such_file(self) -> None:
        self.complains("no.toml", USAGE, "no.toml: cannot be read: No such file or directory")

    def test_toml_that_does_not_parse(self) -> None:
        done = self.check(self.file('engine = "sqlite"\nsetup = [\n'))
        self.assertEqual(done.returncode, USAGE)
        self.assertRegex(done.stderr, r"^fencecheck: store\.toml:\d+:\d+: ")

    def test_a_key_that_is_not_known(self) -> None:
        name = self.changed("conditional-update.toml", "summary =", "sumary =")
        done = self.check(name)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("store.toml:3:1: 'sumary' is not known here; there are name, summary, engine", done.stderr)

    def test_a_parameter_that_is_not_defined(self) -> None:
        self.complains(self.changed("select-then-update.toml", 'keep = "highest"', 'keep = "hihgest"'), USAGE,
                       "store.toml:22:16: ':highest' is no parameter here; there are :fingerprint, :handle, :hihgest, "
                       ":owner, :request_id, :token, :value")

    def test_an_outcome_that_is_none(self) -> None:
        done = self.check(self.changed("conditional-update.toml", 'is = "stale"', 'is = "old"'))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("store.toml:22:20: 'old' is no outcome; there are accepted, again, conflict", done.stderr)

    def test_an_engine_that_is_none(self) -> None:
        done = self.check(self.changed("conditional-update.toml", '"sqlite"', '"oracle"'))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("store.toml:2:10: unknown engine 'oracle'; there are: sqlite, postgresql, redis, etcd, zookeeper",
                      done.stderr)

    def test_wrong_sql_in_the_setup(self) -> None:
        self.complains(self.changed("conditional-update.toml", "INSERT INTO account", "INSERT INTO acount"), USAGE,
                       "store.toml: the setup statement `INSERT INTO acount VALUES (1, 0, NULL)` failed: SQLITE_ERROR: "
                       "no such table: acount")

    def test_wrong_sql_in_a_step(self) -> None:
        self.complains(self.changed("conditional-update.toml", "AND highest <=", "AND hihgest <="), USAGE,
                       'store.toml:18: step "compare and write": the store answered with the error SQLITE_ERROR (no '
                       "such column: hihgest), and no rule of the step says what that means: mend the statement, or "
                       'add { error = "SQLITE_ERROR", is = … } to `on`')

    def test_a_store_without_a_value(self) -> None:
        self.complains(self.changed("conditional-update.toml", "payload AS value", "payload"), USAGE,
                       'store.toml: the query of store "account" gives no column `value` (whose payload lies there) '
                       "and none `effect` (how often something was done): name one with AS")

    def test_a_transaction_that_is_left_open(self) -> None:
        name = self.changed("conditional-update.toml", 'name = "compare and write"',
                            'name = "compare and write"\nbegin = "BEGIN"')
        self.complains(name, USAGE, 'store.toml:18: step "compare and write" ends its visit, and leaves a transaction '
                                    "open: commit it before that")

    def test_parameters_by_number(self) -> None:
        self.complains(self.changed("conditional-update.toml", "highest <= :token", "highest <= ?"), USAGE,
                       "store.toml:20:7: '?': parameters have names here, such as :token and :value")
        self.complains(self.changed("postgresql-conditional-update.toml", "highest <= :token", "highest <= $1"), USAGE,
                       "store.toml:20:7: '$1': parameters have names here, such as :token and :value")

    def test_a_key_of_the_file_below_a_table(self) -> None:
        name = self.changed("sqlite-transaction-wal.toml", 'storage = "wal"',
                            'storage = "wal"\nproperties = ["one-holder-at-a-time"]')
        self.complains(name, USAGE, "store.toml:13:1: 'properties' is no setting of sqlite. 'properties' is a key of "
                                    "the file itself: put it above the first [table]")
        name = self.changed("conditional-update.toml", "leases = 5", "leases = 5\nrelease = false")
        done = self.check(name)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("store.toml:13:1: 'release' is not known here; there are workers, leases", done.stderr)
        self.assertIn("'release' is a key of the file itself: put it above the first [table]", done.stderr)

    def test_a_setting_that_is_none(self) -> None:
        self.complains(self.changed("sqlite-transaction-wal.toml", 'storage = "wal"', 'storage = "log"'), USAGE,
                       'store.toml:11: sqlite: storage = "log": it is "memory", "wal" or "rollback"')

    def test_properties_that_are_none(self) -> None:
        done = self.check(self.changed("conditional-update.toml", "[expect]", "[expect]\nno-stale-writes = 3"))
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("store.toml:27: [expect]: unknown property 'no-stale-writes'; did you mean 'no-stale-write'?",
                      done.stderr)
        done = self.check(self.changed("conditional-update.toml", "[bounds]",
                                       'properties = ["no-half-changes"]\n[bounds]'))
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("store.toml:10: unknown property 'no-half-changes'; did you mean 'no-half-change'?", done.stderr)

    def test_a_wait_that_nothing_can_end(self) -> None:
        text = (STORES / "sqlite-transaction-wal.toml").read_text(encoding="utf-8")
        name = self.file(text.replace('{ error = "SQLITE_BUSY_SNAPSHOT", is = "again" }',
                                      '{ error = "SQLITE_BUSY_SNAPSHOT", is = "wait" }'))
        self.complains(name, USAGE, 'store.toml:33: step "write" waits on the error SQLITE_BUSY_SNAPSHOT inside a '
                                    "transaction while nobody else has one: no retry can succeed. A client rolls back "
                                    'and begins anew: is = "again", or gives up: is = "conflict"')

    def test_a_verdict_that_is_not_as_expected(self) -> None:
        done = self.check(self.changed("select-then-update.toml", "no-stale-write = 7", 'no-stale-write = "holds"'))
        self.assertEqual(done.returncode, USAGE)
        self.assertEqual(done.stderr, "store: no-stale-write violated in 7 steps, and [expect] says holds\n")

    def test_a_fault_that_files_do_not_know(self) -> None:
        done = self.check(self.changed("conditional-update.toml", "leases = 5", "leases = 5\nclock_drifts = 1"))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("store.toml:13:1: 'clock_drifts' is not known here; there are workers, leases, expiry, "
                      "store_restores, crashes", done.stderr)


    def test_a_restore_of_a_lock_that_has_no_engine_of_its_own(self) -> None:
        name = self.changed("sqlite-lock-table.toml", "[issuer]", '[issuer]\nrestored = "SELECT 1"')
        self.complains(name, USAGE, "store.toml:23:12: 'restored' is for a lock in an engine of its own: give [issuer] "
                                    "an `engine`, or leave it out")
        shutil.copy(STORES / "sqlite-lock-table.toml", self.folder / "store.toml")
        done = self.check("store.toml", "--issuer-restores", "1")
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("an issuer restore cannot happen to store", done.stderr)

    def two_engines(self, restored: str) -> str:
        """The lock of sqlite-lock-table in a database of its own."""
        text = (STORES / "sqlite-lock-table.toml").read_text(encoding="utf-8")
        of_lock = [line for line in text.splitlines() if " lock " in line and line.startswith('  "')]
        for line in of_lock:
            text = text.replace(line + "\n", "")
        own = f'[issuer]\nengine = "sqlite"\nsetup = [\n' + "\n".join(of_lock) + f'\n]\nrestored = "{restored}"'
        text = text.replace("[issuer]", own).replace("store_restores = 0", "issuer_restores = 1")
        return self.file(text[:text.index("[expect]")])

    def test_what_an_operator_cannot_know_after_a_restore(self) -> None:
        self.complains(self.two_engines("UPDATE lock SET counter = :higest"), USAGE,
                       "store.toml: `restored` names ':higest'; there are :issued, the highest token that was ever "
                       "granted, and the columns of the stores' queries")

    def test_a_lock_in_another_database_that_is_restored(self) -> None:
        advanced = {"SELECT 1": VIOLATED, "UPDATE lock SET counter = :highest": VIOLATED,
                    "UPDATE lock SET counter = :issued": ALL_HOLD}
        for restored, code in advanced.items():
            done = self.check(self.two_engines(restored), "--property", "tokens-increase")
            self.assertEqual(done.returncode, code, done)

    def test_a_script_for_terminals_of_two_engines(self) -> None:
        done = self.check(self.two_engines("SELECT 1"), "--emit-sql", "run.sql")
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("--emit-sql writes statements for one engine, and this file has two (sqlite and sqlite)",
                      done.stderr)

    def test_an_acquire_that_ends_without_a_meaning(self) -> None:
        self.complains(self.changed("sqlite-lock-by-token.toml", ', { rows = 0, is = "wait" }', ""), USAGE,
                       'store.toml:26: step "take the lock" ends the acquire with an answer that no rule of `on` '
                       'gives a meaning: nothing. A rule without a condition takes what is left: { is = "wait" }')

    def test_a_token_that_no_row_gives(self) -> None:
        name = self.changed("sqlite-lock-by-token.toml", " RETURNING counter", "")
        self.complains(name, USAGE, 'store.toml:26: step "take the lock" keeps nothing as the token: the statement '
                                    "gave no such row or column back")

    def test_a_parameter_in_quotes(self) -> None:
        self.complains(self.changed("conditional-update.toml", "payload = :value", "payload = ':value'"), USAGE,
                       "store.toml:20:7: ':value' in quotes is a text and no parameter: write :value without them")

    def test_the_engine_below_a_table(self) -> None:
        text = (STORES / "conditional-update.toml").read_text(encoding="utf-8")
        text = text.replace('engine = "sqlite"\n', "").replace("[bounds]", '[bounds]\nengine = "sqlite"')
        self.complains(self.file(text), USAGE, "store.toml:10:10: 'engine' is in [bounds]. 'engine' is a key of the "
                                               "file itself: put it above the first [table]")

    def test_the_name_without_its_ending(self) -> None:
        shutil.copy(STORES / "conditional-update.toml", self.folder / "store.toml")
        self.complains("store", USAGE, "unknown design 'store'; store.toml is a design file: name it so")


class Failures(FileTest):
    def test_a_statement_that_never_returns(self) -> None:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        name = self.changed("conditional-update.toml", "UPDATE account SET highest = :token, payload = :value "
                            "WHERE id = 1 AND highest <= :token", endless)
        text = "statement_seconds = 0.2\n" + (self.folder / name).read_text(encoding="utf-8")
        done = self.check(self.file(text))
        self.assertEqual((done.returncode, done.stdout), (STORE_FAILED, ""), done.stderr)
        self.assertIn("0.2 seconds", done.stderr)

    def test_an_answer_by_chance(self) -> None:
        name = self.changed("conditional-update.toml", "highest = :token, payload",
                            "highest = abs(random() % 1000000), payload")
        done = self.check(name)
        self.assertEqual((done.returncode, done.stdout), (STORE_FAILED, ""), done.stderr)
        self.assertIn("was answered differently to the same statements before it", done.stderr)
        self.assertIn("a clock or a random number", done.stderr)

    def test_a_server_that_is_not_installed(self) -> None:
        for example, package in (("redis-plain-del.toml", "redis-server"),):
            shutil.copy(STORES / example, self.folder / "store.toml")
            done = self.check("store.toml", PATH="/nonexistent")
            self.assertEqual((done.returncode, done.stdout), (STORE_MISSING, ""), done.stderr)
            self.assertIn(package, done.stderr)

    def test_nobody_answers_at_the_address(self) -> None:
        for example, url in (("redis-plain-del.toml", "redis://127.0.0.1:1"),
                             ("postgresql-conditional-update.toml", "postgresql://127.0.0.1:1/none")):
            shutil.copy(STORES / example, self.folder / "store.toml")
            done = self.check("store.toml", "--engine-url", url)
            self.assertEqual((done.returncode, done.stdout), (STORE_MISSING, ""), done.stderr)
            self.assertIn("127.0.0.1", done.stderr)

    def test_a_database_of_the_users_that_is_not_empty(self) -> None:
        path = self.folder / "mine.db"
        with sqlite3.connect(path) as mine:
            mine.execute("CREATE TABLE precious (id INTEGER)")
            mine.execute("INSERT INTO precious VALUES (42)")
        mine.close()
        before = path.read_bytes()
        shutil.copy(STORES / "conditional-update.toml", self.folder / "store.toml")
        done = self.check("store.toml", "--engine-url", str(path))
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""), done.stderr)
        self.assertIn("mine.db", done.stderr)
        self.assertEqual(path.read_bytes(), before)


class Replayed(FileTest):
    def setUp(self) -> None:
        super().setUp()
        shutil.copy(STORES / "select-then-update.toml", self.folder / "store.toml")
        self.check("store.toml", "--property", "no-stale-write", "--trace", "run.json")

    def replay(self, *files: str):
        return run("replay", "run.json", *files, cwd=self.folder)

    def test_a_saved_run_is_taken_again_on_the_engine(self) -> None:
        done = self.replay("store.toml")
        self.assertEqual(done.code, VIOLATED, done)
        self.assertIn("> UPDATE account SET", done.out)
        self.assertIn("This run still breaks no-stale-write: ", done.out)

    def test_the_file_has_changed(self) -> None:
        self.changed("select-then-update.toml", "WHERE id = 1\"\non = [{ rows = 1",
                     "WHERE id = 1 AND highest <= :token\"\non = [{ rows = 0, is = \"stale\" }, { rows = 1")
        done = self.replay("store.toml")
        self.assertEqual(done.code, ALL_HOLD, done)
        self.assertIn("This run no longer breaks no-stale-write.", done.out)

    def test_the_file_is_to_be_named(self) -> None:
        done = self.replay()
        self.assertEqual(done.code, USAGE, done)
        self.assertIn("where it is a design file, name that as well: `fencecheck replay run.json FILE.toml`", done.err)
        done = self.replay(str(STORES / "sqlite-version-column.toml"))
        self.assertEqual(done.code, ALL_HOLD, "a file of another name may be a mended copy")
        self.assertIn("Not as it was saved: step 2, ", done.out)


class Emit(FileTest):
    def test_the_script_does_by_hand_what_the_run_tells(self) -> None:
        done = run("check", str(STORES / "select-then-update.toml"), "--property", "no-stale-write", "--emit-sql",
                   "run.sql", cwd=self.folder)
        self.assertEqual((done.code, done.err), (ALL_HOLD, "the run that breaks no-stale-write is in run.sql\n"))
        terminals = {}
        where = "setup"
        typed = []
        for line in (self.folder / "run.sql").read_text(encoding="utf-8").splitlines():
            if line.startswith("-- terminal "):
                where = line.removeprefix("-- terminal ")
            elif line and not line.startswith("--"):
                if where not in terminals:
                    terminals[where] = sqlite3.connect(self.folder / "by-hand.db", isolation_level=None)
                    self.addCleanup(terminals[where].close)
                terminals[where].execute(line)
                typed.append((where, line.split()[0]))
        self.assertEqual(typed, [("setup", "CREATE"), ("setup", "INSERT"), ("A", "SELECT"), ("B", "SELECT"),
                                 ("B", "UPDATE"), ("A", "UPDATE")])
        self.assertEqual(terminals["B"].execute("SELECT highest, payload FROM account").fetchall(), [(1, "v1")])

    def test_an_isolation_specification_is_of_postgresql(self) -> None:
        done = run("check", str(STORES / "select-then-update.toml"), "--emit-isolation", "run.spec", cwd=self.folder)
        self.assertEqual(done.code, USAGE)
        self.assertIn("--emit-isolation writes one counterexample of a real store: name one design file whose engine "
                      "is postgresql", done.err)
        done = run("check", str(STORES / "postgresql-read-committed.toml"), "--property", "no-stale-write",
                   "--emit-isolation", "run.spec", cwd=self.folder)
        if done.code == STORE_MISSING:
            self.skipTest("postgresql is not installed")
        spec = (self.folder / "run.spec").read_text(encoding="utf-8")
        self.assertTrue(spec.endswith("\npermutation a2 a2b b5 b5b b6 b7 a8 a9\n"), spec)
        self.assertIn("step b6 { UPDATE account SET highest = 2, payload = 'v2' WHERE id = 1; }\n", spec)
        self.assertIn("  DROP TABLE account;\n", spec)


class Conform(FileTest):
    def test_the_fenced_row_and_the_conditional_update_agree(self) -> None:
        done = run("conform", "fenced-row", str(STORES / "conditional-update.toml"), "--workers", "2", "--leases", "3")
        self.assertEqual(done.code, ALL_HOLD, done)
        self.assertIn("They agree on every transition of the model.", done.out)

    def test_late_and_repeated_requests_and_lost_replies(self) -> None:
        for model, example, faults, compared in (
                ("fenced-row", "conditional-update.toml", ("--late-requests", "1", "--duplicates", "1"), "17864"),
                ("compare-then-write", "select-then-update.toml", ("--late-requests", "1", "--lost-replies", "1"),
                 "36359")):
            done = run("conform", model, str(STORES / example), "--workers", "2", "--leases", "3", *faults)
            self.assertEqual(done.code, ALL_HOLD, done)
            self.assertIn(f" pairs of states, {compared} transitions compared", done.out)

    def test_a_store_that_does_something_else_is_shown(self) -> None:
        name = self.changed("conditional-update.toml", "highest <= :token", "highest < :token + 2")
        done = run("conform", "fenced-row", name, "--workers", "2", "--leases", "3", cwd=self.folder)
        self.assertEqual(done.code, VIOLATED, done)
        self.assertIn("They disagree: the model answers `stale`, the store `accepted`.", done.out)

    def test_programs_of_different_shapes(self) -> None:
        done = run("conform", "fenced-row", str(STORES / "select-then-update.toml"))
        self.assertEqual(done.code, USAGE, done)
        self.assertIn("the two programs have different shapes", done.err)


if __name__ == "__main__":
    main()
