# SPDX-License-Identifier: Apache-2.0
"""The include directives of a C++ file, and those whose target is not clear from the text."""

import dataclasses
import re

# Finds directives as the compiler does: without comments, and with continued lines joined.
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
    """Includes of one line with a name in quotes or angle brackets."""
    return [Include(text.count("\n", 0, found.end()) + 1, *found.groups()) for found in PLAIN.finditer(text)]


def obscure(text):
    """A complaint for each include that is not plain, or that reaches its file through other folders."""
    joined = re.sub(r"\\[^\S\n]*\n", "", text)
    bare = DROPPED.sub(lambda found: found.group(1) or " ", joined)
    understood = len(plain(text))
    if len(DIRECTIVE.findall(bare)) != understood or len(DIRECTIVE.findall(joined)) != understood:
        yield "has an include that is no one line with a name in quotes or angle brackets"
    for include in plain(text):
        if any(part in ("", ".", "..") for part in include.name.split("/")):
            yield f"{include.line}: includes {include.name}, which is no plain path"
