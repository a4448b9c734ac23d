# SPDX-License-Identifier: Apache-2.0
"""Code of ART's own compiler: loops that are compiled while they run, so that their frame is replaced."""

import collections
import math
import os
import subprocess
import sys
import unittest

from process import (APPS, ART_RUN, BUILD, LIBRARY, NO_COMPILER, RELEASES, ProcessTest, art, has_compiler, inspect,
                     run_at_once)

# Long form: messages of 4 s, 10,000 samples of each release.
SECONDS = int(os.environ.get("STILLFRAME_COMPILED_SECONDS", "6"))
MESSAGE_MS = 4_000 if SECONDS >= 60 else 1_500
MESSAGES = SECONDS * 1_000 // MESSAGE_MS
MAX_TRUNCATED_SHARE = 0.001
MAX_TRUNCATED_OFTEN = 0.01  # where each iteration of a loop goes through ART's handling of a fault
NO_LINE = -1
MAX_WITHOUT_LINE = 0.01
# Fewer samples cannot prove one in a thousand. Chance may exceed the share by three deviations.
MIN_SAMPLES = 10_000 if SECONDS >= 60 else 300
MIN_SAMPLES_OF_LEAVES = 300
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "apps", "ReplacedLoop.java")
CHAINS = [["main", "outer", "loop", "work"], ["main", "outer", "loop", "thrown", "fail"]]


