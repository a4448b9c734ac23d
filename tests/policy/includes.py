# SPDX-License-Identifier: Apache-2.0
"""The include directives of a C++ file, and those whose file cannot be told from their text."""

import dataclasses
import re

# As the compiler finds directives: after comments are gone and continued lines are one.
DROPPED = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""", re.DOTALL)
DIRECTIVE = re.compile(r"^[^\S\n]*(?:#|%:)[^\S\n]*(?:include|include_next|import)\b[^\n]*", re.MULTILINE)
PLAIN = re.compile(r'''^[^\S\n]*#[^\S\n]*include[^\S\n]*(["<])([^">\n]+)[">][^\S\n]*(?://[^\n]*)?$''', re.MULTILINE)


@dataclasses.dataclass
class Include:
    line: int
    bracket: str
    name: str


def plain(text):
    """Those that are one line with a name in quotes or angle brackets."""
    return [Include(text.count("\n", 0, found.end()) + 1, *found.groups()) for found in PLAIN.finditer(text)]


def obscure(text):
    """What to say of each that is not plain, or that goes through other folders to its file."""
    joined = re.sub(r"\\[^\S\n]*\n", "", text)
    bare = DROPPED.sub(lambda found: found.group(1) or " ", joined)
    understood = len(plain(text))
    if len(DIRECTIVE.findall(bare)) != understood or len(DIRECTIVE.findall(joined)) != understood:
        yield "has an include that is no one line with a name in quotes or angle brackets"
    for include in plain(text):
        if any(part in ("", ".", "..") for part in include.name.split("/")):
            yield f"{include.line}: includes {include.name}, which is no plain path"
