# SPDX-License-Identifier: Apache-2.0
"""The rows of src/art/framework_members.h, and who uses them."""

import ast
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ROOT / "src/art/framework_members.h"
KINDS = {"Field": "field", "StaticField": "static field", "Method": "method", "StaticMethod": "static method"}
# Arguments of each macro, in order.
MACROS = {
    "SF_CLASS": ("cpp_name", "owner", "since", "until", "purpose", "absence"),
    "SF_MEMBER": ("cpp_name", "kind", "owner", "name", "type", "since", "until", "purpose", "absence"),
    "SF_HIDDEN_CLASS": ("cpp_name", "owner", "since", "until", "purpose", "absence"),
    "SF_HIDDEN_MEMBER": ("cpp_name", "kind", "owner", "name", "type", "since", "until", "purpose", "absence"),
    "SF_HIDDEN_NAMED_CLASS": ("owner", "since", "until", "purpose", "absence"),
    "SF_HIDDEN_NAMED_MEMBER": ("kind", "owner", "name", "type", "since", "until", "purpose", "absence"),
    "SF_NAMED_CLASS": ("owner", "since", "until", "purpose", "absence"),
    "SF_NAMED_MEMBER": ("kind", "owner", "name", "type", "since", "until", "purpose", "absence"),
}
LITERAL = r'"(?:\\.|[^"\\])*"'
CALL = re.compile(rf"^(SF_\w+)\(((?:{LITERAL}|[^\"()])*)\);$", re.MULTILINE)
ARGUMENT = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*|[^\s,\"]+")
SECTION = re.compile(r"^// (.+)\.$", re.MULTILINE)
# Look-ups past the rows. Members of our own classes need no row.
LOOK_UP = re.compile(rf"\b(?:FindClass|Get(?:Static)?(?:Field|Method)ID)\(([^;]*?{LITERAL}[^;]*?)\)")
OWN_MEMBERS = {"frameCallback", "leaf", "run", "neverCalled", "send", "<init>"}


@dataclasses.dataclass
class Row:
    owner: str
    since: int
    until: int
    purpose: str
    absence: str
    cpp_name: str = ""
    kind: str = ""  # "": a class
    name: str = ""
    type: str = ""
    section: str = ""
    is_hidden: bool = False  # not in the public API

    def label(self):
        return self.owner.replace("/", ".") + (f".{self.name}" if self.name else "")

    def is_expected(self, level):
        return self.since <= level and (self.until == 0 or level <= self.until)


def _error(text, at, reason):
    return ValueError(f"{HEADER.name}:{text.count(chr(10), 0, at) + 1}: {reason}")


def _row(call, classes):
    """The row of a macro's call. `classes`: by the names of the rows before. Raises ValueError without a place."""
    if call[1] not in MACROS:
        raise ValueError(f"{call[1]} is not a macro of rows")
    names = MACROS[call[1]]
    words = dict(zip(names, arguments := ARGUMENT.findall(call[2])))
    if len(arguments) != len(names):
        raise ValueError(f"{len(arguments)} arguments instead of {len(names)}")
    is_literal = {name: word.startswith('"') for name, word in words.items()}
    row = Row(**{name: ast.literal_eval(f"({word})") if is_literal[name] else word for name, word in words.items()})
    row.is_hidden = "HIDDEN" in call[1]
    for level in (row.since, row.until):
        if not level.isdecimal():
            raise ValueError(f"{level} is not an API level")
    row.since, row.until = int(row.since), int(row.until)
    if row.kind and row.kind not in KINDS:
        raise ValueError(f"{row.kind} is not a kind of member")
    if not is_literal["owner"]:
        if row.owner not in classes:
            raise ValueError(f"no class before this row has the name {row.owner}")
        row.owner = classes[row.owner]
    elif row.cpp_name and not row.kind:
        classes[row.cpp_name] = row.owner
    return row


def read(text=None):
    """The rows in the header's order. Raises ValueError, with the line, for a row that is not understood."""
    text = HEADER.read_text(encoding="utf-8") if text is None else text
    found = {call.start(): call for call in CALL.finditer(text)}
    for start in re.finditer(r"^SF_\w+\(", text, re.MULTILINE):
        if start.start() not in found:
            raise _error(text, start.start(), "the row is not understood")
    classes, rows = {}, []
    for at, call in found.items():
        try:
            row = _row(call, classes)
        except ValueError as reason:
            raise _error(text, at, reason) from None
        sections = SECTION.findall(text, 0, at)
        if not sections:
            raise _error(text, at, "the row has no section")
        row.section = sections[-1]
        rows.append(row)
    return rows


def sources():
    """Product sources that may use rows: path -> text, without the list itself."""
    paths = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".cc", ".h", ".java") and path != HEADER]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def unused(rows, texts):
    """Rows that no source names, by the row's own name, or by the name of its member or class."""
    words = set()
    for text in texts.values():
        words.update(re.findall(r"\w+", text))
    owners = {row.owner for row in rows if row.kind}
    for row in rows:
        last = re.split(r"[/$]", row.owner)[-1] if row.name in ("", "<init>") else row.name
        if not {row.cpp_name, last} & words and (row.kind or row.owner not in owners):
            yield f"{row.label()}: nothing in src uses it"


def look_ups_past_rows(texts):
    for path, text in texts.items():
        for found in LOOK_UP.finditer(text):
            literals = [word.strip('"') for word in re.findall(LITERAL, found[1])]
            if path.endswith((".cc", ".h")) and literals[0] not in OWN_MEMBERS:
                yield f"{path}: looks up {literals[0]} past the rows of {HEADER.name}"
