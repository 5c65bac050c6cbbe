"""What the tests of the command line share: they run the command as a user does, and look at what it leaves behind.

The build says by environment variables where things are; see CMakeLists.txt. By hand, with build/fencecheck or with the
command that FENCECHECK_COMMAND names:

    python3 tests/cli/test_check.py [CLASS[.METHOD]...]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2]
PINNED = Path(__file__).resolve().parent / "pinned"

# Exit codes, as the command documents them.
ALL_HOLD = 0
USAGE = 1
UNKNOWN = 2
VIOLATED = 12
LIVENESS_VIOLATED = 13
STORE_FAILED = 69
STORE_MISSING = 77

# Design files to learn from, and to break.
STORES = SOURCE / "examples" / "stores"

PROPERTIES = ["no-stale-write", "no-foreign-release", "successor-fences-at-issue", "newest-never-rejected",
              "tokens-increase"]

# What CTest takes for "skipped" (SKIP_RETURN_CODE).
SKIPPED = 77

# Hundreds of millions of states: no machine comes to the end of it while a test waits.
BIG_SPACE = ["core", "--set", "stores=2", "--workers", "5", "--leases", "12", "--symmetry", "off",
             "--memory-limit", "2G"]


def setting(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise RuntimeError(f"{name} is not set: run this through ctest, or see harness.py")
    return value


def command() -> str:
    return str(Path(os.environ.get("FENCECHECK_COMMAND") or SOURCE / "build" / "fencecheck").resolve())


def sanitized() -> bool:
    """Whether the command was built with a sanitizer, which makes it many times slower and larger."""
    return bool(os.environ.get("FENCECHECK_SANITIZE"))


@dataclass
class Result:
    """What became of a command."""

    arguments: list[str]
    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)

    def __str__(self) -> str:
        return f"{self.arguments}: exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def run(*arguments: str, program: str | None = None, cwd: Path | None = None, timeout: float = 60) -> Result:
    """Runs the command to its end, without a terminal and without standard input."""
    line = [program or command(), *arguments]
    done = subprocess.run(line, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=timeout, encoding="utf-8")
    return Result(list(arguments), done.returncode, done.stdout, done.stderr)


def verdicts(report: Any) -> dict[str, str]:
    return {each["name"]: each["verdict"] for each in report["properties"]}


def without_run(report: Any) -> Any:
    """A JSON report without its only member that may vary."""
    return {name: value for name, value in report.items() if name != "run"}


def digest(trace: Any) -> str:
    """The digest of a trace file's content: FNV-1a over it as compact JSON."""
    value = 0xCBF29CE484222325
    for byte in json.dumps(trace, separators=(",", ":"), ensure_ascii=False).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


class CliTest(unittest.TestCase):
    """A test with a temporary folder in which the command runs."""

    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fencecheck-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def run_in_folder(self, *arguments: str, timeout: float = 60) -> Result:
        return run(*arguments, cwd=self.folder, timeout=timeout)

    def files(self) -> dict[str, str]:
        """Everything in the folder: names with contents, a folder's content being empty."""
        return {str(path.relative_to(self.folder)): "" if path.is_dir() else
                path.read_text(encoding="utf-8", errors="backslashreplace")
                for path in sorted(self.folder.rglob("*"))}

    def succeeds(self, *arguments: str, code: int = ALL_HOLD, timeout: float = 60) -> Result:
        """Runs the command and sees that it has this exit code and nothing to say on standard error."""
        result = self.run_in_folder(*arguments, timeout=timeout)
        self.assertEqual((result.code, result.err), (code, ""), str(result))
        return result

    def report(self, *arguments: str, code: int = ALL_HOLD) -> Any:
        """The JSON report of a check."""
        return self.succeeds("check", *arguments, "--format", "json", code=code).json()

    def refused(self, arguments: list[str], message: str) -> None:
        """Sees that the command answers with this one message and exit code 1, prints no result and writes no file."""
        before = self.files()
        result = self.run_in_folder(*arguments)
        self.assertEqual((result.code, result.out, result.err), (USAGE, "", f"fencecheck: {message}\n"), str(result))
        self.assertEqual(self.files(), before, "a file was written or changed")


class FileTest(CliTest):
    """A folder of its own for design files."""

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, text: str, name: str = "store.toml") -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def changed(self, example: str, old: str, new: str) -> str:
        text = (STORES / example).read_text(encoding="utf-8")
        self.assertIn(old, text)
        return self.file(text.replace(old, new))

    def check(self, name: str, *options: str, **environment: str):
        line = [command(), "check", name, *options]
        done = subprocess.run(line, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=100,
                              encoding="utf-8", env={**os.environ, **environment})
        return done

    def complains(self, name: str, code: int, message: str, *options: str, **environment: str) -> None:
        done = self.check(name, *options, **environment)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertEqual(done.stderr.strip(), f"fencecheck: {message}")


class InstalledTest(CliTest):
    """A test against the installed package. It installs into a temporary folder, and builds with the same compiler."""

    prefix: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.prefix = Path(tempfile.mkdtemp(prefix="fencecheck-prefix-"))
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        cls.tool("cmake", "--install", setting("FENCECHECK_BUILD"), "--prefix", str(cls.prefix))

    @staticmethod
    def tool(*line: str, expected: int = 0) -> str:
        """Runs a tool of the build, and gives what it printed."""
        # A make that started these tests must not hand its jobs down.
        environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "DESTDIR")}
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=environment, timeout=600, encoding="utf-8")
        if done.returncode != expected:
            raise AssertionError(f"{' '.join(line)}: exit code {done.returncode}, not {expected}\n{done.stdout}")
        return done.stdout

    def configure_and_build(self, source: Path, build: Path) -> None:
        self.tool("cmake", "-S", str(source), "-B", str(build), "-G", setting("FENCECHECK_GENERATOR"),
                  "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                  f"-DCMAKE_CXX_COMPILER={setting('FENCECHECK_COMPILER')}",
                  f"-DCMAKE_CXX_FLAGS={setting('FENCECHECK_WARNINGS')} -Werror")
        self.build(build)

    def build(self, build: Path) -> None:
        self.tool("cmake", "--build", str(build), "--parallel", "2")


def main() -> None:
    """Runs the tests of the calling file. Where one was skipped and none failed, CTest shall say so."""
    program = unittest.main(verbosity=2, exit=False)
    if not program.result.wasSuccessful():
        sys.exit(1)
    if program.result.testsRun == 0:
        sys.exit("no such test")
    if program.result.skipped:
        sys.exit(SKIPPED)
