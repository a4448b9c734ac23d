# SPDX-License-Identifier: Apache-2.0
"""Tables that the code finds by the linker's bounds are whole, whichever linker made the library, and its segments
suit pages of 16 KiB. Usage: linked_tables.py LIBRARY... --collected LIBRARY

The last one was linked without what keeps the tables: the check must see that.
"""

import re
import sys

import repository

TABLES = {"sf_guarded_loads"}
PAGE_BYTES = 16 * 1024


def table_bytes(library):
    """{table: bytes} by the section headers."""
    sections = re.findall(r"\] (\S+)\s+\w+\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", repository.run("readelf", "-SW", library))
    return {name: int(size, 16) for name, size in sections if name in TABLES}


def is_aligned(library):
    segments = re.findall(r"^\s+LOAD\s.*0x([0-9a-f]+)$", repository.run("readelf", "-lW", library), re.MULTILINE)
    return bool(segments) and all(int(alignment, 16) % PAGE_BYTES == 0 for alignment in segments)


def main():
    libraries = sys.argv[1:sys.argv.index("--collected")]
    collected = sys.argv[-1]
    expected = table_bytes(libraries[0])
    violations = [f"{libraries[0]} has no table {name}" for name in TABLES - {name for name in expected if expected[name]}]
    for library in libraries[1:]:
        found = table_bytes(library)
        if found != expected:
            violations.append(f"tables of {library} have {found} bytes, those of {libraries[0]} {expected}")
    violations += [f"{library}: not all segments suit pages of 16 KiB" for library in libraries if not is_aligned(library)]
    if table_bytes(collected) == expected:
        violations.append(f"{collected} lost nothing: this check cannot fail")
    print(f"bytes by table: {expected}; collected: {table_bytes(collected)}")
    repository.finish("linked_tables", len(libraries), violations)


if __name__ == "__main__":
    main()
