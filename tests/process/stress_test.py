"""Sampling every millisecond on the wall clock while everything moves: exceptions, garbage collections, threads."""

import os
import unittest

from process import ProcessTest, inspect

SECONDS = int(os.environ.get("STILLFRAME_STRESS_SECONDS", "60"))


class StressTest(ProcessTest):
    def test_no_sample_crashes_and_nearly_all_end_in_main(self):
        done = self.run_app("Stress", SECONDS, timeout=SECONDS * 3 + 60, DUMP_AT_EXIT=1,
                            TIMER="wall", INTERVAL_US=1000, TREES=100, TREE_BUDGET_KIB=65536)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])
        document = inspect(self.only_dump(done.stderr))
        counters = {c["name"]: c["value"] for c in document["counters"]}
        samples = counters["samples_by_signal"]
        self.assertGreater(samples, SECONDS * 500)
        whole = not_main = 0
        for tree in document["trees"]:
            for frame, depth, count, _ in tree["nodes"]:
                if depth == 1:
                    whole += count
                    not_main += count if document["frames"][frame]["method"] != "main" else 0
        self.assertGreater(whole, 0)
        print(f"{samples} samples, {counters['samples_cut']} cut, {not_main} of {whole} not from main, "
              f"{counters['methods_not_resolved']} methods not resolved")
        self.assertLessEqual(counters["samples_cut"], samples / 1000)
        self.assertLessEqual(not_main, whole / 1000)


if __name__ == "__main__":
    unittest.main()
