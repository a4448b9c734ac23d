# SPDX-License-Identifier: Apache-2.0
"""A thread that sleeps is not disturbed: it sleeps as long as without us, and its samples say what it did.

STILLFRAME_SLEEPS: how often each sleep of 300 ms is repeated on each runtime; 50 for a measurement.
"""

import os
import statistics
import subprocess
import sys
import unittest

from process import BUILD, RELEASES, ProcessTest, art_command, inspect, rise, run_at_once

SLEEPS = int(os.environ.get("STILLFRAME_SLEEPS", "3"))
RUNTIMES = [(release, "nterp" if release == "14" else "mterp") for release in RELEASES]
SLEEP_US = 300_000
# A pair that differs is measured again: a machine with much to do keeps one of the two waiting in more ways than its
# run-queue clock knows. What our library does to a sleeper it does each time.
MEASUREMENTS = 3
# Way to sleep -> state of the samples.
STATES = {
    "objectWait": "timed-waiting",
    "threadSleep": "sleeping",
    "nativeSleep": "native",
    "nativeRead": "native",
    "nativePoll": "native",
    "monitor": "blocked",
}
# And the method on top.
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
    """What each sleep took; what it took but for waiting for a CPU; what errno it ended with, if any. By name."""
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
    """For each sample its stack, outermost frame first: the nodes of a tree are in the order of the samples."""
    stacks = [[] for _ in tree["samples"]]
    for frame, depth, count, offset in tree["nodes"]:
        for stack in stacks[offset:offset + count]:
            stack.append((depth, document["frames"][frame]))
    return [[frame for _, frame in sorted(stack, key=lambda entry: entry[0])] for stack in stacks]


class SleepersTest(ProcessTest):
    def sleep_both_ways(self, options):
        """With us and without us at the same time, so that both meet the same machine."""
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
                self.check_sleeps(["--art", release, "--interpreter", interpreter])

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
        """What the sleeps took, and which took another time with us than without us."""
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
            # The kernel's timer wheel rounds a socket's time-out up by as much as 8 of its ticks.
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
        # Each sleep begins and ends somewhere between two samples, and waits for a CPU on a busy machine.
        self.assertLess(abs(asleep_us - slept_us), SLEEPS * 75_000)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
