#!/usr/bin/env python3
"""Measures fencecheck beside SPIN and Rumur: the same space, one run, one machine.

The space is the design `core` with check=atomic, equal=accept, release=compare, register=no, two stores, five workers
and eight leases, without restores and without symmetry: 8,741,329 states and 44,756,590 transitions. Each tool visits
all of it; a tool that counts anything else ends the run, since its time would mean nothing.

The tools take turns (SPIN, Rumur, fencecheck with 1 thread, with 2 threads, then SPIN again, ...), so that a slow
minute of the machine hits all of them, and the table shows medians. A peer that is not installed is left out.
bench/README.md says how to read the figures and why the options are fair to the peers.
"""

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

BENCH = Path(__file__).resolve().parent
PEERS = BENCH / "peers"

EXAMPLES = """examples:
  bench/compare.py                           all of it, three rounds: several minutes, best on an idle machine
  bench/compare.py --quick                   a smoke test of a few seconds on a space of 348,986 states
  bench/compare.py --only spin,fencecheck    leave a peer out
  bench/compare.py --rounds 5 --json out.json

exit codes:
  0  every tool that ran counted what it must (the goals are printed beside the figures, never enforced)
  1  a tool failed, or counted something else
  2  wrong use of this script, or there is no fencecheck to measure

The peers are Debian's packages: apt-get install spin rumur gcc"""


@dataclass(frozen=True)
class Space:
    leases: int
    states: int
    transitions: int


# The full one's counts are agreed on by five independently written checkers. The quick one has the same workers and
# stores, so that only the number of leases differs; its counts are those of SPIN, of Rumur and of a naive search.
FULL = Space(leases=8, states=8_741_329, transitions=44_756_590)
QUICK = Space(leases=5, states=348_986, transitions=1_612_430)

# SPIN counts the initial state as one more transition, since its figure is states stored plus states matched. It has
# no states of its own before the loop: the model's one process starts at the loop, and every action is one d_step.
SPIN_EXTRA_STATES = 0
SPIN_EXTRA_TRANSITIONS = 1

SPIN_COMPILE = ["gcc", "-O3", "-DSAFETY", "-DNOREDUCE"]
# 2^24 slots are SPIN's default and about two for each state. No path is longer than 5 actions for each of 8 leases
# (acquire, two writes, release, expire), so 1000 is deep enough, and -b makes an error of a path that was cut off.
SPIN_RUN = ["-w24", "-m1000", "-b", "-n"]

RUMUR_GENERATE = ["rumur", "--threads", "1", "--symmetry-reduction", "off", "--deadlock-detection", "off"]
RUMUR_COMPILE = ["gcc", "-O3", "-march=native"]

# A search spends its time in cache and TLB misses. fencecheck asks for huge pages by itself, so the peers' malloc is
# told to do so too: that saves a quarter of SPIN's time. A C library that does not know the setting ignores it.
PEER_ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}

GOAL_OVER_SPIN = 6.0
GOAL_TWO_THREADS = 1.7
GOAL_BYTES_PER_STATE = 40.0


class Failure(Exception):
    """A tool failed or counted wrongly: nothing that was measured may be used."""


@dataclass
class Run:
    """One process, measured from outside: every tool by the same clock and the same kernel's figures."""

    tool: str
    threads: int
    round: int
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int


# -- processes ---------------------------------------------------------------------------------------------------------


