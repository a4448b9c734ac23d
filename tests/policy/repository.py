# SPDX-License-Identifier: Apache-2.0
"""The files of this repository and how a policy test reports."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def files(*suffixes):
    """All files but the ignored ones, as paths from the root; with suffixes, only those."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    names = sorted({name for name in listed.split("\0") if name})
    found = [pathlib.PurePosixPath(name) for name in names if (ROOT / name).is_file()]
    return [path for path in found if not suffixes or path.suffix in suffixes]


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
