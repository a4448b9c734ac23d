# SPDX-License-Identifier: Apache-2.0
"""Includes and link edges follow the folders: each row names all that a folder may use."""

import pathlib
import re

import repository

# Folder -> folders it may include from, and whose targets it may link.
MAY_USE = {
    "include": {"include"},
    "arch": {"arch"},
    "tools": {"include", "src/trace", "src/model", "src/dump", "tools"},
}
# Folders that may name JNI types.
JNI_FOLDERS = {"src/collector"}
for _lists in sorted(repository.ROOT.glob("src/*/CMakeLists.txt")):
    _folder = f"src/{_lists.parent.name}"
    _head = dict(re.findall(r"^# (Context|Uses|JNI): (.*)$", _lists.read_text(encoding="utf-8"), re.MULTILINE))
    MAY_USE[_folder] = {_folder, *_head["Uses"].split()}
    if "JNI" in _head:
        JNI_FOLDERS.add(_folder)

# A target whose folder is not in its name, or that may use less than its folder.
TARGET_FOLDERS = {
    "stillframe_dump_reader": "src/dump",
    "stillframe_runtime": "src/entry",
}
TARGET_MAY_USE = {}
SETTINGS = {"stillframe_warnings", "stillframe_device"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def folder_of(path):
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == "src":
        return "/".join(parts[:2])
    return parts[0]


def include_violations(path):
    folder = folder_of(path)
    may_use = MAY_USE.get(folder)
    if may_use is None:
        yield f"{path}: folder {folder} has no row in the table of layers"
        return
    for bracket, included in INCLUDE.findall(repository.text(path)):
        if included == "jni.h" and folder not in JNI_FOLDERS:
            yield f"{path}: names JNI types, but its folder may not"
        if bracket == "<":
            if included.startswith(("src/", "arch/", "tests/", "tools/", "bench/")):
                yield f"{path}: <{included}> belongs in quotes, so that layers can be seen"
            continue
        if not (repository.ROOT / included).exists() and (repository.ROOT / path.parent / included).exists():
            yield f'{path}: "{included}" must be named from the repository root'
        elif folder_of(included) not in may_use:
            yield f"{path}: includes {included}; {folder} may use {', '.join(sorted(may_use))}"


def link_edges(path):
    words = re.sub(r"#.*", "", repository.text(path))
    for body in re.findall(r"target_link_libraries\(([^)]*)\)", words):
        target, *libraries = body.split()
        for library in libraries:
            if library not in ("PUBLIC", "PRIVATE", "INTERFACE"):
                yield target, library


def target_folder(target):
    if target in TARGET_FOLDERS:
        return TARGET_FOLDERS[target]
    folder = "src/" + target.removeprefix("stillframe_")
    return folder if folder in MAY_USE else None


def link_violations(path):
    folder = folder_of(path)
    for target, library in link_edges(path):
        used = target_folder(library) if library.startswith("stillframe_") else None
        if used is None or library in SETTINGS or folder not in MAY_USE:
            continue
        if used == folder:
            continue
        may_use = TARGET_MAY_USE.get(target, MAY_USE[folder])
        if used not in may_use:
            yield f"{path}: {target} links {library}; it may use {', '.join(sorted(may_use))}"


def main():
    checked, violations = 0, []
    for path in repository.files(".h", ".cc", ".inc"):
        if path.parts[0] in ("src", "arch", "include", "tools"):
            checked += 1
            violations += include_violations(path)
    for path in repository.files(".txt"):
        if path.name == "CMakeLists.txt" and path.parts[0] in ("src", "tools") and len(path.parts) > 2 + (path.parts[0] == "tools"):
            checked += 1
            violations += link_violations(path)
            targets = re.findall(r"add_library\((stillframe_\w+)|add_executable\((\w+)", repository.text(path))
            if not targets:
                violations.append(f"{path}: has no target of its own")
    repository.finish("layering", checked, violations)


main()
