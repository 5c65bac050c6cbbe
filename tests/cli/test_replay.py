"""Trace files: `check --trace` and `replay`."""

import json
from collections.abc import Callable
from typing import Any

from harness import ALL_HOLD, LIVENESS_VIOLATED, USAGE, VIOLATED, CliTest, digest, main

UNFENCED = ["check", "unfenced-row", "--property", "no-stale-write", "--trace", "run.json"]


class Replay(CliTest):
    def save(self, *arguments: str, code: int = VIOLATED) -> Any:
        """Saves the counterexample of a check, and gives the file's content."""
        result = self.run_in_folder("check", *arguments, "--trace", "run.json")
        self.assertEqual(result.code, code, str(result))
        return json.loads((self.folder / "run.json").read_text(encoding="utf-8"))

    def test_what_is_saved(self) -> None:
        saved = self.save("unfenced-row")
        report = self.report("unfenced-row", code=VIOLATED)
        self.assertEqual(list(saved), ["format", "version", "design", "bounds", "switches", "property", "steps",
                                       "digest"])
        self.assertEqual((saved["format"], saved["version"]), ("fencecheck-trace", 1))
        self.assertEqual((saved["design"], saved["bounds"], saved["switches"]),
                         (report["design"], report["bounds"], report["switches"]))
        self.assertEqual((saved["property"], saved["steps"]), ("no-stale-write", report["properties"][0]["trace"]))

    def test_the_command_says_what_it_saved(self) -> None:
        result = self.run_in_folder(*UNFENCED)
        self.assertEqual(result.err,
                         "the run that breaks no-stale-write is saved; `fencecheck replay run.json` takes it again\n")

    def test_it_still_breaks_its_property(self) -> None:
        self.save("unfenced-row")
        result = self.succeeds("replay", "run.json", code=VIOLATED)
        self.assertIn("unfenced-row: no-stale-write within 3 workers, 4 leases, leases may expire", result.out)
        self.assertIn("  5 !!  write", result.out)
        self.assertTrue(result.out.endswith(
            "This run still breaks no-stale-write: The store accepted A's write under A#1, although it had accepted "
            "one under the newer B#2 in step 4.\n"))
        self.assertNotIn("Not as it was saved", result.out)

    def test_every_counterexample_of_the_catalogue(self) -> None:
        count = 0
        for report in self.report("--all")["designs"]:
            for each in report["properties"]:
                if each["verdict"] != "violated":
                    continue
                with self.subTest(design=report["design"], property=each["name"]):
                    of_liveness = each["name"] in ("lock-becomes-free", "settles-in-the-end")
                    self.save(report["design"], "--property", each["name"],
                              code=LIVENESS_VIOLATED if of_liveness else VIOLATED)
                    result = self.succeeds("replay", "run.json", code=VIOLATED)
                    self.assertIn(f"This run still breaks {each['name']}: {each['why_bad']}", result.out)
                    self.assertNotIn("Not as it was saved", result.out)
                    count += 1
        self.assertGreater(count, 20)

    def test_switches_and_bounds_are_kept(self) -> None:
        saved = self.save("core", "--set", "check=lease", "--set", "stores=2", "--workers", "2",
                          "--property", "no-stale-write")
        self.assertEqual((saved["switches"]["check"], saved["bounds"]["workers"]), ("lease", 2))
        self.assertIn("core: no-stale-write within 2 workers", self.succeeds("replay", "run.json", code=VIOLATED).out)

    def test_symmetry_and_threads_do_not_show(self) -> None:
        files = []
        for options in (["--symmetry", "on", "--threads", "2"], ["--symmetry", "off", "--threads", "1"]):
            self.save("issuer-restored-as-is", "--property", "newest-never-rejected", *options)
            files.append((self.folder / "run.json").read_text(encoding="utf-8"))
        self.assertEqual(files[0], files[1])

    def test_a_random_walk(self) -> None:
        self.save("core", "--simulate", "100")
        self.succeeds("replay", "run.json", code=VIOLATED)

    def test_without_a_counterexample_nothing_is_written(self) -> None:
        (self.folder / "run.json").write_text("old", encoding="utf-8")
        result = self.run_in_folder("check", "register-with-grant", "--trace", "run.json")
        self.assertEqual((result.code, result.err),
                         (ALL_HOLD, "no counterexample, so run.json was not written\n"))
        self.assertEqual(self.files(), {"run.json": "old"})

    def test_colour(self) -> None:
        self.save("unfenced-row")
        self.assertIn("\x1b[1;31m", self.succeeds("replay", "run.json", "--color", "always", code=VIOLATED).out)


