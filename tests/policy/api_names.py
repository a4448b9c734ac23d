# SPDX-License-Identifier: Apache-2.0
"""Names that other programs read are kept: api_names.txt must list exactly those that exist.

`api_names.py --update` rewrites the list. A line that is removed breaks users, and CHANGELOG says so.
"""

import pathlib
import re
import sys

import documents
import repository

LIST = "tests/policy/api_names.txt"
# Kind -> file, and the pattern of its names.
SOURCES = {
    "function": ("include/stillframe/profiler.h", r"^STILLFRAME_EXPORT ([\w *]*?\bstillframe_\w+\([^;]*\));"),
    "status": ("include/stillframe/profiler.h", r"^\s+(STILLFRAME_[A-Z_]+ = -?\d+),"),
    "java": ("src/entry/java/dev/stillframe/Stillframe.java", r"^  public static (?:synchronized )?([^={]*\))"),
    "java-status": ("src/entry/java/dev/stillframe/Stillframe.java", r"^    ([A-Z_]+),?$"),
    "exit": ("tools/stillframe/verbs/exit_codes.h", r"^constexpr int (kExit\w+ =\s+-?\d+)"),
    "state": ("src/collector/sampler_state.cc", r'"((?:on|off)\b[^"]*)"'),
}
# Kind -> generated page, whose rows begin with the name.
PAGES = {"setting": "docs/reference/settings.md", "counter": "docs/reference/counters.md"}
FIELDS = "docs/reference/fields.md"


def names_of(text_of):
    """"kind name" of all, in order."""
    found = []
    for kind, (path, pattern) in SOURCES.items():
        found += [f"{kind} {' '.join(name.split())}" for name in re.findall(pattern, text_of(path) or "", re.MULTILINE)]
    found += [f"word {name}" for name in documents.words_of(text_of("src/settings/omissions.cc") or "")]
    for kind, path in PAGES.items():
        found += [f"{kind} {name}" for name in documents.first_cells(text_of(path) or "")]
    dumps, _, records = (text_of(FIELDS) or "").partition("## Records")
    found += [f"field {row[1].strip('`')}" for row in documents.rows(dumps)]
    found += [f"record {name}" for name in documents.first_cells(records)]
    return found


def violations_of(names, listed):
    kinds = {name.partition(" ")[0] for name in names}
    for kind in [*SOURCES, *PAGES, "word", "field", "record"]:
        if kind not in kinds:
            yield f"no {kind} is found, or this test no longer understands where they are"
    for name in listed:
        if name not in names:
            yield f"{name} is gone: programs may read it"
    for name in names:
        if name not in listed:
            yield f"{name} is new: list it ({LIST}, by api_names.py --update)"


if __name__ == "__main__":
    current = names_of(repository.text)
    if sys.argv[1:] == ["--update"]:
        pathlib.Path(repository.ROOT, LIST).write_text("\n".join(current) + "\n", encoding="utf-8")
    repository.finish("api_names", len(current), list(violations_of(current, repository.text(LIST).splitlines())))
