# SPDX-License-Identifier: Apache-2.0
"""Checks the calls of the signal handlers, and the stack they use.

Usage: signal_safety.py COMPILE_COMMANDS
Reads the objects of the folders whose context is "signal" (folders.py). Each undefined symbol must be on a list below,
with a reason. The compiler's call graph (-fcallgraph-info=su) gives the functions reachable from each handler and
bounds the stack.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import context_calls
import folders
import repository

# Symbols that the handlers themselves may reach.
IN_HANDLER = {
    "clock_gettime": "POSIX lists it as async-signal-safe; the vDSO or one system call",
    "__errno_location": "returns the address of errno, no state",
    "memcpy": "pure; the compiler emits it for assignments",
    "memset": "pure; the compiler emits it for initialisers",
}
# Only when the process is about to die, to leave a death mark.
IN_DEATH = {
    "fstat": "POSIX lists it as async-signal-safe",
    "pwrite": "one system call, no state but errno",
    "prctl": "one system call, no state but errno",
    "gettid": "one system call, or a word of the thread",
    "getpid": "POSIX lists it as async-signal-safe",
}
# Only when a fault is not ours and would kill the process anyway.
IN_FAULT_HANDLER = {
    "sigaction": "POSIX lists it as async-signal-safe",
    "raise": "POSIX lists it as async-signal-safe",
    "syscall": "one system call, no state but errno",
}
# To wait for SIGQUIT, to hold it for a moment, to wake the collector.
IN_SIGQUIT = {
    "write": "POSIX lists it as async-signal-safe",
    "poll": "POSIX lists it as async-signal-safe",
    "syscall": "one system call, no state but errno",
    "getpid": "POSIX lists it as async-signal-safe",
}
# Called while nothing is sampled, or by the collector; never by a handler.
BESIDE_HANDLERS = {
    "sigaction": "InstallFaultRecovery",
    "sigemptyset": "Sampler::Start, InstallFaultRecovery, CatcherWatch::TakeOverWait",
    "sigaddset": "CatcherWatch::TakeOverWait",
    "getuid": "CatcherWatch::TakeOverWait",
    "mmap": "SampleRing::Create, StackCopies::Create, RecoveryWorks",
    "munmap": "RecoveryWorks",
    "sysconf": "RecoveryWorks",
    "nanosleep": "Sampler::Stop, on the caller's thread",
    "malloc": "CatcherOutput::Expect, collector: the handler side finds the buffer ready",
    "free": "CatcherOutput::Take, collector",
    "operator new": "CatcherOutput::Take: the text that the collector gets",
    "operator delete": "CatcherOutput::Take",
    "memmove": "CatcherOutput::Take",
    "std::__throw_bad_alloc": "CatcherOutput::Take: std::string's bounds",
    "std::__throw_length_error": "CatcherOutput::Take: std::string's bounds",
    "std::__cxx11::basic_string": "CatcherOutput::Take",
}
# No functions: section bounds and the position of the tables.
LINKER = {"__start_sf_guarded_loads", "__stop_sf_guarded_loads", "__start_sf_each_sample", "__stop_sf_each_sample",
          "_GLOBAL_OFFSET_TABLE_"}

# Root and what it may reach.
HANDLERS = {
    "stillframe::core::Sampler::OnSigprof": set(IN_HANDLER),
    "OnFault": set(IN_HANDLER) | set(IN_FAULT_HANDLER) | set(IN_DEATH),
    "OnSegv": set(IN_HANDLER) | set(IN_FAULT_HANDLER) | set(IN_DEATH),
    "OnFatal": set(IN_HANDLER) | set(IN_FAULT_HANDLER) | set(IN_DEATH),
    "OnTakeOver": set(IN_HANDLER) | set(IN_SIGQUIT),
    # No handlers, but the Signal Catcher's thread in its wait and in the middle of its report.
    "OnSigwait": set(IN_HANDLER) | set(IN_SIGQUIT),
    "OnWriteStacks": set(IN_HANDLER) | set(IN_SIGQUIT),
}
# Each call through a pointer that the roots may reach: (file, text before the bracket) -> our function. None is foreign
# code with its own stack and calls: an earlier handler, a function of the runtime, libc.
POINTERS = {
    ("src/core/sampler.cc", "walk_"): "stillframe::walk::WalkManagedStack",
    ("src/core/stack_requests.cc", "walk_"): "stillframe::walk::WalkManagedStack",
    ("src/core/signal_chain.h", "previous.sa_sigaction"): None,
    ("src/core/signal_chain.h", "previous.sa_handler"): None,
    ("src/core/signal_chain.h", "set_action"): None,
    ("src/core/death_mark.cc", "g_chain_sigaction"): None,
    ("src/core/death_mark.cc", "g_kernel_sigaction"): None,
    ("src/sigquit/catcher_output.cc", "g_original"): None,
    ("src/sigquit/catcher_watch.cc", "g_original"): None,
}
MOST_STACK_BYTES = 2048
INSTALLED = re.compile(r"\bsa_(?:handler|sigaction)\s*=\s*&?((?:\w+::)*[A-Z]\w*)\s*;")  # not a parameter: a name


def unlisted_handlers(tree):
    """Functions that a source installs as signal handlers but that are missing from HANDLERS."""
    roots = {root.rpartition("::")[2] for root in HANDLERS}
    for path in tree.files(".cc", ".h", under=["src", "arch"]):
        for name in INSTALLED.findall(tree.text(path)):
            if name.rpartition("::")[2] not in roots | {"SIG_DFL", "SIG_IGN"}:
                yield f"{path}: {name} handles a signal, and is not in HANDLERS"


def plain_name(symbol):
    """A function without its parameters and template arguments."""
    return re.split(r"[(<]", symbol)[0]


def symbol_violations(objects):
    """Symbols that the objects need, but that neither they nor the lists have."""
    allowed = {*IN_HANDLER, *IN_FAULT_HANDLER, *IN_DEATH, *IN_SIGQUIT, *BESIDE_HANDLERS, *LINKER}
    symbols = {path: context_calls.symbols_of(path) for path in objects}
    defined = set().union(*(own | weak for own, _, weak in symbols.values()))
    names = context_calls.readable(sorted(set().union(*(needed for _, needed, _ in symbols.values())) - defined))
    for path, (_, needed, _) in symbols.items():
        for symbol in sorted(needed - defined):
            if plain_name(names[symbol]) not in allowed:
                yield f"{path.name.removesuffix('.o')}: needs {names[symbol]}, which is not on the allow-list"


def called_pointer(place):
    """The path in "file:line:column" of a call, and what its source has before the bracket there."""
    path, line, column = (place.rsplit(":", 2) + ["", ""])[:3]
    if not column.isdecimal() or not pathlib.Path(path).is_file():
        return path, ""
    written = pathlib.Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1][:int(column) - 1]
    return path, re.search(r"\S*$", written).group()


class CallGraph:
    """Functions with their stack bytes and calls, over all the sources."""

    def __init__(self):
        self.bytes = {}
        self.dynamic = set()
        self.names = {}
        self.calls = {}
        self.pointer_calls = {}  # function -> "file:line:column" of each; of an inlined one, where it is written

    def add(self, text):
        for title, label in re.findall(r'node: \{ title: "([^"]*)" label: "([^"]*)"', text):
            self.names.setdefault(title, label.split("\\n")[0])
            stack = re.search(r"(\d+) bytes \(([\w,]+)\)", label)
            if stack:
                self.bytes[title] = int(stack.group(1))
                if stack.group(2) not in ("static", "dynamic,bounded"):  # the latter aligns itself
                    self.dynamic.add(title)
        for source, target in re.findall(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', text):
            if target != "__indirect_call":
                self.calls.setdefault(source, set()).add(target)
        for source, place in re.findall(
                r'edge: \{ sourcename: "([^"]*)" targetname: "__indirect_call"(?: label: "([^"]*)")?', text):
            self.pointer_calls.setdefault(source, set()).add(place)

    def find(self, name):
        found = [title for title in self.bytes
                 if re.search(r"(^|[\s:*&])" + re.escape(name) + r"\(", self.names[title])]
        return found[0] if len(found) == 1 else None

    def behind(self, place, pointers):
        """Target of the call through a pointer: a function, or a text if `pointers` lacks the call."""
        path, called = called_pointer(place)
        for (file, name), target in pointers.items():
            if name == called and f"/{path}".endswith(f"/{file}"):
                return target and (self.find(target) or f"{target}, which is not in the call graph")
        return f"what {called or 'a pointer'} points to ({place or 'unknown place'})"

    def deepest(self, root, pointers, path=()):
        """Stack bytes of the deepest chain of calls and the functions reached."""
        if root in path:
            raise RecursionError(" -> ".join(self.names[title] for title in (*path, root)))
        deepest, reached = 0, {root}
        behind = {self.behind(place, pointers) for place in self.pointer_calls.get(root, ())} - {None}
        for target in self.calls.get(root, set()) | behind:
            below, also = self.deepest(target, pointers, (*path, root))
            deepest = max(deepest, below)
            reached |= also
        # The return address of the call is not in the compiler's figure.
        return self.bytes.get(root, 0) + 8 + deepest, reached

    def chain(self, root, pointers):
        """Names and bytes of the deepest chain of calls."""
        behind = {self.behind(place, pointers) for place in self.pointer_calls.get(root, ())} - {None}
        targets = self.calls.get(root, set()) | behind
        below = self.chain(max(targets, key=lambda target: self.deepest(target, pointers)[0]), pointers) if targets else []
        return [f"{self.names.get(root, root)}: {self.bytes.get(root, 0)}", *below]


def compile_graph(objects, compile_commands):
    """Compiles again what the objects are made of."""
    graph = CallGraph()
    for entry in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        place = words.index("-o") + 1
        if pathlib.Path(entry["directory"], words[place]) not in objects:
            continue
        if "clang" in words[0]:
            repository.skip("clang writes no call graph; g++ does")
        with tempfile.TemporaryDirectory() as folder:
            words[place] = f"{folder}/object.o"
            subprocess.run([*words, "-fcallgraph-info=su"], check=True, cwd=entry["directory"])
            graph.add(next(pathlib.Path(folder).glob("*.ci")).read_text(encoding="utf-8"))
    return graph


def handler_violations(graph, handlers, pointers):
    for handler, allowed in handlers.items():
        root = graph.find(handler)
        if root is None:
            yield f"{handler}: not found in the call graph; this test no longer understands it"
            continue
        try:
            stack_bytes, reached = graph.deepest(root, pointers)
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
            chain = "\n  ".join(graph.chain(root, pointers))
            yield f"{handler}: may take {stack_bytes} bytes of stack, more than {MOST_STACK_BYTES}:\n  {chain}"


def main():
    compile_commands, = sys.argv[1:]
    tree = repository.Tree()
    all_folders, violations = folders.read(tree)
    built = context_calls.objects_of(compile_commands, tree.root)
    objects = [path for name, paths in built.items() if all_folders[name].context == "signal" for path in paths]
    violations += unlisted_handlers(tree)
    violations += symbol_violations(objects)
    violations += handler_violations(compile_graph(objects, compile_commands), HANDLERS, POINTERS)
    repository.finish("signal_safety", len(objects), violations)


if __name__ == "__main__":
    main()
