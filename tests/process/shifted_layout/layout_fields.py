# SPDX-License-Identifier: Apache-2.0
"""Writes one line FIELD(name) for each constant of the layout table's struct.

Usage: layout_fields.py LAYOUT_HEADER OUTPUT
"""

import pathlib
import re
import sys

NUMBER = re.compile(r"^\s*(?:u?int\d+_t|[A-Z]\w+)\s+(\w+);", re.MULTILINE)


def main():
    header, output = map(pathlib.Path, sys.argv[1:])
    struct = re.search(r"^struct Layout \{$(.*?)^\};$", header.read_text(), re.MULTILINE | re.DOTALL).group(1)
    fields = NUMBER.findall(struct)
    if len(fields) < 20:
        sys.exit(f"{header}: only {len(fields)} constants found in struct Layout")
    output.write_text("".join(f"FIELD({field})\n" for field in fields))


main()
