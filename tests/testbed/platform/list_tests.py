#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the names of libcore's test classes that were compiled whole, one a line, in the order of the folders.

A class counts if its file is *Test.java, directly in the folder. If the compiler reports errors for it, the first
follows after a tab: the packages lack something that it needs. Such a class is left out.

Context: write_build.py makes libcore-tests.txt with it, which tests/process/libcore_test.py reads.
"""
import glob
import os
import re
import sys

ERROR = re.compile(r"^\d+\. ERROR in (\S+) \(at line (\d+)\)\n.*\n.*\n(.*)$", re.MULTILINE)


def main():
    log, *folders = sys.argv[1:]
    errors = {}
    with open(log, encoding="utf-8") as file:
        for path, _, text in ERROR.findall(file.read()):
            errors.setdefault(path, text)
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/*Test.java")):
            name = path.split("/src/test/java/")[1].removesuffix(".java").replace(os.sep, ".")
            print(name + (f"\t{errors[path]}" if path in errors else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
