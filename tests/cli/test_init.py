"""`fencecheck init`: a starter project that builds, checks and tests, against the installed package."""

import json
from pathlib import Path

from harness import SOURCE, USAGE, VIOLATED, CliTest, InstalledTest, main, run, verdicts

EXAMPLE = SOURCE / "examples" / "own_design"
STARTER = sorted(path.name for path in EXAMPLE.iterdir() if path.is_file())


class Folder(CliTest):
    def test_what_is_written(self) -> None:
        self.succeeds("init", "my-store")
        written = {path.name: path.read_bytes() for path in (self.folder / "my-store").iterdir()}
        self.assertEqual(written, {name: (EXAMPLE / name).read_bytes() for name in STARTER})

    def test_it_says_how_to_go_on(self) -> None:
        out = self.succeeds("init", "some/where").out
        for line in ("cmake -B some/where/build -S some/where && cmake --build some/where/build",
                     "some/where/build/my-store check", "ctest --test-dir some/where/build --output-on-failure"):
            self.assertIn(f"  {line}\n", out)
        self.assertTrue((self.folder / "some" / "where" / "my_store.h").is_file())

    def test_an_empty_folder_is_taken(self) -> None:
        (self.folder / "empty").mkdir()
        self.succeeds("init", "empty")
        self.assertEqual(sorted(path.name for path in (self.folder / "empty").iterdir()), STARTER)

    def test_here(self) -> None:
        self.succeeds("init", ".")
        self.assertEqual(sorted(self.files()), STARTER)

    def test_nothing_is_overwritten(self) -> None:
        there = "it is there already, and not an empty folder; nothing was written"
        (self.folder / "full").mkdir()
        (self.folder / "full" / "mine.txt").write_text("mine", encoding="utf-8")
        (self.folder / "file").write_text("mine", encoding="utf-8")
        for name in ("full", "file", "."):
            self.refused(["init", name], f"init {name}: {there}")
        self.succeeds("init", "new")
        self.refused(["init", "new"], f"init new: {there}")

    def test_where_there_can_be_no_folder(self) -> None:
        (self.folder / "file").write_text("mine", encoding="utf-8")
        self.refused(["init", "file/new"], "init file/new: cannot make the folder: Not a directory")
        self.refused(["init", ""], "init '': the name of the folder is empty")


class Starter(InstalledTest):
    def test_it_builds_checks_and_tests_and_sees_a_change(self) -> None:
        project, build = self.folder / "my-store", self.folder / "my-store" / "build"
        self.succeeds("init", str(project))
        self.configure_and_build(project, build)
        command = str(build / "my-store")

        report = run("check", "--format", "json", program=command).json()
        self.assertEqual((report["design"], report["complete"]), ("my-store", True))
        self.assertEqual(verdicts(report), {"no-stale-write": "holds", "no-foreign-release": "holds",
                                            "successor-fences-at-issue": "violated",
                                            "newest-never-rejected": "holds", "tokens-increase": "holds"})
        self.tool("ctest", "--test-dir", str(build), "--output-on-failure")
        self.own_command(command)
        self.comparison_left_out(project, build, command)

    def own_command(self, command: str) -> None:
        """Messages name the command as the user called it, and no design that it does not have."""
        self.assertIn("Usage: my-store check [OPTIONS] [DESIGN...]", run("check", "--help", program=command).out)
        self.assertIn("  my-store check my-store\n", run("--help", program=command).out)
        result = run("show", "fenced-row", program=command)
        self.assertEqual((result.code, result.err),
                         (USAGE, "my-store: unknown design 'fenced-row'; there are: my-store\n"))
        result = run("check", "--trace", "run.json", program=command, cwd=self.folder)
        self.assertIn("`my-store replay run.json` takes it again", result.err)
        self.assertEqual(run("replay", "run.json", program=command, cwd=self.folder).code, VIOLATED)
        self.refused(["replay", "run.json"], "run.json: a trace of the design 'my-store', which this command does not "
                                             "have (`fencecheck list`); where it is a design file, name that as "
                                             "well: `fencecheck replay run.json FILE.toml`")

    def comparison_left_out(self, project: Path, build: Path, command: str) -> None:
        """The first thing that the README of the starter tells to try."""
        store = project / "my_store.h"
        text = store.read_text(encoding="utf-8")
        kept = [line for line in text.splitlines(keepends=True) if "return fencecheck::Reply::stale;" not in line]
        self.assertEqual(len(kept), text.count("\n") - 1)
        store.write_text("".join(kept).replace("fencecheck::Guards& check", "fencecheck::Guards&"), encoding="utf-8")
        self.build(build)
        result = run("check", "--property", "no-stale-write", "--format", "json", program=command)
        self.assertEqual(result.code, VIOLATED)
        self.assertEqual(json.loads(result.out)["properties"][0]["trace_length"], 5)
        failures = self.tool("ctest", "--test-dir", str(build), "--output-on-failure", expected=8)
        self.assertIn("MyStore.KeepsOldOwnersOut", failures)
        self.assertIn("There is no comparison: the table takes whatever reaches it.", failures)


if __name__ == "__main__":
    main()
