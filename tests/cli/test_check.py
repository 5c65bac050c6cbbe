"""`fencecheck check`: verdicts and exit codes, limits, expectations, and what must not vary."""

import os
import pty
import re
import signal
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from harness import (ALL_HOLD, BIG_SPACE, PROPERTIES, UNKNOWN, USAGE, VIOLATED, CliTest, command, main, run,
                     verdicts, without_run)


class Verdicts(CliTest):
    def test_all_hold(self) -> None:
        result = self.succeeds("check", "register-with-grant")
        for name in PROPERTIES:
            self.assertRegex(result.out, rf"(?m)^  {name} +holds; witness: \d+ steps$")
        self.assertNotIn("VIOLATED", result.out)

    def test_violated(self) -> None:
        result = self.succeeds("check", "unfenced-row", code=VIOLATED)
        self.assertRegex(result.out, r"(?m)^  no-stale-write +VIOLATED in 5 steps$")
        self.assertRegex(result.out, r"(?m)^  newest-never-rejected +holds, vacuously: its situation never arose$")
        for part in ("Why this is bad:", "The boundary that failed:", "What held:"):
            self.assertIn(part, result.out)

    def test_unknown(self) -> None:
        result = self.succeeds("check", "fenced-row", "--max-depth", "3", code=UNKNOWN)
        self.assertRegex(result.out, r"(?m)^  no-stale-write +unknown$")
        self.assertIn("NOT the whole space: stopped by max-depth.", " ".join(result.out.split()))

    def test_not_applicable_does_not_count(self) -> None:
        result = self.succeeds("check", "first-version-wins", "--property", "tokens-increase")
        self.assertIn("not applicable: it needs an issuer whose grants carry a Token", result.out)

    def test_violated_and_unknown_is_violated(self) -> None:
        self.assertEqual(set(verdicts(self.report("unfenced-row", "--stop-at-first", code=VIOLATED)).values()),
                         {"violated", "unknown"})

    def test_the_worst_of_several_designs_counts(self) -> None:
        for limit, code in ((), VIOLATED), (("--max-depth", "3"), UNKNOWN):
            result = self.succeeds("check", "register-with-grant", "unfenced-row", *limit, code=code)
            heads = [line.split(":")[0] for line in result.out.splitlines() if re.match(r"[a-z-]+: ", line)]
            self.assertEqual(heads, ["register-with-grant", "unfenced-row"])
        both = ["register-with-grant", "unfenced-row", "--property", "no-foreign-release"]
        self.assertEqual([each["design"] for each in self.report(*both)["designs"]],
                         ["register-with-grant", "unfenced-row"])

    def test_only_the_properties_asked_for_are_judged(self) -> None:
        report = self.report("fenced-row", "--property", "tokens-increase", "--property", "no-stale-write")
        self.assertEqual(verdicts(report), {"no-stale-write": "holds", "tokens-increase": "holds"})

    def test_options_may_come_before_the_design(self) -> None:
        report = self.report("--property", "no-stale-write", "--set", "check=none", "core", code=VIOLATED)
        self.assertEqual(verdicts(report), {"no-stale-write": "violated"})

    def test_witnesses_are_printed_on_demand(self) -> None:
        arguments = ["check", "fenced-row", "--property", "no-stale-write"]
        self.assertNotIn("Situation:", self.succeeds(*arguments).out)
        story = self.succeeds(*arguments, "--witness").out
        self.assertIn("no-stale-write holds; its situation, met and handled in 5 steps", story)
        self.assertIn("= stale", story)


