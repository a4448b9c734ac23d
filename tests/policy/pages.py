# SPDX-License-Identifier: Apache-2.0
"""The library runs with pages of 4 and of 16 KiB: its segments are so far apart, and no source assumes a size.

Usage: pages.py LIBRARY

Android 15 devices may have pages of 16 KiB. A 32-bit process always has pages of 4.
"""

import pathlib
import re
import struct
import sys

import repository

FOLDERS = ("src", "arch", "include")
LARGEST_PAGE = 16 << 10
# The size of a page as a constant, and masks of 4 KiB pages. sysconf(_SC_PAGESIZE) tells the size.
ASSUMED = re.compile(
    r"\bPAGE_(?:SIZE|MASK|SHIFT)\b|\bgetpagesize\b|\bk\w*PageBytes\s*=|~\w*\W?(?:4095|0x[fF]{3})\b|\bkPage\w*\s*=\s*\d")
PT_LOAD = 1


def segments(data):
    """Alignments of a 64-bit library's loaded segments; None for a 32-bit one."""
    if data[4] != 2:
        return None
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<II6Q", data, start + i * size) for i in range(count)]
    return [header[7] for header in headers if header[0] == PT_LOAD]


def main():
    alignments = segments(pathlib.Path(sys.argv[1]).read_bytes()) or []
    violations = [f"{sys.argv[1]}: a segment is aligned to {alignment} bytes" for alignment in alignments
                  if alignment < LARGEST_PAGE]
    sources = sorted(path for folder in FOLDERS for path in (repository.ROOT / folder).rglob("*")
                     if path.suffix in (".cc", ".h", ".S"))
    for path in sources:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if ASSUMED.search(line.split("//")[0]):
                place = f"{path.relative_to(repository.ROOT)}:{number}"
                violations.append(f"{place}: assumes a size of pages: {line.strip()}")
    repository.finish("pages", len(sources) + len(alignments), violations)


if __name__ == "__main__":
    main()
