# SPDX-License-Identifier: Apache-2.0
"""Writes the facade for builds without the profiler: the real one's public members, which do nothing.

Usage: noop.py FOLDER
"""

import pathlib
import re
import sys

REAL = pathlib.Path(__file__).resolve().parents[2] / "src/entry/java/dev/stillframe/Stillframe.java"
ABOUT = """/**
 * Does nothing: this build has no profiler. Every method costs nothing, and answers as if the profiler were off. With
 * the profiler:
 *
 * <p>"""
RESULTS = {"void": None, "boolean": "false", "String": "null", "Status": "Status.NOT_STARTED"}
RESULTS_OF = {"configure": "Status.OK", "configureDocument": "Status.OK", "annotate": "Status.OK",
              "state": '"not built in"', "group": '"out"', "version": '"none"'}
# A comment, then a member, to its semicolon or to the brace that ends its body.
PRIVATE = re.compile(r"\n(?: +/\*\*[^\n]*\*/\n)?( +)(?:private (?!Stillframe\(\))|static native )[^\n]*(?:;|\{\n.*?\n\1\})(?=\n)", re.DOTALL)
PUBLIC = re.compile(r"^(  public static) (?:synchronized )?((\w+) (\w+)\(.*?\)) \{\n.*?\n  \}$", re.DOTALL | re.MULTILINE)


def without_effect(found):
    head, signature, kind, name = found.groups()
    result = RESULTS_OF.get(name, RESULTS[kind])
    return f"{head} {signature} {{" + (f"\n    return {result};\n  }}" if result else "}")


def source(real):
    text = re.sub(r"^import .*\n+", "", real, flags=re.MULTILINE)
    text = PUBLIC.sub(without_effect, PRIVATE.sub("", text.replace("/**\n * ", ABOUT, 1)))
    return re.sub(r"\n\n+(?= *\}|\n)", "\n", text)


def write(folder):
    path = pathlib.Path(folder, "dev/stillframe/Stillframe.java")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source(REAL.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
