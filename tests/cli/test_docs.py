"""Copies in the documentation. A comment above a block says what it is a copy of:

    <!-- output of: build/fencecheck … -->              what the command prints
    <!-- json of: build/fencecheck … # /a/0/b -->       a part of the JSON that it prints
    <!-- file: PATH lines FIRST-LAST -->                lines of a file, what sets all of them in being left out
"""

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from harness import SOURCE, CliTest, main

COPY = re.compile(r"<!-- (output of|json of|file): (.+?) -->\n+```\w*\n(.*?)```\n", re.DOTALL)


def copies(kind: str) -> Iterator[tuple[str, str, str]]:
    """Where it is, what it is a copy of, and the copy."""
    pages = [*SOURCE.glob("*.md"), *(SOURCE / "docs").glob("*.md"), *(SOURCE / "designs").glob("*/README.md")]
    for page in sorted(pages):
        for found in COPY.finditer(page.read_text(encoding="utf-8")):
            if found[1] == kind:
                yield f"{Path(page).relative_to(SOURCE)}: {found[2]}", found[2], found[3]


class Copies(CliTest):
    def printed(self, line: str) -> str:
        words = line.split()
        self.assertEqual(words[0], "build/fencecheck", line)
        return self.run_in_folder(*words[1:]).out

    def test_output(self) -> None:
        found = list(copies("output of"))
        self.assertTrue(found)
        for where, line, text in found:
            with self.subTest(where):
                self.assertMultiLineEqual(text, self.printed(line), where)

    def test_json(self) -> None:
        found = list(copies("json of"))
        self.assertTrue(found)
        for where, line, text in found:
            with self.subTest(where):
                command, _, pointer = line.partition(" # ")
                value = json.loads(self.printed(command))
                for key in pointer.split("/")[1:]:
                    value = value[int(key) if isinstance(value, list) else key]
                self.assertEqual(json.loads(text), value, where)

    def test_files(self) -> None:
        found = list(copies("file"))
        self.assertTrue(found)
        for where, line, text in found:
            with self.subTest(where):
                path, first, last = re.fullmatch(r"(\S+) lines (\d+)-(\d+)", line).groups()
                lines = (SOURCE / path).read_text(encoding="utf-8").splitlines(keepends=True)
                self.assertMultiLineEqual(textwrap.dedent(text),
                                          textwrap.dedent("".join(lines[int(first) - 1:int(last)])), where)


if __name__ == "__main__":
    main()
