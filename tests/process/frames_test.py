# SPDX-License-Identifier: Apache-2.0
"""The table of the walker's accuracy by runtime, CPU and kind of frame: build/test/frames.tsv.

A row compares with one source of truth:
- ART's StackVisitor, in native code and at safepoints
- the truth of the instruction sweep
- for signals at any place: each caller's line must name its callee

A release without a runtime for this CPU has a row of walks over memory images built from its sources. A run replaces
the rows of its own CPU.
"""

import collections
import itertools
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from frames_table import replace_rows, row
from process import (APPS, ART_RUN, BUILD, CPU, LIBRARY, NO_ANDROID, NO_COMPILER, RELEASES, TARGET_BUILD, ProcessTest,
                     art, has_compiler, has_core, inspect, run_at_once, run_stepped)

# A CPU: its name in the table, how it runs here, its runtimes and interpreters.
Bed = collections.namedtuple("Bed", "name ran runtimes")
BEDS = {
    "amd64": Bed("x86_64", "native",
                 [("10", "mterp"), ("10 android", "mterp"), ("11", "mterp"), ("11", "nterp"), ("14", "switch"), ("14", "nterp")]),
    "i386": Bed("x86", "native", [("11", "mterp")]),
    "arm64": Bed("aarch64", "qemu", [("11", "mterp"), ("14", "switch"), ("14", "nterp")]),
    "armhf": Bed("arm", "qemu", [("11", "mterp")]),
}
BED = BEDS[CPU]
if CPU == "amd64" and has_core("14 android"):  # tools/test --full builds it
    BED.runtimes.extend([("14 android", "nterp"), ("14 android", "switch")])
# Modes of art-run that use ART's own compiler (tools/setup/build-art-compiler). docs/evidence.md says why some are
# missing.
JIT = ("jit", "jit-low", "jit-collect", "debuggable", "tracing", "aot-boot", "aot-jit")
MODES = {"10 android": ("jit", "jit-low", "aot-boot"), "14 android": ("jit-low",), "10": JIT,
         "11": (*JIT, "jit-baseline", "index-ids", "aot"), "14": (*JIT, "jit-baseline", "index-ids", "aot")}
STRESS_SECONDS = int(os.environ.get("STILLFRAME_FRAMES_SECONDS", "2"))
IS_LONG_FORM = STRESS_SECONDS >= 20
COMPILED = [(release, mode) for release, modes in MODES.items() for mode in modes
            if release.split()[0] in RELEASES and has_core(release)] if CPU == "amd64" else []
if CPU == "arm64":
    QEMU_MODES = ("jit-low", "aot-boot", *(("jit-collect", "debuggable", "aot", "aot-jit") if IS_LONG_FORM else ()))
    COMPILED = list(itertools.product(("11", "14"), QEMU_MODES))
COMPARISONS = {"native": 20_000, "qemu": 300}[BED.ran]
COMPILED_COMPARISONS = {"native": 20_000 if STRESS_SECONDS >= 60 else 1_000, "qemu": 10_000 if IS_LONG_FORM else 1_000}[BED.ran]
# Messages in ART's log for events by which compiled code appears and disappears, by column.
EVENTS = {"osr": "Jumping to ", "collections": " code cache collection, code=", "deoptimized": "Single-frame deopting"}
# In the long form, each event must happen this often in this mode.
EVENTS_IN = {"osr": "jit-low", "collections": "jit-collect", "deoptimized": "debuggable"}
MIN_EVENTS = 100
# The sweep's methods are assembled for two CPUs.
SWEEPS = {"amd64": [("10", "mterp"), ("11", "nterp"), ("14", "nterp")],
          "arm64": [("14", "nterp"), *([("11", "mterp")] if IS_LONG_FORM else [])]}.get(CPU, [])
