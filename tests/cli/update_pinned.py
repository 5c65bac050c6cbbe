#!/usr/bin/env python3
"""Writes the pinned reports anew, and shows what changed in them.

    python3 tests/cli/update_pinned.py           with build/fencecheck, or the command that FENCECHECK_COMMAND names
    python3 tests/cli/update_pinned.py --check   changes nothing; exit code 1 where something would change

Read the difference as someone would who never saw fencecheck, and commit it with the change that made it.
"""

import argparse
import difflib
import sys

from harness import PINNED
from pinned_reports import REPORTS, pinned, report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only show what would change")
    only_check = parser.parse_args().check
    changed = 0
    for name in REPORTS:
        before, after = pinned(name), report(name)
        if before == after:
            continue
        changed += 1
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True),
                                                   f"pinned/{name}", f"pinned/{name} (now)"))
        if not only_check:
            (PINNED / name).write_text(after, encoding="utf-8")
    left = {path.name for path in PINNED.iterdir()} - set(REPORTS)
    for name in sorted(left):
        print(f"pinned/{name} is no report any more: remove it")
    print(f"{changed} of {len(REPORTS)} reports {'would change' if only_check else 'changed'}")
    return 1 if left or (only_check and changed) else 0


if __name__ == "__main__":
    sys.exit(main())
