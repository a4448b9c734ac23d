# SPDX-License-Identifier: Apache-2.0
"""clang-format has nothing to change in any C++ file."""

import shutil
import subprocess

import repository


def main():
    if shutil.which("clang-format") is None:
        repository.skip("clang-format is not installed")
    paths = repository.files(".h", ".cc")
    violations = []
    for first in range(0, len(paths), 50):
        batch = [str(path) for path in paths[first:first + 50]]
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *batch], cwd=repository.ROOT,
                              capture_output=True, text=True)
        bad = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "clang-formatted" in line})
        violations += [f"{path}: run clang-format -i on it" for path in bad]
        if done.returncode != 0 and not bad:
            violations.append(done.stderr.strip())
    repository.finish("formatting", len(paths), violations)


if __name__ == "__main__":
    main()
