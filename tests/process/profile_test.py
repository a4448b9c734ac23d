# SPDX-License-Identifier: Apache-2.0
"""Checks profiles of programs whose truth is known."""

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from process import BUILD, ProcessTest, collapsed, inspect, run_at_once

INTERVAL_MS = 10
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MAIN = """
public class Main {
  public static void main(String[] args) {
    android.os.Looper.prepareMainLooper();
    android.os.Handler handler = new android.os.Handler();
    handler.post(Main::compute);
    handler.post(() -> System.exit(0));
    android.os.Looper.loop();
  }

  private static void compute() {
    long end = System.nanoTime() + 1_500_000_000L;
    while (System.nanoTime() < end) {
    }
  }
}
"""


def shares_by_method(stacks, methods):
    """{method: share of the stacks that contain it}"""
    total = sum(count for _, count in stacks)
    return {
        method: sum(count for frames, count in stacks
                    if any(f"Shares.{method}" in frame for frame in frames)) / total
        for method in methods
    }


class ProfileTest(ProcessTest):
    def profile_shares(self, is_measured=False, **variables):
        run = functools.partial(self.run_app, "Shares", DUMP_AT_EXIT=1, **variables)
        done = self.measure(run) if is_measured else run()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        took = {}
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith("took ")]
        for _, name, us in lines:
            took.setdefault(name, []).append(int(us))
        self.assertEqual(len(took), 4, done.stdout)
        self.cpu_ms = next(int(line.split()[1]) for line in done.stdout.splitlines()
                           if line.startswith("cpu "))
        return took, self.only_dump(done.stderr)

    def check_shares(self, took, dump):
        """Compares shares of wall time. A thread that waits for a CPU has fewer samples, each of more weight."""
        total = sum(map(sum, took.values()))
        shares = shares_by_method(collapsed(dump, unit="us"), took)
        for method, times in took.items():
            self.assertAlmostEqual(shares[method], sum(times) / total, delta=0.05,
                                   msg=f"{method}: {shares}, took {took}")

    def test_samples_agree_with_known_times(self):
        took, dump = self.profile_shares(is_measured=True)
        self.check_shares(took, dump)

    def test_printer_tap_gives_the_same_profile(self):
        took, dump = self.profile_shares(is_measured=True, TAP="printer")
        self.assertEqual(inspect(dump)["identity"]["tap"], "printer")
        self.check_shares(took, dump)

    def test_the_example_of_the_readme_runs(self):
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as readme:
            example = re.search(r"^    \./tools/art-compile Main.*?(?=\n\n)", readme.read(), re.M | re.S)[0]
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(ROOT, "tools"), os.path.join(folder, "tools"))
            os.symlink(BUILD, os.path.join(folder, "build"))
            with open(os.path.join(folder, "Main.java"), "w", encoding="utf-8") as program:
                program.write(MAIN)
            environment = {k: v for k, v in os.environ.items() if not k.startswith("STILLFRAME_")}
            done = subprocess.run(["bash", "-ec", example], cwd=folder, env=environment, capture_output=True, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Main.compute", done.stdout)

    def test_sleepers_are_not_disturbed(self):
        took, _ = self.profile_shares()
        # A signal would end a wait early. sleepers_test.py checks how late one may end.
        self.assertGreater(min(took["waitTimed"]), 299_000)
        self.assertGreater(min(took["sleep"]), 199_000)

    def test_what_is_omitted_is_not_in_the_file(self):
        words = "stacks,messages,queue,threads,context,annotations,reason,process"
        _, dump = self.profile_shares(OMIT=words)
        document = inspect(dump)
        self.assertGreater(len(document["history"]), 0)
        text = json.dumps(document).replace(words, "")
        for name in ("Shares", "android.os", "rss_bytes", "HeapTaskDaemon", self.dump_dir):
            self.assertNotIn(name, text)
        self.assertEqual(document["trees"], [])

    def test_message_and_tree_are_complete(self):
        _, dump = self.profile_shares(is_measured=True)
        document = inspect(dump)
        message = max(document["history"], key=lambda m: m["wall_ns"])
        self.assertEqual(message["target"], "android.os.Handler")
        self.assertIn("Shares", message["callback"])
        self.assertGreater(message["wall_ns"], 2_900_000_000)
        self.assertAlmostEqual(message["cpu_ns"] / 1e6, self.cpu_ms, delta=20)
        tree = next(t for t in document["trees"] if t["token"] == message["token"])
        slept_ms = 3 * (200 + 300)
        self.assertGreater(len(tree["samples"]), (self.cpu_ms + slept_ms) / INTERVAL_MS * 0.66)
        weights = sum(sample[1] for sample in tree["samples"])
        self.assertAlmostEqual(weights * 1000, message["wall_ns"], delta=5_000_000)
        states = {sample[3] for sample in tree["samples"]}
        self.assertLessEqual({"sleeping", "timed-waiting", "runnable"}, states)
        from_main = sum(node[2] for node in tree["nodes"]
                        if node[1] == 1 and document["frames"][node[0]]["method"] == "main")
        # A signal may interrupt ART between two fragments of its stack. That sample is marked.
        self.assertGreaterEqual(from_main, len(tree["samples"]) - 2)

    def test_lines_are_those_of_the_source(self):
        _, dump = self.profile_shares()
        document = inspect(dump)
        lines = {f["line"] for f in document["frames"]
                 if f["class"] == "Shares" and f["method"] == "waitTimed"}
        with open(__file__.replace("profile_test.py", "apps/Shares.java")) as source:
            wait_line = 1 + [line.strip() for line in source].index("LOCK.wait(ms);")
        self.assertEqual(lines, {wait_line})

    def test_quick_messages_leave_no_history(self):
        done = self.run_app("Quick", 20_000, DUMP_AT_EXIT=1)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = inspect(self.only_dump(done.stderr))
        counters = {c["name"]: c["value"] for c in document["counters"]}
        self.assertGreaterEqual(counters["messages"], 20_000)
        self.assertEqual(counters["samples_by_signal"], 0)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