class BoundsAndSwitches(CliTest):
    def test_bounds_are_those_of_the_design_unless_given(self) -> None:
        standard = {"workers": 3, "leases": 4, "issuer_restores": 0, "store_restores": 0, "expiry": True}
        self.assertEqual(self.report("fenced-row", code=VIOLATED)["bounds"], standard)
        given = self.report("fenced-row", "--workers", "2", "--leases", "3", "--issuer-restores", "1",
                            "--store-restores", "2", "--no-expiry", code=VIOLATED)["bounds"]
        self.assertEqual(given, {"workers": 2, "leases": 3, "issuer_restores": 1, "store_restores": 2,
                                 "expiry": False})

    def test_a_restore_of_the_lock_service_breaks_the_reference(self) -> None:
        one = ["fenced-row", "--property", "no-stale-write"]
        self.assertEqual(verdicts(self.report(*one)), {"no-stale-write": "holds"})
        self.assertEqual(verdicts(self.report(*one, "--issuer-restores", "1", code=VIOLATED)),
                         {"no-stale-write": "violated"})

    def test_without_expiry_nothing_is_late(self) -> None:
        report = self.report("unfenced-row", "--no-expiry", "--property", "no-stale-write")
        self.assertEqual((report["properties"][0]["verdict"], report["properties"][0]["vacuous"]), ("holds", True))

    def test_switches_change_the_design(self) -> None:
        for value, verdict, code in (("none", "violated", VIOLATED), ("atomic", "holds", ALL_HOLD)):
            report = self.report("core", "--set", f"check={value}", "--property", "no-stale-write", code=code)
            self.assertEqual(report["switches"]["check"], value)
            self.assertEqual(verdicts(report), {"no-stale-write": verdict})

    def test_several_switches(self) -> None:
        report = self.report("core", "--set", "stores=2", "--set", "register=yes", "--property", "no-stale-write")
        self.assertEqual(report["switches"], {"check": "atomic", "equal": "accept", "register": "yes",
                                              "release": "compare", "stores": "2"})


class Limits(CliTest):
    """A limit that was met is never a pass, and never the end of the process."""

    def stopped(self, reason: str, *limit: str) -> None:
        report = self.report(*BIG_SPACE, "--property", "no-stale-write", *limit, code=UNKNOWN)
        self.assertEqual((report["complete"], report["stopped_by"]), (False, reason))
        self.assertEqual(verdicts(report), {"no-stale-write": "unknown"})

    def test_max_states(self) -> None:
        self.stopped("max-states", "--max-states", "10000")

    def test_max_depth(self) -> None:
        self.stopped("max-depth", "--max-depth", "9")

    def test_time_limit(self) -> None:
        self.stopped("time-limit", "--time-limit", "0.3")

    def test_a_limit_that_is_just_enough(self) -> None:
        for states, complete in (("161", True), ("160", False)):
            self.assertEqual(self.report("fenced-row", "--max-states", states, code=VIOLATED)["complete"], complete)
        for depth, complete in (("13", True), ("12", False)):
            self.assertEqual(self.report("fenced-row", "--max-depth", depth, code=VIOLATED)["complete"], complete)

    def test_stop_at_first(self) -> None:
        report = self.report("fenced-row", "--stop-at-first", code=VIOLATED)
        self.assertEqual((report["complete"], report["stopped_by"]), (False, "stop-at-first"))
        self.assertEqual(verdicts(report)["successor-fences-at-issue"], "violated")

    def test_memory_limit(self) -> None:
        arguments = [*BIG_SPACE[:BIG_SPACE.index("--memory-limit")], "--memory-limit", "8M"]
        report = self.report(*arguments, "--property", "no-stale-write", code=UNKNOWN)
        self.assertEqual((report["complete"], report["stopped_by"]), (False, "memory-limit"))
        self.assertEqual(verdicts(report), {"no-stale-write": "unknown"})
        self.assertGreater(report["states"], 100_000)

    def test_all_with_a_limit_is_no_pass(self) -> None:
        result = self.run_in_folder("check", "--all", "--max-depth", "2")
        self.assertEqual(result.code, USAGE)
        self.assertIn("fenced-row: not checked to the end: stopped by max-depth", result.err)


class Expectations(CliTest):
    def test_met(self) -> None:
        self.succeeds("check", "fenced-row", "--expect", "no-stale-write=holds",
                      "--expect", "successor-fences-at-issue=violated")
        self.succeeds("check", "fenced-row", "--max-depth", "3", "--expect", "no-stale-write=unknown")

    def test_what_is_not_mentioned_does_not_count(self) -> None:
        self.succeeds("check", "unfenced-row", "--expect", "no-foreign-release=holds")

    def test_not_met(self) -> None:
        for verdict in ("violated", "unknown"):
            result = self.run_in_folder("check", "fenced-row", "--expect", f"no-stale-write={verdict}",
                                        "--expect", "tokens-increase=holds")
            self.assertEqual(result.code, USAGE)
            self.assertEqual(result.err,
                             f"fenced-row: expectation not met: no-stale-write is holds, expected {verdict}\n")

    def test_not_met_in_one_of_two_designs(self) -> None:
        result = self.run_in_folder("check", "fenced-row", "unfenced-row", "--expect", "no-stale-write=holds")
        self.assertEqual(result.code, USAGE)
        self.assertEqual(result.err,
                         "unfenced-row: expectation not met: no-stale-write is violated, expected holds\n")

    def test_not_applicable_is_not_holds(self) -> None:
        result = self.run_in_folder("check", "first-version-wins", "--expect", "tokens-increase=holds")
        self.assertEqual(result.code, USAGE)
        self.assertEqual(result.err, "first-version-wins: expectation not met: tokens-increase is not-applicable, "
                                     "expected holds\n")


