"""The reports that are pinned: compared byte for byte with the files in pinned/, by test_pinned.py, and written anew by
update_pinned.py when a wording is changed on purpose."""

import json
from collections.abc import Callable

from harness import PINNED, Result, run, without_run

# The file and the arguments of `check` that it is the report of.
REPORTS = {
    "unfenced-row.txt": ["unfenced-row"],
    "unfenced-row.json": ["unfenced-row", "--format", "json"],
    "compare-then-write.txt": ["compare-then-write"],
    "compare-then-write.json": ["compare-then-write", "--format", "json"],
    "read-compare-delete.txt": ["read-compare-delete"],
    "read-compare-delete.json": ["read-compare-delete", "--format", "json"],
    # The other half of the point: the same late write, refused.
    "fenced-row-witnesses.txt": ["fenced-row", "--witness"],
    # A store that forgets, and a lock service that is restored.
    "issuer-restored-as-is.txt": ["issuer-restored-as-is"],
}


def pinned(name: str) -> str:
    file = PINNED / name
    return file.read_text(encoding="utf-8") if file.exists() else ""


def report(name: str, runner: Callable[..., Result] = run) -> str:
    """The report as it is now; of JSON all but `run`, which varies."""
    result = runner("check", *REPORTS[name])
    if result.err or result.code not in (0, 12):
        raise AssertionError(str(result))
    if not name.endswith(".json"):
        return result.out
    return json.dumps(without_run(result.json()), indent=2, ensure_ascii=False) + "\n"
