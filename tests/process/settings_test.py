# SPDX-License-Identifier: Apache-2.0
"""Settings that come from afar while a real process runs: documents, a watched file, two threads at 1 ms.

STILLFRAME_SETTINGS_ROUNDS: how often each of two threads changes the rate; STILLFRAME_SETTINGS_ART: the releases.
"""

import glob
import os
import re
import subprocess
import time
import unittest

import ways_in_test
from process import ART_RUN, BUILD, LIBRARY, WITHIN_S, ProcessTest, inspect, wakeups

RELEASES = os.environ.get("STILLFRAME_SETTINGS_ART", "10 11 14").split()
ROUNDS = int(os.environ.get("STILLFRAME_SETTINGS_ROUNDS", "1000"))
JAR = os.path.join(BUILD, "art", "ways_in.jar")
RATES_US = (1000, 4000)
SPUN_US = 400_000


class SettingsTest(ProcessTest):
    def environment(self, **variables):
        given = super().environment(**variables)
        given.pop("STILLFRAME_DUMP_DIR")
        return given

    def begin(self, release, *what, **variables):
        command = [ART_RUN, "--art", release, "-cp", JAR, "Reconfigured", LIBRARY, self.dump_dir, *map(str, what)]
        process = subprocess.Popen(command, env=self.environment(**variables), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def values(self, dump, *names):
        settings = {item["name"]: item["value"] for item in inspect(dump)["configuration"]}
        return [settings[name] for name in names]

    def test_documents_are_in_force_as_they_come(self):
        for release in RELEASES:
            with self.subTest(release=release):
                ProcessTest.setUp(self)
                out, log = self.begin(release, "documents").communicate(timeout=WITHIN_S)
                said = [line for line in out.splitlines() if not line.startswith("dump ")]
                dumps = dict(re.findall(r"^dump (\w+) (.*sfdump)$", out, re.MULTILINE))
                self.assertEqual(said, [
                    "early OK", "start OK", "state on", "rules OK", "deep BAD_ARGUMENT", "twice BAD_ARGUMENT",
                    "zero BAD_ARGUMENT", "null BAD_ARGUMENT", "huge BAD_ARGUMENT", "call OK", "off OK",
                    "state switched off by the settings dump null start NOT_STARTED", "on OK", "state on"], log)
                names = ("slow_ms", "trees", "interval_us", "jank_ms")
                self.assertEqual(self.values(dumps["first"], *names), ["20", "7", "10000", "700"])
                self.assertEqual(self.values(dumps["second"], *names), ["20", "9", "10000", "500"])
                self.assertEqual(self.values(dumps["third"], *names), ["20", "9", "10000", "500"])
                self.assertEqual(self.values(dumps["fourth"], *names), ["20", "11", "10000", "500"])
                self.assertEqual(self.values(dumps["fifth"], *names), ["20", "12", "10000", "700"])
                for line in ("slow_ms is ignored: it can be set before the start only",
                             "no_such is ignored: there is no such setting",
                             "interval_us=soon is ignored: it must be a number from 300 to 10000000 (us)",
                             "rule 3 is ignored: there is no condition moon",
                             "the document of settings is ignored: line 1: expected less within each other",
                             "the document of settings is ignored: line 1: expected each name once",
                             "the document of settings is ignored: line 1: expected UTF-8 without zero bytes",
                             "the document of settings is ignored: line 1: expected at most 64 KiB",
                             "switched off by the settings", "switched on again by the settings"):
                    self.assertEqual(log.count(line), 1, (line, log))
                samples = [message["samples"] for message in inspect(dumps["fifth"])["history"]
                           if (message["cpu_ns"] or 0) > 250e6]
                self.assertEqual(len(samples), 3, log)
                # The first was on for half its time; the second not at all.
                self.assertGreater(samples[0], 10)
                self.assertEqual(samples[1], 0)
                self.assertGreater(samples[2], 10)

    def test_each_record_is_told(self):
        for release in RELEASES:
            with self.subTest(release=release):
                ProcessTest.setUp(self)
                out, log = self.begin(release, "records", JANKS=1, JANK_MS=100).communicate(timeout=WITHIN_S)
                told = re.findall(r"^record (.*)$", out, re.MULTILINE)
                self.assertEqual(sorted(set(told)), sorted(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json"))), log)
                self.assertGreaterEqual(len(told), 1, log)
                with open(os.path.join(self.dump_dir, "stillframe-jank.day"), encoding="ascii") as day:
                    self.assertRegex(day.read(), r"^\d+ \d+ \d+\n$")

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
        for release in RELEASES:
            with self.subTest(release=release):
                ProcessTest.setUp(self)
                path = self.replace('{"trees": 3}')
                process = self.begin(release, "wait", CONFIG=path)
                self.wait_for(process.stderr, "stillframe: on")
                self.wait_for(process.stdout, "ready")
                time.sleep(2)
                before = wakeups(process.pid)
                time.sleep(5)
                self.assertEqual(wakeups(process.pid), before)
                self.replace('{"trees": 3, "rules": [{"if": {"percent": 100, "min_version": 1000}, "set": {"trees": 4}}]}')
                self.wait_for(process.stderr, "are in force")
                self.replace('{"trees": 5,')
                self.wait_for(process.stderr, "are ignored: line 1: expected a name in quotes")
                self.replace('{"enabled": false}')
                self.wait_for(process.stderr, "switched off by the settings")
                with open(path, "w", encoding="utf-8") as file:
                    file.write('{"trees": 6}')
                self.wait_for(process.stderr, "switched on again by the settings")
                with open(os.path.join(self.dump_dir, "told"), "w", encoding="utf-8"):
                    pass
                out, log = process.communicate(timeout=WITHIN_S)
                self.assertIn("state on", out, log)
                self.assertEqual(self.values(re.search(r"dump last (.*)", out).group(1), "trees"), ["6"])

    def test_reconfigured_from_two_threads_under_1_ms(self):
        for release in RELEASES:
            with self.subTest(release=release):
                ProcessTest.setUp(self)
                self.reconfigure(release)

    def reconfigure(self, release):
        process = self.begin(release, "rates", ROUNDS)
        held = []
        said = []
        for line in process.stdout:
            if found := re.match(r"part (\d)", line):
                held.append(ways_in_test.WaysInTest().settled(process.pid, held[0] if held else None))
                with open(os.path.join(self.dump_dir, f"looked{found.group(1)}"), "w", encoding="ascii"):
                    pass
            said.append(line)
        log = process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=WITHIN_S), 0, log)
        self.assertEqual(len(held), 4, log)
        for what in ways_in_test.HELD:
            self.assertEqual(held[0][what], held[3][what], (what, held))
        self.assertLess(held[3]["anonymous_kib"] - held[1]["anonymous_kib"], 1024, held)
        self.check_rates(release, "".join(said), held)

    def check_rates(self, release, said, held):
        """By the signals that were sampled, against the main thread's CPU time: while the rate changes, between both, but
        for one at each change; afterwards the one that was set last."""
        before, slow, fast = (self.signals(path) for path in re.findall(r"^dump \w+ (.*)$", said, re.MULTILINE))
        cpu_us = int(re.search(r"^cpu (\d+)$", said, re.MULTILINE).group(1)) * 1000
        print(f"ART {release}, {ROUNDS} rounds of each of two threads: {before} samples in {cpu_us} us, then "
              f"{slow - before} and {fast - slow} in {SPUN_US} us each, {[part['anonymous_kib'] for part in held]} KiB anonymous")
        self.assertLessEqual(before, cpu_us / RATES_US[0] + 2 * ROUNDS)
        self.assertGreater(before, 10)
        for samples, rate_us in ((slow - before, RATES_US[1]), (fast - slow, RATES_US[0])):
            self.assertLessEqual(samples, 1.1 * SPUN_US / rate_us + 5)
            # Where the machine has much else to do, samples without a signal stand for the rest.
            self.assertGreater(samples, 10)

    @staticmethod
    def signals(dump):
        document = inspect(dump)
        return {counter["name"]: counter["value"] for counter in document["counters"]}["samples_by_signal"]


if __name__ == "__main__":
    unittest.main()