class Determinism(CliTest):
    def test_threads_do_not_show(self) -> None:
        for design in ("read-compare-delete", "issuer-resumes-above-seen"):
            one, two = (self.report(design, "--threads", n, code=VIOLATED) for n in ("1", "2"))
            self.assertEqual((one["run"]["threads"], two["run"]["threads"]), (1, 2))
            self.assertEqual(without_run(one), without_run(two))

    def test_the_bytes_are_the_same_but_for_the_run(self) -> None:
        def text(threads: str) -> str:
            arguments = ["check", "compare-then-write", "--format", "json", "--threads", threads]
            return self.succeeds(*arguments, code=VIOLATED).out
        first, second = (text(n).partition('  "run": {')[0] for n in ("1", "2"))
        self.assertTrue(first.startswith('{\n  "design"'))
        self.assertEqual(first, second)

    def test_symmetry_shows_only_in_the_counts(self) -> None:
        for design in ("read-compare-delete", "issuer-resumes-above-seen"):
            on, off = (self.report(design, "--symmetry", s, code=VIOLATED) for s in ("on", "off"))
            differing = {name for name in on if on[name] != off[name]} - {"run"}
            self.assertEqual(differing, {"symmetry", "states", "transitions", "actions"})
            self.assertLess(on["states"], off["states"])
            self.assertEqual((off["states"], off["transitions"]), (on["full_states"], on["full_transitions"]))

    def test_the_text_is_the_same(self) -> None:
        self.assertEqual(self.succeeds("check", "fixed-path-file", "--witness", "--threads", "1", code=VIOLATED).out,
                         self.succeeds("check", "fixed-path-file", "--witness", "--threads", "2", code=VIOLATED).out)


class RandomWalks(CliTest):
    def walk(self, seed: str, *more: str) -> dict:
        return self.report("core", "--simulate", "200", "--seed", seed, *more, code=VIOLATED)

    def test_the_seed_decides(self) -> None:
        self.assertEqual(without_run(self.walk("7")), without_run(self.walk("7", "--threads", "1")))
        self.assertNotEqual(self.walk("7")["actions"], self.walk("8")["actions"])

    def test_the_report(self) -> None:
        report = self.walk("7")
        self.assertEqual((report["simulation"]["walks"], report["simulation"]["seed"]), (200, 7))
        self.assertGreater(report["simulation"]["steps"], 200)
        self.assertEqual((report["complete"], report["states"], report["full_states"]), (False, 0, 0))

    def test_walks_never_show_that_a_property_holds(self) -> None:
        report = self.report("register-with-grant", "--simulate", "50", code=UNKNOWN)
        self.assertEqual(set(verdicts(report).values()), {"unknown"})
        text = self.succeeds("check", "register-with-grant", "--simulate", "50", code=UNKNOWN).out
        self.assertIn("Walks are samples: they can find a violation, and never show that there is none.",
                      " ".join(text.split()))

    def test_a_violation_is_found_and_told(self) -> None:
        text = self.succeeds("check", "core", "--simulate", "200", "--seed", "7", code=VIOLATED).out
        self.assertIn("successor-fences-at-issue is violated", text)


