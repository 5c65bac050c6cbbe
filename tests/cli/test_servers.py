"""Design files whose engine goes away, or has no room: what is said, and that nothing is left behind."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from harness import STORE_FAILED, STORE_MISSING, STORES, UNKNOWN, VIOLATED, FileTest, command, main

# Files that keep their engine busy for longer than anybody waits here, and what reports call the engine.
BUSY = {"postgresql-read-committed.toml": ("PostgreSQL", 3), "redis-multi-watch.toml": ("Redis", 6),
        "etcd-lock-fenced-row.toml": ("etcd", 3), "zookeeper-lock-fenced-row.toml": ("ZooKeeper", 3)}


def servers_of(pid: int) -> list[int]:
    """The children of a check, but for the shell that removes the temporary folder where nobody else does."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [int(each) for each in children if Path(f"/proc/{each}/comm").read_text(encoding="utf-8") != "sh\n"]


def is_there(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for is over."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Ended(FileTest):
    """A check under way with a server of its own, ended from outside."""

    def started(self, example: str, workers: int) -> subprocess.Popen[str] | None:
        """A check whose search is under way; nothing where the engine's package is not installed."""
        self.temporary = self.folder / example.removesuffix(".toml")
        self.temporary.mkdir(mode=0o755)
        self.folder.chmod(0o755)  # a server that runs as another user goes through it
        line = [command(), "check", str(STORES / example), "--workers", str(workers), "--leases", "6", "--progress",
                "always"]
        process = subprocess.Popen(line, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, encoding="utf-8",
                                   env={**os.environ, "TMPDIR": str(self.temporary)})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        assert process.stderr is not None
        first = process.stderr.readline()  # of progress, after two seconds
        if "install the package" in first:
            return None
        self.assertNotIn("fencecheck:", first)
        return process

    def end_each(self, end: str) -> None:
        for example, (engine, workers) in BUSY.items():
            with self.subTest(engine=engine):
                process = self.started(example, workers)
                if process is None:
                    self.skipTest(f"{engine} is not installed")
                servers = servers_of(process.pid)
                self.assertEqual(len(servers), 1)
                os.kill(servers[0] if end == "server" else process.pid,
                        signal.SIGKILL if end == "server" else signal.SIGINT)
                out, err = process.communicate(timeout=60)
                if end == "server":
                    self.assertEqual((process.returncode, out), (STORE_FAILED, ""), err)
                    self.assertRegex(err, f"fencecheck: .*{engine}")
                else:
                    self.assertIn(process.returncode, (UNKNOWN, VIOLATED), err)  # a shallow one is found by then
                    self.assertIn("stopped by interrupt", out)
                self.assertFalse(is_there(servers[0]), "the server has outlived the check")
                self.assertEqual(list(self.temporary.iterdir()), [], "the temporary folder is still there")

    def test_a_server_that_is_killed_in_the_middle(self) -> None:
        self.end_each("server")

    def test_an_interrupt_ends_the_server_too(self) -> None:
        self.end_each("check")


class EndedEarly(FileTest):
    """The check itself is ended, at any time: nothing is left behind."""

    def ended_by(self, number: int, seconds: float) -> int:
        temporary = Path(tempfile.mkdtemp(dir=self.folder))
        temporary.chmod(0o755)
        line = [command(), "check", str(STORES / "postgresql-read-committed.toml"), "--workers", "3"]
        process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": str(temporary)})
        deadline = time.monotonic() + 20
        while process.poll() is None and not any(temporary.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(seconds)
        process.send_signal(number)
        process.wait(timeout=60)
        while any(temporary.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual(list(temporary.iterdir()), [])
        return process.returncode

    def setUp(self) -> None:
        super().setUp()
        self.folder.chmod(0o755)
        if shutil.which("psql") is None:
            self.skipTest("postgresql is not installed")

    def test_while_the_server_starts(self) -> None:
        for seconds in (0, 0.3):
            self.assertIn(self.ended_by(signal.SIGINT, seconds), (UNKNOWN, STORE_FAILED))

    def test_by_a_signal_that_is_not_caught(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            for seconds in (0.1, 1.5):
                self.assertEqual(self.ended_by(number, seconds), -number)


class FullDisk(FileTest):
    """In a mount namespace of its own, in which all temporary files are on a disk of a few kilobytes."""

    def check_on(self, kilobytes: int, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        small = self.folder / "small"
        small.mkdir()
        self.folder.chmod(0o755)  # a server that runs as another user goes through it
        # What is left behind is shown behind what the check printed: the disk goes with the namespace.
        script = ('mount -t tmpfs -o size="$1"k,mode=1777 small "$2" || exit 125\n'
                  'mount --bind "$2" /dev/shm || exit 125\n'
                  'shift 2; "$@"; code=$?; ls -A "$TMPDIR"; exit $code')
        as_root = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        done = subprocess.run(["unshare", *as_root, "--mount", "sh", "-c", script, "sh", str(kilobytes), str(small),
                               command(), "check", name, *options], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=100, encoding="utf-8",
                              env={**os.environ, "TMPDIR": str(small)})
        if done.returncode == 125 or done.stderr.startswith("unshare:"):
            self.skipTest("no disk can be mounted here: " + done.stderr.strip())
        return done

    def big_rows(self) -> str:
        """A file whose database grows by 60 kB with each token."""
        return self.changed("sqlite-transaction-wal.toml", "payload = :value",
                            "payload = :value, picture = zeroblob(60000 * :token)")

    def test_sqlite(self) -> None:
        name = self.big_rows()
        text = (self.folder / name).read_text(encoding="utf-8").replace("payload TEXT", "payload TEXT, picture BLOB")
        self.file(text.replace("(1, 0, NULL)", "(1, 0, NULL, NULL)"))
        done = self.check_on(200, name)
        self.assertEqual((done.returncode, done.stdout), (STORE_FAILED, ""), done.stderr)
        self.assertIn("make room where it is", done.stderr)

    def test_postgresql(self) -> None:
        shutil.copy(STORES / "postgresql-conditional-update.toml", self.folder / "store.toml")
        done = self.check_on(2000, "store.toml")
        if done.returncode == STORE_MISSING:
            self.skipTest("postgresql is not installed")
        self.assertEqual((done.returncode, done.stdout), (STORE_FAILED, ""), done.stderr)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    main()
