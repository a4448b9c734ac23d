# SPDX-License-Identifier: Apache-2.0
"""Two copies of the profiler in one process: the second to start stays off and says where the first is."""

import collections
import glob
import os
import shutil
import subprocess
import sys

from process import (ART_RUN, BUILD, LIBRARY, WITHIN_S, ProcessTest, art, inspect, on_each_release, run_at_once,
                     thread_names)

JAR = os.path.join(BUILD, "art", "copies.jar")
NATIVES = os.path.join(BUILD, "art", "libcopies.so")
LINKED_IN = os.path.join(BUILD, "art", "liblinked_in.so")
OFF = "off: another copy of it is at work in this process, in "


@on_each_release
class CopiesOn11Test(ProcessTest):
    release = "11"

    def run_both(self, other, first):
        """(output of the program, its log, number of collectors)"""
        command = [ART_RUN, *art(self.release), "-cp", JAR, "Copies", LIBRARY, NATIVES, other, self.dump_dir, first]
        process = subprocess.Popen(command, env=self.environment(DUMP_AT_EXIT=1), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        said = []
        for line in process.stdout:
            if line == "ready\n":
                break
            said.append(line.rstrip("\n"))
        collectors = collections.Counter(thread_names(process.pid).values())["stillframe"]
        with open(os.path.join(self.dump_dir, "told"), "w", encoding="utf-8"):
            pass
        _, log = process.communicate(timeout=WITHIN_S)
        self.assertEqual(process.returncode, 0, log)
        return said, log, collectors

    def check_one_is_on(self, log, collectors, where):
        self.assertEqual(log.count("stillframe: on: ART"), 1, log)
        self.assertEqual(log.count(f"the profiler stays {OFF}{where}\n"), 1, log)
        self.assertEqual(collectors, 1)
        self.assertEqual(len(glob.glob(os.path.join(self.dump_dir, "stillframe-guard-*"))), 1)
        dump = inspect(self.dumps()[-1])
        self.assertEqual(dump["identity"]["sampler_state"], "on")
        self.assertGreater(max(message["samples"] for message in dump["history"]), 10)
        counters = {counter["name"]: counter["value"] for counter in dump["counters"]}
        self.assertEqual(counters["drops_foreign_signal"], 0, "nobody else sends signals")

    def copy(self):
        other = os.path.join(self.dump_dir, "libother.so")
        shutil.copy(LIBRARY, other)
        return other

    def check_the_second_is_off(self, other):
        said, log, collectors = self.run_both(other, "facade")
        # 1: STILLFRAME_NOT_STARTED
        self.assertEqual(said[:-1], ["facade OK", "state on"] + [f"other 1 {OFF}{LIBRARY}"] * 2, log)
        self.assertRegex(said[-1], r"^dump /.*\.sfdump$")
        self.check_one_is_on(log, collectors, LIBRARY)
        self.assertEqual(len(self.dumps()), 2, "of one copy: one that was asked for, one at the end")

    def test_one_file_under_two_names(self):
        self.check_the_second_is_off(self.copy())

    def test_one_is_linked_into_a_library(self):
        self.check_the_second_is_off(LINKED_IN)

    def test_whoever_starts_first_has_the_process(self):
        other = self.copy()
        said, log, collectors = self.run_both(other, "other")
        self.assertEqual(said, ["other 0 on", "facade NOT_STARTED", f"state {OFF}{other}", "dump null"], log)
        self.check_one_is_on(log, collectors, other)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
