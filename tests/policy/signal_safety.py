# SPDX-License-Identifier: Apache-2.0
"""What the signal handlers may call, and how much stack they take.

Usage: signal_safety.py COMPILE_COMMANDS ARCHIVE...
The archives' undefined symbols are on the list below, each with its reason. The call graph that the compiler
writes (-fcallgraph-info=su) shows what is reachable from each handler and bounds its stack.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import repository

# Symbols that the handlers themselves may reach.
IN_HANDLER = {
    "clock_gettime": "POSIX lists it as async-signal-safe; the vDSO or one system call",
    "__errno_location": "returns the address of errno, no state",
    "memcpy": "pure; the compiler emits it for assignments",
    "memset": "pure; the compiler emits it for initialisers",
}
# Only when a fault is not ours and would kill the process anyway.
IN_FAULT_HANDLER = {
    "sigaction": "POSIX lists it as async-signal-safe",
    "raise": "POSIX lists it as async-signal-safe",
}
# Called while nothing is sampled, never by a handler.
START_UP_ONLY = {
    "sigaction": "InstallFaultRecovery",
    "sigemptyset": "Start, InstallFaultRecovery",
    "mmap": "SampleRing::Create, RecoveryWorks",
    "munmap": "RecoveryWorks",
    "sysconf": "RecoveryWorks",
    "nanosleep": "Stop, on the caller's thread",
}
# No functions: section bounds and the position of the tables.
LINKER = {"__start_sf_guarded_loads", "__stop_sf_guarded_loads", "_GLOBAL_OFFSET_TABLE_"}

WALK = "stillframe::walk::WalkManagedStack"
# Root, what it may reach, what its calls through pointers may reach among our own functions. The other pointer
# that the roots call is the handler that was installed before: its stack and its calls are its own.
HANDLERS = {
    "stillframe::core::Sampler::OnSigprof": (set(IN_HANDLER), WALK),
    "OnFault": (set(IN_HANDLER) | set(IN_FAULT_HANDLER), None),
}
MOST_STACK_BYTES = 2048


def undefined_symbols(archive):
    """Undefined symbols of each object that the archives together do not define, in their C++ names."""
    for line in repository.run("nm", "-u", archive).splitlines():
        words = line.split()
        if len(words) == 2 and words[0] in ("U", "w"):
            yield words[1]


def archive_violations(archives):
    defined = set()
    for archive in archives:
        for line in repository.run("nm", "--defined-only", archive).splitlines():
            words = line.split()
            if len(words) == 3:
                defined.add(words[2])
    allowed = set(IN_HANDLER) | set(IN_FAULT_HANDLER) | set(START_UP_ONLY) | LINKER | defined
    for archive in archives:
        for symbol in sorted(set(undefined_symbols(archive)) - allowed):
            yield f"{pathlib.Path(archive).name}: needs {symbol}, which is not on the allow-list"


class CallGraph:
    """Functions with their stack bytes and calls, over all the sources."""

    def __init__(self):
        self.bytes = {}
        self.dynamic = set()
        self.names = {}
        self.calls = {}

    def add(self, text):
        for title, label in re.findall(r'node: \{ title: "([^"]*)" label: "([^"]*)"', text):
            self.names.setdefault(title, label.split("\\n")[0])
            stack = re.search(r"(\d+) bytes \(([\w,]+)\)", label)
            if stack:
                self.bytes[title] = int(stack.group(1))
                if stack.group(2) not in ("static", "dynamic,bounded"):  # the latter aligns itself
                    self.dynamic.add(title)
        for source, target in re.findall(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text):
            self.calls.setdefault(source, set()).add(target)

    def find(self, name):
        found = [title for title in self.bytes
                 if re.search(r"(^|[\s:*&])" + re.escape(name) + r"\(", self.names[title])]
        return found[0] if len(found) == 1 else None

    def deepest(self, root, through_pointer, path=()):
        """Stack bytes of the deepest chain of calls and the functions reached."""
        if root in path:
            raise RecursionError(" -> ".join(self.names[title] for title in (*path, root)))
        deepest, reached = 0, {root}
        for target in self.calls.get(root, ()):
            if target == "__indirect_call":
                if through_pointer is None or through_pointer in (*path, root):
                    continue
                target = through_pointer
            below, also = self.deepest(target, through_pointer, (*path, root))
            deepest = max(deepest, below)
            reached |= also
        # The return address of the call is not in the compiler's figure.
        return self.bytes.get(root, 0) + 8 + deepest, reached


def objects_of(archives, compile_commands):
    """The commands that compile what is in the archives: words, which of them is the object, folder."""
    targets = {f"{pathlib.Path(archive).stem.removeprefix('lib')}.dir" for archive in archives}
    for entry in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        words = entry["command"].split()
        place = words.index("-o") + 1
        if targets & set(pathlib.PurePath(words[place]).parts):
            yield words, place, entry["directory"]


def compile_graph(archives, compile_commands):
    graph = CallGraph()
    for words, place, directory in objects_of(archives, compile_commands):
        if "clang" in words[0]:
            repository.skip("clang writes no call graph; g++ does")
        with tempfile.TemporaryDirectory() as folder:
            words[place] = f"{folder}/object.o"
            subprocess.run([*words, "-fcallgraph-info=su"], check=True, cwd=directory)
            graph.add(next(pathlib.Path(folder).glob("*.ci")).read_text(encoding="utf-8"))
    return graph


def handler_violations(graph):
    for handler, (allowed, through_pointer) in HANDLERS.items():
        root = graph.find(handler)
        pointer = graph.find(through_pointer) if through_pointer else None
        if root is None or (through_pointer and pointer is None):
            yield f"{handler}: not found in the call graph; this test no longer understands it"
            continue
        try:
            stack_bytes, reached = graph.deepest(root, pointer)
        except RecursionError as circle:
            yield f"{handler}: its calls go in a circle: {circle}"
            continue
        print(f"{handler}: at most {stack_bytes} bytes of stack, {len(reached)} functions")
        for title in sorted(reached):
            if title in graph.dynamic:
                yield f"{handler}: {graph.names[title]} has a stack frame of no fixed size"
            if title not in graph.bytes and title not in allowed:
                yield f"{handler}: reaches {graph.names.get(title, title)}, which is not on the allow-list"
        if stack_bytes > MOST_STACK_BYTES:
            yield f"{handler}: may take {stack_bytes} bytes of stack, more than {MOST_STACK_BYTES}"


def main():
    compile_commands, *archives = sys.argv[1:]
    violations = list(archive_violations(archives))
    violations += handler_violations(compile_graph(archives, compile_commands))
    repository.finish("signal_safety", len(archives) + len(HANDLERS), violations)


main()
