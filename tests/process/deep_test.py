# SPDX-License-Identifier: Apache-2.0
"""Stacks deeper than a sample: both ends are kept, with the number of missing frames between them."""

import re
import resource
import subprocess
import unittest

from process import (APPS, ART_RUN, LIBRARY, NO_COMPILER, RELEASES, WITHIN_S, ProcessTest, art, has_compiler, inspect,
                     rise)

STACK_BYTES = 512 << 20
COMPUTE_MS = 2_000
LONG_MS = 1_500
PLACES = 1_024  # frames of a sample
OUTERMOST = PLACES // 16
# Frames of the dispatch and of the program outside of the recursion.
FEW = 30
MISSING = re.compile(r"about (\d+) frames left out")
FIRST = {"self": "descend", "mutual": "even"}
NAMES = {"self": {"descend"}, "mutual": {"even", "odd"}}
INTERPRETED = {"10": ("mterp",), "11": ("mterp",), "14": ("nterp",)}


class DeepTest(ProcessTest):
    def run_deep(self, mode, depth, kind):
        ProcessTest.setUp(self)
        # "jit-cold" compiles on the way down, so that compiled and interpreted code call each other.
        warm = 3_000 if mode == "jit" else 0
        command = [ART_RUN, *art(self.release), "--mode", mode.split("-")[0], "--preload", LIBRARY, "-cp", APPS, "Deep",
                   str(depth), kind, str(COMPUTE_MS), str(warm)]

        def give_stack():
            rise()
            resource.setrlimit(resource.RLIMIT_STACK, (STACK_BYTES, resource.getrlimit(resource.RLIMIT_STACK)[1]))
        done = subprocess.run(command, env=self.environment(LONG_MS=LONG_MS),
                              capture_output=True, text=True, timeout=WITHIN_S, preexec_fn=give_stack, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, f"reached {depth}\n"), done.stderr[-3000:])
        return self.only_dump(done.stderr)

    def stacks(self, document):
        """(count, frames outermost first) of each leaf of the message's tree."""
        trees = [tree for tree in document["trees"] if tree["nodes"]]
        self.assertEqual(len(trees), 1)
        path = []
        nodes = trees[0]["nodes"]
        for i, (frame, depth, count, _) in enumerate(nodes):
            del path[depth - 1:]
            path.append(document["frames"][frame])
            if i + 1 == len(nodes) or nodes[i + 1][1] <= depth:
                yield count, path

    def check(self, mode, depth, kind):
        dump = self.run_deep(mode, depth, kind)
        document = inspect(dump)
        whole = counted = 0
        for count, path in self.stacks(document):
            counted += count
            names = [f"{frame['class']}.{frame['method']}" for frame in path]
            gaps = [i for i, frame in enumerate(path) if frame["kind"] == "cut"]
            if len(gaps) != 1 or not MISSING.fullmatch(path[gaps[0]]["method"]):
                continue  # taken on the way down or up
            missing = int(MISSING.fullmatch(path[gaps[0]]["method"])[1])
            recursion = {f"Deep.{name}" for name in NAMES[kind]}
            outer, inner = names[:gaps[0]], names[gaps[0] + 1:]
            entry = outer.index("Deep.enter")
            self.assertLess(entry, FEW, outer)
            self.assertIn("android.os.Looper.loop", outer[:entry])
            self.assertIn("Deep.resolve", outer[:entry])
            self.assertLessEqual(set(outer[entry + 1:]), recursion)
            if len(outer) > entry + 2:
                self.assertEqual(set(outer[entry + 1:]), recursion)
            self.assertIn(inner[-1], recursion | {"Deep.compute", "java.lang.System.nanoTime"})
            self.assertEqual({name for name in inner if name not in ("Deep.compute", "java.lang.System.nanoTime")}, recursion)
            self.assertGreaterEqual(len(outer), OUTERMOST)
            # A compiled frame includes the methods inlined into it. Each missing frame counts at least once.
            if mode not in INTERPRETED[self.release] or abs(missing + len(outer) + len(inner) - depth) <= FEW + missing / 8:
                whole += count
        print(f"ART {self.release} {mode} {kind} {depth}: {whole} of {counted} samples with both ends")
        self.assertGreater(whole, counted * 0.8)
        verdict = document["verdict"]
        self.assertEqual(verdict["culprit"]["method"], "Deep.compute")
        self.assertIn("Deep$$Lambda", verdict["sentence"])
        self.assertIn(f"In a recursion of Deep.{FIRST[kind]}, which Deep.enter began.", verdict["evidence"])

    def test_both_ends_are_kept(self):
        for self.release in RELEASES:
            for mode in (*INTERPRETED[self.release], "jit", "jit-cold"):
                with self.subTest(art=self.release, mode=mode):
                    if mode not in INTERPRETED[self.release] and not has_compiler(self.release):
                        self.skipTest(NO_COMPILER.format(self.release))
                    for kind in NAMES:
                        for depth in (2_500, 20_000):
                            self.check(mode, depth, kind)


if __name__ == "__main__":
    unittest.main()
