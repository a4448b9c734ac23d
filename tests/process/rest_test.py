# SPDX-License-Identifier: Apache-2.0
"""Our threads must sleep while nothing happens. The kernel counts their sleeps, each of which ends with a wake-up.

STILLFRAME_REST_SECONDS: time to watch the idle process; 600 for a measurement.
"""

import os
import re
import signal
import sys
import time

from process import ToldTest, on_each_release, inspect, rest_command, run_at_once, run_queue_wait_ms, wakeups

SECONDS = int(os.environ.get("STILLFRAME_REST_SECONDS", "30"))
MAX_PER_SECOND = 22
SLOW_MS = 300
MESSAGES = 8
# After a pause, a message is sampled from 50 ms on; after quick messages, up to 50 ms later. Our thread's waits for a
# CPU add to that, so the earliest of several messages is judged.
SLOW_MESSAGES = 4
SLOW_AT_US = 50_000


@on_each_release
class RestOn11Test(ToldTest):
    release = "11"

    def rests(self, every_ms, slow_every=0, **variables):
        command = rest_command(self.release, every_ms, self.told, slow_every, SLOW_MS)
        process = self.begin(command, "ready\n", TREE_MIN_MS=100, DUMP_AT_EXIT=1, **variables)
        self.wait_for_log("stillframe: on")
        time.sleep(2)  # start-up is over, and all pages are touched
        return process

    def count(self, process, seconds):
        before = wakeups(process.pid)
        self.assertEqual(list(before), ["stillframe"])
        time.sleep(seconds)
        after = wakeups(process.pid)
        self.assertEqual(after.keys(), before.keys())
        return sum(after.values()) - sum(before.values())

    def messages(self, process):
        return [int(line.split()[1]) for line in process.stdout.read().splitlines() if line.startswith("messages ")][-1]

    def test_an_idle_process_is_never_woken(self):
        process = self.rests(0, LONG_MS=1000)
        self.assertEqual(self.count(process, SECONDS), 0)
        self.finish(process)

    def test_at_rest_the_runtime_does_not_know_our_threads(self):
        process = self.rests(0, DUMP_ON_SIGQUIT=0)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("DALVIK THREADS")
        self.wait_for_log("----- end")
        log = self.finish(process)
        found = re.findall(r'"(stillframe[^"]*)" (?!.*\(not attached\)).*', log)
        self.assertEqual(found, [], "attached")
        self.assertEqual(sorted(re.findall(r'"(stillframe[^"]*)" .*\(not attached\)', log)), ["stillframe"])
        ours = log[log.index('"stillframe"'):]
        self.assertEqual(ours[:ours.index("----- end")].count("native: #"), 1, "unwinders find the end of its stack")

    def test_a_lone_message_costs_two_wake_ups(self):
        process = self.rests(1500)
        woken = self.count(process, 1.5 * MESSAGES)
        self.finish(process)
        # One more may have begun, and one may be under way at either end.
        self.assertLessEqual(woken, 2 * (MESSAGES + 1))
        self.assertGreater(woken, 0, "a message wakes the collector")

    def test_messages_that_keep_coming_cost_twenty_wake_ups_a_second(self):
        process = self.rests(1)
        woken = self.count(process, 10)
        self.finish(process)
        self.assertLessEqual(woken, 10 * MAX_PER_SECOND)
        messages = self.messages(process)
        if messages < 2 * woken:
            self.skipTest(f"{messages} messages in 12 s: they did not keep coming")

    def check_first_samples(self, every_ms, slow_every, at_most_us):
        process = self.rests(every_ms, slow_every, DUMP_ON_SIGQUIT=0)
        waited_ms = run_queue_wait_ms(process.pid)
        for _ in range(SLOW_MESSAGES):
            self.assertEqual(process.stdout.readline(), "slow\n")
        waited_ms = run_queue_wait_ms(process.pid) - waited_ms
        log = self.finish(process)
        samples = [tree["samples"][0][0] for tree in inspect(self.only_dump(log))["trees"]]
        self.assertTrue(samples, log)
        self.assertGreaterEqual(min(samples), SLOW_AT_US)
        self.assertLess(min(samples) - waited_ms * 1000, at_most_us, f"{samples}, {waited_ms:.0f} ms without a CPU")

    def test_a_slow_message_after_a_pause_is_sampled_at_fifty_ms(self):
        self.check_first_samples(1000, 1, SLOW_AT_US + 5_000)

    def test_a_slow_message_among_quick_ones_is_sampled_within_a_hundred_ms(self):
        self.check_first_samples(1, 50, 2 * SLOW_AT_US)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
