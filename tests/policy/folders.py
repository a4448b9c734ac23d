# SPDX-License-Identifier: Apache-2.0
"""The heads of the CMakeLists.txt of src/'s folders.

  # Context: who may run its lines, one of CONTEXTS
  # Uses: the folders whose headers it may see and whose functions it may call: src/..., include, arch
  # JNI: yes, where JNI types may be named
"""

import dataclasses
import pathlib
import re

# Context -> contexts whose functions it may call. The first may do least.
MAY_CALL = {
    # Async-signal-safe to the last line.
    "signal": {"signal"},
    # Nothing that belongs to a thread.
    "any thread": {"signal", "any thread"},
    # An application's thread, twice a message: it publishes, and the collector comes to it.
    "watched thread": {"signal", "any thread", "watched thread"},
    # It starts and stops what signals and watched threads run, and takes over what they leave.
    "collector": {"signal", "any thread", "watched thread", "collector"},
    # The runtime may block it for seconds, so it holds no other thread's state; answers are fetched.
    "stillframe-q": {"signal", "any thread", "stillframe-q"},
}
CONTEXTS = tuple(MAY_CALL)
# Folder -> folder: why this call into another context is allowed.
HANDS_OVER = {
    ("src/entry", "src/collector"): "the C API asks the one profiler of the process, from whatever thread",
    ("src/entry", "src/art"): "the form of a native method in both jni.h, for the facade's",
    ("src/collector", "src/jvm"): "jobs for stillframe-q and the wait for their answers",
}


@dataclasses.dataclass
class Folder:
    name: str
    context: str
    uses: set
    names_jni: bool
    target: str

    def may_call(self, other):
        return other.context in MAY_CALL.get(self.context, ()) or (self.name, other.name) in HANDS_OVER


def folder_of(path):
    """"src/walk" for what is below it, at whatever depth; else the first folder of the path."""
    parts = pathlib.PurePosixPath(path).parts
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


def read(tree):
    """Name -> Folder, and what the heads lack."""
    found, violations = {}, []
    for path in tree.files(".cc", ".h", ".txt", under=["src"]):
        name = folder_of(path)
        if len(path.parts) < 3 or name in found:
            continue
        lists = pathlib.PurePosixPath(name, "CMakeLists.txt")
        text = (tree.text(lists) or "") if lists in tree.files() else ""
        head = dict(re.findall(r"^# (Context|Uses|JNI): (.*)$", text, re.MULTILINE))
        found[name] = Folder(name, head.get("Context", ""), {name, *head.get("Uses", "").split()},
                             head.get("JNI") == "yes", "stillframe_" + name.partition("/")[2])
        if found[name].context not in CONTEXTS:
            violations.append(f"{lists}: its head has no \"# Context:\" with one of: {', '.join(CONTEXTS)}")
        if "Uses" not in head:
            violations.append(f"{lists}: its head has no \"# Uses:\"")
    return found, violations
