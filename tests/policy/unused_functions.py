# SPDX-License-Identifier: Apache-2.0
"""The product names each function of its objects outside the declaration and definition; tests do not count.

Usage: unused_functions.py COMPILE_COMMANDS. A third occurrence of a name counts as a use, whatever it refers to. Inline
functions are in no object of their own, and are not checked.
"""

import collections
import json
import pathlib
import re
import sys

import includes
import repository

CHECKED = ("src", "arch", "include", "tools/stillframe")
NEEDED = 2  # a declaration and a definition
OFFERED = re.compile(r" T (stillframe::(?:\w+::)*\w+)\(")


def violations_of(offered, text):
    """Functions, by their qualified names, that are named nowhere else; `text`: all of the product's C++."""
    counts = collections.Counter(re.findall(r"\w+", includes.DROPPED.sub("", text)))
    for name in sorted(offered):
        *scope, last = name.split("::")
        if counts[last] <= NEEDED and last not in scope:
            yield f"nothing of the product uses {name}"


def main():
    commands = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    outputs = (re.search(r" -o ((?:src|tools)/\S+\.o) ", entry["command"]) for entry in commands)
    objects = [path for output in outputs if output and (path := pathlib.Path(commands[0]["directory"], output[1])).exists()]
    offered = set(OFFERED.findall(repository.run("nm", "-C", "--defined-only", *objects)))
    tree = repository.Tree()
    text = "\n".join(tree.text(path) for path in tree.files(".h", ".cc", ".inc", ".S", under=CHECKED))
    repository.finish("unused_functions", len(offered), list(violations_of(offered, text)))


if __name__ == "__main__":
    main()
