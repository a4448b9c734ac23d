# SPDX-License-Identifier: Apache-2.0
"""Runs libcore's own tests on Android 10's class library, without and with the profiler at 1 ms.

The results of each test method must be the same. Each class runs in a process of its own, as one message of the main
looper, for so long that it has 20 samples. A third run compares the main thread's stack about every millisecond with
that of ART's StackVisitor: another thread suspends it, and the walker and ART walk it (oracle/oracle_check.cc). The
samples themselves come at any place, where StackVisitor cannot be asked: their outermost frames are checked.
Table: build/test/libcore.tsv.

The rule for the list, written before the first run:
- all classes *Test of the folders jsr166-tests, and java/lang and java/util of harmony-tests without their
  subfolders, in the order of these folders and of their names
- a class is left out if the compiler reports an error for it, as the packages lack something that it needs
- a class is left out if it has no test methods, as an abstract class
- a class is left out if, without the profiler, its process ends early or takes more than TIME_LIMIT_S
- no class is left out for what it does with the profiler
Classes that are left out are named. A method's result is all different results of its rounds. Where it differs with
the profiler, REPEATS further runs without the profiler follow. If these differ among themselves, the method is
unsteady, and named. Otherwise the test fails.

The timer is that of the default, the CPU's clock. `wall` samples sleeping threads too, which ends timed waits early
(docs/reference/settings.md): so in the first run, on that timer, five methods of ObjectTest failed that expect
Object.wait to last. Java permits early ends, and nothing but a stress test uses this timer.

STILLFRAME_LIBCORE_TIMER: wall for that.
STILLFRAME_LIBCORE_CLASSES: all for a measurement, or names with commas; each SLICE-th class by default.
"""

import collections
import os
import subprocess
import sys
import tempfile

from process import APPS, ART_RUN, BUILD, CPU, LIBRARY, TARGET_BUILD, ProcessTest, art, inspect, run_at_once

RELEASE = "10"
SLICE = 20
CLASSES = os.environ.get("STILLFRAME_LIBCORE_CLASSES", "")
TIMER = os.environ.get("STILLFRAME_LIBCORE_TIMER", "cpu")
TIME_LIMIT_S = 120
REPEATS = 5
MIN_SAMPLES = 20
# Time in ms for which a class repeats its methods; more if it had too few samples or comparisons.
DURATIONS_MS = (200, 1000, 5000)
COMPARE_MS = 400
PERIOD_US = 1000
MAX_TRUNCATED = 0.01
RUNNER = os.path.join(BUILD, "art", "libcore_tests.jar")
ORACLE = os.path.join(TARGET_BUILD, "art", "liboracle_check.so")
TABLE = os.path.join(BUILD, "test", "libcore.tsv")
COLUMNS = ("class", "methods", "samples", "truncated", "compared", "refused", "different", "unsteady")

# A file of LibcoreTests: {method: results}, {outcome of a comparison: number} and the first stack that was refused.
Report = collections.namedtuple("Report", "results stacks first")


def android():
    """The folder of Android's class library."""
    path = os.path.join(BUILD, "art", RELEASE, CPU, "android")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.readline().strip()


def read_report(path):
    report = Report({}, {}, [])
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            kind, *fields = line.rstrip("\n").split("\t")
            if kind == "result":
                report.results[fields[1]] = fields[2]
            elif kind == "stacks":
                report.stacks[fields[0]] = int(fields[1])
            elif kind == "first":
                report.first.append(fields[0])
    return report


