#!/usr/bin/env python3
"""The rules of this repository that no compiler checks. Prints `path:line: message` for each breach, exits 1 on any.

    tests/style.py               checks the repository that this file is in
    tests/style.py --self-test   breaks every rule once, in a temporary folder, and asserts that it is noticed

A rule is a function that takes a `Tree` and yields (path, line, message). Adding one takes the function, with the
decorator, and a broken example in `BROKEN`: the self-test refuses a rule without an example.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Which folder may include which: data flows from a design to the command line, includes point the other way, and the
# explorer knows nothing of fencing. "*" is everything. fencecheck.h at the top is what a design includes.
MAY_INCLUDE = {
    "explorer": {"explorer"},
    "model": {"model", "explorer"},
    "properties": {"properties", "model", "explorer"},
    "fencecheck.h": {"properties", "model"},
    "designs": {"designs", "properties", "model", "fencecheck.h"},
    "report": {"report", "properties", "explorer", "model"},
    "engines": {"engines", "properties", "model", "explorer", "report"},
    "cli": {"*"},
    "tests": {"*"},
    "bench": {"*"},
    "examples": {"*"},
    "docs": {"*"},
}
# The folders that are the library: their headers are installed, so they are included by their installed name only.
LAYERS = {"explorer", "model", "properties", "designs", "report", "engines", "cli"}

COLUMNS_MAX = 120
CPP_LINES_MAX = 600
DESIGN_FILES = ("design.h", "README.md", "expected.json")

# Paths of the machines this was written on, which mean nothing to anyone else. Spelled in pieces, or this file would
# be its own breach.
FOREIGN_PATHS = re.compile(
    r"(?<![\w.])/" r"work/|(?<!\w)\." r"library\b|(?<![\w.])/" r"home/|\.\./" r"shared/"
)

RULES = []


def rule(function):
    RULES.append(function)
    return function


class Tree:
    """The text files that git tracks or would track, read once."""

    def __init__(self, root):
        self.root = Path(root)
        listed = subprocess.run(
            # Git refuses to look into a clone of another user (root in a user's clone) unless told that it is safe.
            ["git", "-c", f"safe.directory={self.root.resolve()}", "-C", str(self.root),
             "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, stdout=subprocess.PIPE).stdout
        self.paths = sorted({os.fsdecode(path) for path in listed.split(b"\0") if path})
        self.lines = {}
        for path in self.paths:
            full = self.root / path
            if full.is_symlink() or not full.is_file():  # a link is seen where it leads; a removed file is gone
                continue
            data = full.read_bytes()
            if b"\0" in data:
                continue
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            self.lines[path] = text.removesuffix("\n").split("\n") if text else []

    def cpp(self):
        return {path: lines for path, lines in self.lines.items() if path.endswith((".h", ".cpp"))}

    def headers(self):
        return {path: lines for path, lines in self.lines.items() if path.endswith(".h")}

    def scripts(self):
        """Python and shell, by name or by first line."""
        return {path: lines for path, lines in self.lines.items()
                if path.endswith((".py", ".sh")) or (lines and re.match(r"#!.*\b(ba)?sh$|#!.*\bpython3?$", lines[0]))}


INCLUDE = re.compile(r'\s*#\s*include\s*(?P<open>[<"])(?P<file>[^>"]+)[>"]')


def includes(lines):
    for number, line in enumerate(lines, 1):
        if found := INCLUDE.match(line):
            yield number, found["open"], found["file"]


@rule
def include_direction(tree):
    for path, lines in tree.cpp().items():
        folder = path.split("/")[0]
        for number, opening, file in includes(lines):
            parts = file.split("/")
            # A header that isn't in the tree is made by the build, and is nobody else's.
            ours = {str(Path(path).parent / file), file} & tree.lines.keys()
            if opening == '"' and folder in LAYERS and ours:
                yield path, number, f'"{file}": write <fencecheck/FOLDER/FILE.h>, the name it is installed under'
            if parts[0] in LAYERS and opening == "<" and len(parts) > 1:
                yield path, number, f"<{file}>: write <fencecheck/{file}>, the name it is installed under"
            if parts[0] != "fencecheck":
                continue
            allowed = MAY_INCLUDE.get(folder)
            if allowed is None:
                yield path, number, f"<{file}>: {folder} has no row in MAY_INCLUDE of tests/style.py"
            elif "*" not in allowed and parts[1] not in allowed:
                yield path, number, f"<{file}>: {folder} may include only {', '.join(sorted(allowed))}"
            if not file.endswith(".h"):
                yield path, number, f"<{file}>: only headers are included"


@rule
def pragma_once(tree):
    for path, lines in tree.headers().items():
        if not any(line.strip() == "#pragma once" for line in lines):
            yield path, 1, "a header needs #pragma once"


@rule
def line_width(tree):
    for path, lines in {**tree.cpp(), **tree.scripts()}.items():
        for number, line in enumerate(lines, 1):
            # A comment that is one long word, such as an address, cannot be broken.
            if len(line) > COLUMNS_MAX and len(line.strip().lstrip("/#* ").split()) > 1:
                yield path, number, f"{len(line)} columns, at most {COLUMNS_MAX} are allowed"


@rule
def no_tabs(tree):
    for path, lines in tree.cpp().items():
        for number, line in enumerate(lines, 1):
            if "\t" in line:
                yield path, number, "a tab: write spaces, or \\t inside a string"


@rule
def trailing_space(tree):
    for path, lines in tree.lines.items():
        for number, line in enumerate(lines, 1):
            # Golden files are copies, kept to the byte.
            if path.startswith("tests/golden/"):
                continue
            # The last column of a table may be empty.
            rest = line.rstrip("\t") if path.endswith(".tsv") else line
            if rest != rest.rstrip():
                yield path, number, "white space at the end of the line"


@rule
def file_length(tree):
    for path, lines in tree.cpp().items():
        if len(lines) > CPP_LINES_MAX:
            yield path, CPP_LINES_MAX + 1, f"{len(lines)} lines, at most {CPP_LINES_MAX} are allowed: split the file"


@rule
def graph_out_of_headers(tree):
    for path, lines in tree.headers().items():
        for number, _, file in includes(lines):
            if file.startswith("boost/graph"):
                yield path, number, f"<{file}>: Boost.Graph triples compile time, so it stays in .cpp files"


@rule
def foreign_paths(tree):
    for path, lines in tree.lines.items():
        for number, line in enumerate(lines, 1):
            if found := FOREIGN_PATHS.search(line):
                yield path, number, f"'{found[0]}' is a place on somebody's machine"


@rule
def design_folders(tree):
    names = {path.split("/")[1] for path in tree.paths
             if path.startswith("designs/") and path.count("/") >= 2 and (tree.root / path).exists()}
    for name in sorted(names):
        for file in DESIGN_FILES:
            if f"designs/{name}/{file}" not in tree.lines:
                yield f"designs/{name}/{file}", 1, f"every design folder has {', '.join(DESIGN_FILES)}"


def findings(root):
    tree = Tree(root)
    return [(check.__name__, f"{path}:{line}: {message}") for check in RULES for path, line, message in check(tree)]


# ---- The self-test ---------------------------------------------------------------------------------------------------

# A tree without a breach, with what comes close to one.
CLEAN = {
    "model/world.h": "#pragma once\n#include <vector>\n#include <fencecheck/explorer/model.h>\n",
    "explorer/model.h": "#pragma once\n",
    "explorer/graph.cpp": "#include <boost/graph/strong_components.hpp>\n#include <fencecheck/explorer/model.h>\n",
    "cli/main.cpp": "// https://example.org/" + "x" * 120 + "\n#include <fencecheck/report/text.h>\nint main() {}\n",
    "report/text.h": "#pragma once\n" + "\n" * (CPP_LINES_MAX - 1),
    "cli/init.cpp": '#include "made_by_the_build.h"\n',
    "tests/helper_test.cpp": '#include "helper.h"\n#include <fencecheck/fencecheck.h>\n',
    "tests/helper.h": "#pragma once\n// " + "ü" * (COLUMNS_MAX - 3) + "\n",
    "fencecheck.h": "#pragma once\n#include <fencecheck/model/world.h>\n",
    "designs/core/design.h": "#pragma once\n#include <fencecheck/fencecheck.h>\n",
    "designs/core/README.md": "The core: see src/work/now and std.library_of.\n",
    "designs/core/expected.json": "{}\n",
    "designs/catalogue.h": "#pragma once\n#include <fencecheck/designs/core/design.h>\n",
    "golden.tsv": "a\tb\t\n",
    "tests/golden/Copy.tla": "a \n",
    "picture.bin": "\0 \n",
    "ignored/bad.h": "\t\n",
    ".gitignore": "/ignored/\n",
}
# (rule, file, content, how each expected finding begins). Each is laid over the clean tree alone.
BROKEN = [
    ("include_direction", "explorer/model.h", "#pragma once\n#include <fencecheck/model/world.h>\n",
     ["explorer/model.h:2: <fencecheck/model/world.h>: explorer may include only explorer"]),
    ("include_direction", "model/world.h", "#pragma once\n  # include <fencecheck/report/text.h>\n",
     ["model/world.h:2: <fencecheck/report/text.h>"]),
    ("include_direction", "properties/core.cpp", "#include <fencecheck/designs/core/design.h>\n",
     ["properties/core.cpp:1: "]),
    ("include_direction", "designs/x.cpp", "#include <fencecheck/cli/main.h>\n", ["designs/x.cpp:1: "]),
    ("include_direction", "report/x.cpp", "#include <fencecheck/cli/main.h>\n", ["report/x.cpp:1: "]),
    ("include_direction", "engines/x.cpp", "#include <fencecheck/cli/main.h>\n", ["engines/x.cpp:1: "]),
    ("include_direction", "model/x.cpp", "#include <fencecheck/fencecheck.h>\n", ["model/x.cpp:1: "]),
    ("include_direction", "fencecheck.h", "#pragma once\n#include <fencecheck/cli/main.h>\n", ["fencecheck.h:2: "]),
    ("include_direction", "model/x.cpp", '#include "world.h"\n', ['model/x.cpp:1: "world.h": write']),
    ("include_direction", "cli/x.cpp", '#include "model/world.h"\n', ['cli/x.cpp:1: "model/world.h": write']),
    ("include_direction", "model/x.cpp", "#include <model/world.h>\n", ["model/x.cpp:1: <model/world.h>: write"]),
    ("include_direction", "cli/x.cpp", "#include <fencecheck/cli/main.cpp>\n", ["cli/x.cpp:1: "]),
    ("include_direction", "elsewhere/x.cpp", "#include <fencecheck/cli/main.h>\n", ["elsewhere/x.cpp:1: "]),
    ("pragma_once", "model/world.h", "#ifndef W\n#define W\n#endif\n", ["model/world.h:1: "]),
    ("pragma_once", "model/world.h", "", ["model/world.h:1: "]),
    ("line_width", "model/x.cpp", "\nint a;  //" + " b" * 60 + "\n", ["model/x.cpp:2: 130 columns"]),
    ("line_width", "tool.py", "#!/usr/bin/env python3\nx = 1  #" + " b" * 60 + "\n", ["tool.py:2: "]),
    ("line_width", "tool", "#!/usr/bin/env bash\n: " + " b" * 60 + "\n", ["tool:2: "]),
    ("no_tabs", "model/x.cpp", "int a;\n\tint b;\n", ["model/x.cpp:2: "]),
    ("trailing_space", "README.md", "a\nb \n", ["README.md:2: "]),
    ("trailing_space", "README.md", "a\r\nb\n", ["README.md:1: "]),
    ("trailing_space", "golden.tsv", "a\tb \n", ["golden.tsv:1: "]),
    ("file_length", "model/x.cpp", "\n" * (CPP_LINES_MAX + 1), [f"model/x.cpp:{CPP_LINES_MAX + 1}: "]),
    ("graph_out_of_headers", "explorer/model.h", "#pragma once\n#include <boost/graph/graph_traits.hpp>\n",
     ["explorer/model.h:2: "]),
    ("foreign_paths", "README.md", "see\n/" "work/main\n", ["README.md:2: "]),
    ("foreign_paths", "README.md", "in `." "library`\n", ["README.md:1: "]),
    ("foreign_paths", "tool.py", "x = '/" "home/me'\n", ["tool.py:1: "]),
    ("foreign_paths", "README.md", "../" "shared/DESIGN.md\n", ["README.md:1: "]),
    ("design_folders", "designs/new/design.h", "#pragma once\n",
     ["designs/new/README.md:1: ", "designs/new/expected.json:1: "]),
    ("design_folders", "designs/new/README.md", "New.\n",
     ["designs/new/design.h:1: ", "designs/new/expected.json:1: "]),
]


def write_tree(root, files):
    for path, content in files.items():
        target = Path(root) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8"))
    subprocess.run(["git", "init", "-q", str(root)], check=True)


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        write_tree(folder, CLEAN)
        failures += [f"the clean tree is said to be broken: {text}" for _, text in findings(folder)]
    for name, path, content, expected in BROKEN:
        with tempfile.TemporaryDirectory() as folder:
            write_tree(folder, {**CLEAN, path: content})
            found = findings(folder)
        if [rule_name for rule_name, _ in found] != [name] * len(expected) or not all(
                text.startswith(start) for (_, text), start in zip(found, expected)):
            failures.append(f"{name} with {path} = {content[:60]!r}: expected {expected}, found {found}")
    untried = {check.__name__ for check in RULES} - {name for name, *_ in BROKEN}
    failures += [f"rule {name} has no broken example" for name in sorted(untried)]

    # The exit code is what a CI server sees, so it is tried from outside.
    with tempfile.TemporaryDirectory() as folder:
        write_tree(folder, CLEAN)
        for extra, code in (({}, 0), ({"model/x.cpp": "\t\n"}, 1)):
            write_tree(folder, extra)
            result = subprocess.run([sys.executable, __file__, "--root", folder], stdout=subprocess.PIPE)
            if result.returncode != code:
                failures.append(f"exit code {result.returncode} instead of {code}")

    print("\n".join(failures) if failures else f"{len(RULES)} rules, {len(BROKEN)} broken examples: all noticed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--self-test", action="store_true", help="break every rule once and see that it is noticed")
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent, help="the repository to check")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    found = findings(arguments.root)
    for _, text in found:
        print(text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
