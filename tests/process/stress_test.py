# SPDX-License-Identifier: Apache-2.0
"""Samples every millisecond of wall time during collections, exceptions, class loading and thread starts.

With ART's own compiler, compiled code moves as well: the code cache is so small that it is always being collected.

STILLFRAME_STRESS_SECONDS: time on each runtime; 1800 for a measurement. STILLFRAME_STRESS_MODE: one mode only.
"""

import os
import re
import subprocess
import sys
import threading
import time
import unittest

from process import (APPS, ART_RUN, LIBRARY, NO_COMPILER, RELEASES, ProcessTest, art, has_compiler, inspect,
                     run_at_once)

SECONDS = int(os.environ.get("STILLFRAME_STRESS_SECONDS", "12"))
COLLECTED = "jit-collect"
RUNTIMES = [(release, mode) for release in RELEASES for mode in ("nterp" if release == "14" else "mterp", COLLECTED)]
ONLY_MODE = os.environ.get("STILLFRAME_STRESS_MODE")
PERIOD_US = 1000
# A line of ART's log of this level, in 11 and in 14.
INFORMATION = re.compile(r"^(launcher I \d\d-\d\d |\d\d-\d\d [\d:.]+ +\d+ +\d+ [IW] )")
# Growth of the peak from the first half, after start-up, to the second. The collector's heap varies. In a short run on
# a slow machine the process is still growing in the second half.
MAX_GROWTH_KIB = (4 if SECONDS > 60 else 16) * 1024
MAX_TRUNCATED = 0.01


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read())
    return int(found[1]) if found else None


class Output(threading.Thread):
    """Reads a process's output, counts its JIT's messages on collections, and keeps the rest."""

    def __init__(self, pipe):
        super().__init__(daemon=True)
        self.pipe = pipe
        self.lines = []
        self.collections = 0
        self.start()

    def run(self):
        for line in self.pipe:
            self.collections += "code cache collection" in line
            if not INFORMATION.search(line):
                self.lines.append(line)

    def text(self):
        self.join()
        return "".join(self.lines)


class StressTest(ProcessTest):
    def test_no_crash_flat_memory_and_whole_stacks(self):
        for release, mode in RUNTIMES:
            if ONLY_MODE in (None, mode):
                with self.subTest(art=release, mode=mode):
                    if mode == COLLECTED and not has_compiler(release):
                        self.skipTest(NO_COMPILER.format(release))
                    self.setUp()
                    self.stress(release, mode)

    def stress(self, release, mode):
        verbose = ["-verbose:jit"] if mode == COLLECTED else []
        command = [ART_RUN, *art(release), "--mode", mode, *verbose, "--preload", LIBRARY, "-cp", APPS,
                   "Stress", str(SECONDS)]
        environment = self.environment(DUMP_AT_EXIT=1, TIMER="wall", INTERVAL_US=PERIOD_US, TREES=100)
        # At each opening of a jar, ART 14 warns of a missing file.
        tags = {"ANDROID_LOG_TAGS": "*:i" if verbose else "*:e"}
        process = subprocess.Popen(command, env=environment | tags, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        output = Output(process.stdout)
        resident = self.watch(process)
        text = output.text()
        self.assertEqual(process.returncode, 0, text[:4000] + text[-4000:])
        loaded, unloaded = map(int, re.search(r"classes loaded (\d+) unloaded (\d+)", text).groups())
        self.report(f"ART {release} {mode}: {loaded} classes loaded, {unloaded} seen unloaded, "
                    f"{output.collections} collections of the code cache", resident)
        self.assertGreater(loaded, SECONDS * 2)
        self.assertGreater(unloaded, loaded / 2)
        if mode == COLLECTED:
            self.assertGreater(output.collections, SECONDS / 20)
        self.check_flat(resident)
        self.check_samples(inspect(self.only_dump(text)), mode)

    def watch(self, process):
        """[(seconds, KiB)] until it ends."""
        resident = []
        begin = time.monotonic()
        while process.poll() is None:
            passed = time.monotonic() - begin
            self.assertLess(passed, SECONDS * 5 + 300, "it does not end")
            try:
                now = resident_kib(process.pid)
            except (FileNotFoundError, ProcessLookupError):
                now = None
            if now is not None:
                resident.append((passed, now))
            time.sleep(0.25)
        return resident

    def report(self, what, resident):
        marks = [mark for mark in (5, 10, 60, 300, 600, 1200) if mark < SECONDS]
        at = [f"{kib} KiB at {passed:.0f} s" for mark in marks
              for passed, kib in [next(entry for entry in resident if entry[0] >= mark)]]
        passed, kib = resident[-1]
        print(f"{what}; resident {', '.join(at)}, {kib} KiB at {passed:.0f} s, "
              f"most {max(kib for _, kib in resident)} KiB", flush=True)

    def check_flat(self, resident):
        end = resident[-1][0]
        first = max(kib for passed, kib in resident if end / 6 <= passed < end / 2)
        second = max(kib for passed, kib in resident if passed >= end / 2)
        self.assertLess(second - first, MAX_GROWTH_KIB)

    def check_samples(self, document, mode):
        counters = {c["name"]: c["value"] for c in document["counters"]}
        samples = counters["samples_by_signal"]
        whole = not_main = 0
        for tree in document["trees"]:
            for frame, depth, count, _ in tree["nodes"]:
                if depth == 1:
                    whole += count
                    not_main += count if document["frames"][frame]["method"] != "main" else 0
        drops = {name: value for name, value in counters.items() if name.startswith(("drops_", "cut_")) and value}
        print(f"  {samples} samples, {counters['samples_cut']} truncated, {not_main} of {whole} not from main, "
              f"{counters['methods_not_resolved']} methods not resolved, {drops}", flush=True)
        self.assertGreater(samples, SECONDS * 10)
        self.assertGreater(whole, 0)
        self.assertLessEqual(counters["samples_cut"], samples * MAX_TRUNCATED)
        self.assertLessEqual(not_main, whole * MAX_TRUNCATED)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
