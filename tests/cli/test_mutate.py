"""Mutants of designs, coverage, scenarios."""

import json

from harness import SOURCE, USAGE, CliTest, main


class Mutate(CliTest):
    def test_each_guard_and_boundary_of_a_row(self) -> None:
        out = self.succeeds("mutate", "fenced-row").out
        for mutant, caught in (
                ('"the token is not older than the highest seen" in compare and write (store) always passes',
                 "no-stale-write in 5"),
                ("compare and write (store) decides one step too early", "no-stale-write in 7"),
                ('"the lock is the caller\'s own" in release (issuer) always passes', "no-foreign-release in 5"),
                ("release (issuer) decides one step too early", "no-foreign-release in 6"),
                ("highest of the store is not remembered", "no-stale-write in 5")):
            self.assertIn(f"  {mutant}\n      caught by {caught}\n", out)
        self.assertTrue(out.endswith("\n5 mutants, 5 caught.\n"), out)

    def test_a_transaction_that_loses_a_part(self) -> None:
        self.assertIn("  acquire and register the token (issuer + store) without its part at the store\n"
                      "      caught by successor-fences-at-issue in 4\n",
                      self.succeeds("mutate", "register-with-grant").out)

    def test_a_run_of_each(self) -> None:
        out = self.succeeds("mutate", "fenced-row", "--runs").out
        self.assertEqual(out.count("\n  step  worker A"), 5)

    def test_json(self) -> None:
        report = json.loads(self.succeeds("mutate", "fenced-row", "--format", "json").out)
        self.assertEqual(report["design"], "fenced-row")
        for mutant in report["mutants"]:
            self.assertEqual(len(mutant["trace"]), min(each["trace_length"] for each in mutant["caught_by"]))

    def test_bad_input(self) -> None:
        self.refused(["mutate", "fenced-rows"], "unknown design 'fenced-rows'; did you mean 'fenced-row'?")
        self.assertEqual(self.run_in_folder("mutate").code, USAGE)


class Coverage(CliTest):
    def test_everything_is_used(self) -> None:
        out = self.run_in_folder("check", "fenced-row", "--coverage").out
        self.assertTrue(out.endswith("\ncoverage of fenced-row\n  every step happens, every condition is sometimes "
                                     "true and sometimes false\n"), out)

    def test_what_is_never_used_is_named(self) -> None:
        out = self.run_in_folder("check", "fenced-row", "--coverage", "--workers", "1", "--no-expiry").out
        self.assertIn('\n  "the token is not older than the highest seen" in compare and write (store) is never '
                      'false\n', out)
        self.assertIn('\n  "the lock is the caller\'s own" in release (issuer) is never false\n', out)

    def test_bad_input(self) -> None:
        for other in (["--format", "json"], ["--simulate", "3"]):
            self.refused(["check", "fenced-row", "--coverage", *other],
                         "--coverage is told in words, of a search: leave out --all, --simulate and --format json")


class Scenario(CliTest):
    def test_a_situation_with_its_runs(self) -> None:
        out = self.succeeds("check", "--scenario", "late-write").out
        self.assertTrue(out.startswith("late-write\n  "), out)
        self.assertRegex(out, r"(?m)^late-write: (\d+) of \1 verdicts are as the scenario says\.$")
        self.assertIn("= stale", out, "the refused write itself is the evidence")

    def test_every_design_that_is_named_exists(self) -> None:
        designs = {path.parent.name for path in (SOURCE / "designs").glob("*/expected.json")}
        for each in json.loads((SOURCE / "designs" / "scenarios.json").read_text(encoding="utf-8")):
            for claim in each["claims"]:
                self.assertIn(claim["design"], designs, each["name"])


if __name__ == "__main__":
    main()
