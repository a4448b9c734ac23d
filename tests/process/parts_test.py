# SPDX-License-Identifier: Apache-2.0
"""The library without the parts that a build can do without: it samples, and says what it has not."""

import glob
import json
import os
import re
import subprocess
import sys

import process
from process import ART_RUN, BUILD, WITHIN_S, ProcessTest, collapsed, inspect, run_at_once

LEAST = os.path.join(BUILD, "lib", "libstillframe_least.so")
LINKED_IN = os.path.join(BUILD, "art", "liblinked_in{}.so")
HOST = os.path.join(BUILD, "art", "libagent_host.so")
WAYS_IN = os.path.join(BUILD, "art", "ways_in.jar")
LACKS = ("has no native frames", "has no sections of the trace marker", "writes no records of janks", "reads no documents of settings", "has no guard")


@process.on_each_release
class LeastOn11Test(ProcessTest):
    release = "11"

    def command(self, main, *args, options=()):
        return process.art_command(main, *args, preload=False, options=("--preload", LEAST, *options), release=self.release)

    def settings(self):
        """A document that would switch the profiler off."""
        path = os.path.join(self.dump_dir, "settings.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump({"settings": {"enabled": False}}, file)
        return path

    def test_it_samples_and_says_what_it_lacks(self):
        done = self.run_app("Shares", DUMP_AT_EXIT=1, JANKS=1, JANK_MS=100, NATIVE=1, SECTIONS=1, CONFIG=self.settings())
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in LACKS:
            self.assertIn(f"this build of the profiler {part}", done.stderr)
        dump = self.only_dump(done.stderr)
        self.assertEqual(inspect(dump)["identity"]["sampler_state"], "on")
        self.assertTrue([frames for frames, _ in collapsed(dump) if any("Shares." in frame for frame in frames)])
        self.assertEqual(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*")), [])
        self.assertEqual(glob.glob(os.path.join(self.dump_dir, "stillframe-guard*")), [])

    def test_linked_into_a_library_of_the_application(self):
        command = [ART_RUN, "--art", self.release, "-cp", WAYS_IN, "WaysIn", HOST, LINKED_IN.format("_least"), "facade",
                   self.dump_dir, "use"]
        done = subprocess.run(command, env=self.environment(JANKS=1, NATIVE=1, SECTIONS=1, CONFIG=self.settings()), capture_output=True,
                              text=True, timeout=WITHIN_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for part in LACKS:
            self.assertIn(f"this build of the profiler {part}", done.stderr)
        last = [line.removeprefix("dump ") for line in done.stdout.splitlines() if line.startswith("dump ")][-1]
        samples = [message["samples"] for message in inspect(last)["history"] if (message["cpu_ns"] or 0) > 550e6]
        self.assertEqual([count > 30 for count in samples], [True, False, True], samples)


class LinkedInTest(ProcessTest):
    def test_what_is_left_out_is_not_there(self):
        linked_in, library = (self.parts_in(file) for file in (LINKED_IN.format("_least"), LEAST))
        self.assertEqual(linked_in - library, set())
        self.assertGreater(len(self.parts_in(LINKED_IN.format("")) - library), 100)

    @staticmethod
    def parts_in(file):
        """Functions of the rooms whose parts can be left out."""
        shown = subprocess.run(["nm", "-C", file], capture_output=True, text=True, check=True).stdout
        return set(re.findall(r" [tTwW] (stillframe::(?:native|jank|remote|guard|watchdog)::.*)", shown))

    def test_a_program_without_a_vm(self):
        done = subprocess.run([os.path.join(BUILD, "bin", "no_vm_least")], env=self.environment(), capture_output=True,
                              text=True, timeout=WITHIN_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the profiler stays off: no Java VM in this process", done.stderr)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
