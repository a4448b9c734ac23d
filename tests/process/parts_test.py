# SPDX-License-Identifier: Apache-2.0
"""The library without the parts that a build can do without: it samples, and says what it has not."""

import glob
import json
import os
import sys

import process
from process import BUILD, ProcessTest, collapsed, inspect, run_at_once

LEAST = os.path.join(BUILD, "lib", "libstillframe_least.so")


@process.also_on("10", "14")
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
        done = self.run_app("Shares", DUMP_AT_EXIT=1, JANKS=1, JANK_MS=100, NATIVE=1, CONFIG=self.settings())
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ("has no native frames", "writes no records of janks", "reads no documents of settings", "has no guard"):
            self.assertIn(f"this build of the profiler {part}", done.stderr)
        dump = self.only_dump(done.stderr)
        self.assertEqual(inspect(dump)["identity"]["sampler_state"], "on")
        self.assertTrue([frames for frames, _ in collapsed(dump) if any("Shares." in frame for frame in frames)])
        self.assertEqual(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*")), [])
        self.assertEqual(glob.glob(os.path.join(self.dump_dir, "stillframe-guard*")), [])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
