"""Mistakes on the command line: what is wrong, what would be right, exit code 1, and nothing searched or written."""

import os
import subprocess
import unittest

from harness import BIG_SPACE, PROPERTIES, UNKNOWN, USAGE, CliTest, command, main, run

COMMANDS = "list, show, check, mutate, matrix, conform, replay, explain, init"
FORM = "it must have the form NAME=VALUE"
SIZE = "not a size; a size is a number of bytes, or one with K, M or G, such as 512M"
VERDICTS = "is no verdict; there are holds, violated and unknown"


class Commands(CliTest):
    def test_no_command(self) -> None:
        self.refused([], f"a command is missing; there are: {COMMANDS} (`fencecheck --help`)")

    def test_unknown_command(self) -> None:
        self.refused(["chek"], "unknown command 'chek'; did you mean 'check'?")
        self.refused(["simulate"],
                     f"unknown command 'simulate'; there are: {COMMANDS}")

    def test_unknown_option(self) -> None:
        self.refused(["--verbose"], "unknown option '--verbose' (`fencecheck --help`)")
        self.refused(["check", "fenced-row", "--forma", "json"],
                     "unknown option '--forma'; did you mean '--format'? (`fencecheck check --help`)")
        self.refused(["check", "fenced-row", "--worker=2"],
                     "unknown option '--worker=2'; did you mean '--workers'? (`fencecheck check --help`)")

    def test_what_is_missing(self) -> None:
        for name, what in (("show", "DESIGN"), ("replay", "FILE"), ("explain", "PROPERTY"), ("init", "DIR")):
            self.refused([name], f"{what} is required (`fencecheck {name} --help`)")
        self.refused(["check", "fenced-row", "--junit"],
                     "--junit: 1 required FILE missing (`fencecheck check --help`)")

    def test_one_too_many(self) -> None:
        self.refused(["list", "designs", "all"], "list: 'all' is one argument too many (`fencecheck list --help`)")
        self.refused(["show", "core", "fenced-row"],
                     "show: 'fenced-row' is one argument too many (`fencecheck show --help`)")

    def test_given_twice(self) -> None:
        self.refused(["check", "fenced-row", "--workers", "2", "--workers", "3"],
                     "--workers: At Most 1 required but received 2 (`fencecheck check --help`)")

    def test_words_that_are_none_of_those_there_are(self) -> None:
        for option, values in (("--format", "text,json"), ("--symmetry", "on,off"),
                               ("--progress", "auto,always,never"), ("--color", "auto,always,never")):
            result = run("check", "fenced-row", option, "sometimes", cwd=self.folder)
            self.assertEqual((result.code, result.out), (1, ""))
            self.assertEqual(result.err, f"fencecheck: {option}: sometimes not in {{{values}}} "
                                         "(`fencecheck check --help`)\n")


class Names(CliTest):
    """Unknown designs and properties: the nearest name, or all there are."""

    def test_design(self) -> None:
        for name in ("check", "show"):
            self.refused([name, "fence-row"], "unknown design 'fence-row'; did you mean 'fenced-row'?")
            self.refused([name, "Fenced-Row"], "unknown design 'Fenced-Row'; did you mean 'fenced-row'?")
            self.refused([name, "fixed"], "unknown design 'fixed'; did you mean 'fixed-path-file'?")
        result = self.run_in_folder("check", "a-design-that-nobody-wrote")
        self.assertRegex(result.err, r"^fencecheck: unknown design 'a-design-that-nobody-wrote'; there are: "
                                     r"[a-z, -]*\bfenced-row\b[a-z, -]*\n$")

    def test_the_second_of_two_designs(self) -> None:
        self.refused(["check", "fenced-row", "unfenced"], "unknown design 'unfenced'; did you mean 'unfenced-row'?")

    def test_no_design(self) -> None:
        self.refused(["check"], "check: which design? Name one or more, or say --all; `fencecheck list` names them")
        self.refused(["check", ""], "unknown design ''; there are: " + ", ".join(self.designs()))

    def designs(self) -> list[str]:
        listed = self.succeeds("list").out.partition("\n\n")[0].splitlines()[1:]
        return [line.split()[0] for line in listed]

    def test_property(self) -> None:
        meant = "unknown property 'no-stale-writes'; did you mean 'no-stale-write'?"
        self.refused(["explain", "no-stale-writes"], meant)
        self.refused(["check", "fenced-row", "--property", "no-stale-writes"], f"--property: {meant}")
        self.refused(["check", "fenced-row", "--expect", "no-stale-writes=holds"], f"--expect: {meant}")
        self.refused(["explain", "liveness"],
                     "unknown property 'liveness'; there are: " + ", ".join(self.listed_properties()))

    def listed_properties(self) -> list[str]:
        listed = self.succeeds("list").out.split("\n\n")[1].splitlines()[1:]
        return [line.split()[0] for line in listed]

    def test_scenario(self) -> None:
        self.refused(["check", "--scenario", "late-writes"],
                     "unknown scenario 'late-writes'; did you mean 'late-write'?")
        self.refused(["check", "--scenario", ""], "--scenario '': NAME is empty")
        for other in (["--all"], ["fenced-row"], ["--workers", "2"], ["--simulate", "3"], ["--format", "json"],
                      ["--expect", "no-stale-write=holds"], ["--property", "no-stale-write"], ["--trace", "run.json"]):
            self.refused(["check", "--scenario", "late-write", *other],
                         "--scenario says itself which designs are checked, within which bounds, and what is "
                         "expected: leave out designs, --all, --property, --expect, --simulate, other bounds and "
                         "other outputs")


