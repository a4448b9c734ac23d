# SPDX-License-Identifier: Apache-2.0
"""The objects of the library, and of the dump reader that is built with its tests, call nothing that bionic lacks at the
lowest API level. Usage: android_imports.py FOLDER, with the objects of src/ as built for the Android proxy.

bionic_symbols.tsv has what is called: name, library, the API level that it came at (21 stands for 21 and before).
Source: bionic's libc/libc.map.txt and libdl/libdl.map.txt of March 2025; zlib and liblog by the NDK's stubs.
"""

import pathlib
import sys

import repository

LOWEST_API = 26  # Android 8
TABLE = pathlib.Path(__file__).with_name("bionic_symbols.tsv")
# What glibc's headers and start files, and compilers for it, make of names that the sources have.
GLIBC_NAMES = {"__errno_location": "__errno", "__isoc99_sscanf": "sscanf", "bcmp": "memcmp", "atexit": "__cxa_atexit"}
# The C++ runtime is linked in; the other two are the linker's.
OTHERS = ("_Z", "__cxa_guard_", "__gxx_personality_", "_Unwind_", "__start_", "__stop_", "__dso_handle",
          "_GLOBAL_OFFSET_TABLE_")


def table(text):
    """{name: (library, level)}"""
    rows = (line.split("\t") for line in text.splitlines())
    return {name: (library, int(level)) for name, library, level in rows}


def imports(objects):
    """What the objects need of each other's outside."""
    defined, needed = set(), set()
    for line in repository.run("nm", "--format=posix", *objects).splitlines():
        name, kind, *_ = [*line.split(), ""]
        if kind in ("U", "w", "v"):
            needed.add(name)
        elif kind:
            defined.add(name)
    return {name for name in needed - defined if not name.startswith(OTHERS)}


def violations_of(needed, known):
    for name in sorted(needed):
        library, level = known.get(GLIBC_NAMES.get(name, name), (None, 0))
        if library is None:
            yield f"{name} is not in {TABLE.name}: add it with its API level if that is at most {LOWEST_API}"
        elif level > LOWEST_API:
            yield f"{name} came to {library} at API level {level}, the library starts at {LOWEST_API}"


def unused(needed, known):
    called = {GLIBC_NAMES.get(name, name) for name in needed} | {"__android_log_write"}  # what glibc builds have not
    for name in sorted(set(known) - called):
        yield f"nothing calls {name} of {TABLE.name}"


def main():
    objects = [*pathlib.Path(sys.argv[1]).rglob("*.o")]
    if not any("stillframe_dump_reader.dir" in path.parts for path in objects):
        sys.exit("android_imports: stillframe_dump_reader, which unit tests on Android need, is not built")
    known = table(TABLE.read_text(encoding="utf-8"))
    needed = imports(objects)
    repository.finish("android_imports", len(needed), [*violations_of(needed, known), *unused(needed, known)])


if __name__ == "__main__":
    main()
