# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over src/, arch/ and tools/.

Usage: tidy.py COMPILE_COMMANDS [JOBS [FILE, folder or --signal...]]
--signal stands for the folders of src/ that a signal may run (folders.py).
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import folders
import repository

FOLDERS = ("src", "tools")  # their headers and arch/ come with them
# clang cannot read headers that g++ has precompiled; each file includes what it uses without them.
PRECOMPILED = re.compile(r' -Winvalid-pch\b| -include (?:"[^"]*"|\S*/cmake_pch\.hxx\b)')
INCLUDED = re.compile(r'^#include "(.*)"$', re.MULTILINE)


def compilations(commands):
    """An entry for each source; CMake has one for several sources that it compiles as one (a unity build)."""
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        entry["command"] = PRECOMPILED.sub("", entry["command"])
        path = pathlib.Path(entry["file"])
        if path.parent.name != "Unity":
            yield entry
        elif path.exists():  # CMake writes it when it configures
            for source in INCLUDED.findall(path.read_text(encoding="utf-8")):
                yield {**entry, "file": source, "command": entry["command"].replace(entry["file"], source)}


def lint(path, folder):
    # The static analyzer takes as long as all other checks together; it is there for a run by hand.
    done = subprocess.run(["clang-tidy", "--quiet", "--checks=-clang-analyzer-*",
                           "--extra-arg=-Wno-unknown-warning-option", "-p", folder, str(path)],
                          cwd=repository.ROOT, capture_output=True, text=True)
    found = re.findall(r"^(?:.+?:\d+:\d+: )?(?:warning|error): .*$", done.stdout, re.MULTILINE)
    if done.returncode != 0 and not found:
        found = [f"{path}: clang-tidy failed: {done.stderr.strip()[-500:]}"]
    return found


def main():
    if shutil.which("clang-tidy") is None:
        repository.skip("clang-tidy is not installed")
    commands = pathlib.Path(sys.argv[1])
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    wanted = [word for word in sys.argv[3:] or FOLDERS if word != "--signal"]
    if "--signal" in sys.argv:
        all_folders, _ = folders.read(repository.Tree())
        wanted += [name for name, folder in all_folders.items() if folder.context == "signal"]
    paths = []
    entries = list(compilations(commands))
    for entry in entries:
        path = pathlib.Path(entry["file"])
        if path.resolve().is_relative_to(repository.ROOT):
            name = path.resolve().relative_to(repository.ROOT)
            if name.suffix == ".cc" and any(name.is_relative_to(part) for part in wanted):
                paths.append(path)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pathlib.Path(folder, "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
        results = list(pool.map(lambda path: lint(path, folder), sorted(set(paths))))
    violations = sorted({line.replace(f"{repository.ROOT}/", "") for found in results for line in found})
    repository.finish("tidy", len(paths), violations)


if __name__ == "__main__":
    main()
