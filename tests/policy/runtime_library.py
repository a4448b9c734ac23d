# SPDX-License-Identifier: Apache-2.0
"""Libraries needed by libstillframe.so, its exports and its size.

Usage: runtime_library.py libstillframe.so STRIP MOST_KIB
"""

import pathlib
import re
import sys
import tempfile

import repository

NEEDED = {"libc.so.6", "libm.so.6", "libz.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-linux-armhf.so.3",
          "ld-linux.so.2", "libelf.so.1", "libunwind.so.8",
          "libunwind-x86_64.so.8"}
# Symbols that the VM looks up in a library and in an agent.
CALLED_BY_VM = {"JNI_OnLoad", "Agent_OnLoad", "Agent_OnAttach"}


def main():
    library, strip, most_kib = sys.argv[1:]
    violations = []
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", repository.run("readelf", "-dW", library))
    violations += [f"needs {name}, which is not allowed" for name in needed if name not in NEEDED]

    header = repository.text("include/stillframe/profiler.h")
    promised = set(re.findall(r"^STILLFRAME_EXPORT\s[^;]*?(stillframe_\w+)\(", header, re.MULTILINE))
    symbols = repository.run("nm", "-D", "--defined-only", library).splitlines()
    exported = {line.split()[-1].split("@")[0] for line in symbols if line.split()[-2] not in ("A", "a")}
    allowed = promised | CALLED_BY_VM
    violations += [f"exports {name}, which is not in profiler.h" for name in sorted(exported - allowed)]
    violations += [f"does not export {name} of profiler.h" for name in sorted(allowed - exported)]
    if not promised:
        violations.append("profiler.h promises nothing, or this test no longer understands it")

    segments = repository.run("readelf", "-lW", library)
    stack = [line.split() for line in segments.splitlines() if "GNU_STACK" in line]
    if len(stack) != 1 or stack[0][6] != "RW":
        violations.append("does not ask for a stack without execution")
    if "NOW" not in repository.run("readelf", "-dW", library):
        violations.append("binds lazily: the first call in a signal handler would enter the dynamic linker")

    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder, "stripped.so")
        repository.run(strip, "-o", stripped, library)
        size = stripped.stat().st_size
    if size >= int(most_kib) << 10:
        violations.append(f"{size} bytes stripped, {most_kib} KiB are too many")
    print(f"{size} bytes stripped, needs {' '.join(needed)}, exports {' '.join(sorted(exported))}")
    repository.finish("runtime_library", len(exported), violations)


if __name__ == "__main__":
    main()