def prepare(command, folder):
    """Runs a step that is not measured (generating, compiling) and fails with what it said."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} failed with exit code {done.returncode}:\n{done.stdout[-2000:]}")


def measure(command, environment, folder):
    """Runs one process with additions to its environment.

    Gives back its exit code, stdout, stderr, wall seconds, CPU seconds and peak memory in bytes.
    """
    environment = {**os.environ, **environment}
    # Output goes to files: a pipe would let this script's reading disturb what it measures.
    with open(folder / "stdout", "w+") as out, open(folder / "stderr", "w+") as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # Interrupted: leave nothing running.
            process.kill()
            process.wait()
            raise
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        # Linux gives ru_maxrss in units of 1024 bytes.
        return process.returncode, out.read(), err.read(), wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def expect(tool, what, got, wanted):
    if got != wanted:
        raise Failure(f"{tool}: {what}: got {show(got)}, expected {show(wanted)}. Its times mean nothing.")


def show(value):
    return f"{value:,}" if type(value) is int else repr(value)


def numbers(tool, pattern, text):
    match = re.search(pattern, text)
    if not match:
        raise Failure(f"{tool}: its output does not have the expected form. It ends with:\n{text[-2000:]}")
    return [int(group) for group in match.groups()]


# -- the tools ---------------------------------------------------------------------------------------------------------


class Spin:
    name, threads, needs = "SPIN", 1, ("spin", "gcc")
    environment = PEER_ENVIRONMENT

    def prepare(self, space, folder):
        prepare(["spin", "-a", f"-DLEASES={space.leases}", str(PEERS / "fencing.pml")], folder)
        prepare([*SPIN_COMPILE, "-o", "pan", "pan.c"], folder)

    def command(self, space, folder):
        return [str(folder / "pan"), *SPIN_RUN]

    def verify(self, space, code, out, err):
        expect(self.name, "exit code", code, 0)
        expect(self.name, "errors", *numbers(self.name, r"errors: (\d+)", out), 0)
        expect(self.name, "states", *numbers(self.name, r"(\d+) states, stored", out), space.states + SPIN_EXTRA_STATES)
        expect(self.name, "transitions", *numbers(self.name, r"(\d+) transitions", out),
               space.transitions + SPIN_EXTRA_TRANSITIONS)


class Rumur:
    name, threads, needs = "Rumur", 1, ("rumur", "gcc")
    environment = PEER_ENVIRONMENT

    def prepare(self, space, folder):
        model, places = re.subn(r"\bLEASES: \d+;", f"LEASES: {space.leases};", (PEERS / "fencing.m").read_text())
        assert places == 1, "fencing.m declares LEASES once"
        (folder / "fencing.m").write_text(model)
        prepare([*RUMUR_GENERATE, "--output", "fencing.c", "fencing.m"], folder)
        prepare([*RUMUR_COMPILE, "-o", "fencing", "fencing.c", "-lpthread"], folder)

    def command(self, space, folder):
        return [str(folder / "fencing")]

    def verify(self, space, code, out, err):
        expect(self.name, "exit code", code, 0)
        states, transitions = numbers(self.name, r"(\d+) states, (\d+) rules fired in", out)
        expect(self.name, "states", states, space.states)
        expect(self.name, "transitions", transitions, space.transitions)


class Fencecheck:
    name, needs = "fencecheck", ()
    environment = {}

    def __init__(self, binary, threads):
        self.binary, self.threads = binary, threads

    def prepare(self, space, folder):
        pass

    def command(self, space, folder):
        switches = ["check=atomic", "equal=accept", "release=compare", "register=no", "stores=2"]
        return [str(self.binary), "check", "core", *(word for switch in switches for word in ("--set", switch)),
                "--workers", "5", "--leases", str(space.leases), "--symmetry", "off",
                "--threads", str(self.threads), "--format", "json"]

    def verify(self, space, code, out, err):
        # 12 says that a safety property is violated: successor-fences-at-issue is, in this design.
        if code not in (0, 12):
            raise Failure(f"{self.name}: exit code {code}, expected 0 or 12. It said:\n{(err or out)[-2000:]}")
        try:
            report = json.loads(out)
            expect(self.name, "states", report["states"], space.states)
            expect(self.name, "transitions", report["transitions"], space.transitions)
            expect(self.name, "complete", report["complete"], True)
            expect(self.name, "threads", report["run"]["threads"], self.threads)
            verdicts = {each["name"]: each["verdict"] for each in report["properties"]}
            for name in ("no-stale-write", "no-foreign-release"):  # What the peers judge, too.
                expect(self.name, name, verdicts[name], "holds")
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"{self.name}: its JSON does not have the expected form ({error!r}).") from error


# -- figures -----------------------------------------------------------------------------------------------------------


def summarize(runs, space):
    """One row for each tool and number of threads, in the order in which they first ran; medians over the rounds."""
    rows = {}
    for run in runs:
        rows.setdefault((run.tool, run.threads), []).append(run)
    summary = []
    for (tool, threads), group in rows.items():
        wall = statistics.median(run.wall_seconds for run in group)
        peak = statistics.median(run.peak_memory_bytes for run in group)
        summary.append({
            "tool": tool,
            "threads": threads,
            "states": space.states,
            "wall_seconds": wall,
            "wall_seconds_min": min(run.wall_seconds for run in group),
            "wall_seconds_max": max(run.wall_seconds for run in group),
            "cpu_seconds": statistics.median(run.cpu_seconds for run in group),
            "states_per_second": space.states / wall,
            "peak_memory_bytes": peak,
            "bytes_per_state": peak / space.states,
        })
    return summary


def compare(summary):
    """The ratios of rates; None where one of the two was not measured."""
    rows = {(row["tool"], row["threads"]): row for row in summary}

    def ratio(ours, theirs, field):
        # The same states on both sides, so the ratio of the rates is the ratio of the times the other way round.
        return rows[theirs][field] / rows[ours][field] if ours in rows and theirs in rows else None

    one, two = ("fencecheck", 1), ("fencecheck", 2)
    return [
        {"ratio": "fencecheck, 1 thread / SPIN", "by_wall_clock": ratio(one, ("SPIN", 1), "wall_seconds"),
         "by_cpu_time": ratio(one, ("SPIN", 1), "cpu_seconds"), "goal": GOAL_OVER_SPIN},
        {"ratio": "fencecheck, 2 threads / 1 thread", "by_wall_clock": ratio(two, one, "wall_seconds"),
         "by_cpu_time": None, "goal": GOAL_TWO_THREADS},
        {"ratio": "fencecheck, 1 thread / Rumur", "by_wall_clock": ratio(one, ("Rumur", 1), "wall_seconds"),
         "by_cpu_time": ratio(one, ("Rumur", 1), "cpu_seconds"), "goal": None},
    ]


def print_table(head, rows):
    """The first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def times(value, digits):
    return "-" if value is None else f"{value:{digits}} x"


