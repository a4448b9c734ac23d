# SPDX-License-Identifier: Apache-2.0
"""Work of the main thread outside messages: sampled, named by its kind, and never recorded as a pause."""

import re
import signal
import sys
import time

from process import ToldTest, on_each_release, collapsed, inspect, run_at_once, wakeups

MS = 1_000_000


@on_each_release
class OutsideOn11Test(ToldTest):
    release = "11"

    def hang(self, what, **variables):
        return self.begin(self.command("Outside", what, self.told), "ready\n", TREE_MIN_MS=100, **variables)

    def dump_of_hang(self, what):
        """SIGQUIT after 2.5 s of the work."""
        process = self.hang(what)
        time.sleep(2.5)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("stillframe: wrote ")
        self.wait_for_log("DALVIK THREADS")
        log = self.finish(process)
        return inspect(self.only_dump(log))

    def check_segment(self, document, kind, method, name):
        self.check_running(document, kind, method)
        self.assertEqual(document["running"]["callback"], name)

    def check_running(self, document, kind, method, share=0.8):
        running = document["running"]
        self.assertIsNotNone(running)
        self.assertEqual(running["segment"], kind)
        self.assertGreater(running["wall_ns"], 2_000 * MS)
        tree = next(tree for tree in document["trees"] if tree["token"] == running["token"])
        self.check_weights(tree, running["wall_ns"])
        stacks = collapsed(self.dumps()[0], running["token"])
        seen = sum(count for stack, count in stacks if any(frame.startswith(method) for frame in stack))
        self.assertGreaterEqual(seen, share * sum(count for _, count in stacks), stacks)
        # If the machine had no CPU for the thread, the verdict says that instead.
        verdict = document["verdict"]
        if verdict["kind"] != "starved-of-cpu":
            self.assertIn(method, (verdict["culprit"]["method"], verdict["culprit"]["leaf"]), verdict["sentence"])
            self.assertRegex(verdict["sentence"], rf"during (nested |an idle handler|{re.escape(running['text'])})")

    def check_weights(self, tree, wall_ns):
        weights_us = sum(sample[1] for sample in tree["samples"])
        self.assertGreaterEqual(weights_us * 1000, wall_ns * 0.9)
        self.assertLessEqual(weights_us * 1000, wall_ns + MS)

    def check_gaps(self, records):
        for before, after in zip(records, records[1:]):
            gap_ns = after["start_ns"] - before["start_ns"] - before["span_ns"]
            self.assertTrue(abs(gap_ns) <= 60 * MS, (gap_ns, records))

    def test_an_idle_handler_is_named(self):
        document = self.dump_of_hang("idle-handler")
        self.check_segment(document, "idle-handler", "Outside.spin", "Outside$Warm.queueIdle")
        self.assertEqual(document["running"]["text"], "idle handler Outside$Warm.queueIdle")

    def test_a_callback_from_native_code_that_sleeps_is_named(self):
        document = self.dump_of_hang("input")
        self.check_segment(document, "native-callback", "Pauses.sleep", "Outside$Touch.run")

    def test_code_before_the_loop_is_named(self):
        document = self.dump_of_hang("before-the-loop")
        self.check_segment(document, "before-loop", "Outside.spin", "Outside.main")

    def test_a_message_of_a_loop_inside_a_message_is_named(self):
        document = self.dump_of_hang("nested")
        self.check_running(document, "", "Outside.spin")
        running = document["running"]
        self.assertTrue(running["nested"])
        self.assertEqual(running["text"], "Runnable Outside$Confirm")
        if document["verdict"]["kind"] != "starved-of-cpu":
            self.assertIn(f"during nested {running['text']}", document["verdict"]["sentence"])

    def test_a_hang_before_the_first_message_is_dumped(self):
        process = self.hang("before-the-loop", LONG_MS=1000)
        self.wait_until("no dump", self.dumps)
        log = self.finish(process)
        document = inspect(self.only_dump(log))
        self.assertIn(document["trigger"], ("long-message", "heartbeat"))
        self.assertEqual(document["running"]["segment"], "before-loop")

    def test_history_adds_up_to_wall_time(self):
        process = self.hang("history", DUMP_AT_EXIT=1)
        self.assertEqual(process.wait(timeout=90), 0)
        log = self.finish(process)
        document = inspect(self.only_dump(log))
        records = [record for record in document["history_records"]["records"] if record["looper"] == 0]
        kinds = [record["kind"] for record in records]
        outside = [record for record in records if record["kind"] == "outside"]
        self.assertEqual([record["segment"] for record in outside], ["idle-handler", "native-callback"], records)
        idle_handler, callback = outside
        # No upper bound: a busy machine makes both longer.
        self.assertGreaterEqual(idle_handler["span_ns"], 390 * MS, records)
        self.assertGreaterEqual(callback["span_ns"], 500 * MS, records)
        self.assertIn("idle", kinds)
        self.check_gaps(records)
        for message in document["history"]:
            if message["segment"]:
                self.assertGreater(message["samples"], 0)

    def test_between_the_messages_of_a_loop_inside_a_message_nothing_of_ours_runs(self):
        process = self.hang("guard", DUMP_AT_EXIT=1)
        time.sleep(0.6)
        before = wakeups(process.pid)
        time.sleep(8.4)  # 7 messages
        woken = sum(wakeups(process.pid).values()) - sum(before.values())
        self.assertEqual(process.wait(timeout=90), 0)
        document = inspect(self.only_dump(self.finish(process)))
        # One more may have begun, and one may be under way at either end.
        self.assertLessEqual(woken, 2 * (7 + 2))
        self.assertGreaterEqual(woken, 7, "each wakes the collector")
        self.check_guard(document)

    def check_guard(self, document):
        """The message around the loop ends where the loop begins. Its work after the loop is a segment."""
        records = [record for record in document["history_records"]["records"] if record["looper"] == 0]
        self.check_gaps(records)
        around = [message for message in document["history"] if not message["segment"] and not message["nested"]]
        self.assertEqual(len(around), 1, document["history"])
        self.assertGreaterEqual(around[0]["wall_ns"], 290 * MS)
        outside = [message for message in document["history"] if message["segment"]]
        self.assertEqual([message["text"] for message in outside], ["code around a nested loop Outside$Guard.run"])
        self.assertGreaterEqual(outside[0]["wall_ns"], 590 * MS)
        self.assertLessEqual(around[0]["start_ns"] + around[0]["wall_ns"] + 9_000 * MS, outside[0]["start_ns"])
        for message in around + outside:
            tree = next(tree for tree in document["trees"] if tree["token"] == message["token"])
            self.check_weights(tree, message["wall_ns"])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
