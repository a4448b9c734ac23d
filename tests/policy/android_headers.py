# SPDX-License-Identifier: Apache-2.0
"""Each difference of bionic's headers that the Android proxy imitates is one: what is right for both compiles under it,
and the known mistake compiles with glibc's headers only.

Sources of the library are compiled under the same file and options in the build android-proxy, where this runs as well.
"""

import subprocess
import tempfile
import pathlib

import repository

HEADERS = repository.ROOT / "tests/android/bionic_headers.h"
# Those of the library (CMakeLists.txt) that make a mistake an error; char is unsigned on ARM.
WARNINGS = ("-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Werror")
IMITATION = ("-include", str(HEADERS), "-funsigned-char")

# name: (mistake, what is right in its place)
DIFFERENCES = {
    "char is unsigned": (
        "bool IsAscii(char c) { static_assert(static_cast<char>(-1) < 0); return c >= 0; }",
        "bool IsAscii(char c) { return static_cast<signed char>(c) >= 0; }"),
    "flags of a handler are unsigned": (
        "#include <signal.h>\nint Of(const struct sigaction& action) { return action.sa_flags & SA_SIGINFO; }",
        "#include <signal.h>\nbool Of(const struct sigaction& action) "
        "{ return (static_cast<unsigned>(action.sa_flags) & static_cast<unsigned>(SA_SIGINFO)) != 0; }"),
    "values of the dynamic section are signed": (
        "#include <link.h>\n#include <stddef.h>\nsize_t Of(const ElfW(Dyn)* entry) { return entry->d_un.d_val; }",
        "#include <link.h>\n#include <stddef.h>\nsize_t Of(const ElfW(Dyn)* entry) "
        "{ return static_cast<size_t>(entry->d_un.d_val); }"),
    "watches are removed by an unsigned number": (
        "#include <sys/inotify.h>\nint Of(int fd, int watch) { return inotify_rm_watch(fd, watch); }",
        "#include <sys/inotify.h>\ntemplate <typename Watch> int Of(int (*remove)(int, Watch), int fd, int watch) "
        "{ return remove(fd, static_cast<Watch>(watch)); }\nint Of(int fd, int watch) { return Of(inotify_rm_watch, fd, watch); }"),
}


def compiles(text, options):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "case.cc"
        source.write_text(text + "\n", encoding="utf-8")
        return subprocess.run(["clang++", *WARNINGS, *options, source], capture_output=True, check=False).returncode == 0


def violations_of(differences):
    for name, (mistake, right) in differences.items():
        if not compiles(mistake, ()):
            yield f"{name}: the mistake does not compile with glibc's headers either"
        if compiles(mistake, IMITATION):
            yield f"{name}: the mistake compiles under {HEADERS.name}"
        if not compiles(right, IMITATION):
            yield f"{name}: what is right does not compile under {HEADERS.name}"


if __name__ == "__main__":
    repository.finish("android_headers", len(DIFFERENCES), list(violations_of(DIFFERENCES)))