def print_report(summary, ratios, runs, rounds, quick):
    print(f"\nMedians of {rounds} round{'s' if rounds > 1 else ''}; every process measured from outside.\n")
    print_table(
        ["tool", "threads", "states", "wall s", "(min - max)", "CPU s", "million states/s", "peak MiB", "bytes/state"],
        [[row["tool"], str(row["threads"]), f"{row['states']:,}", f"{row['wall_seconds']:.2f}",
          f"({row['wall_seconds_min']:.2f} - {row['wall_seconds_max']:.2f})", f"{row['cpu_seconds']:.2f}",
          f"{row['states_per_second'] / 1e6:.3f}", f"{row['peak_memory_bytes'] / 2**20:.1f}",
          f"{row['bytes_per_state']:.1f}"] for row in summary])

    print()
    print_table(["rates compared", "by wall clock", "by CPU time", "goal"],
                [[each["ratio"], times(each["by_wall_clock"], ".2f"), times(each["by_cpu_time"], ".2f"),
                  "at least " + times(each["goal"], "g") if each["goal"] else "-"] for each in ratios])

    ours = [row for row in summary if row["tool"] == "fencecheck"]
    if ours:
        print()
        print_table(["peak memory", "bytes/state", "goal"],
                    [[f"fencecheck, {row['threads']} thread{'s' if row['threads'] > 1 else ''}",
                      f"{row['bytes_per_state']:.1f}", f"at most {GOAL_BYTES_PER_STATE:g}"] for row in ours])

    # A process with one thread that does nothing but search has as many CPU seconds as wall seconds, if it is let.
    single = [run for run in runs if run.threads == 1]
    starved = [run for run in single if run.cpu_seconds < 0.9 * run.wall_seconds]
    if starved:
        print(f"\nThe machine was busy: {len(starved)} of the {len(single)} runs with one thread had their core for "
              "less than 90% of\nthe time. Trust the ratios by CPU time more than those by wall clock.")
    if quick:
        print("\nThis was --quick: a smoke test. In a space this small, bytes per state and ratios say little.")


# -- this machine, and the files ---------------------------------------------------------------------------------------


def first_line(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else "unknown version"


def describe_machine(needed):
    try:
        model = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        model = None
    versions = {"spin": ["spin", "-V"], "rumur": ["rumur", "--version"], "gcc": ["gcc", "--version"]}
    return {
        "processor": model.group(1) if model else "unknown",
        "cores": len(os.sched_getaffinity(0)),
        "load_average_at_start": os.getloadavg()[0],
        "versions": {name: first_line(command) for name, command in versions.items() if name in needed},
    }


def write_whole(path, text):
    """Writes a file whole or not at all."""
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


# -- the command -------------------------------------------------------------------------------------------------------


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fencecheck", metavar="PATH", type=Path, default=BENCH.parent / "build" / "fencecheck",
                        help="the fencecheck to measure (default: build/fencecheck of this project)")
    parser.add_argument("--rounds", metavar="N", type=int,
                        help="how often each tool runs (default: 3, and 1 with --quick)")
    parser.add_argument("--quick", action="store_true",
                        help="five leases instead of eight: does everything still work? Not for figures")
    parser.add_argument("--only", metavar="TOOLS", default="spin,rumur,fencecheck",
                        help="measure only these, separated by commas: spin, rumur, fencecheck (default: all)")
    parser.add_argument("--json", metavar="FILE", type=Path,
                        help="also save every run, the medians and the ratios to this file")
    arguments = parser.parse_args()

    arguments.only = set(arguments.only.split(","))
    unknown = arguments.only - {"spin", "rumur", "fencecheck"}
    if unknown:
        parser.error(f"--only: no tool is called '{sorted(unknown)[0]}'; there are spin, rumur and fencecheck")
    if arguments.rounds is None:
        arguments.rounds = 1 if arguments.quick else 3
    if arguments.rounds < 1:
        parser.error("--rounds: at least 1 is needed")
    if arguments.json and not os.access(arguments.json.resolve().parent, os.W_OK):
        parser.error(f"--json: cannot write to the folder of {arguments.json}")
    if arguments.json and arguments.json.is_dir():
        parser.error(f"--json: {arguments.json} is a folder, a file is needed")
    arguments.fencecheck = arguments.fencecheck.resolve()
    runnable = arguments.fencecheck.is_file() and os.access(arguments.fencecheck, os.X_OK)
    if "fencecheck" in arguments.only and not runnable:
        parser.error(f"there is no program {arguments.fencecheck}; build it first, name it with --fencecheck PATH, or "
                     "measure the peers alone with --only spin,rumur")
    return arguments


