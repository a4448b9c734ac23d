# SPDX-License-Identifier: Apache-2.0
"""Method ids are indices, as in a debuggable app. The start-up checks must succeed all the same."""

import sys
import unittest

from process import RELEASES, ProcessTest, inspect, run_at_once

MIN_SAMPLES = 30  # of 250 at most: a virtual machine loses ticks
MAX_TRUNCATED_SHARE = 0.01


class MethodIdsTest(ProcessTest):
    def test_ids_may_be_indices(self):
        for self.release in set(RELEASES) - {"10"}:
            with self.subTest(art=self.release):
                ProcessTest.setUp(self)
                done = self.run_app("Stress", 1, options=["--interpreter", "nterp", "-Xopaque-jni-ids:true"],
                                    DUMP_AT_EXIT=1, INTERVAL_US=1_000)
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                counters = {c["name"]: c["value"] for c in inspect(self.only_dump(done.stderr))["counters"]}
                self.assertGreater(counters["samples_by_signal"], MIN_SAMPLES, done.stderr[-3000:])
                self.assertLessEqual(counters["samples_cut"], 1 + counters["samples_by_signal"] * MAX_TRUNCATED_SHARE)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