def lines_of(method):
    """First and last line of a method of the program."""
    with open(SOURCE, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next(i for i, line in enumerate(lines) if f" {method}(" in line and line.endswith("{"))
    return first + 1, next(i for i, line in enumerate(lines) if i > first and line == "  }") + 1


class CompiledTest(ProcessTest):
    mode = "jit"
    jar = APPS

    def command(self, main, *args, options=()):
        return [ART_RUN, *art(self.release), "--mode", self.mode, "--preload", LIBRARY, "-cp", self.jar, main, *map(str, args)]

    def check_stack(self, path):
        """Checks a path, outermost frame first. Returns whether the innermost is the compiled loop, and whether its
        line is known.
        """
        program = [frame for frame in path if frame["class"] == "ReplacedLoop"]
        names = [frame["method"] for frame in program if not frame["method"].startswith("lambda")]
        self.assertTrue(any(names == chain[:len(names)] for chain in CHAINS), names)
        inner = path[-1]
        if inner["class"] != "ReplacedLoop" or inner["method"] not in ("loop", "work", "thrown", "fail"):
            return False, True
        first, last = lines_of(inner["method"])
        # The line is unknown if the code was freed after the sample.
        self.assertTrue(inner["line"] == NO_LINE or first <= inner["line"] <= last, inner)
        return inner["method"] == "loop" and inner["kind"].startswith("compiled"), inner["line"] != NO_LINE

    def test_replaced_loops_are_whole(self):
        for self.release in RELEASES:
            with self.subTest(art=self.release):
                if not has_compiler(self.release):
                    self.skipTest(NO_COMPILER.format(self.release))
                ProcessTest.setUp(self)
                self.check_release()

    def check_release(self):
        done = self.run_app("ReplacedLoop", MESSAGES, MESSAGE_MS, DUMP_AT_EXIT=1, TREES=1000,
                            INTERVAL_US=2_000)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        document = inspect(self.only_dump(done.stderr))
        counters = {c["name"]: c["value"] for c in document["counters"]}
        samples, truncated = counters["samples_by_signal"], counters["samples_cut"]
        whole = replaced = without_line = 0
        for tree in document["trees"]:
            path = []
            for frame, depth, count, _ in tree["nodes"]:
                del path[depth - 1:]
                path.append(document["frames"][frame])
                if all(frame["kind"] != "cut" for frame in path):
                    whole += count if depth == 1 else 0
                    is_replaced, has_line = self.check_stack(path)
                    replaced += count if is_replaced else 0
                    without_line += count if not has_line else 0
        print(f"ART {self.release}: {samples} samples, {truncated} truncated; {whole} in trees, {replaced} in the loop's code, "
              f"{without_line} without a line")
        self.assertGreater(samples, MIN_SAMPLES)
        most = samples * MAX_TRUNCATED_SHARE
        self.assertLessEqual(truncated, most + 3 * math.sqrt(most), {k: v for k, v in counters.items() if v})
        self.assertGreater(replaced, whole / 2, "the loop ran in a replaced frame")
        self.assertLessEqual(without_line, whole * MAX_WITHOUT_LINE)

    def test_native_leaves_without_a_frame_and_null_checks_that_fault_are_whole(self):
        for self.release, self.mode in [(release, mode) for release in RELEASES for mode in ("jit", "aot-boot")
                                        if (release, mode) != ("10", "aot-boot")]:
            with self.subTest(art=self.release, mode=self.mode):
                if not has_compiler(self.release):
                    self.skipTest(NO_COMPILER.format(self.release))
                ProcessTest.setUp(self)
                done = self.run_app("HardLeaves", 2_000, DUMP_AT_EXIT=1, TREES=100, INTERVAL_US=1_000, LONG_MS=0)
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                counters = {c["name"]: c["value"] for c in inspect(self.only_dump(done.stderr))["counters"]}
                samples, truncated = counters["samples_by_signal"], counters["samples_cut"]
                print(f"ART {self.release} {self.mode}: {samples} samples, {truncated} truncated")
                self.assertGreater(samples, MIN_SAMPLES_OF_LEAVES)
                most = samples * MAX_TRUNCATED_OFTEN
                self.assertLessEqual(truncated, most + 3 * math.sqrt(most), {k: v for k, v in counters.items() if v})

    def check_inlined(self, mode, whose, caller, inlined):
        """The message runs in the caller, into which fill() is inlined ahead of time."""
        self.release, self.mode = "14", mode
        if not has_compiler(self.release):
            self.skipTest(NO_COMPILER.format(self.release))
        ProcessTest.setUp(self)
        self.jar = os.path.join(BUILD, "art", "multidex.jar")
        done = self.run_app("InlinedFills", 1_500, whose, DUMP_AT_EXIT=1, INTERVAL_US=2_000, LONG_MS=0)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        document = inspect(self.only_dump(done.stderr))
        held = collections.Counter()
        for tree in document["trees"]:
            for frame, _, count, _ in tree["nodes"]:
                frame = document["frames"][frame]
                held[f"{frame['class']}.{frame['method']}"] += count
                if f"{frame['class']}.{frame['method']}" == f"{inlined}.fill":
                    self.assertGreater(frame["line"], 0)
        self.assertGreater(held[f"InlinedFills.{caller}"], 100, held)
        self.assertGreater(held[f"{inlined}.fill"], 0.8 * held[f"InlinedFills.{caller}"], held)
        self.assertEqual(held[".not a method"], 0, held)

    def test_methods_of_the_platform_that_are_inlined_into_an_application_have_names(self):
        self.check_inlined("aot-boot", "platform", "fillByPlatform", "java.util.Arrays")

    def test_methods_of_another_dex_file_of_the_application_that_are_inlined_have_names(self):
        for mode in ("aot-boot", "aot"):
            with self.subTest(mode=mode):
                self.check_inlined(mode, "other", "fillByOther", "OtherFile")

    def test_the_demos_application_runs_as_a_debuggable_one(self):
        for release in set(RELEASES) - {"10"}:
            with self.subTest(art=release):
                if not has_compiler(release):
                    self.skipTest(NO_COMPILER.format(release))
                ProcessTest.setUp(self)
                done = subprocess.run(
                    [ART_RUN, *art(release), "--mode", "debuggable", "--preload", LIBRARY,
                     "--library", os.path.join(BUILD, "art", "libfixture.so"),
                     "-cp", os.path.join(BUILD, "art", "fixture.jar"), "fixture.App", "stuck:3"],
                    env=self.environment(DUMP_AT_EXIT=1, LONG_MS=0), capture_output=True, text=True, timeout=120)
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                document = inspect(self.only_dump(done.stderr))
                self.assertEqual(document["identity"]["sampler_state"], "on")
                tree = max(document["trees"], key=lambda tree: len(tree["samples"]))
                held = collections.Counter()
                for frame, _, count, _ in tree["nodes"]:
                    held[document["frames"][frame]["method"]] += count
                self.assertGreater(held["multiply"], 0.8 * held["recompute"], held)
                self.assertGreater(held["recompute"], 0.9 * len(tree["samples"]), held)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