class Bounds(CliTest):
    RANGES = {"--workers": (1, 6), "--leases": (1, 15), "--issuer-restores": (0, 15), "--store-restores": (0, 15),
              "--crashes": (0, 15), "--lost-replies": (0, 15), "--late-requests": (0, 3), "--duplicates": (0, 3),
              "--lock-losses": (0, 15), "--outages": (0, 15)}

    def test_out_of_range(self) -> None:
        for option, (least, most) in self.RANGES.items():
            for value in (least - 1, most + 1, -1, 1000):
                self.refused(["check", "fenced-row", option, str(value)],
                             f"{option} is {value}; it must be {least} to {most}")

    def test_the_ends_of_the_range_are_taken(self) -> None:
        for option, ends in self.RANGES.items():
            for value in ends:
                report = self.run_in_folder("check", "fenced-row", option, str(value), "--max-depth", "2",
                                            "--format", "json").json()
                self.assertEqual(report["bounds"].get(option[2:].replace("-", "_"), 0), value)

    def test_a_fault_that_cannot_happen(self) -> None:
        for option, noun in (("--stale-reads", "stale read"), ("--cleanups", "cleanup"),
                             ("--node-losses", "node loss"), ("--clock-drifts", "clock drift"),
                             ("--forged-tokens", "forged token")):
            self.refused(["check", "fenced-row", option, "1"],
                         f"{option} is 1: a {noun} cannot happen to fenced-row")

    def test_more_requests_under_way_than_there_is_room_for(self) -> None:
        self.refused(["check", "fenced-row", "--late-requests", "2", "--duplicates", "2"],
                     "--late-requests and --duplicates together is 4; it must be 0 to 3")

    def test_no_number(self) -> None:
        for option, (least, most) in self.RANGES.items():
            for value in ("x", "3.5", "1e1", "0x3", "2 ", "99999999999999999999"):
                self.refused(["check", "fenced-row", option, value],
                             f"{option} {value}: it must be a whole number, {least} to {most}")
            self.refused(["check", "fenced-row", option, ""],
                         f"{option} '': it must be a whole number, {least} to {most}")

    def test_leading_zeros_do_not_make_it_octal(self) -> None:
        report = self.run_in_folder("check", "fenced-row", "--leases", "010", "--max-depth", "1",
                                    "--format", "json").json()
        self.assertEqual(report["bounds"]["leases"], 10)


class Switches(CliTest):
    def test_form(self) -> None:
        for text in ("stores", "=2", "stores=", "="):
            for name in ("check", "show"):
                self.refused([name, "core", "--set", text], f"--set {text}: {FORM}")

    def test_unknown_switch(self) -> None:
        for name in ("check", "show"):
            self.refused([name, "core", "--set", "store=2"], "--set store=2: the design core has no switch 'store'; "
                                                             "it has stores, check, equal, release, register")
            self.refused([name, "fenced-row", "--set", "stores=2"],
                         "--set stores=2: the design fenced-row has no switches")

    def test_unknown_value(self) -> None:
        for name in ("check", "show"):
            self.refused([name, "core", "--set", "stores=5"],
                         "--set stores=5: '5' is not a value of stores; its values are 1, 2, 3, 4")
            self.refused([name, "core", "--set", "check=late"],
                         "--set check=late: 'late' is not a value of check; its values are none, lease, separate, "
                         "atomic")

    def test_a_switch_that_only_the_first_of_two_designs_has(self) -> None:
        self.refused(["check", "core", "fenced-row", "--set", "stores=2", "--junit", "out.xml"],
                     "--set stores=2: the design fenced-row has no switches")


