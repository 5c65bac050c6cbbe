#!/usr/bin/env python3
"""Compiles a snippet, and checks that it fails with the message in its head.

    expect_error.py SNIPPET COMPILER ARGUMENT...

Each line `// expect: TEXT` of the snippet must be met by the compiler's output, which may break it anywhere. A snippet
without one is a control: it must compile. Prints what the user would see and exits with 1 where that is not so.
"""

import os
import re
import subprocess
import sys


def main():
    snippet, compiler, *arguments = sys.argv[1:]
    with open(snippet, encoding="utf-8") as file:
        expected = re.findall(r"^// expect: (.+)$", file.read(), re.MULTILINE)
    command = [compiler, "-fsyntax-only", *arguments, snippet]
    # In this locale both compilers print text as it stands in the source.
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                            env={**os.environ, "LC_ALL": "C.UTF-8"})
    output = " ".join(result.stdout.split())
    missing = [text for text in expected if text not in output]
    if expected and result.returncode == 0:
        print(f"{snippet} compiles, and should not")
    elif not expected and result.returncode != 0:
        print(f"{snippet} should compile")
    elif missing:
        print(f"{snippet} does not compile, and these are not among the messages: {missing}")
    else:
        print(f"{snippet}: as expected")
        return 0
    print(result.stdout)
    return 1


if __name__ == "__main__":
    sys.exit(main())