class StandardStreams(CliTest):
    """Progress, colour, and outputs that end or are full."""

    def test_colour(self) -> None:
        one = ["check", "unfenced-row", "--property", "no-stale-write"]
        plain = self.succeeds(*one, code=VIOLATED).out
        self.assertEqual(self.succeeds(*one, "--color", "never", code=VIOLATED).out, plain)
        coloured = self.succeeds(*one, "--color", "always", code=VIOLATED).out
        self.assertIn("\x1b[1;31m", coloured)
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", coloured), plain)

    def test_progress(self) -> None:
        """Three searches at once, each long enough for progress, which is told from the second second on."""
        arguments = ["check", *BIG_SPACE, "--time-limit", "2.7", "--property", "no-stale-write", "--threads", "1"]
        with ThreadPoolExecutor() as pool:
            always, never, auto = pool.map(lambda more: self.run_in_folder(*arguments, *more),
                                           (["--progress", "always"], ["--progress", "never"], []))
        self.assertEqual([each.code for each in (always, never, auto)], [UNKNOWN] * 3)
        for line in always.err.splitlines():
            self.assertRegex(line, r"^core: depth \d+, \d+\.\d M states \(\d+\.\d M to expand at this depth\), "
                                   r"\d+\.\d M states/s, \d s$")
        self.assertNotEqual(always.err, "")
        self.assertEqual((never.err, auto.err), ("", ""))  # auto, and standard error is no terminal

    def test_on_a_terminal(self) -> None:
        """`auto` is on there: colour on standard output, one line of progress that is wiped away in the end."""
        terminal, other_end = pty.openpty()
        try:
            process = subprocess.Popen([command(), "check", *BIG_SPACE, "--time-limit", "2.6", "--property",
                                        "no-stale-write"], stdin=subprocess.DEVNULL, stdout=other_end,
                                       stderr=other_end)
            os.close(other_end)
            shown = b""
            try:
                while piece := os.read(terminal, 4096):
                    shown += piece
            except OSError:  # how Linux says that the other end is closed
                pass
            self.assertEqual(process.wait(60), UNKNOWN)
        finally:
            os.close(terminal)
        progress, _, rest = shown.decode().partition("\x1b[1mcore\x1b[0m")
        self.assertRegex(progress, r"^(\r\x1b\[Kcore: depth \d+, .*, 2 s)+\r\x1b\[K$")
        self.assertIn("\x1b[1munknown\x1b[0m", rest)

    def test_a_reader_that_goes_away(self) -> None:
        for arguments in (["list"], ["check", "--all"], ["check", "unfenced-row"], ["--help"]):
            reader, writer = os.pipe()
            os.close(reader)
            with open(writer, "wb") as output:
                for ignored in (False, True):  # Python ignores the signal, and hands that down where it is told to
                    done = subprocess.run([command(), *arguments], stdin=subprocess.DEVNULL, stdout=output,
                                          stderr=subprocess.PIPE, restore_signals=not ignored, encoding="utf-8")
                    if ignored:
                        self.assertEqual(done.returncode, USAGE)
                        self.assertRegex(done.stderr, r"^fencecheck: cannot write to standard output(: .*)?\n$")
                    else:
                        self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_a_full_disk(self) -> None:
        for arguments in (["list"], ["explain", "no-stale-write"], ["check", "unfenced-row", "--format", "json"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([command(), *arguments], stdin=subprocess.DEVNULL, stdout=full,
                                      stderr=subprocess.PIPE, encoding="utf-8")
            self.assertEqual(done.returncode, USAGE)
            self.assertRegex(done.stderr, r"^fencecheck: cannot write to standard output: .*No space left on device\n$")


class Help(CliTest):
    def test_every_command_has_its_help(self) -> None:
        overview = self.succeeds("--help").out
        for name in ("list", "show", "check", "replay", "explain", "init"):
            self.assertRegex(overview, rf"(?m)^  {name} ")
            self.assertIn(f"Usage: fencecheck {name}", self.succeeds(name, "--help").out)
        for code in ("0 all hold", "12 a property", "2 unknown", "1 a mistake", "70 a mistake"):
            self.assertIn(code, " ".join(overview.split()))

    def test_every_option_of_check_is_in_its_help(self) -> None:
        text = self.succeeds("check", "--help").out
        options = ["workers", "leases", "issuer-restores", "store-restores", "no-expiry", "set", "property",
                   "symmetry", "threads", "stop-at-first", "max-states", "max-depth", "time-limit", "memory-limit",
                   "simulate", "seed", "format", "junit", "trace", "witness", "expect", "progress", "color", "all"]
        for option in options:
            self.assertRegex(text, rf"(?m)^  --{option}\b")

    def test_the_examples_work(self) -> None:
        examples = re.findall(r"(?m)^  fencecheck (.*)$", self.succeeds("--help").out)
        self.assertGreaterEqual(len(examples), 5)
        for line in examples:
            result = self.run_in_folder(*line.split())
            self.assertIn(result.code, (ALL_HOLD, VIOLATED), str(result))

    def test_the_version(self) -> None:
        self.assertRegex(self.succeeds("--version").out, r"^fencecheck \d+\.\d+\.\d+\n$")

    def test_it_does_not_matter_where_it_is_called_from(self) -> None:
        self.assertEqual(run("list", cwd=self.folder).out, run("list").out)


if __name__ == "__main__":
    main()
