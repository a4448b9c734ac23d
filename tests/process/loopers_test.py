# SPDX-License-Identifier: Apache-2.0
"""Loopers, history, frames and taps in a real process."""

import glob
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from process import HOST_TOOL, WITHIN_S, ProcessTest, inspect, run_at_once

MS = 1_000_000


class LoopersTest(ProcessTest):
    def run_loopers(self, *what, **variables):
        done = self.run_app("Loopers", *what, DUMP_AT_EXIT=1, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith("ended\n"), done.stdout)
        self.log = done.stderr
        dump = inspect(self.only_dump(done.stderr))
        self.counters = {c["name"]: c["value"] for c in dump["counters"]}
        return dump

    def test_several_loopers_at_once(self):
        dump = self.run_loopers("several", LOOPERS="js,mqt_*")
        loopers = {looper["thread"]: i for i, looper in enumerate(dump["loopers"])}
        self.assertEqual(set(loopers), {"main", "js", "mqt_native_modul"[:15]})
        self.assertEqual(loopers["main"], 0)
        tokens = [message["token"] for message in dump["history"]]
        self.assertEqual(len(tokens), len(set(tokens)), "tokens are the process's")
        for name in ("js", "mqt_native_modul"[:15]):
            self.assertGreaterEqual(dump["loopers"][loopers[name]]["messages"], 102)
            slow = [m for m in dump["history"] if m["looper"] == loopers[name]
                    and m["callback"].startswith("Loopers$") and m["wall_ns"] >= 119 * MS]
            self.assertGreaterEqual(len(slow), 1, dump["history"])
            # Unknown for a message before the collector first saw the thread.
            self.assertLess(slow[0]["runqueue_wait_ns"] or 0, slow[0]["wall_ns"])
            messages = sum(record["messages"] for record in dump["history_records"]["records"]
                           if record["looper"] == loopers[name])
            self.assertEqual(messages, dump["loopers"][loopers[name]]["messages"])
        self.assertEqual(self.counters["loopers"], 3)

    def time_in(self, dump, token, method):
        """Part of the tree's time with the method on the stack."""
        (tree,) = [tree for tree in dump["trees"] if tree["token"] == token]
        inside = set()
        for frame, _, count, first in tree["nodes"]:
            if f"{dump['frames'][frame]['class']}.{dump['frames'][frame]['method']}" == method:
                inside.update(range(first, first + count))
        weights = [sample[1] for sample in tree["samples"]]
        return sum(weights[i] for i in inside) / max(sum(weights), 1)

    def hung_others(self, threads):
        dump = self.run_loopers("others-hang", str(threads), LOOPERS="worker-*", TREE_MIN_MS=300, JANKS=1)
        names = [looper["thread"] for looper in dump["loopers"]]
        return dump, {names[m["looper"]]: m for m in dump["history"] if m["looper"] != 0 and m["wall_ns"] >= 1_900 * MS}

    def test_another_looper_that_hangs_is_sampled_while_main_is_well(self):
        dump, hung = self.hung_others(2)
        self.assertEqual(set(hung), {"worker-0", "worker-1"})
        for name, method in (("worker-0", "Loopers.burn"), ("worker-1", "android.os.SystemClock.sleep")):
            message = hung[name]
            self.assertTrue(message["has_tree"], message)
            self.assertGreater(message["samples"], 40, message)
            self.assertGreaterEqual(self.time_in(dump, message["token"], method), 0.8, message)
        verdict = dump["verdict"]
        self.assertEqual(verdict["kind"], "nothing-slow", verdict)
        self.assertRegex(verdict["headline"], r"Main was well; thread worker-\d hung for 2\.\d s in Loopers")
        evidence = " ".join(verdict["evidence"])
        self.assertIn("most of it in Loopers.burn", evidence)
        self.assertIn("most of it in Loopers.hangIn", evidence)
        self.check_records_of_others()

    def check_records_of_others(self):
        """Each thread has a record of its own, with its tree; no session counts it."""
        methods = {}
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")):
            with open(path, encoding="ascii") as file:
                record = json.load(file)
            methods[record["thread"]] = set(record["methods"].values())
            facts = inspect(path)
            self.assertEqual([looper["thread"] for looper in facts["loopers"]], ["main", record["thread"]])
            self.assertEqual([tree["token"] for tree in facts["trees"]], [m["token"] for m in facts["history"]])
            self.assertIn(f"Thread {record['thread']} hung for 2.", facts["verdict"]["headline"])
        self.assertEqual(set(methods), {"worker-0", "worker-1"})
        self.assertIn("Loopers.burn", methods["worker-0"])
        self.assertIn("Loopers.hangIn", methods["worker-1"])
        (path,) = glob.glob(os.path.join(self.dump_dir, "stillframe-session-*.json"))
        with open(path, encoding="ascii") as file:
            self.assertEqual(json.load(file)["janks"], 0)
        told = subprocess.run([HOST_TOOL, "janks", self.dump_dir], capture_output=True, text=True, check=True).stdout
        self.assertIn("thread worker-0: Runnable", told)
        self.assertIn("thread worker-1: Runnable", told)

    def test_of_five_that_hang_four_are_sampled_and_the_fifth_is_named(self):
        dump, hung = self.hung_others(5)
        self.assertEqual(len(hung), 5)
        self.assertEqual(sum(message["has_tree"] for message in hung.values()), 4, hung)
        missed = [name for name, message in hung.items() if not message["has_tree"]]
        evidence = [each for each in dump["verdict"]["evidence"] if "was not sampled" in each]
        self.assertEqual(len(evidence), 1, dump["verdict"])
        self.assertIn(missed[0], evidence[0])

    def check_history(self, dump):
        records = dump["history_records"]["records"]
        slow = [record for record in records if record["wall_ns"] >= 140 * MS
                and record["messages"] == 1]
        self.assertGreaterEqual(len(slow), 2, records)
        quick = [record for record in records if record["kind"] == "quick"]
        self.assertGreaterEqual(sum(record["messages"] for record in quick), 60)
        idle = [record for record in records if record["kind"] == "idle"]
        self.assertTrue(any(1_000 * MS <= record["span_ns"] <= 1_800 * MS for record in idle), records)
        alone = [group for group in dump["history_groups"]["groups"] if group["kind"] == "slow"]
        longest = max(alone, key=lambda group: group["wall_ns"])
        self.assertGreaterEqual(longest["wall_ns"], 399 * MS)
        self.assertIn(longest["tokens"][0], [message["token"] for message in dump["history"]])
        mixed = [group for group in dump["history_groups"]["groups"] if group["kind"] == "mixed"]
        self.assertTrue(any(group["messages"] >= 50 for group in mixed), dump["history_groups"]["groups"])

    def test_both_views_of_the_past_agree(self):
        dump = self.run_loopers("history")
        self.check_history(dump)
        quick = [record for record in dump["history_records"]["records"] if record["kind"] == "quick"]
        self.assertTrue(any(record["callback"].startswith("Loopers$") for record in quick), quick)

    def test_frozen_and_late_frames_are_counted(self):
        for tap in ("observer", "printer"):
            with self.subTest(tap=tap):
                self.setUp()
                dump = self.run_loopers("frames", TAP=tap, TREE_MIN_MS=300)
                jank = dump["jank"]
                self.assertEqual(jank["absent"], "")
                self.assertEqual(jank["frames"], 40)
                self.assertEqual(jank["due_unknown"], 40 if tap == "printer" else 0)
                history = {message["token"]: message for message in dump["history"]}
                frozen = [frame for frame in jank["frozen"] if frame["duration_ns"] >= 700 * MS]
                drawn = [frame for frame in frozen if frame["stage"] == "traversal"]
                self.assertEqual(len(drawn), 1, frozen)
                drawing = history[drawn[0]["token"]]
                self.assertEqual(drawing["frame_stage"], "traversal")
                self.assertIn("Choreographer", drawing["callback"])
                if tap == "observer":
                    self.assertEqual(jank["refresh_interval_ns"], 16 * MS)
                    # For frames that the printer found, the due time is unknown.
                    late = [frame for frame in frozen if frame is not drawn[0]]
                    self.assertEqual(len(late), 1, frozen)
                    self.assertIn("Loopers$", history[late[0]["token"]]["callback"])
                    self.assertGreaterEqual(jank["missed"], (880 + 780) // 16)

    def test_a_frozen_frame_has_a_record_where_no_message_is_long_enough(self):
        for tap in ("observer", "printer"):
            with self.subTest(tap=tap):
                self.setUp()
                self.run_loopers("sum", TAP=tap, JANKS=1)
                records = []
                for path in glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")):
                    with open(path, encoding="ascii") as file:
                        records.append(json.load(file))
                if tap == "printer":  # nobody knows when its frames were due
                    self.assertEqual(records, [])
                    continue
                (record,) = records
                self.assertEqual((record["frozenFrame"], record["stage"], record["count"]), (True, 5, 1), record)
                self.assertIn(record["cost"], range(800, 1_500), record)
                self.assertIn("Choreographer", record["callback"])
                made_of = [line.split(",") for line in record["before"].splitlines()]
                self.assertEqual([line[0] for line in made_of[:2]], ["message", "message"], record)
                self.assertIn("Loopers$", made_of[1][3], record)
                self.assertEqual(self.counters["janks"], 1)
                told = subprocess.run([HOST_TOOL, "janks", self.dump_dir], capture_output=True, text=True, check=True).stdout
                self.assertIn("frozen frame (traversal) Runnable android.view.Choreographer$FrameDisplayEventReceiver", told)

    def test_a_component_that_takes_the_place_keeps_it_and_loses_nothing(self):
        running = []
        for tap in ("printer", "observer"):
            self.setUp()
            running.append((tap, self.dump_dir, self.start_app("Loopers", f"replace-{tap}", DUMP_AT_EXIT=1, TAP=tap)))
        for tap, self.dump_dir, process in running:
            with self.subTest(tap=tap):
                output, log = process.communicate(timeout=WITHIN_S)
                self.assertEqual(process.returncode, 0, output + log)
                self.assertEqual(log.count(f"had replaced the {tap} tap"), 1, log)
                calls = int(next(line.split()[1] for line in output.splitlines() if line.startswith("calls ")))
                self.assertGreaterEqual(calls, 3, "theirs is still called")
                dump = inspect(self.only_dump(log))
                self.assertTrue(any(message["wall_ns"] >= 99 * MS for message in dump["history"] if not message["segment"]),
                                "ours is called again")
                self.check_blind(dump["history_records"]["records"])

    def test_an_observer_whose_methods_are_hidden_is_dropped(self):
        dump = self.run_loopers("hide-observer", TAP="observer")
        self.assertIn("had replaced the observer tap", self.log)
        self.assertTrue(any(message["wall_ns"] >= 99 * MS for message in dump["history"]), "ours is called again")

    def check_blind(self, records):
        """Blind from the last message seen until the tap was back, at the message of 2.5 s. This is not a pause."""
        blind = [record for record in records if record["kind"] == "blind"]
        self.assertGreaterEqual(sum(record["span_ns"] for record in blind), 2_000 * MS, records)
        for pause in (record for record in records if record["kind"] == "idle"):
            for other in blind:
                self.assertTrue(pause["start_ns"] >= other["start_ns"] + other["span_ns"]
                                or pause["start_ns"] + pause["span_ns"] <= other["start_ns"], records)

    def test_a_frozen_process_is_reported_from_a_long_message(self):
        process = self.start_app("Loopers", "hang", DUMP_AT_EXIT=1)
        self.assertEqual(process.stdout.readline(), "hangs\n")
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(1.7)
        os.kill(process.pid, signal.SIGCONT)
        output, log = process.communicate(timeout=WITHIN_S)
        self.assertEqual(process.returncode, 0, output + log)
        dump = inspect(self.only_dump(log))
        frozen = [record for record in dump["history_records"]["records"] if record["kind"] == "frozen"]
        self.assertTrue(any(record["span_ns"] >= 1_000 * MS for record in frozen), dump["history_records"]["records"])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