def choose_tools(arguments):
    tools = []
    for key, tool in (("spin", Spin()), ("rumur", Rumur())):
        if key not in arguments.only:
            continue
        missing = [program for program in tool.needs if shutil.which(program) is None]
        if missing:
            print(f"{tool.name} is left out, since {' and '.join(missing)} cannot be found. On Debian: "
                  f"apt-get install {' '.join(missing)}", file=sys.stderr)
        else:
            tools.append(tool)
    if "fencecheck" in arguments.only:
        tools += [Fencecheck(arguments.fencecheck, threads) for threads in (1, 2)]
    return tools


def measure_all(tools, space, rounds):
    runs = []
    with tempfile.TemporaryDirectory(prefix="fencecheck-bench-") as top:
        folders = {}
        for number, tool in enumerate(tools):
            folders[tool] = Path(top) / str(number)
            folders[tool].mkdir()
            tool.prepare(space, folders[tool])
        for round_number in range(1, rounds + 1):
            for tool in tools:
                print(f"round {round_number} of {rounds}: {tool.name}, {tool.threads} "
                      f"thread{'s' if tool.threads > 1 else ''}: ", end="", file=sys.stderr, flush=True)
                code, out, err, wall, cpu, peak = measure(
                    tool.command(space, folders[tool]), tool.environment, folders[tool])
                print(f"{wall:.2f} s", file=sys.stderr, flush=True)
                tool.verify(space, code, out, err)
                runs.append(Run(tool.name, tool.threads, round_number, wall, cpu, peak))
    return runs


def main():
    # A plain kill must clean up just as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments = parse_arguments()
    space = QUICK if arguments.quick else FULL
    tools = choose_tools(arguments)
    if not tools:
        print("Nothing is left to measure.", file=sys.stderr)
        return 2

    machine = describe_machine({program for tool in tools for program in tool.needs})
    print(f"space:    core, 5 workers, 2 stores, {space.leases} leases: {space.states:,} states, "
          f"{space.transitions:,} transitions")
    print(f"machine:  {machine['processor']}, {machine['cores']} cores, load {machine['load_average_at_start']:.2f} "
          "at the start")
    print(f"versions: {'; '.join(machine['versions'].values()) or 'no peers'}", flush=True)
    try:
        runs = measure_all(tools, space, arguments.rounds)
    except Failure as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted: nothing was saved.", file=sys.stderr)
        return 130

    summary = summarize(runs, space)
    ratios = compare(summary)
    print_report(summary, ratios, runs, arguments.rounds, arguments.quick)
    if arguments.json:
        write_whole(arguments.json, json.dumps({
            "space": {"design": "core", "workers": 5, "stores": 2, **asdict(space)},
            "machine": machine,
            "options": {"spin_compile": SPIN_COMPILE, "spin_run": SPIN_RUN,
                        "rumur_generate": RUMUR_GENERATE, "rumur_compile": RUMUR_COMPILE,
                        "peer_environment": PEER_ENVIRONMENT},
            "rounds": arguments.rounds,
            "runs": [asdict(run) for run in runs],
            "medians": summary,
            "ratios": ratios,
            "goals": {"over_spin": GOAL_OVER_SPIN, "two_threads": GOAL_TWO_THREADS,
                      "bytes_per_state": GOAL_BYTES_PER_STATE},
        }, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
