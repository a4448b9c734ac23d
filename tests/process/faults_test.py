# SPDX-License-Identifier: Apache-2.0
"""Faults injected into the SIGPROF handler on real ART: in its guarded loads, its memory and its clock.

The application must compute the right result. Sampling must continue, or end and say why. STILLFRAME_FAULTS_SEED
chooses the loads that fail. STILLFRAME_FAULTS_LONG=1 searches longer and corrupts more often.
"""

import glob
import json
import os
import re
import subprocess
import sys
import threading
import time

from process import (BUILD, WITHIN_S, ProcessTest, on_each_release, art_command, has_compiler, inspect, lasts, run_and_tell,
                     run_at_once)

ENDED = "sampling has ended: its signal handler has faulted three times in this process"
# Number of loads. Fewer would mean that the handler hardly ran.
FEWEST_REACHED = 25
IS_LONG = os.environ.get("STILLFRAME_FAULTS_LONG") == "1"
# Search for loads, and let them fail, until none is new for this long.
QUIET_MS = 5_000 if IS_LONG else 600
LIES = 1_000 if IS_LONG else 60
SEED = int(os.environ.get("STILLFRAME_FAULTS_SEED", time.time_ns() % 10_000))


@on_each_release
class FaultsOn11Test(ProcessTest):
    release = "11"
    undisturbed = {}  # release: the number that it computes
    computing = threading.Lock()

    def expected(self):
        """The result without the profiler."""
        with self.computing:
            if self.release not in self.undisturbed:
                command = art_command("Computes", "/", preload=False, release=self.release)
                done = subprocess.run(command, capture_output=True, text=True, timeout=4 * WITHIN_S)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.undisturbed[self.release] = re.match(r"result (-?\d+) messages 1$", done.stdout).group(1)
            return self.undisturbed[self.release]

    def disturb(self, library, *options, until=None, settings=(), **variables):
        """(dump, its counters, log) of a program with the right result. The program ends when `until` is in its log, or
        else when the library asks it to."""
        told = os.path.join(self.dump_dir, "told")
        environment = {"INTERVAL_US": 1000, "DUMP_AT_EXIT": 1, "JANKS": 1, "JANK_MS": 5, "SLOW_MS": 5,
                       "JANK_KIB_PER_DAY": 1_000_000, **dict(settings)}
        library = os.path.join(BUILD, "art", f"lib{library}.so")
        done = run_and_tell(
            self.command("Computes", told, 2, "tap", options=(*options, "--preload", library)),
            self.environment(**environment) | {"FAULTS_DONE": told} | {k: str(v) for k, v in variables.items()}, told, until)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, rf"result {self.expected()} messages \d+\n")
        dump = inspect(self.only_dump(done.stderr))
        counters = {counter["name"]: counter["value"] for counter in dump["counters"]}
        return dump, counters, done.stderr

    def check_ended(self, dump, counters, log):
        self.assertEqual(counters["handler_faults"], 3, log)
        self.assertGreater(counters["samples_by_signal"], 0)
        self.assertIn(f"stillframe: {ENDED}", log)
        self.assertEqual(dump["identity"]["sampler_state"], f"stopped; {ENDED}")
        records = []
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")):
            with open(path, encoding="ascii") as file:
                records.append(json.load(file))
        self.assertTrue(records, log)
        # A record describes its longest message, which may be earlier than the end of sampling.
        for record in records:
            self.assertIn(record.get("samplerOff", ENDED), (ENDED,))

    def check_goes_on(self, dump, counters):
        self.assertEqual(counters["handler_faults"], 0)
        self.assertEqual(dump["identity"]["sampler_state"], "on")
        self.assertGreater(dump["history"][-1]["samples"], 0, "it samples to the end")

    def fail_each_load(self, *options, **settings):
        dump, counters, log = self.disturb("faulty_reads", *options, settings=settings, FAULTY_READS="each",
                                           FAULTY_READS_QUIET_MS=QUIET_MS)
        found = re.search(r"faults: loads (\d+) reached (\d+) failed (\d+)", log)
        self.assertIsNotNone(found, log)
        loads, reached, failed = map(int, found.groups())
        print(f"ART {self.release} {' '.join(options)} {settings}: {loads} guarded loads, {reached} of them reached, {failed} failed; "
              f"{counters['samples_by_signal']} samples, {counters['cut_unreadable_memory']} unreadable")
        self.assertGreaterEqual(reached, FEWEST_REACHED)
        # A load that ran only once during the search may not recur, because the code that led there is compiled by now.
        self.assertGreaterEqual(failed, (0.8 if IS_LONG else 0.6) * reached)
        self.assertGreater(counters["cut_unreadable_memory"], 0)
        self.check_goes_on(dump, counters)
        return counters

    @lasts
    def test_each_guarded_load_fails(self):
        """Includes the loads that copy stacks."""
        counters = self.fail_each_load(NATIVE=1)
        self.assertGreater(counters["native_copies_unreadable"], 0)

    @lasts
    def test_each_guarded_load_fails_in_compiled_code(self):
        if not has_compiler(self.release):
            self.skipTest(f"no compiler of ART {self.release}")
        self.fail_each_load("--mode", "jit")

    @lasts
    def test_three_loads_whose_fault_nobody_expects_end_sampling(self):
        print(f"seed {SEED}")
        dump, counters, log = self.disturb("faulty_reads", FAULTY_READS="lost", FAULTY_READS_SEED=SEED,
                                           FAULTY_READS_QUIET_MS=QUIET_MS)
        self.assertRegex(log, r"faults: loads \d+ reached \d+ lost 3")
        self.check_ended(dump, counters, log)

    def test_a_ring_that_cannot_be_written_ends_sampling(self):
        for page in (-1, 5):
            with self.subTest(page=page):
                ProcessTest.setUp(self)
                dump, counters, log = self.disturb("faulty_memory", until=ENDED,
                                                   FAULTY_MEMORY_LEAST=131_072, FAULTY_MEMORY_MOST=131_072,
                                                   FAULTY_MEMORY_PAGE=page)
                self.assertRegex(log, r"faults: \d+ bytes cannot be written")
                self.check_ended(dump, counters, log)

    def test_slots_for_stacks_that_cannot_be_written_end_sampling(self):
        dump, counters, log = self.disturb("faulty_memory", until=ENDED, settings={"NATIVE": 1},
                                           FAULTY_MEMORY_LEAST=16 * 16_384 + 1, FAULTY_MEMORY_MOST=16 * 17_408)
        self.assertRegex(log, r"faults: \d+ bytes cannot be written")
        self.check_ended(dump, counters, log)

    def test_a_clock_that_faults_ends_sampling(self):
        dump, counters, log = self.disturb("faulty_clock", until=ENDED, FAULTY_CLOCK="fault")
        self.check_ended(dump, counters, log)

    def test_a_clock_that_lies_harms_nobody(self):
        for mode in ("zero", "random", "error", "back"):
            with self.subTest(mode=mode):
                ProcessTest.setUp(self)
                dump, counters, _ = self.disturb("faulty_clock", FAULTY_CLOCK=mode, FAULTY_CLOCK_LIES=LIES)
                self.assertEqual(counters["handler_faults"], 0)
                # A watchdog may see the handler as slow.
                self.assertRegex(dump["identity"]["sampler_state"], r"^(on$|on, at 1/|off: a watchdog has ended sampling)")


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
