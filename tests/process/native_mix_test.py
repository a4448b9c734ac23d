# SPDX-License-Identifier: Apache-2.0
"""Stacks of alternating native and managed frames, three levels deep. Each sample must match what the fixture reports.

The fixture's functions report their return addresses before the last of them runs or sleeps. So all samples of a
message have the same stack. A sample is equal if all frames inside the message's first method are present, in order and
at the reported addresses. It is truncated if it marks where frames are missing, and all others are right. Functions
without unwind information must end the native frames of their level.

Our own unwinder and libunwind are judged alike, each by itself.
"""

import math
import os
import sys
import unittest

from frames_table import replace_rows, row
from process import CPU, RELEASES, TARGET_BUILD, ProcessTest, has_compiler, inspect, run_at_once

NATIVES = os.path.join(TARGET_BUILD, "art", "libnative_mix.so")
LEVELS = 3
MISSING = ("missing", None, None)
INTERVAL_NS = 10_000_000
ROWS = []
OWN, LIBUNWIND = "1", "libunwind"  # values of the setting `native`


# Functions without unwind information: frames further out are unknown.
UNDESCRIBED = {"bare": ("sf_bare_outer", "sf_bare_middle"), "assembly": ("sf_assembly_outer",)}


def truth_of(line):
    """(kind, [[(function, what its callee returns to or None), outermost first] by level])."""
    _, kind, *told = line.split()
    told = [(name, int(address, 16)) for name, address in (item.split(":") for item in told)]
    levels = [[("sf_mix_enter", None)]]
    for i, (name, returns_to) in enumerate(told):
        # The runtime or a signal calls this function, so its return address is in no function of the chain.
        if name != "sf_mix_spin" or kind != "signal":
            caller, _ = levels[-1][-1]
            levels[-1][-1] = (caller, returns_to)
        else:
            levels[-1] += [("libc", None), ("sf_mix_on_signal", returns_to)]
        levels[-1].append((name, None))
        if name == "sf_mix_go_on" and len(levels) < LEVELS:
            levels.append([("sf_mix_enter", None)])
    return kind, levels


def expected_of(kind, levels):
    """Frames from the message's first method inwards: of methods ("j", name, None), of functions ("n", name, pc)."""
    frames = []
    for level, functions in enumerate(levels):
        frames += [("j", f"NativeMix.{name}", None) for name in ("first" if level == 0 else "back", "between", "enter")]
        natives = [("n", name, returns_to and returns_to - 1) for name, returns_to in functions]
        if kind == "assembly":
            natives.insert(2, ("n", "sf_assembly_middle", natives[1][2]))
        if kind in UNDESCRIBED:
            last = "sf_bare_inner" if kind == "bare" else "sf_assembly_middle"
            natives = [MISSING] + natives[[name for _, name, _ in natives].index(last):]
        frames += natives
    return frames


class Stacks:
    """The samples of a tree, as lists of frames in the form of the expected ones."""

    def __init__(self, document):
        self.frames = document["frames"]

    def frame(self, number):
        frame = self.frames[number]
        if frame["kind"] != "native":
            return "j", f"{frame['class']}.{frame['method']}", None
        if not frame["class"]:
            return MISSING
        if frame["class"] == "kernel":
            return None
        name = frame["method"] if frame["class"] == "libnative_mix.so" else frame["class"]
        return "n", name, int(frame["signature"].split("+0x")[1], 16)

    def of(self, tree):
        """(frames, outermost first; samples) of each stack."""
        path = []
        nodes = [(node[0], node[1], node[2]) for node in tree["nodes"]]
        for i, (frame, depth, count) in enumerate(nodes):
            path[depth - 1:] = [self.frame(frame)]
            inner = 0
            for _, other, samples in nodes[i + 1:]:
                if other <= depth:
                    break
                inner += samples if other == depth + 1 else 0
            if count > inner:
                yield [known for known in path if known is not None], count - inner


def is_function(found, expected):
    kind, name, address = expected
    if name == "libc":
        return found[0] == "n" and found[1].startswith("libc.so")
    return found[:2] == (kind, name) and (address is None or found[2] == address)


