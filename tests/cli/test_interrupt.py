"""Ctrl-C: the first ends the search and reports what was found, the second ends the process."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

from harness import BIG_SPACE, UNKNOWN, USAGE, VIOLATED, CliTest, Result, command, main, run, sanitized, verdicts

# "Within a second", on a machine that has something else to do as well: the best of so many attempts counts.
SECONDS = 10.0 if sanitized() else 1.0
ATTEMPTS = 3


def catches_interrupts(process: subprocess.Popen[str]) -> bool:
    """Whether the process has begun its search, and with it catches SIGINT. Linux says so in /proc."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            caught = next(line.split()[1] for line in status if line.startswith("SigCgt:"))
        return int(caught, 16) >> (signal.SIGINT - 1) & 1 == 1
    except FileNotFoundError:
        return False


def wait_for_the_search(process: subprocess.Popen[str]) -> None:
    while not catches_interrupts(process) and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.2)


def wait_for_progress(process: subprocess.Popen[str]) -> None:
    """After two seconds it tells of its progress; by then every shallow violation is found."""
    assert process.stderr is not None
    process.stderr.readline()


class Interrupt(CliTest):
    def interrupted(self, wait: Callable[[subprocess.Popen[str]], None], *arguments: str) -> tuple[Result, float]:
        """Runs `check`, waits, interrupts it; gives what it printed and how long it took to end."""
        process = subprocess.Popen([command(), "check", *arguments, "--progress", "always"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   encoding="utf-8")
        try:
            wait(process)
            self.assertIsNone(process.poll(), "it ended by itself")
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
            return Result(list(arguments), process.returncode, out, err), time.monotonic() - begin
        finally:
            process.kill()
            process.communicate()

    def in_time(self, wait: Callable[[subprocess.Popen[str]], None], code: int, *arguments: str) -> Result:
        times = []
        for _ in range(ATTEMPTS):
            result, seconds = self.interrupted(wait, *arguments)
            self.assertEqual(result.code, code, str(result))
            times.append(seconds)
            if seconds < SECONDS:
                return result
        self.fail(f"it took {times} seconds to end")

    def is_unfinished(self, report: Any) -> None:
        self.assertEqual((report["complete"], report["stopped_by"]), (False, "interrupt"))

    def test_it_reports_what_was_found(self) -> None:
        report = self.in_time(wait_for_progress, VIOLATED, *BIG_SPACE, "--format", "json", "--junit", "out.xml",
                              "--trace", "run.json").json()
        self.is_unfinished(report)
        self.assertGreater(report["states"], 1000)
        self.assertEqual(verdicts(report), {"no-stale-write": "unknown", "no-foreign-release": "unknown",
                                            "successor-fences-at-issue": "violated",
                                            "newest-never-rejected": "unknown", "tokens-increase": "unknown"})
        self.assertEqual(report["properties"][2]["trace_length"], 4)
        self.assertEqual(len(report["properties"][2]["trace"]), 4)
        self.assertEqual(list(self.files()), ["out.xml", "run.json"])
        self.assertEqual(run("replay", "run.json", cwd=self.folder).code, VIOLATED)

    def test_nothing_found_is_unknown(self) -> None:
        report = self.in_time(wait_for_the_search, UNKNOWN, *BIG_SPACE, "--property", "no-stale-write",
                              "--threads", "1", "--format", "json").json()
        self.is_unfinished(report)
        self.assertEqual(verdicts(report), {"no-stale-write": "unknown"})

    def test_the_text_says_so(self) -> None:
        result = self.in_time(wait_for_the_search, UNKNOWN, *BIG_SPACE, "--property", "no-stale-write")
        self.assertIn("NOT the whole space: stopped by interrupt.", " ".join(result.out.split()))

    def test_an_expectation_is_not_met_by_it(self) -> None:
        result = self.in_time(wait_for_the_search, USAGE, *BIG_SPACE, "--expect", "no-stale-write=holds")
        self.assertIn("core: expectation not met: no-stale-write is unknown, expected holds\n", result.err)

    def test_the_designs_after_it_are_not_begun(self) -> None:
        bounds = ["--workers", "6", "--leases", "15", "--issuer-restores", "2", "--memory-limit", "2G",
                  "--symmetry", "off"]
        result = self.in_time(wait_for_the_search, UNKNOWN, "register-with-grant", "fenced-row", *bounds,
                              "--property", "no-foreign-release")
        self.assertIn("interrupted: the designs after register-with-grant were not checked\n", result.err)
        self.assertNotIn("fenced-row: ", result.out)

    def test_random_walks(self) -> None:
        report = self.in_time(wait_for_the_search, UNKNOWN, "register-with-grant", "--simulate", "1000000000",
                              "--format", "json").json()
        self.is_unfinished(report)
        self.assertGreater(report["simulation"]["walks"], 0)


class Terminate(CliTest):
    def test_other_signals_end_the_process_and_leave_no_file(self) -> None:
        process = subprocess.Popen([command(), "check", *BIG_SPACE, "--progress", "always", "--junit", "out.xml"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, encoding="utf-8")
        try:
            wait_for_the_search(process)
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=30)
            self.assertEqual((process.returncode, out), (-signal.SIGTERM, ""))
            self.assertEqual(os.listdir(self.folder), [])
        finally:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    main()