class Limits(CliTest):
    def test_too_small(self) -> None:
        for option, value, right in (("--max-states", "0", "1 or more"), ("--max-depth", "0", "1 or more"),
                                     ("--max-depth", "-3", "1 or more"), ("--threads", "0", "1 to 64"),
                                     ("--threads", "65", "1 to 64"), ("--simulate", "0", "1 walk or more"),
                                     ("--time-limit", "0", "more than 0 seconds"),
                                     ("--time-limit", "-1", "more than 0 seconds")):
            self.refused(["check", "fenced-row", option, value], f"{option} is {value}; it must be {right}")

    def test_no_number(self) -> None:
        more = "a whole number, 1 or more"
        for option, right in (("--max-states", more), ("--max-depth", more), ("--simulate", more),
                              ("--seed", "a whole number, 0 or more"), ("--threads", "a whole number, 1 to 64"),
                              ("--time-limit", "a number of seconds, more than 0")):
            self.refused(["check", "fenced-row", option, "many"], f"{option} many: it must be {right}")
            self.refused(["check", "fenced-row", option, ""], f"{option} '': it must be {right}")

    def test_a_sign_is_not_dropped(self) -> None:
        for option in ("--max-states", "--simulate"):
            self.refused(["check", "fenced-row", option, "-1"], f"{option} -1: it must be a whole number, 1 or more")
        self.refused(["check", "fenced-row", "--simulate", "1", "--seed", "-1"],
                     "--seed -1: it must be a whole number, 0 or more")

    def test_time_without_end(self) -> None:
        for value in ("nan", "inf"):
            self.refused(["check", "fenced-row", "--time-limit", value],
                         f"--time-limit {value}: it must be a number of seconds, more than 0")

    def test_memory_limit_is_no_size(self) -> None:
        for value in ("0", "many", "-1", "1.5G", "512MB", "12X", "M"):
            self.refused(["check", "fenced-row", "--memory-limit", value], f"--memory-limit {value}: {SIZE}")
        self.refused(["check", "fenced-row", "--memory-limit", ""], "--memory-limit '': SIZE is empty")
        self.refused(["check", "fenced-row", "--memory-limit", "99999999999G"],
                     "--memory-limit 99999999999G: more memory than a 64-bit machine can have")

    def test_memory_limit_below_what_a_search_needs(self) -> None:
        result = self.run_in_folder("check", "fenced-row", "--memory-limit", "1K", "--junit", "out.xml")
        self.assertEqual((result.code, result.out), (1, ""))
        self.assertRegex(result.err, r"^fencecheck: --memory-limit: .*at least \d+ bytes are needed\n$")
        self.assertEqual(self.files(), {})
        least = result.err.split()[-4]
        enough = self.run_in_folder("check", "fenced-row", "--memory-limit", least)
        self.assertEqual((enough.code, enough.err), (UNKNOWN, ""))
        self.assertIn("stopped by memory-limit", " ".join(enough.out.split()))

    def test_options_that_do_not_go_together(self) -> None:
        self.refused(["check", "fenced-row", "--seed", "4"],
                     "--seed is for random walks: say --simulate N too, or leave it out")
        for option in (["--max-states", "5"], ["--memory-limit", "1G"], ["--stop-at-first"]):
            self.refused(["check", "fenced-row", "--simulate", "4", *option],
                         f"--simulate takes random walks and no search: leave out {option[0]} (walks have --max-depth "
                         "and --time-limit)")


class Expectations(CliTest):
    def test_form(self) -> None:
        for text in ("no-stale-write", "no-stale-write=", "=holds"):
            self.refused(["check", "fenced-row", "--expect", text], f"--expect {text}: {FORM}")

    def test_no_verdict(self) -> None:
        for word in ("hold", "not-applicable", "12"):
            self.refused(["check", "fenced-row", "--expect", f"no-stale-write={word}"],
                         f"--expect no-stale-write={word}: '{word}' {VERDICTS}")

    def test_a_property_that_is_not_judged(self) -> None:
        self.refused(["check", "fenced-row", "--property", "tokens-increase", "--expect", "no-stale-write=holds"],
                     "--expect no-stale-write: it is not among the properties chosen with --property")


