# SPDX-License-Identifier: Apache-2.0
"""Remote settings in a running process: documents, a watched file, and two threads that keep changing the rate.

STILLFRAME_SETTINGS_ROUNDS: changes of the rate by each of the two threads. The test of the rates runs alone.
"""

import collections
import glob
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time

from process import (ART_RUN, BUILD, HELD, LIBRARY, OUR_THREADS, WITHIN_S, ProcessTest, alone, art, inspect,
                     on_each_release, run_at_once, settled, thread_names, wakeups)

ROUNDS = int(os.environ.get("STILLFRAME_SETTINGS_ROUNDS", "1000"))
JAR = os.path.join(BUILD, "art", "ways_in.jar")
RATES_US = (1009, 4003)  # as Reconfigured.java has them
# The kernel checks timers on CPU clocks at its ticks.
TICK_US = int(time.clock_getres(6) * 1e6)  # CLOCK_MONOTONIC_COARSE
# From a call until the collector has set the timer; long, for a busy machine.
WITHIN_NS = 300_000_000
SPUN_US = 400_000


@on_each_release
class SettingsOn11Test(ProcessTest):
    release = "11"

    def environment(self, **variables):
        given = super().environment(**variables)
        given.pop("STILLFRAME_DUMP_DIR")
        return given

    def begin(self, *what, **variables):
        command = [ART_RUN, *art(self.release), "-cp", JAR, "Reconfigured", LIBRARY, self.dump_dir, *map(str, what)]
        process = subprocess.Popen(command, env=self.environment(**variables), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def values(self, dump, *names):
        settings = {item["name"]: item["value"] for item in inspect(dump)["configuration"]}
        return [settings[name] for name in names]

    def test_documents_are_in_force_as_they_come(self):
        out, log = self.begin("documents").communicate(timeout=WITHIN_S)
        said = [line for line in out.splitlines() if not line.startswith("dump ")]
        dumps = dict(re.findall(r"^dump (\w+) (.*sfdump)$", out, re.MULTILINE))
        self.assertEqual(said, [
            "early OK", "start OK", "state on", "cohort OK", "deep BAD_ARGUMENT", "twice BAD_ARGUMENT",
            "zero BAD_ARGUMENT", "null BAD_ARGUMENT", "huge BAD_ARGUMENT", "call OK", "off OK",
            "text OK", "unread OK", "state switched off by the settings dump null start NOT_STARTED", "on OK", "state on"], log)
        names = ("slow_ms", "trees", "interval_us", "jank_ms")
        self.assertEqual(self.values(dumps["first"], *names), ["20", "7", "10000", "700"])
        self.assertEqual(self.values(dumps["second"], *names), ["20", "9", "10000", "500"])
        self.assertEqual(self.values(dumps["third"], *names), ["20", "9", "10000", "500"])
        self.assertEqual(self.values(dumps["fourth"], *names), ["20", "11", "10000", "500"])
        self.assertEqual(self.values(dumps["fifth"], *names), ["20", "12", "10000", "700"])
        for line in ("slow_ms is ignored: it can be set before the start only",
                     "no_such is ignored: unknown setting",
                     "interval_us=soon is ignored: it must be a number from 300 to 10000000 (us)",
                     "rules is ignored: unknown setting",
                     "the document of settings is ignored: line 1: expected less within each other",
                     "the document of settings is ignored: line 1: expected each name once",
                     "the document of settings is ignored: line 1: expected UTF-8 without zero bytes",
                     "the document of settings is ignored: line 1: expected at most 64 KiB",
                     "enabled=off is taken for false: it must be true or false",
                     "switched off by the settings", "switched on again by the settings"):
            self.assertEqual(log.count(line), 1, (line, log))
        samples = [message["samples"] for message in inspect(dumps["fifth"])["history"]
                   if (message["cpu_ns"] or 0) > 250e6]
        self.assertEqual(len(samples), 3, log)
        # The first message was sampled for half its time, the second never.
        self.assertGreater(samples[0], 10)
        self.assertEqual(samples[1], 0)
        self.assertGreater(samples[2], 10)

    def test_each_record_is_reported(self):
        out, log = self.begin("records", JANKS=1, JANK_MS=100).communicate(timeout=WITHIN_S)
        told = re.findall(r"^record (.*)$", out, re.MULTILINE)
        # A new revision replaces the file before it.
        self.assertLessEqual(set(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json"))), set(told), log)
        self.assertGreaterEqual(len(told), 1, log)
        with open(os.path.join(self.dump_dir, "stillframe-jank.day"), encoding="ascii") as day:
            self.assertRegex(day.read(), r"^\d+ \d+ \d+ \d+\n$")

    def run_group(self, install, **document):
        """(output, log, names of threads, whether SIGPROF was caught, files left behind)"""
        ProcessTest.setUp(self)
        early = {"janks": True, **document}
        process = self.begin("group", install, json.dumps(early),
                             json.dumps({"control_percent": 0, "enabled": True, "janks": True,
                                         "cohort": {"percent": 100, "salt": "\u00e9"}}))
        said = []
        for line in process.stdout:
            said.append(line.rstrip("\n"))
            if " start " in line:
                break
        names = set(thread_names(process.pid).values())
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            caught = int(dict(line.split(":", 1) for line in status)["SigCgt"], 16)
        with open(os.path.join(self.dump_dir, "told"), "w", encoding="utf-8"):
            pass
        out, log = process.communicate(timeout=WITHIN_S)
        files = set(os.listdir(self.dump_dir)) - {"told"}
        return said + out.splitlines(), log, names, bool(caught >> signal.SIGPROF - 1 & 1), files

    def test_the_control_group_sleeps_and_knows_it(self):
        # install-1 falls at 27.3 of 100 in the control group.
        said, log, names, has_handler, files = self.run_group("install-1", control_percent=28)
        asleep = "state asleep: this install is in the control group"
        self.assertEqual(said, ["group out", "early OK", "start NOT_STARTED", asleep, "group control", "later OK",
                                "group control start NOT_STARTED", asleep, "dump last null"], log)
        self.assertEqual(log.count("the profiler stays off: this install is in the control group"), 1, log)
        # It keeps the file of its session, and nothing else.
        self.assertEqual((names & set(OUR_THREADS), has_handler), ({"stillframe"}, False), log)
        (session,) = [file for file in files if file.startswith("stillframe-session-install_1-")]
        self.assertEqual(files - {session}, {"stillframe-jank.day"}, log)
        with open(os.path.join(self.dump_dir, session), encoding="ascii") as file:
            told = json.load(file)
        self.assertEqual((told["group"], told["sampler"], told["messages"]),
                         ("control", "asleep: this install is in the control group", 0))
        said, log, names, has_handler, _ = self.run_group("install-1", control_percent=27)
        self.assertEqual(said[:-1], ["group out", "early OK", "start OK", "state on", "group sampled", "later OK",
                                     "group sampled start ALREADY_STARTED", "state on"], log)
        self.assertTrue("stillframe" in names and has_handler, log)
        (dump,) = glob.glob(os.path.join(self.dump_dir, "*.sfdump"))
        self.assertEqual({entry["name"]: entry["value"] for entry in inspect(dump)["context"] if entry["group"] == "cohort"},
                         {"group": "sampled", "salt": "\u00e9"})
        (record,) = glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json"))
        with open(record, encoding="ascii") as file:
            told = json.load(file)
        self.assertEqual((told["group"], told["cohort"]), ("sampled", "\u00e9"))
        said, log, names, _, files = self.run_group("install-1", enabled=False)
        self.assertEqual((said[4], names & set(OUR_THREADS), files), ("group out", set(), set()), log)

    def replace(self, text):
        path = os.path.join(self.dump_dir, "settings.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)
        return path

    def wait_for(self, log, text):
        for line in log:
            if text in line:
                return
        self.fail(f"no {text!r}")

    def test_the_file_is_watched_without_a_wake_up(self):
        path = self.replace('{"trees": 3}')
        process = self.begin("wait", CONFIG=path)
        self.wait_for(process.stderr, "stillframe: on")
        self.wait_for(process.stdout, "ready")
        time.sleep(2)
        before = wakeups(process.pid)
        time.sleep(5)
        self.assertEqual(wakeups(process.pid), before)
        self.replace('{"trees": 4}')
        self.wait_for(process.stderr, "are in force")
        self.replace('{"trees": 5,')
        self.wait_for(process.stderr, "are ignored: line 1: expected a name in quotes")
        self.replace('{"enabled": false}')
        self.wait_for(process.stderr, "switched off by the settings")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"trees": 6}')
            file.flush()
            self.wait_for(process.stderr, "switched on again by the settings")  # it is open still
        with open(os.path.join(self.dump_dir, "told"), "w", encoding="utf-8"):
            pass
        out, log = process.communicate(timeout=WITHIN_S)
        self.assertIn("state on", out, log)
        self.assertEqual(self.values(re.search(r"dump last (.*)", out).group(1), "trees"), ["6"])

    @alone
    def test_reconfigured_from_two_threads_under_1_ms(self):
        process = self.begin("rates", ROUNDS)
        held = []
        said = []
        for line in process.stdout:
            if found := re.match(r"part (\d)", line):
                held.append(settled(process.pid, held[0] if held else None))
                with open(os.path.join(self.dump_dir, f"looked{found.group(1)}"), "w", encoding="ascii"):
                    pass
            said.append(line)
        log = process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=WITHIN_S), 0, log)
        self.assertEqual(len(held), 4, log)
        for what in HELD:
            self.assertEqual(held[0][what], held[3][what], (what, held))
        self.assertLess(held[3]["anonymous_kib"] - held[1]["anonymous_kib"], 1024, held)
        self.check_rates("".join(said), held)

    def check_rates(self, said, held):
        """Compares the sampled signals with the main thread's CPU time, and each sample with its interval.

        While the rate changes, there is at most one sample per interval of the faster rate, plus one per change. There
        is at least a quarter of a sample per interval of the slower rate, or per tick: a virtual machine loses ticks.
        """
        dumps = re.findall(r"^dump \w+ (.*)$", said, re.MULTILINE)
        before, slow, fast = map(self.signals, dumps)
        cpu_us = int(re.search(r"^cpu (\d+)$", said, re.MULTILINE).group(1)) * 1000
        calls = [tuple(map(int, call)) for call in re.findall(r"^rate (\d+) (\d+) (\d+)$", said, re.MULTILINE)]
        print(f"ART {self.release}, {ROUNDS} rounds of each of two threads: {before} samples in {cpu_us} us, then "
              f"{slow - before} and {fast - slow} in {SPUN_US} us each, {[part['anonymous_kib'] for part in held]} KiB anonymous")
        self.assertLessEqual(before, cpu_us / RATES_US[0] + 2 * ROUNDS)
        self.assertGreaterEqual(before, cpu_us / max(RATES_US[1], TICK_US) / 4)
        for samples, rate_us in ((slow - before, RATES_US[1]), (fast - slow, RATES_US[0])):
            self.assertLessEqual(samples, 1.1 * SPUN_US / rate_us + 5)
            self.assertGreaterEqual(samples, SPUN_US / max(rate_us, TICK_US) / 4)
        self.assertGreater(len(calls), ROUNDS)
        self.check_each_sample(dumps[0], calls)
        self.check_one_rate(dumps[1], RATES_US[1], slow - before)
        self.check_one_rate(dumps[2], RATES_US[0], fast - slow)

    @staticmethod
    def told_by(tree):
        """(sample, the one before, the interval in force between them) where it is unambiguous. Signal samples are
        whole intervals of the thread's CPU clock apart, unless the timer was set between them. Samples that the
        collector took of a blocked thread are excluded by state."""
        running = [sample for sample in tree["samples"] if sample[3] == "runnable"]
        for before, sample in zip(running, running[1:]):
            passed_us = sample[2] - before[2]
            fits = [rate_us for rate_us in RATES_US if passed_us > 0 and passed_us % rate_us == 0]
            if len(fits) == 1:
                yield before, sample, fits[0]

    def check_each_sample(self, path, calls):
        """Each sample's interval must have been in force: set by a call, and not replaced more than WITHIN_NS ago."""
        document = inspect(path)
        starts = {message["token"]: message["start_ns"] for message in document["history"]}
        told = dict.fromkeys(RATES_US, 0)
        for tree in document["trees"]:
            self.assertEqual(tree["interval_scale"], 1)
            for before, sample, interval_us in self.told_by(tree):
                told[interval_us] += 1
                begin_ns, end_ns = (starts[tree["token"]] + one[0] * 1000 for one in (before, sample))
                self.assertIn(interval_us, self.in_force(calls, begin_ns - WITHIN_NS, end_ns), (tree["token"], before, sample))
        print(f"samples that tell their interval, while it changes and after: {told}")
        self.assertGreater(sum(told.values()), 5)

    @staticmethod
    def in_force(calls, begin_ns, end_ns):
        """All rates that may have been in force in this time. Calls of the two threads overlap."""
        replaced_ns = max((call[1] for call in calls if call[2] <= begin_ns), default=0)
        return {call[0] for call in calls if call[1] <= end_ns and call[2] >= replaced_ns}

    def check_one_rate(self, path, rate_us, signals):
        """Checks that the newest long message's signal samples are whole intervals of this rate apart, and on time."""
        long_ones = [tree for tree in inspect(path)["trees"] if tree["samples"][-1][2] - tree["samples"][0][2] > 0.7 * SPUN_US]
        tree = max(long_ones, key=lambda tree: tree["token"])
        clocks = sorted({sample[2] for sample in tree["samples"]})  # without a CPU: many samples at one time
        (other_us,) = set(RATES_US) - {rate_us}
        on_grid = {us: collections.Counter(clock % us for clock in clocks).most_common(1)[0] for us in RATES_US}
        residue, found = on_grid[rate_us]
        print(f"{signals} signals, {found} of their samples whole intervals of {rate_us} us apart, {on_grid[other_us][1]} of {other_us}")
        self.assertGreaterEqual(found, 0.95 * signals - 3, clocks)
        self.assertLessEqual(on_grid[other_us][1], 0.2 * found + 3, clocks)
        at = [clock for clock in clocks if clock % rate_us == residue]
        self.assertGreaterEqual(at[-1] - at[0], 0.7 * SPUN_US)
        # A virtual machine loses ticks, and at some ticks of a busy one another thread runs. So the median is judged.
        self.assertLessEqual(statistics.median(b - a for a, b in zip(at, at[1:])), rate_us + 3 * TICK_US, at)

    @staticmethod
    def signals(dump):
        document = inspect(dump)
        return {counter["name"]: counter["value"] for counter in document["counters"]}["samples_by_signal"]


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
