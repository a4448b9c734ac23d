# SPDX-License-Identifier: Apache-2.0
"""Each source file opens with its licence and its purpose.

First line, after a "#!": the SPDX line. Then a comment that says what the file is for; in Python a docstring, in Java
a comment before the first type. All files that the table below does not name are data: generated (.inc), locked or recorded
(.json, golden outputs).
"""

import re

import folders
import repository

FOLDERS = ("src", "include", "arch", "tools", "bench", "tests", "findings", ".ci")
SLASHES, HASHES, STARS = "// ", "# ", "/* "
COMMENTS = {".cc": SLASHES, ".h": SLASHES, ".S": SLASHES, ".java": SLASHES, ".ts": SLASHES, ".tsx": SLASHES,
            ".mjs": SLASHES, ".js": SLASHES, ".proto": SLASHES, ".py": HASHES, ".cmake": HASHES, ".css": STARS}
# The policies read none of these.
UNREAD = {".c", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"}
LICENCE = "SPDX-License-Identifier: Apache-2.0"
LEAST_WORDS = 2
DIRECTIVE = re.compile(r"\s*(?:clang-format\b|NOLINT|namespace\b|eslint|prettier-ignore|pylint:|@ts-|shellcheck\b)")
JAVA_TYPE = re.compile(r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|final|abstract|strictfp)\s+)*"
                       r"(?:class|interface|enum|record|@interface)\s", re.MULTILINE)


def comment_of(path, text):
    """How the file's comments begin; None if it is not a source."""
    if text.startswith("#!") or path.name == "CMakeLists.txt":
        return HASHES
    if path.suffix == ".in":  # a template: of Java when it is a whole file
        return SLASHES if path.stem.endswith(".java") else None
    return COMMENTS.get(path.suffix)


def is_embedded(path):
    """Assets go into what users get, byte for byte: a licence line would be in every report."""
    return path.parent.name == "assets"


def purpose_of(path, lines, mark):
    """The comment after the licence, without its marks."""
    text = "\n".join(lines)
    if path.suffix == ".py" and (found := re.match(r'\s*[rb]?"""(.*?)"""', text, re.DOTALL)):
        return found.group(1)
    if path.suffix == ".java" or path.name.endswith(".java.in"):
        type_ = JAVA_TYPE.search(text)
        before = text[:type_.start()] if type_ else text
        found = re.findall(r"/\*\*?(.*?)\*/|//([^\n]*)", before, re.DOTALL)
        return " ".join(text for pair in found for text in pair)
    if found := re.match(r"\s*/\*(.*?)\*/", text, re.DOTALL):
        return found.group(1)
    comment = []
    for line in lines:
        if not line.startswith(mark.strip()) or line.startswith(mark + "Context:"):
            break
        if not DIRECTIVE.match(line.removeprefix(mark.strip())):
            comment.append(line)
    return " ".join(comment)


def file_violations(path, text):
    mark = comment_of(path, text)
    if mark is None:
        return
    lines = text.splitlines()
    if is_embedded(path):
        return
    if lines[:1] and lines[0].startswith("#!"):
        lines = lines[1:]
    if not lines or lines[0] not in (mark + LICENCE, f"/* {LICENCE} */"):  # C, for any of its standards
        yield f"{path}: its first line is not \"{mark}{LICENCE}\""
    else:
        lines = lines[1:]
    has_header = path.suffix == ".cc" and any(line.endswith(f'{path.stem}.h"') for line in lines[:3])  # which says it
    if not has_header and len(re.findall(r"[A-Za-z]+", purpose_of(path, lines, mark))) < LEAST_WORDS:
        yield f"{path}: does not open with what it is for"


def context_violations(tree):
    """A header says in which context it may run where that is not its folder's."""
    known, _ = folders.read(tree)
    for path in tree.files(".h", under=["src"]):
        folder = known.get(folders.folder_of(path))
        line = rf"^// Context: (?:the )?{re.escape(folder.context)}\n(?!//)" if folder else "(?!)"
        if re.search(line, tree.text(path) or "", re.MULTILINE):
            yield f"{path}: its context is its folder's and needs no line"


def violations_of(tree):
    for path in tree.files():
        if path.suffix in UNREAD:
            yield f"{path}: C++ is in .cc and .h, which the policies read"
        if path.parts[0] in FOLDERS or path.name == "CMakeLists.txt":
            yield from file_violations(path, tree.text(path) or "")
    yield from context_violations(tree)


def main():
    tree = repository.Tree()
    repository.finish("source_files", len(tree.files()), list(violations_of(tree)))


if __name__ == "__main__":
    main()
