# SPDX-License-Identifier: Apache-2.0
"""Classes are unloaded while samples of their methods wait in the ring. Nothing may crash, or get the name of another
class.
"""

import re
import sys
import unittest

from process import APPS, ProcessTest, collapsed, inspect, run_at_once


class UnloadingTest(ProcessTest):
    def test_names_are_right_after_unloading(self):
        done = self.run_app("Unloading", APPS, 4000, DUMP_AT_EXIT=1, TIMER="wall", INTERVAL_US=1000,
                            TREES=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        loaded, alive = map(int, re.search(r"loaded (\d+) alive (\d+)", done.stdout).groups())
        self.assertGreater(loaded, 20)
        self.assertLess(alive, loaded / 2)
        dump = self.only_dump(done.stderr)
        stacks = collapsed(dump)
        mixed = [(frames, count) for frames, count in stacks
                 if any("Unloading.red" in frame for frame in frames) and any("$Blue" in frame for frame in frames)
                 or any("Unloading.blue" in frame for frame in frames) and any("$Red" in frame for frame in frames)]
        self.assertEqual(mixed, [])
        found = {work: sum(count for frames, count in stacks if any(work in frame for frame in frames))
                 for work in ("redWork", "blueWork")}
        counters = {c["name"]: c["value"] for c in inspect(dump)["counters"]}
        print(f"{loaded} classes, {loaded - alive} unloaded, {counters['samples_by_signal']} samples, "
              f"{counters['methods_not_resolved']} methods gone before they were named, {found}")
        self.assertGreater(min(found.values()), 20)
        # Here a class lives a few milliseconds, often less than its samples wait for the collector.
        self.assertLess(counters["methods_not_resolved"], counters["samples_by_signal"])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
