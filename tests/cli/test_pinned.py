"""Whole reports, line by line. `python3 tests/cli/update_pinned.py` shows what changed and writes the files anew."""

import subprocess
import sys
from pathlib import Path

from harness import PINNED, CliTest, main
from pinned_reports import REPORTS, pinned, report


class Pinned(CliTest):
    def test_every_report_is_as_it_was(self) -> None:
        for name in REPORTS:
            with self.subTest(name):
                self.assertMultiLineEqual(pinned(name), report(name),
                                          "if that is on purpose: python3 tests/cli/update_pinned.py")

    def test_nothing_else_lies_there(self) -> None:
        self.assertEqual({path.name for path in PINNED.iterdir()}, set(REPORTS))

    def test_they_are_told_for_a_reader_of_text(self) -> None:
        for name in REPORTS:
            for line in pinned(name).splitlines() if name.endswith(".txt") else []:
                self.assertLessEqual(len(line), 120, name)
                self.assertEqual(line, line.rstrip(), name)
                self.assertTrue(line.isascii(), name)

    def test_the_json_and_the_text_tell_the_same(self) -> None:
        for name in ("unfenced-row", "compare-then-write", "read-compare-delete"):
            text = " ".join(pinned(f"{name}.txt").split())
            for each in self.report(name, code=12)["properties"]:
                for sentence in (each.get("why_bad"), each.get("boundary"), *each.get("held", [])):
                    if sentence:
                        self.assertIn(sentence, text)

    def test_the_update_says_when_there_is_nothing_to_do(self) -> None:
        script = Path(__file__).resolve().parent / "update_pinned.py"
        done = subprocess.run([sys.executable, str(script), "--check"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=60, encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout), (0, f"0 of {len(REPORTS)} reports would change\n"))


if __name__ == "__main__":
    main()
