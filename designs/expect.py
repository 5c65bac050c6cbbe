#!/usr/bin/env python3
"""Writes what designs do today into their expected.json: for their author, who then reads it.

    designs/expect.py NAME...          after ./dev build; --fencecheck PATH names another command

A new design starts with the three members that only its author knows, beside empty figures:

    {"source": "…", "bounds": {"workers": 2, "leases": 3}, "switches": {},
     "states": 0, "full_states": 0, "full_transitions": 0, "depth": 0, "properties": {}}

The bounds are kept, everything below them is replaced. What changed is a diff; a verdict that should not have changed
is a fault in the design or in the checker, and not a new expectation.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def options(expected):
    """The bounds and switches of an expected.json as options of `check`."""
    result = []
    for name, value in expected["bounds"].items():
        if name == "expiry":
            result += [] if value else ["--no-expiry"]
        else:
            result += [f"--{name.replace('_', '-')}", str(value)]
    for name, value in expected["switches"].items():
        result += ["--set", f"{name}={value}"]
    return result


def verdict(found):
    entry = {"verdict": found["verdict"]}
    if found["verdict"] == "holds":
        entry["vacuous"] = found["vacuous"]
        if found["witness_length"] is not None:
            entry["witness_length"] = found["witness_length"]
    elif found["verdict"] == "violated":
        entry["trace_length"] = found["trace_length"]
    return entry


def written(expected):
    """As the files are laid out: a member a line, a property a line."""
    lines = []
    for name, value in expected.items():
        if name in ("properties", "mutants") and value:
            inner = ",\n".join(f"    {json.dumps(key)}: {json.dumps(each)}" for key, each in value.items())
            lines.append(f'  "{name}": {{\n{inner}\n  }}')
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--fencecheck", default=str(HERE.parent / "build" / "fencecheck"))
    arguments = parser.parse_args()
    for name in arguments.names:
        path = HERE / name / "expected.json"
        expected = json.loads(path.read_text())
        command = [arguments.fencecheck, "check", name, "--format", "json", *options(expected)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 2, 12, 13):
            sys.exit(f"{name}: {run.stderr.strip()}")
        found = json.loads(run.stdout)
        for member in ("states", "full_states", "full_transitions", "depth"):
            expected[member] = found[member]
        expected["properties"] = {
            each["name"]: verdict(each) for each in found["properties"] if each["verdict"] != "not-applicable"
        }
        path.write_text(written(expected))


if __name__ == "__main__":
    main()
