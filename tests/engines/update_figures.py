#!/usr/bin/env python3
"""Writes the figures of examples/stores/*.toml into figures.json: states, transitions and depth, for their author, who
then reads the difference. With names of files as arguments those alone are checked anew.

    tests/engines/update_figures.py [NAME...]        after ./dev build
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
FIGURES = HERE / "figures.json"


def main() -> None:
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    for path in sorted((SOURCE / "examples" / "stores").glob("*.toml")):
        if len(sys.argv) > 1 and path.stem not in sys.argv[1:]:
            continue
        done = subprocess.run([str(SOURCE / "build" / "fencecheck"), "check", str(path), "--format", "json"],
                              capture_output=True, encoding="utf-8")
        if done.returncode not in (0, 1):
            sys.exit(f"{path.stem}: {done.stderr.strip()}")
        found = json.loads(done.stdout)
        figures[path.stem] = [found["states"], found["transitions"], found["depth"]]
    lines = ",\n".join(f'  "{name}": {figures[name]}' for name in sorted(figures))
    FIGURES.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
