# SPDX-License-Identifier: Apache-2.0
"""Native crash reporters start before or after the profiler. Each must see its crash as without us, and sampling must
continue. neighbours/reporters.cc says what each imitates."""

import concurrent.futures
import glob
import os
import re
import statistics
import subprocess
import sys
import unittest

from process import ALL_RELEASES, BUILD, LIBRARY, ProcessTest, art_command, inspect, rise, run_at_once

NATIVES = os.path.join(BUILD, "art", "libneighbours.so")
REPORTERS = ("breakpad", "crashpad", "sentry", "bugsnag", "xcrash")
WHEN = ("before", "after", "twice", "removed", "front")
# (when the reporter starts, cause of the crash)
CRASHING = [("after", "segv"), ("after", "bus"), ("after", "abrt"), ("before", "bus"), ("front", "segv")]
IS_FULL = "STILLFRAME_RELEASES" in os.environ
if IS_FULL:
    CRASHING = [(when, how) for when in WHEN for how in ("segv", "bus", "abrt")]
AT_ONCE = 2
MEASUREMENTS = 3
MOST_OFF = 0.1
LEAST_SAMPLES = 300
SEEN = re.compile(r"^(\w+) saw (\d+) code (-?\d+) (own|at) (\w+)$", re.MULTILINE)
# All reporters on the newest release; one on the others, or all with tools/test --full.
OTHERS = REPORTERS if IS_FULL else REPORTERS[:1]
CASES = [(release, reporter) for release in ALL_RELEASES
         for reporter in (REPORTERS if release == ALL_RELEASES[-1] else OTHERS)]


class ReportersTest(ProcessTest):
    def run_with(self, release, names, when, how, folder=None):
        """`folder` None: without the profiler."""
        options = ["--preload", NATIVES]
        environment = {**os.environ, "REPORTERS": ",".join(("system",) + (names if when == "before" else ()))}
        if folder is not None:
            os.mkdir(folder)
            settings = {"DUMP_DIR": folder, "DUMP_AT_EXIT": 1, "INTERVAL_US": 1000, "TREE_MIN_MS": 100}
            environment |= {"STILLFRAME_" + key: str(value) for key, value in settings.items()}
            options = ["--preload", LIBRARY, *options]
        command = art_command("Reporters", NATIVES, ",".join(names), when, how, "plain" if folder is None else "profiled",
                              options=options, preload=False, release=release)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, preexec_fn=rise)

    def folder(self, *words):
        self.folders = getattr(self, "folders", 0) + 1
        return os.path.join(self.dump_dir, "-".join((*words, str(self.folders))))

    def rate(self, release, names, when):
        """Samples per ms of the main thread's CPU time, after the reporters' start."""
        folder = self.folder(release, *names, when)
        done = self.run_with(release, names, when, "exit", folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        dumps = glob.glob(os.path.join(folder, "*.sfdump"))
        self.assertEqual(len(dumps), 1, done.stderr)
        document = inspect(dumps[0])
        self.assertEqual(document["identity"]["sampler_state"], "on", done.stderr)
        self.assertEqual((document["thread_stacks"] or {}).get("absent", "not there"), "", done.stderr)
        message = max(document["history"], key=lambda each: each["cpu_ns"])
        self.assertGreater(message["samples"], LEAST_SAMPLES, message)
        return message["samples"] / (message["cpu_ns"] / 1e6)

    def check_rate(self, release, names, when, alone):
        """`alone` was measured earlier; a machine that is slower by now is measured again beside each repetition."""
        pairs = []
        for _ in range(MEASUREMENTS):
            pairs.append((self.rate(release, names, when), alone))
            if statistics.median(rate / without for rate, without in pairs) >= 1 - MOST_OFF:
                return
            alone = self.rate(release, (), "none")
        self.fail(f"ART {release}, {names} {when}: samples in a millisecond, and without: {pairs}")

    def at_once(self, checks):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(*check) for check in checks]:
                done.result()

    def test_sampling_goes_on(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            alone = {release: statistics.median(pool.map(lambda _: self.rate(release, (), "none"), range(MEASUREMENTS)))
                     for release in ALL_RELEASES}
        self.at_once([(self.check_rate, release, (reporter,), when, alone[release]) for release, reporter in CASES
                      for when in (WHEN if IS_FULL or release == ALL_RELEASES[-1] else WHEN[1:2])]
                     + [(self.check_rate, release, REPORTERS, "after", alone[release]) for release in ALL_RELEASES])

    def check_crash(self, release, names, when, how):
        title = f"ART {release}, {names} {when}, {how}"
        plain = self.run_with(release, names, when, how)
        ours = self.run_with(release, names, when, how, self.folder(release, *names, when, how))
        self.assertEqual(ours.returncode, plain.returncode, title + ours.stdout + ours.stderr[-3000:])
        fault = re.search(r"^fault at (\w+)$", ours.stdout, re.MULTILINE)
        was = re.search(r"^fault at (\w+)$", plain.stdout, re.MULTILINE)
        expected = [(*seen[:4], "the fault" if was and seen[4] == was[1] else seen[4]) for seen in SEEN.findall(plain.stdout)]
        seen = [(*seen[:4], "the fault" if fault and seen[4] == fault[1] else seen[4]) for seen in SEEN.findall(ours.stdout)]
        self.assertEqual(seen, expected, title + ours.stdout + ours.stderr[-3000:])
        # A reporter installed before the runtime may miss faults that the runtime handles.
        self.assertLessEqual(len(seen), len(set(each[0] for each in seen)), title + ours.stdout)
        if when in ("after", "front"):
            self.assertEqual([each[0] for each in seen][0], names[0], title + ours.stdout)

    def test_a_crash_is_seen_once_by_each(self):
        self.at_once([(self.check_crash, release, (reporter,), when, how) for release, reporter in CASES
                      for when, how in (CRASHING if IS_FULL or release == ALL_RELEASES[-1] else CRASHING[:2])])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
