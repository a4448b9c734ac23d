# SPDX-License-Identifier: Apache-2.0
"""Names in the documents exist, lists in the code are documented, and the documents stay short."""

import os
import re

import repository

MOST_LINES = {"README.md": 110, "ARCHITECTURE.md": 100}
MOST_WORDS_EXPLAINED = 25
MOST_PICTURE_BYTES = 200 * 1024


def rows(text):
    """Cells of each row of a table whose first cell is code."""
    for line in text.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def first_cells(text):
    return [row[0].strip("`") for row in rows(text)]


# Links.

def anchors(text):
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_violations(path, text, text_of):
    """`text_of` gives a file's text from its path, "" for a folder or a binary file, and None where nothing is."""
    without_code = re.sub(r"`[^`\n]*`", "", re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE))
    for target in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", without_code):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        linked = text if not name else text_of((path.parent / name).as_posix())
        if linked is None:
            yield f"{path}: links {target}, which is not there"
        elif anchor and anchor not in anchors(linked):
            yield f"{path}: links {target}, and there is no such heading"


def variable_violations(path, text, known):
    for name in sorted(set(re.findall(r"\bSTILLFRAME_\w*[A-Z]\b", text)) - known):
        yield f"{path}: {name} is read by nobody"


# Lists that are in the code and must be in a document.

def list_violations(what, wanted, page, listed, is_whole=False):
    if not wanted:
        yield f"no {what} is found, or this test no longer understands where they are"
    for name in wanted:
        if name not in listed:
            yield f"{page}: says nothing about {what} {name}"
    for name in listed if is_whole else ():
        if name not in wanted:
            yield f"{page}: there is no {what} {name}"


def truncations_of(source):
    return [name for name in re.findall(r'\{Truncation::k\w+, "([^"]+)"', source) if name != "none"]


def words_of(source):
    """The words of STILLFRAME_OMIT."""
    table = re.search(r"kWords\[\] = \{(.*?)\}", source, re.DOTALL)
    return re.findall(r'"(\w+)"', table.group(1)) if table else []


# Lengths.

def length_violations(path, text):
    lines = text.count("\n")
    if lines > MOST_LINES.get(str(path), lines):
        yield f"{path}: {lines} lines, {MOST_LINES[str(path)]} are allowed"


def glossary_violations(text):
    glossary = text.partition("\n## Glossary\n")[2]
    entries = re.findall(r"^- \*\*(.+?)\*\*", glossary, re.MULTILINE)
    words = [word for entry in entries for word in entry.split(", ")]
    if not words:
        yield "docs/README.md: has no glossary"
    if len(words) > MOST_WORDS_EXPLAINED:
        yield f"docs/README.md: explains {len(words)} words, {MOST_WORDS_EXPLAINED} are allowed"
    if entries != sorted(entries, key=str.lower):
        yield "docs/README.md: the glossary is not in order"


class Tree:
    """The files of the repository by path, wherever the folder of a source is."""

    def __init__(self):
        self.paths = repository.files()
        self.names = {path.as_posix() for path in self.paths}
        self.folders = {parent.as_posix() for path in self.paths for parent in path.parents}

    def text_of(self, name):
        name = os.path.normpath(name)
        if name in self.folders:
            return ""
        return (repository.text(name) or "") if name in self.names else None

    def source(self, end):
        """The text of the only file whose path ends so; "" if there is not exactly one."""
        found = [path for path in self.paths if path.as_posix().endswith("/" + end)]
        return repository.text(found[0]) if len(found) == 1 else ""

    def variables(self):
        """Variables that tests and builds read."""
        texts = (repository.text(path) or "" for path in self.paths
                 if path.parts[0] in ("tests", "bench") or path.name in ("CMakeLists.txt", "profiler.h"))
        return {name for text in texts for name in re.findall(r"\bSTILLFRAME_\w*[A-Z]\b", text)}


def violations_of(tree):
    settings = tree.text_of("docs/reference/settings.md") or ""
    limits = first_cells(tree.text_of("docs/production.md") or "")
    truncations = truncations_of(tree.source("core/truncation.h"))
    yield from list_violations("the truncated stack", truncations, "docs/production.md", limits)
    formats = re.findall(r'\bFormat\{"(\w+)"', tree.source("verbs/export.cc"))
    yield from list_violations("the export", formats, "docs/cli.md",
                               first_cells(tree.text_of("docs/cli.md") or ""))
    format_header = tree.text_of("include/stillframe/dump_format.h") or ""
    privacy = re.findall(r"`(\w+)`", tree.text_of("docs/production.md") or "")
    yield from list_violations("the section", re.findall(r"^  (k\w+) = \w+,$", format_header, re.MULTILINE),
                               "docs/production.md", privacy)
    yield from list_violations("the word of STILLFRAME_OMIT", words_of(tree.source("settings/omissions.cc")),
                               "docs/production.md", privacy)
    yield from glossary_violations(tree.text_of("docs/README.md") or "")
    known = tree.variables() | set(first_cells(settings))
    for path in tree.paths:
        if path.suffix == ".md":
            text = repository.text(path) or ""
            yield from length_violations(path, text)
            yield from link_violations(path, text, tree.text_of)
            yield from variable_violations(path, text, known)
        if path.suffix == ".png" and path.parts[0] == "docs":
            size = (repository.ROOT / path).stat().st_size
            if size > MOST_PICTURE_BYTES:
                yield f"{path}: {size} bytes, {MOST_PICTURE_BYTES} are allowed"


def main():
    tree = Tree()
    documents = [path for path in tree.paths if path.suffix == ".md"]
    repository.finish("documents", len(documents), list(violations_of(tree)))


if __name__ == "__main__":
    main()
