# SPDX-License-Identifier: Apache-2.0
"""Libraries are loaded and unloaded while samples are taken in them. Their code must be named, and memory must not
grow.

A copied stack may be walked after its library was unloaded and another was mapped in its place. Each native frame must
name the library of the sample's time, or be missing.

--full loads ten thousand, not 600.
"""

import os
import re
import subprocess
import sys
import unittest

from process import BUILD, ProcessTest, inspect, on_each_release, run_at_once

TIMES = 10_000 if "--full" in sys.argv else 600
# Share of the samples. Some instructions of the dynamic linker have no description.
MAX_UNKNOWN_SHARE = 0.001
MAX_GROWTH_KIB = 1024
NATIVES = os.path.join(BUILD, "art", "libpassing.so")
GUESTS = [os.path.join(BUILD, "guests", f"libsf_guest_{functions}.so") for functions in (1, 300)]


# Loads per message. A dump has a hundred trees.
PER_TREE = 100
# Methods that load the libraries, in order.
LOADERS = ("PassingLibraries.spinOne", "PassingLibraries.spinOther")
MIN_NAMED_SHARE = 0.02


def build_id_of(path, known={}):
    if path not in known:
        notes = subprocess.run(["readelf", "-n", path], capture_output=True, check=True, text=True).stdout
        known[path] = notes.split("Build ID:")[1].split()[0]
    return known[path]


def stacks_of(document):
    """(frames, outermost first; samples) of each stack of all trees; a frame is (class and method, signature)."""
    frames = [(f"{frame['class']}.{frame['method']}" if frame["kind"] != "native" else frame["class"], frame["signature"])
              for frame in document["frames"]]
    for tree in document["trees"]:
        path = []
        nodes = tree["nodes"]
        for i, (number, depth, count, *_) in enumerate(nodes):
            path[depth - 1:] = [frames[number]]
            inner = 0
            for _, other, samples, *_ in nodes[i + 1:]:
                if other <= depth:
                    break
                inner += samples if other == depth + 1 else 0
            if count > inner:
                yield list(path), count - inner


@on_each_release
class PassingLibrariesOn11Test(ProcessTest):
    release = "11"

    def check_native(self, guests):
        done = self.run_app("PassingLibraries", NATIVES, TIMES, *guests, timeout=1800, DUMP_AT_EXIT=1, TIMER="wall",
                            INTERVAL_US=1000, NATIVE=1, TREE_MIN_MS=1, TREES=1000)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = inspect(self.only_dump(done.stderr))
        right = dict(zip(LOADERS, guests))
        counts = dict.fromkeys(("named", "missing", "elsewhere", "wrong"), 0)
        for stack, samples in stacks_of(document):
            loader = [name for name, _ in stack if name in LOADERS]
            inside = [frame for frame in stack if frame[0].startswith("libsf_guest")]
            verdict = "elsewhere"
            if inside:
                # A truncated stack may lack the method that tells which library it was.
                may_be = [right[loader[0]]] if loader else guests
                is_right = any(all(name == os.path.basename(guest) and signature.startswith(build_id_of(guest))
                                   for name, signature in inside) for guest in may_be)
                verdict = "wrong" if not is_right else "named" if loader else "elsewhere"
            elif loader and "" in [name for name, _ in stack]:
                verdict = "missing"
            counts[verdict] += samples
            if verdict == "wrong":
                print("wrong:", samples, *stack, sep="\n  ")
        resident = [int(kib) for kib in re.findall(r"resident (\d+)", done.stdout)]
        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        print(f"ART {self.release}: {TIMES} loads, {counts}, {resident} KiB, {counters['native_copies']} copies, "
              f"{counters['native_copies_no_slot']} without a slot, trees {counters['tree_bytes'] // 1024} KiB")
        self.assertEqual(len(document["trees"]), TIMES // PER_TREE)
        self.assertEqual(counts["wrong"], 0)
        samples = sum(counts.values())
        self.assertGreater(samples, TIMES)
        self.assertGreater(counts["named"], MIN_NAMED_SHARE * samples)
        self.assertEqual(len(resident), 2)
        # By then ten times as many trees are kept.
        self.assertLess(resident[1] - resident[0], MAX_GROWTH_KIB + counters["tree_bytes"] / 1024)

    def test_their_native_frames_are_in_them(self):
        self.check_native(GUESTS)

    def test_their_code_is_known(self):
        done = self.run_app("PassingLibraries", NATIVES, TIMES, *GUESTS, timeout=1800, DUMP_AT_EXIT=1, TIMER="wall",
                            INTERVAL_US=1000)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = inspect(self.only_dump(done.stderr))
        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        samples, unknown = counters["samples_by_signal"], counters["cut_code_that_is_not_known"]
        resident = [int(kib) for kib in re.findall(r"resident (\d+)", done.stdout)]
        print(f"{samples} samples, {unknown} in unknown code, {resident} KiB")
        self.assertGreater(samples, TIMES / 2)
        self.assertLess(unknown, MAX_UNKNOWN_SHARE * samples)
        self.assertEqual(len(resident), 2)
        self.assertLess(resident[1] - resident[0], MAX_GROWTH_KIB)


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--full"]
    run_at_once(sys.modules[__name__], jobs=1)