def matches(found, expected):
    """True if the lists match; "libc" matches one or more frames."""
    at = 0
    for frame in expected:
        if at == len(found) or not is_function(found[at], frame):
            return False
        at += 1
        while frame[1] == "libc" and at < len(found) and is_function(found[at], frame):
            at += 1
    return at == len(found)


def turns_of(frames):
    """Native frames by level: those that each method called, outermost first."""
    turns = [[]]
    for frame in frames:
        if frame[0] == "j":
            turns.append([])
        else:
            turns[-1].append(frame)
    return turns


def judge(found, expected, sleeps):
    """Judges the whole stack `found`: "equal", "truncated", "managed", "on the way" or "wrong".

    - truncated: marks show where frames are missing, at the outer end of a level or where the copied stack ends
    - managed: no native frame
    - on the way: the thread has not reached the innermost function, or has left it
    """
    if sleeps:
        expected = expected + [("n", "libc", None)]
    first = ("j", "NativeMix.first", None)
    begin = found.index(first)
    methods = [frame for frame in found[begin:] if frame[0] == "j"]
    all_methods = [frame for frame in expected if frame[0] == "j"]
    # The thread may still be in an outer method or in ART, on the way to the last native method. This is rare.
    is_before_it = methods == all_methods[:len(methods)]
    if is_before_it and found[-1][0] == "n" and found[-1][1].startswith("libart"):
        return "on the way"
    if is_before_it and len(methods) < len(all_methods) and found[-1][0] == "j":
        return "on the way"
    if methods == all_methods:
        if all(frame[0] == "j" for frame in found):
            return "managed"
        verdict = judge_natives(found, begin, expected)
        if verdict != "wrong":
            return verdict
    # Or it is still in a function of an outer level, or returns. Then it is at any place of one of the chain's
    # functions, or in the C library called from there.
    for cut in range(1, len(expected)):
        shorter = expected[:-cut]
        if shorter[-1][0] == "n" and [frame for frame in shorter if frame[0] == "j"] == methods:
            here = shorter[:-1] + [(*shorter[-1][:2], None)]
            if any(judge_natives(found, begin, here + more) != "wrong" for more in ([], [("n", "libc", None)])):
                return "on the way"
    return "wrong"


def judge_natives(found, begin, expected):
    """"equal", "truncated" or "wrong" for a stack with the right methods."""
    if matches(found[begin:], expected):
        return "equal"
    turns = list(zip(turns_of(found[begin:]), turns_of(expected)))[::-1]
    is_marked = MISSING in found[:begin]
    for i, (turn, right) in enumerate(turns):
        is_marked = is_marked or MISSING in turn
        inner, right = ([frame for frame in frames if frame != MISSING] for frames in (turn, right))
        if not any(matches(inner, right[j:]) for j in range(len(right) + 1)):
            return "wrong"
        # Frames beyond the end of the copied stack are unknown.
        is_end = is_marked and not inner and all(set(further) <= {MISSING} for further, _ in turns[i:])
        if not matches(inner, right) and MISSING not in turn and not is_end:
            return "wrong"
    return "truncated" if is_marked else "wrong"


