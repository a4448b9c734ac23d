# SPDX-License-Identifier: Apache-2.0
"""Steps through code of ART's own compiler by instruction, with a walk after each: build/test/sweep.tsv.

The truth follows from calls and returns alone (tests/testbed/sweep/call_truth.h). The share of truncated stacks is
limited where compiled code runs. In the runtime's own code it is only counted.

STILLFRAME_SWEEP_STEPS: instructions of compiled code of each kind; 1000000 for a measurement.
"""

import os
import re
import subprocess
import sys
import unittest

from process import (APPS, ART_RUN, BUILD, CPU, NO_COMPILER, RELEASES, TARGET_BUILD, art, has_compiler, run_at_once,
                     run_stepped)

STEPS = int(os.environ.get("STILLFRAME_SWEEP_STEPS", {"amd64": "12000", "arm64": "30000"}[CPU]))
KINDS = [(release, mode) for release in RELEASES for mode in ("jit-low", "aot-boot") if (release, mode) != ("10", "aot-boot")]
LONG_KINDS = [("14", "jit-baseline"), ("11", "jit-baseline"), ("11", "jit-collect"), ("14", "jit-collect"),
              ("14", "debuggable"), ("11", "debuggable"), ("10", "aot-boot"), ("11", "aot"), ("14", "aot-jit")]
LONG_FORM = 1_000_000
MAX_LOST = 0.001
# On arm64 the first instruction of many a leaf overwrites its method's register, and it has no frame.
MAX_TRUNCATED = {"amd64": 0.001, "arm64": 0.01}[CPU]
TABLE = os.path.join(TARGET_BUILD, "test", "sweep.tsv")
# While another thread collects garbage; under qemu-user that takes too long.
OTHER_THREADS = "churn"
# In the runtime's own code on arm64, wrong in so many steps: while an exception is delivered.
MAX_WRONG_ELSEWHERE = {"amd64": 0, "arm64": 0.001}[CPU]
if CPU == "arm64":
    KINDS, LONG_KINDS, OTHER_THREADS = [("11", "jit-low"), ("14", "aot-boot")], [("11", "aot"), ("14", "aot")], "alone"
PLACE = re.compile(r"^(\S[\w ]*?) +visited (\d+) steps (\d+) right (\d+) truncated (\d+) wrong (\d+)$", re.MULTILINE)
EVENTS = re.compile(r"^methods entered (\d+) frames replaced (\d+) lost (\d+)$", re.MULTILINE)
COMPILED = ("jit code", "application code", "boot image code")
COLUMNS = ("art", "mode", "code", "instructions", "steps", "right", "truncated", "wrong")


class SweepTest(unittest.TestCase):
    rows = []

    @classmethod
    def tearDownClass(cls):
        os.makedirs(os.path.dirname(TABLE), exist_ok=True)
        with open(TABLE, "w", encoding="utf-8") as table:
            for row in [COLUMNS, *cls.rows]:
                table.write("\t".join(map(str, row)) + "\n")
        for row in [COLUMNS, *cls.rows]:
            print("{:4} {:12} {:18} {:>12} {:>9} {:>9} {:>9} {:>6}".format(*row))

    def test_stacks_are_right_at_every_instruction(self):
        for release, mode in KINDS + (LONG_KINDS if STEPS >= LONG_FORM else []):
            with self.subTest(art=release, mode=mode):
                if not has_compiler(release):
                    self.skipTest(NO_COMPILER.format(release))
                self.sweep(release, mode)

    def sweep(self, release, mode):
        # Gives the compiler's thread its share of a busy machine.
        done = run_stepped(lambda: subprocess.run(
            [ART_RUN, "--cpu", CPU, *art(release), "--mode", mode, "-Xjitpthreadpriority:0",
             "-cp", os.path.join(BUILD, "art", "sweep.jar"), "Sweep",
             os.path.join(TARGET_BUILD, "art", "libsweep.so"), str(STEPS), APPS,
             OTHER_THREADS],
            capture_output=True, text=True, timeout=600 + STEPS / 500, env=os.environ | {"ANDROID_LOG_TAGS": "*:f"}))
        places = PLACE.findall(done.stdout)
        # Fails by itself if a stack is wrong.
        if CPU == "amd64":
            self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        self.assertTrue(places, done.stdout[-8000:] + done.stderr[-2000:])
        for name, *numbers in places:
            _, steps, _, _, wrong = map(int, numbers)
            limit = 0 if name in COMPILED else steps * MAX_WRONG_ELSEWHERE
            self.assertLessEqual(wrong, limit, done.stdout[-8000:])
        compiled = [list(map(int, numbers)) for name, *numbers in places if name in COMPILED]
        for name, *numbers in places:
            SweepTest.rows.append((release, mode, name, *map(int, numbers)))
        entered, replaced, lost = map(int, EVENTS.search(done.stdout).groups())
        print(f"ART {release} {mode}: {entered} methods entered, {replaced} frames replaced, {lost} steps lost")
        steps = sum(row[1] for row in compiled)
        self.assertGreaterEqual(steps, STEPS)
        self.assertGreater(entered, steps / 1_000)
        self.assertLessEqual(lost, steps * MAX_LOST)
        self.assertLessEqual(sum(row[3] for row in compiled), steps * MAX_TRUNCATED, done.stdout[-4000:])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
