# SPDX-License-Identifier: Apache-2.0
"""Watchdogs in real processes: each lowers the rate before it ends sampling, and reports it in log, state, dump and
record.

On each release, one watchdog is followed until sampling ends, and the others through their first step.
STILLFRAME_WATCHDOGS_LONG=1 follows all on each.
"""

import glob
import json
import os
import re
import subprocess
import sys

from process import BUILD, HOST_TOOL, TUNABLE, ProcessTest, on_each_release, inspect, lasts, run_and_tell, run_at_once

SLOW = os.path.join(BUILD, "art", "libslow_profiler.so")
IS_LONG = os.environ.get("STILLFRAME_WATCHDOGS_LONG") == "1"
FOLLOWED = {"10": "memory", "11": "handler_time", "14": "collector_lag"}
LIMIT_MS = 90_000  # of a message that runs until something is said
LOWERED = "stillframe: on, at 1/2 of the rate"
ENDED = "stillframe: off: a watchdog has ended sampling"
DOGS = ("handler_time", "collector_lag", "ring_overflow", "memory", "dump_time")


@on_each_release
class WatchdogsOn11Test(ProcessTest):
    release = "11"
    library = TUNABLE

    def run_slow(self, *lengths, until=None, slow=(), **settings):
        """(dump at the end, counters by name, log) of messages of these lengths. With `until`, a message that runs
        until the log matches comes first."""
        given = {"DUMP_AT_EXIT": 1, "JANKS": 1, "JANK_MS": 100, **settings}
        told = os.path.join(self.dump_dir, "told")
        what = ("told", told, LIMIT_MS) if until else ("lengths",)
        done = run_and_tell(self.command("Janks", *what, *lengths, options=("--preload", SLOW)),
                            self.environment(**given) | {k: str(v) for k, v in dict(slow).items()}, told, until)
        self.assertEqual((done.returncode, done.stdout.count("took ")), (0, len(lengths) + (until is not None)),
                         done.stdout + done.stderr)
        dumps = [path for path in self.dumps() if path.endswith("-exit.sfdump")]
        self.assertEqual(len(dumps), 1, done.stderr)
        dump = inspect(dumps[0])
        return dump, {counter["name"]: counter["value"] for counter in dump["counters"]}, done.stderr

    def records(self):
        found = []
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")):
            with open(path, encoding="ascii") as file:
                found.append(json.load(file))
        return found

    def check_bites(self, dog, why, dump, counters, log, is_over):
        """Checks that only this watchdog tripped, once per halved rate and once more if sampling ended, and that all
        reports agree.
        """
        bites = {name: counters["watchdog_" + name] for name in DOGS}
        self.assertEqual({name for name, count in bites.items() if count}, {dog}, log)
        lowered = [int(part) for part in re.findall(rf"stillframe: on, at 1/(\d+) of the rate: {why}", log)]
        self.assertEqual(lowered, [2**i for i in range(1, len(lowered) + 1)], log)
        self.assertEqual(counters["interval_doublings"], len(lowered))
        self.assertEqual(bites[dog], len(lowered) + is_over)
        state = dump["identity"]["sampler_state"]
        if is_over:
            self.assertEqual(len(lowered), 4, log)
            self.assertRegex(state, rf"^off: a watchdog has ended sampling: {why}$")
        else:
            self.assertIn(len(lowered), range(1, 5), log)
            self.assertRegex(state, rf"^on, at 1/{lowered[-1]} of the rate: {why}$")
        self.assertIn(state, log)
        (path,) = glob.glob(os.path.join(self.dump_dir, "*-exit.sfdump"))
        text = subprocess.run([HOST_TOOL, "text", path], capture_output=True, text=True, check=True).stdout
        self.assertIn(" ".join(state.split()[:4]), " ".join(text.split()))

    def test_nothing_bites_in_a_usual_process(self):
        dump, counters, log = self.run_slow(*[300] * 3, 2_500)
        self.assertEqual({name: counters["watchdog_" + name] for name in DOGS}, dict.fromkeys(DOGS, 0), log)
        self.assertEqual((counters["interval_doublings"], dump["identity"]["sampler_state"]), (0, "on"))
        for record in self.records():
            self.assertNotIn("watchdog", record)
            self.assertNotIn("samplerOff", record)

    def is_followed(self, dog):
        return IS_LONG or FOLLOWED[self.release] == dog

    def until(self, dog):
        return ENDED if self.is_followed(dog) else LOWERED

    @lasts
    def test_a_slow_handler_lowers_the_rate_until_it_is_bearable(self):
        # 8 ms of each 16, finally of each 160; fewer on a busy machine.
        dump, counters, log = self.run_slow(9_000, 1_200, slow={"SLOW_HANDLER_US": 8_000}, WATCHDOG_HANDLER_PERCENT=10)
        why = r"the handler took \d+ % of the sampled time \(limit 10 %\)"
        self.check_bites("handler_time", why, dump, counters, log, False)
        after = min(dump["history"], key=lambda message: message["wall_ns"])
        self.assertLessEqual(after["samples"], 0.75 * after["wall_ns"] / 10e6, "the rate is lower")

    @lasts
    def test_a_handler_that_stays_slow_ends_sampling(self):
        dump, counters, log = self.run_slow(1_200, until=self.until("handler_time"), slow={"SLOW_HANDLER_US": 30_000},
                                            WATCHDOG_HANDLER_PERCENT=1)
        why = r"the handler took \d+ % of the sampled time \(limit 1 %\)"
        is_over = self.is_followed("handler_time")
        self.check_bites("handler_time", why, dump, counters, log, is_over)
        if is_over:
            self.assertEqual(min(dump["history"], key=lambda message: message["wall_ns"])["samples"], 0, "none is taken")
        self.assertTrue(any(re.search(r"^(off|on, at)", record.get("samplerOff", record.get("watchdog", "")))
                            for record in self.records()), self.records())

    @lasts
    def test_a_collector_that_lags_lowers_the_rate_and_ends_sampling(self):
        """The record must also say what a watchdog did."""
        dump, counters, log = self.run_slow(300, until=self.until("collector_lag"), slow={"SLOW_COLLECTOR_MS": 60},
                                            WATCHDOG_LAG_MS=20, JANK_FILES=1)
        why = r"the collector was \d+ ms late \(limit 20 ms\)"
        is_over = self.is_followed("collector_lag")
        self.check_bites("collector_lag", why, dump, counters, log, is_over)
        (record,) = self.records()
        if is_over:
            self.assertRegex(record["samplerOff"], f"^off: a watchdog has ended sampling: {why}$")
        else:
            self.assertRegex(record["watchdog"], rf"^on, at 1/\d+ of the rate: {why}$")

    @lasts
    def test_a_full_ring_lowers_the_rate(self):
        dump, counters, log = self.run_slow(500, until=LOWERED, slow={"SLOW_COLLECTOR_MS": 6_000}, WATCHDOG_LAG_MS=0,
                                            INTERVAL_US=300, RING_KIB=64, WATCHDOG_LOST_PERCENT=5)
        self.assertGreater(counters["drops_ring_full"], 0)
        self.check_bites("ring_overflow", r"for \d+ % of the samples the ring was full \(limit 5 %\)", dump, counters, log, False)

    @lasts
    def test_memory_over_its_limit_ends_sampling(self):
        dump, counters, log = self.run_slow(300, until=self.until("memory"), WATCHDOG_MEMORY_KIB=64)
        self.check_bites("memory", r"memory was \d+ KiB \(limit 64 KiB\)", dump, counters, log, self.is_followed("memory"))

    def test_slow_dumps_lower_the_rate(self):
        dump, counters, log = self.run_slow(700, 700, 700, 300, slow={"SLOW_DUMP_MS": 250}, WATCHDOG_DUMP_MS=200, LONG_MS=400,
                                            JANKS=0)
        self.check_bites("dump_time", r"a dump took \d+ ms \(limit 200 ms\)", dump, counters, log, False)

    def day_file(self):
        with open(os.path.join(self.dump_dir, "stillframe-jank.day"), encoding="ascii") as file:
            return [int(number) for number in file.read().split()]

    def check_budget(self, dump, log, **records):
        """Checks that the day's CPU time has switched sampling off, and that all reports say so."""
        why = r"off: the day's 1 s of CPU are used up; again from \d{4}-\d\d-\d\d 00:00:00 UTC"
        self.assertRegex(dump["identity"]["sampler_state"], f"^{why}$")
        self.assertEqual(len(re.findall(why, log)), 1, log)
        self.assertEqual(min(dump["history"], key=lambda message: message["wall_ns"])["samples"], 0, "none is taken")
        (path,) = glob.glob(os.path.join(self.dump_dir, "*-exit.sfdump"))
        text = subprocess.run([HOST_TOOL, "text", path], capture_output=True, text=True, check=True).stdout
        self.assertIn("s of CPU are used up", " ".join(text.split()))
        self.assertTrue(any(re.search(f"^{why}$", record.get("samplerOff", "")) for record in self.records()), self.records())

    @lasts
    def test_a_day_has_its_cpu_time_over_restarts(self):
        slow = {"SLOW_HANDLER_US": 8_000}
        settings = {"CPU_S_PER_DAY": 1, "WATCHDOG_HANDLER_PERCENT": 0}
        dump, counters, log = self.run_slow(300, 200, until="off: the day's", slow=slow, **settings)
        self.check_budget(dump, log)
        self.assertIn(counters["cpu_of_the_day_ms"], range(1_000, 1_500), log)
        used_ms = counters["handler_time_ns"] / 1e6 + counters["collector_cpu_time_ns"] / 1e6
        # The collector worked on after its last look: on records and the dump, longer on a busy machine.
        self.assertLessEqual(counters["cpu_of_the_day_ms"] - used_ms, 60)
        self.assertLessEqual(used_ms - counters["cpu_of_the_day_ms"], 1_000)
        self.assertIn(self.day_file()[3], range(1_000, counters["cpu_of_the_day_ms"] + 300))  # after the dump as well
        os.remove(self.only_dump(log))
        dump, counters, log = self.run_slow(900, 200, **settings)  # in a process of its own, that costs little
        self.check_budget(dump, log)
        self.assertEqual(counters["samples_by_signal"], 0)
        self.assertGreater(counters["cpu_of_the_day_ms"], 1_000)
        os.remove(self.only_dump(log))
        day, *used = self.day_file()
        with open(os.path.join(self.dump_dir, "stillframe-jank.day"), "w", encoding="ascii") as file:
            file.write(" ".join(map(str, (day - 1, *used))) + "\n")
        dump, counters, log = self.run_slow(900, 200, **settings)
        self.assertEqual(dump["identity"]["sampler_state"], "on", log)
        self.assertGreater(counters["samples_by_signal"], 0)
        self.assertLess(self.day_file()[3], 1_000)

    @lasts
    def test_the_next_day_has_its_own(self):
        slow = {"SLOW_HANDLER_US": 8_000, "NEXT_DAY_AFTER_MS": 9_000}
        dump, counters, log = self.run_slow(*[500] * 24, 300, slow=slow, CPU_S_PER_DAY=1, WATCHDOG_HANDLER_PERCENT=0)
        said = re.findall(r"stillframe: (on$|off: the day's 1 s)", log, re.MULTILINE)
        self.assertEqual(said[:2], ["off: the day's 1 s", "on"], log)
        samples = [message["samples"] for message in dump["history"] if message["wall_ns"] > 450e6]
        self.assertIn(0, samples)
        self.assertGreater(sum(samples[samples.index(0):]), 10, samples)
        self.assertGreater(counters["samples_by_signal"], 20)

    def test_what_a_pipe_says_of_the_day_is_not_waited_for(self):
        os.mkfifo(os.path.join(self.dump_dir, "stillframe-jank.day"))
        dump, _, log = self.run_slow(900, CPU_S_PER_DAY=1)
        self.assertEqual(dump["identity"]["sampler_state"], "on", log)
        self.assertEqual(len(self.records()), 1, log)
        self.assertGreaterEqual(self.day_file()[1], 1)  # the record, and the file of its session


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
