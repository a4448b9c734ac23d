# SPDX-License-Identifier: Apache-2.0
"""docs/reference/runtime.md has a row for each field of the layout table and for some constants, with their values.

The values are those of the sources: layout_rows.h is evaluated for pointers of 8 and 4 bytes, from Android 12 on. A cell
says the value of the first row, then each later one that differs: "2; 13: 3". "32 (24)" is 32 for pointers of 8 bytes
and 24 for pointers of 4.
"""

import re

import repository

PAGE = "docs/reference/runtime.md"
STRUCT = "src/walk/layout.h"
ROWS = "src/walk/layout_rows.h"
FIRST = "12"
POINTERS = (8, 4)
COMMENTS = re.compile(r"//[^\n]*")
FIELD = re.compile(r"^\s*(?:const char\*|model::ThreadState|\w+)\s+\(?\*?\s*(\w+)\)?(?:\([^)]*\))?;", re.MULTILINE)
FUNCTION = re.compile(r"^constexpr Layout (Art\w+)\(uint32_t p\) \{(.*?)^\}", re.MULTILINE | re.DOTALL)
BASE = re.compile(r"Layout layout = (Art\w+)\(p\);")
SET = re.compile(r"(?:^|[\s{;,])(?:layout)?\.(\w+)\s+=\s+(.*?)(?:;|,(?=\s*(?:\.|\}|$)))", re.DOTALL)
CONSTANT = re.compile(r"^constexpr uint32_t (k\w+) = (.*?);", re.MULTILINE)


def fields_of(header):
    """Names of the fields of struct Layout."""
    body = re.search(r"^struct Layout \{(.*?)^\};", COMMENTS.sub("", header), re.MULTILINE | re.DOTALL)
    return FIELD.findall(body[1]) if body else []


def evaluate(expression, names):
    """A C++ expression of numbers, names and one ?:. An enumerator, a function or a text is its own value."""
    expression = " ".join(expression.split())
    choice = re.fullmatch(r"(.+?) \? (.+?) : (.+)", expression)
    if choice:
        return evaluate(choice[2 if evaluate(choice[1], names) else 3], names)
    if re.fullmatch(r'"[^"]*"', expression):
        return expression.strip('"')
    if expression == "kNoField":
        return "none"
    name = re.fullmatch(r"(?:\w+::)?(\w+(?:<\d+>)?)", expression)
    if name and not name[1][0].isdigit() and name[1] not in names:
        return name[1]
    python = re.sub(r"\b(\d+|0x[0-9a-fA-F]+)U?\b", r"\1", expression.replace("layout.", ""))
    if not re.fullmatch(r"[\w\s+*=()-]+", python) or not set(re.findall(r"\b[a-zA-Z_]\w*", python)) <= names.keys():
        raise ValueError(f"this test does not understand {expression}")
    return eval(python, {"__builtins__": {}}, names)  # pylint: disable=eval-used


def layouts_of(source, pointer_bytes):
    """{function: {field: value}} of layout_rows.h."""
    source = COMMENTS.sub("", source)
    constants = {}
    for name, expression in CONSTANT.findall(source):
        constants[name] = evaluate(expression, constants)
    bodies = dict(FUNCTION.findall(source))
    layouts = {}

    def layout(name):
        if name not in layouts:
            base = BASE.search(bodies[name])
            values = dict(layout(base[1])) if base else {}
            for field, expression in SET.findall(bodies[name]):
                values[field] = evaluate(expression, {**constants, **values, "p": pointer_bytes})
            layouts[name] = values
        return layouts[name]

    for name in bodies:
        layout(name)
    return layouts


def table_of(source):
    """[(release, {field: text})], the oldest first, from FIRST on."""
    wide, narrow = (layouts_of(source, pointer) for pointer in POINTERS)
    rows = sorted(((values["oat_version_first"], name) for name, values in wide.items()))
    table = []
    for _, name in rows:
        texts = {}
        for field, value in wide[name].items():
            other = narrow[name][field]
            texts[field] = f"{value}" if value == other else f"{value} ({other})"
        if table or texts["release"] == FIRST:
            table.append((texts["release"], texts))
    return table


def cell_of(table, field):
    """The values of a field as the page says them."""
    parts, last = [], None
    for release, texts in table:
        text = texts[field]
        if text != last:
            parts.append(f"{release}: {text}" if parts else text)
        last = text
    return "; ".join(parts)


def rows_of(page, heading):
    """Cells of each row below a heading, without the table's own two lines."""
    section = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    for line in (section[1] if section else "").splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def layout_violations(page, header, source):
    fields, table = fields_of(header), table_of(source)
    if not fields or not table:
        yield f"{STRUCT}, {ROWS}: this test no longer understands them"
    seen = {}
    for row in rows_of(page, "The layout table"):
        name = row[0].strip("`")
        if name in seen:
            yield f"{PAGE}: has two rows for {name}"
        seen[name] = row[1] if len(row) > 1 else ""
    yield from (f"{PAGE}: has no row for {name}" for name in fields if name not in seen)
    for name, value in seen.items():
        if name not in fields:
            yield f"{PAGE}: {STRUCT} lacks the field {name}"
        elif table and name not in table[0][1]:
            yield f"{ROWS}: sets no {name}, or this test does not find where"
        elif table and value != cell_of(table, name):
            yield f"{PAGE}: {name} is {value}, and in {ROWS} {cell_of(table, name)}"


def constant_violations(page, text_of):
    """Each row names a constant, its file and its initializer; "arch/*" is a file of each CPU."""
    rows = list(rows_of(page, "Other constants"))
    if not rows:
        yield f"{PAGE}: names no other constants"
    for name, place, value, *_ in ([cell.strip("`") for cell in row[:3]] for row in rows):
        cpus = ("aarch64", "arm", "x86", "x86_64") if "*" in place else ("",)
        found = []
        for cpu in cpus:
            declared = re.search(rf"\bconstexpr \w+ {name}(?:\[\d*\])?\s+=\s+(.*?);", text_of(place.replace("*", cpu)) or "",
                                 re.DOTALL)
            found.append(" ".join(declared[1].split()) if declared else None)
        if None in found:
            yield f"{PAGE}: {place} has no constant {name}"
        elif (declared := found[0] if len(set(found)) == 1 else " / ".join(found)) != value:
            yield f"{PAGE}: {name} is {value}, and in {place} {declared}"


def violations_of(tree):
    page, header, source = (tree.text(path) or "" for path in (PAGE, STRUCT, ROWS))
    known = {path.as_posix() for path in tree.files()}
    yield from layout_violations(page, header, source)
    yield from constant_violations(page, lambda name: tree.text(name) if name in known else None)


if __name__ == "__main__":
    whole = repository.Tree()
    repository.finish("runtime_page", len(list(rows_of(whole.text(PAGE) or "", "The layout table"))),
                      list(violations_of(whole)))
