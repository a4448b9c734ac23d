# SPDX-License-Identifier: Apache-2.0
"""The files of this repository and how a policy test reports."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


class Tree:
    """The files below a root, by their paths from there: of a git repository all but the ignored ones."""

    def __init__(self, root=ROOT):
        self.root = pathlib.Path(root)
        if (self.root / ".git").exists():
            listed = run("git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            names = {name for name in listed.split("\0") if name and (self.root / name).is_file()}
        else:
            names = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()}
        self._paths = [pathlib.PurePosixPath(name) for name in sorted(names)]
        self._texts = {}

    def files(self, *suffixes, under=()):
        """With suffixes, only files that have one of them; with folders, only what is below one of those."""
        return [path for path in self._paths
                if (not suffixes or path.suffix in suffixes)
                and (not under or any(path.is_relative_to(folder) for folder in under))]

    def text(self, path):
        """The file's text, or None for one that is not UTF-8."""
        if path not in self._texts:
            try:
                self._texts[path] = (self.root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]


def files(*suffixes):
    return Tree().files(*suffixes)


def text(path):
    """The file's text, or None for one that is not UTF-8."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True).stdout


def finish(name, checked, violations):
    """Prints the violations and ends the process: 0 when there is none and something was checked."""
    for violation in violations:
        print(violation)
    if not checked:
        print(f"{name}: nothing was checked")
        sys.exit(1)
    print(f"{name}: {checked} checked, {len(violations)} violations")
    sys.exit(1 if violations else 0)


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)