BELOW_MANAGED = "runtime code below managed, swept"
# Allowed in the runtime's own code on arm64, while a fragment is pushed or popped.
MAX_WRONG_BELOW = {"arm64": 0.0001}.get(CPU, 0)
# Under qemu the signals of the stress run would leave no time for the program.
PERIODS = {"10 ms": {"INTERVAL_US": 10_000}}
if BED.ran == "native":
    # Samples are judged where they are taken. Those of 10 ms differ in number only, and run in the long form.
    PERIODS = (PERIODS if IS_LONG_FORM else {}) | {"300 us": {"INTERVAL_US": 300, "TIMER": "wall"}}
MAX_TRUNCATED = {"10 ms": 0.001, "300 us": 0.01}
# Under the emulator a short run has only some hundred samples.
MAX_TRUNCATED_IN_QEMU, ALSO_TRUNCATED_IN_QEMU = 0.01, 3
# (program, seconds, period) for signals at any place. Variety does many kinds of work in sequence.
RUNS = [("Stress", STRESS_SECONDS, period) for period in PERIODS]
if BED.ran == "native":
    RUNS.append(("Variety", max(STRESS_SECONDS, 4), "300 us"))
elif CPU == "armhf":
    # On armhf ART describes hardly anything of itself: native methods count.
    RUNS.append(("Variety", max(STRESS_SECONDS, 6), "10 ms"))
# Churn makes compiled code appear and disappear.
COMPILED_RUNS = [("Churn", STRESS_SECONDS, "300 us" if BED.ran == "native" else "10 ms")]
if STRESS_SECONDS >= 60:
    COMPILED_RUNS += [("Churn", STRESS_SECONDS, "10 ms"), *RUNS]
# Fewer samples cannot prove one in a thousand. STILLFRAME_FRAMES_SECONDS=60 takes enough.
MIN_SAMPLES = 1_000
# A line of QuickCode's report: place, instructions, those visited, samples, right, truncated, wrong.
PLACES = re.compile(r"^(\S[\w ]*?) +assembled (\d+) visited (\d+) steps (\d+) right (\d+) truncated (\d+) wrong (\d+)$",
                    re.MULTILINE)
EMULATOR = shlex.split(os.environ.get("STILLFRAME_EMULATOR", ""))
UNIT_ART = os.path.join(TARGET_BUILD, "bin", "unit_art")
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "apps")

# Methods that compiled lines call without naming them, as do all of StringBuilder and lambdas.
IMPLICIT = re.compile(r"^(<clinit>|access\$.*|lambda\$.*|iterator|hasNext|next|append|toString|valueOf|\w+Value|"
                      r"getEntry|fillInStackTrace|run|ensureOpen|loadClass)$")


def command(release, mode, *arguments, preload=False):
    preloaded = ["--preload", LIBRARY] if preload else []
    return [ART_RUN, "--cpu", CPU, *art(release), "--mode", mode, *preloaded, *arguments]


def run(*words, timeout=900, env=None):
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, env=env)


