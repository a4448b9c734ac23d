# SPDX-License-Identifier: Apache-2.0
"""Checks the tree for unexpected top-level entries, package host names, leftover notes and vague names."""

import re
import shutil

import repository

TOP_LEVEL = {"src", "include", "arch", "tests", "bench", "tools", "docs", "findings", ".ci", ".github", ".devcontainer",
             "CMakeLists.txt", "CMakePresets.json", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
             "CHANGELOG.md", "LICENSE", ".clang-format", ".clang-tidy", ".gitignore", ".gitattributes", ".editorconfig"}

# Allowed files below a folder, by the end of the path: other policies find sources by these. The deepest folder counts.
ENDINGS = {
    "src": (".h", ".cc", "/CMakeLists.txt"),
    "src/entry": (".h", ".cc", "/CMakeLists.txt", "/exports.map"),
    "src/entry/java": (".java",),
    "src/tap": (".h", ".cc", "/CMakeLists.txt", "/tap_dex.inc", "/public_dex.inc"),
    "src/tap/java": (".java",),
    "arch": (".h",),
    "include": (".h",),
    "tools/stillframe": (".h", ".cc", "/CMakeLists.txt"),
    "tools/stillframe/render": (".h", ".cc", "/CMakeLists.txt", "/page_bundle.S", "/embed_assets.cmake",
                                "/dump.schema.json", "/tables.schema.json"),
    "tools/stillframe/render/assets": (".css", ".js"),
}

# Written in parts, so that the file does not contain the names that it forbids.
NOTES = re.compile(r"\b(" + "TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
LOCAL_PATHS = re.compile("/" + r"work/(main|shared)|" + "/" + r"tmp/[a-z]+build")
VAGUE = re.compile(r"(^|_)(util|utils|helper|helpers|manager|misc|common)(_|\.|$)", re.IGNORECASE)


def package_hosts():
    """Host names that apt uses on this machine."""
    if shutil.which("apt-get") is None:
        return set()
    sites = repository.run("apt-get", "indextargets", "--format", "$(SITE)").split()
    return {site.split("//")[-1].split("/")[0].split("@")[-1].split(":")[0] for site in sites} - {""}


def file_violations(tree, path, hosts):
    if path.parts[0] not in TOP_LEVEL:
        yield f"{path}: {path.parts[0]} has no place at the top level"
    if path.suffix != ".java" and any(VAGUE.search(part) for part in path.parts):  # java.util is a given name
        yield f"{path}: the name says nothing about what is inside"
    folder = max((folder for folder in ENDINGS if path.is_relative_to(folder)), key=len, default=None)
    if folder and not path.as_posix().endswith(ENDINGS[folder]):
        yield f"{path}: no file of this kind has a place in {folder}: {', '.join(ENDINGS[folder])}"
    text = tree.text(path)
    if text is None:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if NOTES.search(line):
            yield f"{path}:{number}: a note of unfinished work"
        if LOCAL_PATHS.search(line):
            yield f"{path}:{number}: a path of one machine"
        for host in hosts:
            if host in line:
                yield f"{path}:{number}: names a package host"


def violations_of(tree, hosts):
    for path in tree.files():
        yield from file_violations(tree, path, hosts)


def main():
    hosts = package_hosts()
    tree = repository.Tree()
    print(f"{len(hosts)} package hosts looked for")
    repository.finish("clean_tree", len(tree.files()), list(violations_of(tree, hosts)))


if __name__ == "__main__":
    main()