class All(CliTest):
    def test_all_or_some(self) -> None:
        self.refused(["check", "--all", "fenced-row"], "check: name designs, or say --all, not both")

    def test_all_within_their_own_bounds(self) -> None:
        for option in (["--workers", "2"], ["--leases", "2"], ["--issuer-restores", "1"], ["--store-restores", "1"],
                       ["--crashes", "1"], ["--no-expiry"], ["--set", "stores=2"], ["--simulate", "3"],
                       ["--expect", "no-stale-write=holds"]):
            self.refused(["check", "--all", *option],
                         "check --all compares every design with its expected verdicts, within their bounds: leave "
                         "out the options that change bounds, switches or expectations, or name the designs")

    def test_one_trace_is_of_one_design(self) -> None:
        for designs in (["--all"], ["fenced-row", "core"]):
            self.refused(["check", *designs, "--trace", "run.json"],
                         "--trace saves one counterexample: name one design")


class Outputs(CliTest):
    """Whether an output can be written is tried before a search that takes forever is begun."""

    def test_no_name(self) -> None:
        for option in ("--junit", "--trace"):
            self.refused(["check", *BIG_SPACE, option, ""], f"{option} '': FILE is empty")

    def test_no_such_folder(self) -> None:
        for option in ("--junit", "--trace"):
            self.refused(["check", *BIG_SPACE, option, "missing/out"],
                         "cannot write 'missing/out': No such file or directory")

    def test_a_file_in_place_of_a_folder(self) -> None:
        (self.folder / "file").write_text("kept", encoding="utf-8")
        for option in ("--junit", "--trace"):
            self.refused(["check", *BIG_SPACE, option, "file/out"], "cannot write 'file/out': Not a directory")

    def test_a_folder(self) -> None:
        for option in ("--junit", "--trace"):
            self.refused(["check", *BIG_SPACE, option, "."], "cannot write '.': Is a directory")

    def test_a_link_to_itself(self) -> None:
        (self.folder / "loop").symlink_to("loop")
        for option in ("--junit", "--trace"):
            result = self.run_in_folder("check", *BIG_SPACE, option, "loop")
            self.assertEqual((result.code, result.out, result.err),
                             (1, "", "fencecheck: cannot write 'loop': Too many levels of symbolic links\n"))

    def test_both_in_one_file(self) -> None:
        self.refused(["check", *BIG_SPACE, "--junit", "out", "--trace", "out"],
                     "--junit and --trace are both out: one would overwrite the other")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full here")
    def test_a_full_disk(self) -> None:
        result = self.run_in_folder("check", "fenced-row", "--junit", "/dev/full")
        self.assertEqual(result.code, 1)
        self.assertEqual(result.err, "fencecheck: cannot write '/dev/full': No space left on device\n")


class Permissions(CliTest):
    """What the user may not write. Root may write everything, so it becomes nobody for this."""

    def refused_unprivileged(self, arguments: list[str], message: str) -> None:
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = subprocess.run([command(), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, encoding="utf-8", **other)
        except PermissionError as error:
            self.skipTest(f"nobody cannot run the command here: {error}")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (USAGE, "", f"fencecheck: {message}\n"))

    def setUp(self) -> None:
        super().setUp()
        self.folder.chmod(0o777)

    def test_a_closed_folder(self) -> None:
        (self.folder / "closed").mkdir(mode=0o555)
        for option in ("--junit", "--trace"):
            self.refused_unprivileged(["check", *BIG_SPACE, option, "closed/out"],
                                      "cannot write 'closed/out': Permission denied")
        self.refused_unprivileged(["init", "closed/new"],
                                  "init closed/new: cannot make the folder: Permission denied")

    def test_a_file_that_must_stay_as_it_is(self) -> None:
        kept = self.folder / "kept"
        kept.write_text("kept", encoding="utf-8")
        kept.chmod(0o444)
        for option in ("--junit", "--trace"):
            self.refused_unprivileged(["check", *BIG_SPACE, option, "kept"], "cannot write 'kept': Permission denied")
        self.assertEqual(kept.read_text(encoding="utf-8"), "kept")

    def test_a_trace_that_must_not_be_read(self) -> None:
        (self.folder / "secret").write_text("{}", encoding="utf-8")
        (self.folder / "secret").chmod(0)
        self.refused_unprivileged(["replay", "secret"], "cannot read 'secret': Permission denied")


if __name__ == "__main__":
    main()