def implausible_calls(document, program):
    """Samples with a frame of the program at a line that does not call the frame above it."""
    with open(os.path.join(SOURCES, program + ".java"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    wrong = []
    for tree in document["trees"]:
        path = []
        for frame, depth, count, _ in tree["nodes"]:
            callee = document["frames"][frame]
            del path[depth - 1:]
            if depth == 1 and callee["kind"] != "cut" and callee["method"] != "main":
                wrong.append((count, "nothing", callee))
            if path and path[-1]["class"].startswith(program) and "cut" not in (callee["kind"], path[-1]["kind"]):
                line = path[-1]["line"]
                text = lines[line - 1] if 0 < line <= len(lines) else ""
                name = "new" if callee["method"] == "<init>" else callee["method"]
                # A constructor's own name may call the superclass's constructor.
                own_name = re.split(r"[.$]", path[-1]["class"])[-1]
                is_super = (path[-1]["method"], callee["method"]) == ("<init>", "<init>") and re.search(
                    rf"\b{own_name}\(|\bclass {own_name}\b", text)
                # A check of the runtime creates the exception itself.
                is_check = callee["class"] == "java.lang.ArrayIndexOutOfBoundsException" and "[" in text
                is_implicit = (IMPLICIT.match(name) or "$$Lambda$" in callee["class"]
                               or callee["class"] == "java.lang.StringBuilder")
                is_named = re.search(r"\b" + re.escape(name) + r"\b", text)
                if line > 0 and not is_super and not is_check and not is_implicit and not is_named:
                    wrong.append((count, path[-1], callee))
            path.append(callee)
    return wrong


class FramesTest(ProcessTest):
    rows = []

    @classmethod
    def tearDownClass(cls):
        replace_rows(lambda cpu, kind: cpu == BED.name and not kind.startswith("inlined, "), cls.rows)

    def add(self, release, kind, samples, truncated, wrong, examples=(), ran=BED.ran, events=None):
        FramesTest.rows.append(row(release, BED.name, kind, samples, truncated, wrong, ran, events=events))
        self.assertGreater(samples, 0)
        limit = samples * MAX_WRONG_BELOW if kind == BELOW_MANAGED else 0
        self.assertLessEqual(wrong, limit, f"{release} {kind} {examples}")

    def test_stacks_equal_those_of_stack_visitor(self):
        library = os.path.join(TARGET_BUILD, "art", "liboracle_check.so")
        for release, mode in BED.runtimes + COMPILED:
            with self.subTest(art=release, mode=mode):
                self.require(release, mode)
                comparisons = COMPILED_COMPARISONS if (release, mode) in COMPILED else COMPARISONS
                done = run(*command(release, mode, "-cp", APPS, "OracleCheck"), str(comparisons), library,
                           release.split()[0],
                           APPS)
                places = re.findall(r"^(\S[\w @]*): (\d+) truncated (\d+) different (\d+)", done.stdout, re.MULTILINE)
                self.assertEqual(len(places), 6, done.stdout + done.stderr[-2000:])
                if (release, mode) in COMPILED:
                    self.add_compiled(release, mode, places)
                    continue
                # Fails by itself if a stack is wrong, or truncated where it must not be.
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-2000:])
                for place, *numbers in places:
                    self.add(release, f"{mode}, {place}", *map(int, numbers))

    def add_compiled(self, release, mode, places):
        for place, *numbers in places:
            samples, truncated, different = map(int, numbers)
            self.add(release, f"{mode}, {place}", samples, truncated, different)
            self.assertLessEqual(truncated, math.floor(samples * MAX_TRUNCATED["300 us"]), f"{release} {mode} {place}")

    def quick_code(self, release, interpreter, *arguments):
        return run(*command(release, interpreter, "-cp", os.path.join(BUILD, "art", "quick_code.jar"), "QuickCode"),
                   os.path.join(TARGET_BUILD, "art", "libquick_code.so"), *arguments)

    def test_stacks_are_right_at_every_instruction(self):
        for release, interpreter in SWEEPS:
            with self.subTest(art=release):
                done = run_stepped(lambda: self.quick_code(release, interpreter, "sweep"))
                places = PLACES.findall(done.stdout)
                # Fails by itself if a stack is wrong or an assembled instruction was never reached.
                if CPU == "amd64":
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-2000:])
                self.assertTrue(places, done.stdout + done.stderr[-2000:])
                sums = {}
                for name, assembled, visited, *numbers in places:
                    if assembled != "0":
                        self.assertEqual(visited, assembled, name)
                    kind = {"nterp code": "nterp, every instruction", "elsewhere": BELOW_MANAGED}.get(
                        name, "compiled, every instruction")
                    sums[kind] = [a + int(b) for a, b in zip(sums.get(kind, [0] * 4), numbers)]
                for kind, (steps, _, truncated, wrong) in sums.items():
                    self.add(release, kind, steps, truncated, wrong)

    def test_samples_anywhere_are_plausible(self):
        runs = [*itertools.product(BED.runtimes, RUNS), *itertools.product(COMPILED, COMPILED_RUNS)]
        for (release, mode), (program, seconds, period) in runs:
            with self.subTest(art=release, mode=mode, program=program, period=period):
                self.require(release, mode)
                document, events = self.profile(release, mode, program, seconds, PERIODS[period])
                counters = {c["name"]: c["value"] for c in document["counters"]}
                samples, truncated = counters["samples_by_signal"], counters["samples_cut"]
                wrong = implausible_calls(document, program)
                self.add(release, f"{mode}, {program}, anywhere, {period}", samples, truncated,
                         sum(w[0] for w in wrong), wrong[:3], events=events)
                self.check_truncated(period, samples, truncated)
                for event, count in events.items():
                    if program == "Churn" and mode == EVENTS_IN[event] and STRESS_SECONDS >= 60:
                        self.assertGreaterEqual(count, MIN_EVENTS, event)

    def test_samples_anywhere_in_compiled_code_are_right(self):
        # The emulator delivers signals only between blocks of code. There the sweep covers more.
        for release, interpreter in SWEEPS if BED.ran == "native" else []:
            for period in PERIODS:
                with self.subTest(art=release, period=period):
                    done = self.quick_code(release, interpreter, "anywhere", str(PERIODS[period]["INTERVAL_US"]),
                                           str(STRESS_SECONDS))
                    numbers = [list(map(int, found[3:])) for found in PLACES.findall(done.stdout)]
                    samples, _, truncated, wrong = map(sum, zip(*numbers))
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-2000:])
                    self.add(release, f"compiled, anywhere, {period}", samples, truncated, wrong)
                    self.check_truncated(period, samples, truncated)

    def check_truncated(self, period, samples, truncated):
        if BED.ran == "native" and samples >= MIN_SAMPLES:
            self.assertLessEqual(truncated, samples * MAX_TRUNCATED[period])
        if BED.ran == "qemu":
            self.assertLessEqual(truncated, samples * MAX_TRUNCATED_IN_QEMU + ALSO_TRUNCATED_IN_QEMU)

    def test_memory_images_are_walked_right(self):
        if CPU == "armhf" and not os.path.exists(UNIT_ART):
            self.skipTest("unit_art is built in the long form only")
        with tempfile.NamedTemporaryFile(suffix=".json") as results:
            done = run(*EMULATOR, UNIT_ART, "--gtest_filter=Releases/LiteralWalkTest.*:Rows/WalkTest.*",
                       f"--gtest_output=json:{results.name}")
            self.assertTrue(os.path.getsize(results.name), done.stdout + done.stderr)
            suites = json.load(results)["testsuites"]
        walks = collections.Counter()
        failed = collections.Counter()
        for case in (case for suite in suites for case in suite["testsuite"]):
            # 8.0 and 8.1 share a row.
            release = re.search(r"/Art(8|9|1\d)[01]?(Pointer\d)?$", case["name"])[1]
            walks[release] += 1
            failed[release] += "failures" in case
        for release in sorted(walks.keys() - {release for release, _ in BED.runtimes}, key=int):
            self.add(release, "walks over memory images", walks[release], 0, failed[release], ran="image")

    def require(self, release, mode):
        if not has_core(release):
            self.skipTest(NO_ANDROID)
        if (release, mode) in COMPILED and not has_compiler(release):
            self.skipTest(NO_COMPILER.format(release.split()[0]))

    def profile(self, release, mode, program, seconds, settings):
        for old in self.dumps():
            os.remove(old)
        logged = ("-verbose:jit,deopt",) if (release, mode) in COMPILED else ()
        done = run(*command(release, mode, *logged, "-cp", APPS, program, preload=True), str(seconds), APPS,
                   env=self.environment(DUMP_AT_EXIT=1, TREES=1000, **settings))
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        events = {event: done.stderr.count(text) for event, text in EVENTS.items()} if logged else {}
        return inspect(self.only_dump(done.stderr)), events


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