class BadFiles(CliTest):
    """What cannot be taken again is refused: with the file's name, what is wrong with it, and exit code 1."""

    def setUp(self) -> None:
        super().setUp()
        self.assertEqual(self.run_in_folder(*UNFENCED).code, VIOLATED)
        self.good = (self.folder / "run.json").read_text(encoding="utf-8")

    def refused_file(self, content: str | bytes, message: str) -> None:
        file = self.folder / "bad.json"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        result = self.run_in_folder("replay", "bad.json")
        self.assertEqual((result.code, result.out), (USAGE, ""), str(result))
        self.assertEqual(result.err, f"fencecheck: bad.json: {message}\n")

    def forged(self, change: Callable[[Any], Any]) -> str:
        """The good file with a change and a digest that fits it, as no user would make it."""
        trace = json.loads(self.good)
        del trace["digest"]
        change(trace)
        return json.dumps({**trace, "digest": digest(trace)})

    def test_the_digest_is_the_documented_one(self) -> None:
        trace = json.loads(self.good)
        self.assertEqual(trace.pop("digest"), digest(trace))

    def test_missing(self) -> None:
        self.refused(["replay", "nothing.json"], "cannot read 'nothing.json': No such file or directory")

    def test_a_folder(self) -> None:
        self.refused(["replay", "."], "cannot read '.': Is a directory")

    def test_empty(self) -> None:
        self.refused_file("", "cut off, or not a trace file: its JSON breaks off at line 1, column 1")

    def test_cut_off_anywhere(self) -> None:
        for length in (1, 2, 100, len(self.good) // 2, len(self.good) - 3):
            (self.folder / "bad.json").write_text(self.good[:length], encoding="utf-8")
            result = self.run_in_folder("replay", "bad.json")
            self.assertEqual((result.code, result.out), (USAGE, ""))
            self.assertRegex(result.err, r"^fencecheck: bad\.json: cut off, or not a trace file: its JSON breaks off "
                                         r"at line \d+, column \d+\n$")

    def test_not_json(self) -> None:
        for content in (b"hello\n", b"\x00\xff\xfe binary", b"<xml/>"):
            self.refused_file(content, "cut off, or not a trace file: its JSON breaks off at line 1, column 1")

    def test_another_json_file(self) -> None:
        message = "not a trace file: those are written by `fencecheck check DESIGN --trace FILE`"
        for content in ("{}", "[]", "3", '{"format": 5}', '{"format": "something-else", "version": 1}',
                        self.succeeds("check", "fenced-row", "--format", "json", code=VIOLATED).out):
            self.refused_file(content, message)

    def test_nested_without_end(self) -> None:
        self.refused_file("[" * 100_000, "not a trace file: it is nested too deeply")

    def test_another_version(self) -> None:
        for version in ("2", '"x"', "null", "1.5"):
            self.refused_file(self.good.replace('"version": 1', f'"version": {version}'),
                              f"a trace file of version {version}; this command reads version 1")

    def test_edited(self) -> None:
        for right, wrong in (('"token": 2', '"token": 3'), ('"workers": 3', '"workers": 2'),
                             ('"unfenced-row"', '"fenced-row"'), ('"no-stale-write"', '"tokens-increase"')):
            self.assertIn(right, self.good)
            self.refused_file(self.good.replace(right, wrong, 1),
                              "the file was edited or damaged since it was written (its digest does not fit); save the "
                              "trace anew")

    def test_a_digest_of_another_kind(self) -> None:
        trace = json.loads(self.good)
        for value in (7, None, "", {}):
            self.refused_file(json.dumps({**trace, "digest": value}),
                              "the file was edited or damaged since it was written (its digest does not fit); save the "
                              "trace anew")

    def test_another_layout_is_no_edit(self) -> None:
        (self.folder / "flat.json").write_text(json.dumps(json.loads(self.good)), encoding="utf-8")
        self.succeeds("replay", "flat.json", code=VIOLATED)

    def test_a_design_that_is_not_here(self) -> None:
        self.refused_file(self.forged(lambda trace: trace.update(design="my-store")),
                          "a trace of the design 'my-store', which this command does not have (`fencecheck list`); "
                          "where it is a design file, name that as well: `fencecheck replay bad.json FILE.toml`")

    def test_what_the_design_does_not_have(self) -> None:
        for change, message in (
                (lambda trace: trace.update(property="no-loss"),
                 "the design unfenced-row has no property 'no-loss' any more"),
                (lambda trace: trace.update(switches={"stores": "2"}),
                 "--set stores=2: the design unfenced-row has no switches"),
                (lambda trace: trace["bounds"].update(workers=9), "--workers is 9; it must be 1 to 6")):
            self.refused_file(self.forged(change), f"it cannot be taken again: {message}")

    def test_members_that_are_missing_or_of_another_kind(self) -> None:
        for change in (lambda trace: trace.pop("steps"), lambda trace: trace.update(steps=5),
                       lambda trace: trace.update(steps=[5]), lambda trace: trace.update(steps=[{}]),
                       lambda trace: trace.pop("design"), lambda trace: trace.update(design=5),
                       lambda trace: trace.pop("property"), lambda trace: trace.update(switches={"a": 3}),
                       lambda trace: trace.update(switches=[]), lambda trace: trace.update(bounds=3),
                       lambda trace: trace["bounds"].pop("leases"), lambda trace: trace["bounds"].update(workers=2.5),
                       lambda trace: trace["bounds"].update(expiry="yes"),
                       lambda trace: trace["steps"][0].pop("worker"),
                       lambda trace: trace["steps"][0].update(action=7)):
            (self.folder / "bad.json").write_text(self.forged(change), encoding="utf-8")
            result = self.run_in_folder("replay", "bad.json")
            self.assertEqual((result.code, result.out), (USAGE, ""), str(result))
            self.assertRegex(result.err, r"^fencecheck: bad\.json: (not a whole trace file|bounds): ")


class Changed(CliTest):
    """A run that was saved of a design as it was, taken again with the design as it is now. Changing the file and its
    digest stands for changing the design."""

    def replay(self, change: Callable[[Any], Any], code: int) -> str:
        self.assertEqual(self.run_in_folder(*UNFENCED).code, VIOLATED)
        file = self.folder / "run.json"
        trace = json.loads(file.read_text(encoding="utf-8"))
        del trace["digest"]
        change(trace)
        file.write_text(json.dumps({**trace, "digest": digest(trace)}), encoding="utf-8")
        return self.succeeds("replay", "run.json", code=code).out

    def test_mended(self) -> None:
        out = self.replay(lambda trace: trace.update(design="fenced-row"), ALL_HOLD)
        self.assertIn('Not as it was saved: step 4, "write" by worker B, is not possible any more\n', out)
        self.assertTrue(out.endswith("This run no longer breaks no-stale-write.\n"))

    def test_different_and_still_broken(self) -> None:
        out = self.replay(lambda trace: trace["steps"][2].update(token=9), VIOLATED)
        self.assertIn("Not as it was saved: step 3: token: was 9, is now 2\n", out)
        self.assertIn("This run still breaks no-stale-write: ", out)

    def test_a_fault_that_cannot_happen_any_more(self) -> None:
        out = self.replay(lambda trace: trace["bounds"].update(expiry=False), ALL_HOLD)
        self.assertIn('Not as it was saved: step 2, "lease expires", is not possible any more\n', out)

    def test_no_such_worker(self) -> None:
        for worker in ("F", "@", "AB", ""):
            out = self.replay(lambda trace: trace["steps"][0].update(worker=worker), ALL_HOLD)
            self.assertIn(f'step 1, "acquire" by worker {worker}, is not possible any more', out)

    def test_a_run_that_ends_too_early(self) -> None:
        out = self.replay(lambda trace: trace.update(steps=trace["steps"][:4]), ALL_HOLD)
        self.assertTrue(out.endswith("This run no longer breaks no-stale-write.\n"))

    def test_no_steps(self) -> None:
        out = self.replay(lambda trace: trace.update(steps=[]), ALL_HOLD)
        self.assertTrue(out.endswith("This run no longer breaks no-stale-write.\n"))


if __name__ == "__main__":
    main()
