# SPDX-License-Identifier: Apache-2.0
"""A sleeping thread must not be disturbed: its sleeps last as long as without the profiler, and its samples name them.

STILLFRAME_SLEEPS: repetitions of each sleep of 300 ms on each runtime; 50 for a measurement.
"""

import os
import statistics
import subprocess
import sys
import unittest

from process import BUILD, RELEASES, ProcessTest, art, art_command, inspect, rise, run_at_once

SLEEPS = int(os.environ.get("STILLFRAME_SLEEPS", "3"))
RUNTIMES = [(release, "nterp" if release == "14" else "mterp") for release in RELEASES]
SLEEP_US = 300_000
# Pairs that differ are measured again. A busy machine delays a thread in more ways than its run-queue clock counts. A
# disturbance by our library would recur each time.
MEASUREMENTS = 3
# Kind of sleep -> state of its samples.
STATES = {
    "objectWait": "timed-waiting",
    "threadSleep": "sleeping",
    "nativeSleep": "native",
    "nativeRead": "native",
    "nativePoll": "native",
    "monitor": "blocked",
}
# Kind of sleep -> innermost method.
LEAVES = {
    "objectWait": "java.lang.Object.wait",
    "threadSleep": "java.lang.Thread.sleep",
    "nativeSleep": "Sleepers.nanosleep",
    "nativeRead": "Sleepers.read",
    "nativePoll": "Sleepers.poll",
    "monitor": "Sleepers.monitor",
}
LIBRARY = os.path.join(BUILD, "art", "libneighbours.so")


def durations(output):
    """({kind: times}, {kind: times without waits for a CPU}, errno of sleeps that failed)."""
    took = {name: [] for name in STATES}
    without_queue = {name: [] for name in STATES}
    errors = []
    for line in output.splitlines():
        words = line.split()
        if words[:1] == ["slept"]:
            took[words[1]].append(int(words[2]))
            without_queue[words[1]].append(int(words[2]) - int(words[4]))
            errors += [words[3]] if words[3] != "0" else []
    return took, without_queue, errors


def stacks_of_samples(document, tree):
    """The stack of each sample, outermost frame first. A tree's nodes are in the order of its samples."""
    stacks = [[] for _ in tree["samples"]]
    for frame, depth, count, offset in tree["nodes"]:
        for stack in stacks[offset:offset + count]:
            stack.append((depth, document["frames"][frame]))
    return [[frame for _, frame in sorted(stack, key=lambda entry: entry[0])] for stack in stacks]


class SleepersTest(ProcessTest):
    def sleep_both_ways(self, options):
        """Runs with and without the profiler in parallel, so that both meet the same load."""
        alone = subprocess.Popen(art_command("Sleepers", LIBRARY, SLEEPS, preload=False, options=options),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=rise)
        self.addCleanup(alone.kill)
        done = self.run_app("Sleepers", LIBRARY, SLEEPS, timeout=240 + SLEEPS * 10, options=options,
                            DUMP_AT_EXIT=1, TREES=100, TREE_MIN_MS=100)
        output, errors = alone.communicate(timeout=240)
        self.assertEqual((done.returncode, alone.returncode), (0, 0), done.stderr + errors)
        return done, output

    def test_sleeps_last_as_long_and_are_seen(self):
        for release, interpreter in RUNTIMES:
            with self.subTest(art=release, interpreter=interpreter):
                self.check_sleeps([*art(release), "--interpreter", interpreter])

    def check_sleeps(self, options):
        for attempt in range(1, MEASUREMENTS + 1):
            self.setUp()
            done, alone = self.sleep_both_ways(options)
            took, far = self.check_durations(done.stdout, alone)
            if not far:
                break
            print(f"measurement {attempt} of {MEASUREMENTS}: {far}")
        self.assertEqual(far, {}, "microseconds apart, in each measurement")
        document = inspect(self.only_dump(done.stderr))
        trees = {tree["token"]: tree for tree in document["trees"]}
        messages = [m for m in document["history"] if m["token"] in trees]
        self.assertEqual(len(messages), len(STATES))
        for name, message in zip(STATES, messages):
            with self.subTest(name):
                self.check_tree(document, name, message, trees[message["token"]], sum(took[name]))

    def check_durations(self, watched, alone):
        """(times of the sleeps, differences in us where the profiler changed the time)"""
        took, ours, errors = durations(watched)
        _, theirs, _ = durations(alone)
        self.assertEqual(errors, [], "errno of sleeps that ended early")
        far = {}
        for name in STATES:
            with_us, without_us = statistics.median(ours[name]), statistics.median(theirs[name])
            print(f"{name}: median {with_us:.0f} us with us, {without_us:.0f} us without, run-queue wait left out; "
                  f"shortest {min(took[name])} us")
            self.assertEqual(len(took[name]), SLEEPS)
            if name != "monitor":  # its holder may be ahead of the thread that waits for it
                self.assertGreater(min(took[name]), SLEEP_US - 500)
            # The kernel's timer wheel rounds a socket's time-out up by up to 8 ticks.
            if abs(with_us - without_us) >= (40_000 if name == "nativeRead" else 15_000):
                far[name] = with_us - without_us
        return took, far

    def check_tree(self, document, name, message, tree, slept_us):
        if name == "monitor":
            self.assertEqual(message["lock_owner"], "holder")
            self.assertGreater(message["lock_owner_tid"], 0)
        weights = [sample[1] for sample in tree["samples"]]
        wall_us = message["wall_ns"] / 1000
        self.assertAlmostEqual(sum(weights) / wall_us, 1, delta=0.03)
        asleep_us = 0
        for sample, stack in zip(tree["samples"], stacks_of_samples(document, tree)):
            names = [f"{frame['class']}.{frame['method']}" for frame in stack if frame["class"] != "kernel"]
            if sample[3] == STATES[name] and names[-1] == LEAVES[name]:
                asleep_us += sample[1]
                self.assertEqual(names[0], "Sleepers.main", names)
                self.assertIn("android.os.Looper.loop", names)
                self.assertIn("Sleepers." + name, names)
        print(f"{name}: {asleep_us} us of {slept_us} us asleep seen as {STATES[name]}, "
              f"weights {sum(weights)} us of {wall_us:.0f} us")
        # Each sleep begins and ends between two samples, and waits for a CPU on a busy machine.
        self.assertLess(abs(asleep_us - slept_us), SLEEPS * 75_000)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
