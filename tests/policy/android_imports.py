# SPDX-License-Identifier: Apache-2.0
"""The objects that are built for Android call nothing that bionic lacks at the lowest API level.

Usage: android_imports.py FOLDER, with the objects of src/ as built for the Android proxy, the dump reader among them
android_imports.py --tests FOLDER... [--without FILE...], with the objects of unit tests, and which are not built there

bionic_symbols.tsv has what is called: name, library, the API level that it came at (21 stands for 21 and before), and
"tests" where tests alone call it.
Source: bionic's libc/libc.map.txt and libdl/libdl.map.txt of March 2025; zlib and liblog by the NDK's stubs.
"""

import pathlib
import sys

import repository

LOWEST_API = 26  # Android 8
TABLE = pathlib.Path(__file__).with_name("bionic_symbols.tsv")
# Names that glibc's headers, its start files and compilers for it substitute for names in the sources.
GLIBC_NAMES = {"__errno_location": "__errno", "__isoc99_sscanf": "sscanf", "bcmp": "memcmp", "atexit": "__cxa_atexit",
               "__isoc99_fscanf": "fscanf", "__sigsetjmp": "sigsetjmp"}
# The C++ runtime is linked in, and the linker makes the next ones. The last two need glibc: libstdc++'s headers use the
# first, and quick_message_test.cc uses the second only with glibc.
OTHERS = ("_Z", "__cxa_guard_", "__cxa_pure_", "__cxa_bad_", "__cxa_begin_", "__cxa_end_", "__cxa_rethrow",
          "__dynamic_cast", "__gxx_personality_", "_Unwind_", "__start_", "__stop_", "__dso_handle",
          "_GLOBAL_OFFSET_TABLE_", "__libc_single_threaded", "__libc_malloc")


def table(text, of_tests=True):
    """{name: (library, level)}"""
    rows = (line.split("\t") for line in text.splitlines())
    return {name: (library, int(level)) for name, library, level, *tests in rows if of_tests or not tests}


def imports(objects):
    """Symbols that the objects need and none of them defines."""
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
    is_of_tests = sys.argv[1] == "--tests"
    folders, without = sys.argv[2:] if is_of_tests else sys.argv[1:], []
    if "--without" in folders:
        place = folders.index("--without")
        folders, without = folders[:place], folders[place + 1:]
    objects = [path for folder in folders for path in pathlib.Path(folder).rglob("*.o")
               if path.name.removesuffix(".o") not in without]
    if not objects or not is_of_tests and not any("stillframe_dump_reader.dir" in path.parts for path in objects):
        sys.exit("android_imports: nothing is built, or not stillframe_dump_reader, which unit tests on Android need")
    text = TABLE.read_text(encoding="utf-8")
    known = table(text, is_of_tests)
    needed = imports(objects)
    unknown = [*violations_of(needed, known)]
    if is_of_tests:
        of_library = table(text, of_tests=False)
        known = {name: row for name, row in known.items() if name not in of_library}
    repository.finish("android_imports", len(needed), [*unknown, *unused(needed, known)])


if __name__ == "__main__":
    main()
