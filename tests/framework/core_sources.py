# SPDX-License-Identifier: Apache-2.0
"""Facts about the core library's classes by public source text: the class files of the releases lack these classes.

core_sources.tsv has one line for each row and level that was read: the level, the row's class, kind, name and type,
whether the source declares it so, its @UnsupportedAppUsage, and the repository, commit and path that were read. A pair
of row and level that was not read has no line. Kind, name and type of a class are empty. The usage is "none", "any" or
the newest target SDK, and empty where it was not read.
"""

import csv
import dataclasses
import pathlib
import re

import class_file
import rows as framework_rows

TABLE = pathlib.Path(__file__).with_name("core_sources.tsv")
COLUMNS = ["api", "class", "kind", "member", "type", "is_there", "usage", "repository", "commit", "path"]
FORMS = {"api": r"\d+", "class": r"java/[\w/$]+", "kind": "|".join(["", *framework_rows.KINDS]), "member": r"<init>|\w*",
         "type": r"\S*", "is_there": "yes|no", "usage": r"|none|any|\d+", "repository": r"[\w.-]+/[\w.-]+",
         "commit": r"[0-9a-f]{40}", "path": r"\S+\.java"}


@dataclasses.dataclass
class Source:
    """A row on one level."""
    is_there: bool
    is_usage_read: bool
    usage: class_file.Usage | None
    repository: str
    commit: str


def key_of(row):
    return row.owner, row.kind, row.name, row.type


def _usage(word):
    return class_file.Usage(int(word) if word.isdecimal() else None) if word not in ("", "none") else None


def read(text=None):
    """By level, then by key. Raises ValueError, with the line, for one that is not understood."""
    text = TABLE.read_text(encoding="utf-8") if text is None else text
    lines = csv.reader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if (head := next(lines, None)) != COLUMNS:
        raise ValueError(f"{TABLE.name}:1: the columns are {head} instead of {COLUMNS}")
    levels = {}
    for number, words in enumerate(lines, 2):
        if len(words) != len(COLUMNS):
            raise ValueError(f"{TABLE.name}:{number}: {len(words)} words instead of {len(COLUMNS)}")
        line = dict(zip(COLUMNS, words))
        for column, word in line.items():
            if not re.fullmatch(FORMS[column], word):
                raise ValueError(f"{TABLE.name}:{number}: {column} cannot be {word!r}")
        level = levels.setdefault(int(line["api"]), {})
        key = line["class"], line["kind"], line["member"], line["type"]
        if key in level:
            raise ValueError(f"{TABLE.name}:{number}: the row is there twice on {line['api']}")
        level[key] = Source(line["is_there"] == "yes", line["usage"] != "", _usage(line["usage"]), line["repository"],
                            line["commit"])
    return levels


def places_of(levels):
    """Each repository and commit that was read: (level, repository, commit)."""
    return sorted({(level, source.repository, source.commit) for level, sources in levels.items()
                   for source in sources.values()})