class MixCase(ProcessTest):

    def run_mix(self, release, mode, does, ms=500, native=OWN):
        self.release = release
        options = ("--cpu", CPU, "--mode", mode)
        done = self.run_app("NativeMix", NATIVES, ms, does, options=options, NATIVE=native, DUMP_AT_EXIT=1, TREE_MIN_MS=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        truths = [truth_of(line) for line in done.stdout.splitlines() if line.startswith("truth ")]
        self.assertEqual(len(truths), 8, done.stdout)
        return inspect(self.only_dump(done.stderr)), truths

    def judge_all(self, document, truths, sleeps):
        """{kind: {verdict: samples}}"""
        trees = sorted(document["trees"], key=lambda tree: tree["token"])
        self.assertEqual(len(trees), len(truths))
        stacks = Stacks(document)
        counts = {}
        for tree, (kind, levels) in zip(trees, truths):
            expected = expected_of(kind, levels)
            of_kind = counts[kind] = {"equal": 0, "truncated": 0, "managed": 0, "on the way": 0, "wrong": 0}
            for found, samples in stacks.of(tree):
                if ("j", "NativeMix.first", None) not in found:
                    continue  # of what is before the chain
                verdict = judge(found, expected, sleeps)
                of_kind[verdict] += samples
                if verdict == "wrong":
                    self.wrong += ["wrong:", kind, samples, *found, "expected:", *expected]
        return counts

    def check_that_each_interval_has_one(self, document, samples):
        """A running thread must not be sampled again because the collector's wake-up preempted it."""
        wall_ns = sum(message["wall_ns"] for message in document["history"])
        self.assertLess(samples, 1.2 * wall_ns / INTERVAL_NS)

    def check(self, release, mode, does="runs", unwinder=OWN, ms=500):
        if mode not in ("mterp", "nterp", "switch") and not has_compiler(release):
            self.skipTest(f"no compiler of ART {release}")
        document, truths = self.run_mix(release, mode, does, ms, native=unwinder)
        self.wrong = []
        counts = self.judge_all(document, truths, does == "sleeps")
        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        total = {verdict: sum(of_kind[verdict] for of_kind in counts.values())
                 for verdict in ("equal", "truncated", "managed", "on the way", "wrong")}
        print(f"ART {release} {mode} {does}: {total}", {name: value for name, value in counters.items()
                                                        if name.startswith("native_copies")})
        samples = sum(total.values())
        kind = f"native mix, {mode}, {does}" + (", by libunwind" if unwinder == LIBUNWIND else "")
        ROWS.append(row(release, CPU, kind, samples, total["truncated"] + total["managed"], total["wrong"], 8))
        if unwinder == LIBUNWIND:
            self.assertGreater(counters["native_libunwind_frames"], samples)
        self.assertEqual(total["wrong"], 0, "\n  ".join(map(str, self.wrong)))
        self.assertLess(total["on the way"], samples / 100)
        if does == "runs":
            self.check_that_each_interval_has_one(document, samples)
            # The kernel shows no registers of a thread that waits for a CPU. During the first copies, libraries may
            # still be listed. So on a busy machine a few more stacks are truncated than waits were counted.
            waited = sum(counters[f"samples_{name}"] for name in ("without_signal", "repeated", "without_cpu"))
            cut = total["truncated"]
            self.assertLessEqual(cut, waited + math.ceil(samples / 50))
            self.assertEqual(total["managed"], counters["native_copies_no_slot"])
        # The registers of a blocked thread are unknown.
        for kind, of_kind in counts.items():
            if does == "runs" or kind not in ("pointer", "room"):
                self.assertGreater(of_kind["equal"], 0, (kind, of_kind))
        self.assertEqual(counters["native_copies_other_stack"], 0)
        self.assertEqual(counters["native_copies_unreadable"], 0)


class NativeMixTest(MixCase):

    def test_by_libunwind_alone(self):
        for release in RELEASES:
            with self.subTest(release):
                ProcessTest.setUp(self)
                self.check(release, "mterp" if release == "10" else "nterp", unwinder=LIBUNWIND)

    def test_a_thread_that_stands_still(self):
        for release in RELEASES:
            with self.subTest(release):
                ProcessTest.setUp(self)
                self.check(release, "nterp" if release == "14" else "mterp", "sleeps")

    def test_below_main_stands_what_started_the_runtime(self):
        document, truths = self.run_mix("11", "nterp", "runs")
        tree = max(document["trees"], key=lambda tree: tree["token"])
        whole = [found for found, _ in Stacks(document).of(tree) if MISSING not in found]
        self.assertTrue(whole)
        for found in whole:
            first = [frame[0] for frame in found].index("j")
            self.assertEqual(found[first][1], "NativeMix.main")
            self.assertIn("launcher", {name for _, name, _ in found[:first]})


def add_test_of(release, mode):
    setattr(NativeMixTest, f"test_{mode.replace('-', '_')}_{release}", lambda self: self.check(release, mode))


MODES = {"10": ("mterp",), "11": ("mterp", "nterp", "jit-low", "aot-boot"), "14": ("nterp", "switch", "jit-low", "aot-boot")}
for one_release in RELEASES:
    for one_mode in MODES[one_release]:
        add_test_of(one_release, one_mode)


def tearDownModule():
    replace_rows(lambda cpu, kind: cpu == CPU and kind.startswith("native mix"), sorted(ROWS))


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
