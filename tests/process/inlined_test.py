# SPDX-License-Identifier: Apache-2.0
"""Methods that ART's own compiler inlined into each other. Samples are taken at any place, and each method writes its
number.

A frame is right if it names the method that ran, and a guess if it is marked "or inlined into it". It is wrong if it is
neither, or if the mark is not true.
"""

import collections
import os
import re
import subprocess
import sys
import unittest

from frames_table import replace_rows, row
from process import APPS, ART_RUN, BUILD, CPU, NO_COMPILER, RELEASES, ProcessTest, art, has_compiler, run_at_once

# For each of twelve programs.
SAMPLES = int(os.environ.get("STILLFRAME_INLINED_SAMPLES", "100"))
LONG_FORM = 300
MODES = ("jit-low", "aot-boot", *(("jit-baseline", "debuggable") if SAMPLES >= LONG_FORM else ()))
LIBRARY = os.path.join(BUILD, "art", "libinlined_leaves.so")
INLINES = ("jit-low", "aot-boot")
KIND = "inlined, "
# Leaf methods by content.
LEAVES = {
    "a loop": ("looping", "inner", "apply"),
    "a call or an allocation": ("calling", "allocating"),
    "a check": ("checking", "dividing"),
    "nothing": ("plain", "getter", "branching"),
}
# Share of the methods with a loop, a call or a check.
MIN_RIGHT = 0.8
MIN_SAMPLES = 500
# The program writes a number a few instructions after a method begins, or after control returns to it.
MAX_WRONG = 0.005
METHOD = re.compile(r"^(\w+): samples (\d+) right (\d+) wrong (\d+) guess_right (\d+) guess_wrong (\d+)$", re.MULTILINE)
Counts = collections.namedtuple("Counts", "samples right wrong guess_right guess_wrong")


def added(counts):
    return Counts(*map(sum, zip(*counts))) if counts else Counts(0, 0, 0, 0, 0)


@unittest.skipUnless(CPU == "amd64", "ART's compiler is built for amd64")
class InlinedTest(ProcessTest):
    rows = []

    @classmethod
    def tearDownClass(cls):
        replace_rows(lambda cpu, kind: kind.startswith(KIND), cls.rows)

    def run_leaves(self, release, mode):
        done = subprocess.run([ART_RUN, *art(release), "--mode", mode, "-cp", APPS, "InlinedLeaves", LIBRARY, release,
                               str(SAMPLES)], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-2000:])
        print(done.stdout)
        return {name: Counts(*map(int, counts)) for name, *counts in METHOD.findall(done.stdout)}

    def add(self, release, mode, leaves, counts):
        if counts.samples:
            InlinedTest.rows.append(row(release, "x86_64", f"{KIND}{mode}, {leaves}", counts.samples, 0, counts.wrong,
                                        "native", (counts.guess_right, counts.guess_wrong)))

    def test_inlined_leaves_are_named_or_marked(self):
        for release in set(RELEASES) - {"10"}:
            for mode in MODES:
                with self.subTest(art=release, mode=mode):
                    if not has_compiler(release):
                        self.skipTest(NO_COMPILER.format(release))
                    self.check(release, mode)

    def check(self, release, mode):
        by_method = self.run_leaves(release, mode)
        leaves = set()
        held = []
        for what, names in LEAVES.items():
            counts = added([by_method[name] for name in names if name in by_method])
            leaves.update(names)
            self.add(release, mode, "leaves with " + what, counts)
            if what != "nothing":
                held.append(counts)
        self.add(release, mode, "around them", added([c for name, c in by_method.items() if name not in leaves]))
        everything = added(list(by_method.values()))
        self.assertGreater(everything.samples, MIN_SAMPLES)
        self.assertLessEqual(everything.wrong, everything.samples * MAX_WRONG)
        if mode in INLINES:
            held = added(held)
            self.assertGreaterEqual(held.right + held.guess_right, held.samples * MIN_RIGHT)
            self.assertGreater(everything.guess_wrong, 0, "nothing was inlined")
        else:
            self.assertLessEqual(everything.guess_right + everything.guess_wrong, everything.samples * MAX_WRONG)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