class LibcoreTest(ProcessTest):
    rows = []
    left_out = []
    differences = []
    unsteady = []

    def setUp(self):
        super().setUp()
        if CPU != "amd64":
            self.skipTest("Android's class library is built for amd64")
        folder = android()
        self.tests = folder and os.path.join(folder, "libcore-tests.jar")
        if not self.tests or not os.path.exists(self.tests):
            self.skipTest(f"libcore's tests are not built: tools/setup/build-android {RELEASE}")

    @classmethod
    def tearDownClass(cls):
        if not cls.rows:
            return
        os.makedirs(os.path.dirname(TABLE), exist_ok=True)
        with open(TABLE, "w", encoding="utf-8") as table:
            for row in [COLUMNS, *cls.rows]:
                table.write("\t".join(map(str, row)) + "\n")
        sums = [sum(row[i] for row in cls.rows) for i in range(1, len(COLUMNS))]
        print(f"{len(cls.rows)} classes, {sum(row[0].startswith('jsr166.') for row in cls.rows)} of them of jsr166: "
              + ", ".join(f"{name} {number}" for name, number in zip(COLUMNS[1:], sums)))
        for title, lines in ("left out", cls.left_out), ("unsteady", cls.unsteady), ("different", cls.differences):
            for line in lines:
                print(f"{title}: {line}")

    def test_same_results_and_right_stacks(self):
        for name in self.chosen():
            with self.subTest(name=name):
                self.check(name)

    def chosen(self):
        """The classes of the rule, before any has run."""
        with open(self.tests.replace(".jar", ".txt"), encoding="utf-8") as file:
            listed = [line.rstrip("\n").split("\t") for line in file]
        self.left_out.extend(f"{name}: {error[0]}" for name, *error in listed if error)
        compiled = [name for name, *error in listed if not error]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "list")
            done = self.run_tests("list", path, *compiled)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            with open(path, encoding="utf-8") as file:
                counts = dict(line.rstrip("\n").split("\t") for line in file)
        self.left_out.extend(f"{name}: no test methods" for name in compiled if counts[name] == "0")
        chosen = [name for name in compiled if counts[name] != "0"]
        if CLASSES in ("", "all"):
            return chosen if CLASSES else chosen[::SLICE]
        return CLASSES.split(",")

    def run_tests(self, *arguments, preload=None, timeout=TIME_LIMIT_S, **settings):
        command = [ART_RUN, *art(f"{RELEASE} android"), *(["--preload", preload] if preload else []), "-Xmx256m",
                   "-cp", f"{RUNNER}:{self.tests}", "LibcoreTests", *map(str, arguments)]
        with tempfile.TemporaryDirectory() as folder:  # tests leave files
            return subprocess.run(command, env=self.environment(**settings), cwd=folder, capture_output=True,
                                  text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=timeout)

    def run_class(self, name, ms, *comparison, **options):
        """(the report, what went wrong or None)"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report")
            try:
                done = self.run_tests("run", path, ms, name, *comparison, **options)
            except subprocess.TimeoutExpired as error:
                return None, f"more than {error.timeout:.0f} s"
            if done.returncode != 0:
                return None, f"exit code {done.returncode}: {done.stdout[-300:]} {done.stderr[-1500:]}"
            report = read_report(path)
            return report, None if report.results else "ended early"

    def check(self, name):
        without, trouble = self.run_class(name, DURATIONS_MS[0])
        if trouble:
            self.left_out.append(f"{name}: without the profiler: {trouble}")
            print(self.left_out[-1], flush=True)
            return
        for ms in DURATIONS_MS:
            for old in self.dumps():
                os.remove(old)
            sampled, trouble = self.run_class(
                name, ms, preload=LIBRARY, timeout=5 * TIME_LIMIT_S, DUMP_AT_EXIT=1, TIMER=TIMER,
                INTERVAL_US=PERIOD_US, TREES=100, SLOW_MS=20, TREE_MIN_MS=20)
            self.assertIsNone(trouble, name)
            document = inspect(self.only_dump(name))
            counters = {c["name"]: c["value"] for c in document["counters"]}
            # The first message is that of the tests.
            samples, truncated = document["history"][0]["samples"], counters["samples_cut"]
            if samples >= MIN_SAMPLES:
                break
        for ms in (COMPARE_MS, *DURATIONS_MS[1:]):
            compared, trouble = self.run_class(name, ms, ORACLE, RELEASE, APPS, timeout=5 * TIME_LIMIT_S)
            self.assertIsNone(trouble, f"{name}, with comparisons")
            if compared.stacks["equal"] >= MIN_SAMPLES:
                break
        different, unsteady = self.compare_results(name, without.results, sampled.results)
        stacks = compared.stacks
        refused = stacks["different"]
        asked = stacks["equal"] + stacks["truncated"] + refused
        self.rows.append((name, len(without.results), samples, truncated, asked, refused, len(different),
                          len(unsteady)))
        print("  ".join(map(str, self.rows[-1])), flush=True)
        self.differences.extend(different)
        self.unsteady.extend(unsteady)
        self.assertEqual(different, [])
        self.assertEqual(refused, 0, compared.first)
        self.assertGreaterEqual(samples, MIN_SAMPLES)
        self.assertGreaterEqual(stacks["equal"], MIN_SAMPLES)
        self.assertLessEqual(stacks["truncated"], 1 + MAX_TRUNCATED * stacks["equal"], compared.first)
        self.check_outermost(document)

    def compare_results(self, name, without, sampled):
        """Methods with another result with the profiler, and those that are unsteady without it."""
        self.assertEqual(without.keys(), sampled.keys())
        runs = [without]
        suspects = {method for method in without if without[method] != sampled[method]}
        unsteady = set()
        for _ in range(REPEATS):
            if suspects <= unsteady:
                break
            again, trouble = self.run_class(name, DURATIONS_MS[0])
            if trouble:
                continue
            runs.append(again.results)
            unsteady = {method for method in suspects if len({run[method] for run in runs}) > 1}
        describe = [(method, f"{name}.{method}: {' / '.join(run[method] for run in runs)}, sampled {sampled[method]}")
                    for method in sorted(suspects)]
        return ([text for method, text in describe if method not in unsteady],
                [text for method, text in describe if method in unsteady])

    def check_outermost(self, document):
        """The samples that were kept and are whole have the program's main as outermost frame, which calls loop."""
        whole = 0
        outermost = [("LibcoreTests", "main"), ("android.os.Looper", "loop")]
        for tree in document["trees"]:
            for frame, depth, count, _ in tree["nodes"]:
                if depth == 1:
                    is_cut = document["frames"][frame]["kind"] == "cut"
                    whole += 0 if is_cut else count
                if depth <= len(outermost) and not is_cut:
                    method = document["frames"][frame]
                    self.assertEqual((method["class"], method["method"]), outermost[depth - 1])
        self.assertGreater(whole, 0)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
