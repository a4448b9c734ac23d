# SPDX-License-Identifier: Apache-2.0
"""Compares records of janks of real processes with what the programs measured themselves."""

import ctypes
import glob
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time

import process
from process import HOST_TOOL, ProcessTest, on_each_release, inspect, run_at_once

# The long form has a thousand.
EQUAL = int(os.environ.get("STILLFRAME_JANKS_EQUAL", "100"))
MOST_BYTES = 20 * 1024
MOST_COMPRESSED = 3 * 1024  # of the mean
PTRACE_SEIZE = 0x4206
PREEMPTED_MS = 40  # the longest that other work on the machine keeps the CPU


@on_each_release
class JanksOn11Test(ProcessTest):
    release = "11"

    def records(self):
        """{file: record}. Each must be complete, small and private; the same for the session's file."""
        records = {}
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-session-*")):
            with open(path, encoding="ascii") as file:
                self.assertGreater(json.load(file)["alive_ms"], 0)
        for path in sorted(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*"))):
            self.assertTrue(path.endswith(".json"), path)
            self.assertLessEqual(os.path.getsize(path), MOST_BYTES, path)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600, path)
            with open(path, encoding="ascii") as file:
                records[path] = json.load(file)
        return records

    def run_janks(self, *args, **variables):
        """([(ms, ms of it in first())] as the program measured, its log)"""
        done = self.run_app("Janks", *args, **{"JANKS": 1, **variables})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        took = [(int(whole) / 1e3, int(first) / 1e3)
                for whole, first in re.findall(r"took (\d+) first (\d+)", done.stdout)]
        self.assertTrue(took, done.stdout + done.stderr)
        return took, done.stderr

    def only_record(self, log):
        records = self.records()
        told = [[record.get(field) for field in ("callback", "cost", "newest_ms", "stackKey", "stack", "methods")]
                for record in records.values()]
        self.assertEqual(len(records), 1, f"{told}\n{log}")
        return next(iter(records.items()))

    def test_each_length_is_counted_and_the_longest_described(self):
        lengths = (60, 120, 700, 300, 1_900, 1_400, 150)  # from 2 s on each has a record of its own
        took, log = self.run_janks("lengths", *lengths, SLOW_MS=20, JANK_MS=50)
        path, record = self.only_record(log)
        self.assertEqual(record["count"], len(lengths))
        more = [recorded - measured for recorded, (measured, _) in zip(record["newest_ms"], took, strict=True)]
        for one in more:
            self.assert_more_than_measured(one, (record, took))
        self.assertLessEqual(statistics.median(more), 5, (record, took))
        longest, first = max(took)
        self.assertEqual(record["cost"], max(record["newest_ms"]))
        self.assertLessEqual(abs(record["total_ms"] - sum(ms for ms, _ in took)), 5 * len(lengths))
        self.assertEqual(sum(record["histogram"].values()), len(lengths))
        self.assertEqual(record["callback"], "Janks$Jank")
        self.check_fields(record)
        ms_of = {record["methods"][entry.split(",")[1]]: int(entry.split(",")[3])
                 for entry in record["stack"].splitlines()}
        for method, ms in (("Janks$Jank.run", longest), ("Janks.first", first), ("Janks.second", longest - first)):
            self.assertLessEqual(abs(ms_of[method] - ms) / longest, 0.05, (method, ms, record))
        # run() has all the time; first(), one level deeper, has two thirds.
        self.assertEqual(record["methods"][record["stackKey"].rstrip("|")], "Janks$Jank.run")
        self.check_tool(path, record)

    def test_shares_of_a_short_one_are_as_near_as_its_samples_and_it_says_so(self):
        for ms in (250, 800, 2_000):
            with self.subTest(ms=ms):
                self.setUp()
                ((whole, first),), log = self.run_janks("lengths", ms, JANK_MS=100)
                _, record = self.only_record(log)
                self.assert_more_than_measured(record["cost"] - whole, (record, whole))
                # Sampled from 50 ms on, every 10 ms.
                self.assertIn(record["first_sample_ms"], range(40, 101), record)
                ms_of = {record["methods"][entry.split(",")[1]]: int(entry.split(",")[3])
                         for entry in record["stack"].splitlines()}
                for method, part in (("Janks.first", first), ("Janks.second", whole - first)):
                    most = whole * 0.05 if ms >= 2_000 else record["first_sample_ms"] + 20
                    self.assertLessEqual(abs(ms_of[method] - part), most, (method, part, record))

    def assert_more_than_measured(self, ms, why):
        # The program's clock runs within the Looper's. A busy machine may take the CPU away between the two.
        self.assertGreaterEqual(ms, -1, why)
        self.assertLessEqual(ms, PREEMPTED_MS, why)

    def check_fields(self, record):
        self.assertEqual((record["tag"], record["detail"]), ("Trace_EvilMethod", "NORMAL"))
        self.assertRegex(record["usage"], r"^\d+\.\d\d%$")
        self.assertLessEqual(abs(record["time"] / 1e3 - time.time()), process.WITHIN_S)
        self.assertEqual(record["processPriority"], 20 + record["processNice"])
        self.assertIn(record["machine"], ("BEST", "HIGH", "MIDDLE", "LOW", "BAD"))
        self.assertEqual(record["mem"], os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE"))
        self.assertIsInstance(record["isProcessForeground"], bool)
        self.assertGreater(record["cpu_ms"], 0)
        self.assertLessEqual(record["cpu_ms"], record["cost"] + 5)

    def check_tool(self, path, record):
        """The host tool lists the record, and imports it as an issue of Matrix."""
        told = subprocess.run([HOST_TOOL, "janks", self.dump_dir], capture_output=True, text=True, check=True).stdout
        self.assertRegex(told, r"(?m) (work|no-cpu) Janks\.first\n +Runnable Janks\$Jank, from Janks\$Jank\.run\n +\w+, 7 hangs, ")
        dump = os.path.join(self.dump_dir, "imported.sfdump")
        subprocess.run([HOST_TOOL, "import", path, "-o", dump], capture_output=True, check=True)
        self.assertEqual(inspect(dump)["history"][0]["wall_ns"], record["cost"] * 1_000_000)

    def test_equal_janks_are_one_record(self):
        took, log = self.run_janks("equal", EQUAL, 60, SLOW_MS=20, JANK_MS=50)
        _, record = self.only_record(log)
        self.assertEqual((len(took), record["count"]), (EQUAL, EQUAL))
        self.assertEqual(sum(record["histogram"].values()), EQUAL)

    def test_nothing_is_written_below_the_threshold_nor_where_it_is_off(self):
        self.run_janks("lengths", 60, 400)
        self.assertEqual(self.records(), {})
        self.run_janks("lengths", 60, 400, JANKS=0, JANK_MS=50)
        self.assertEqual(self.records(), {})

    def run_frozen(self, ms, after_s):
        """A message of `ms` in a process that is stopped for 3 s then: (its records, its session, ms of the message it ran)."""
        app = subprocess.Popen(self.command("Janks", "sleeps", ms), env=self.environment(JANKS=1),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(app.kill)
        begin_ms = int(app.stdout.readline().split()[1])
        time.sleep(after_s)
        app.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        time.sleep(3)
        frozen_ms = (time.monotonic() - stopped) * 1e3
        app.send_signal(signal.SIGCONT)
        told, log = app.communicate(timeout=process.WITHIN_S)
        self.assertEqual(app.returncode, 0, log)
        (path,) = glob.glob(os.path.join(self.dump_dir, "stillframe-session-*.json"))
        with open(path, encoding="ascii") as file:
            return list(self.records().values()), json.load(file), int(told.split()[1]) - begin_ms - frozen_ms

    def test_a_frozen_process_does_not_hang(self):
        records, session, _ = self.run_frozen(3_300, 0.15)
        self.assertEqual((records, session["janks"], session["jank_ms"]), ([], 0, 0))
        self.assertEqual(session["frames_missed"], 0)

    def test_a_hang_under_a_debugger_has_no_record_and_the_dump_says_so(self):
        app = subprocess.Popen(self.command("Janks", "sleeps", 2_600), env=self.environment(JANKS=1, DUMP_AT_EXIT=1),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(app.kill)
        app.stdout.readline()
        libc = ctypes.CDLL(None, use_errno=True)
        self.assertEqual(libc.ptrace(PTRACE_SEIZE, app.pid, None, None), 0, os.strerror(ctypes.get_errno()))
        _, log = app.communicate(timeout=process.WITHIN_S)
        (path,) = glob.glob(os.path.join(self.dump_dir, "stillframe-session-*.json"))
        with open(path, encoding="ascii") as file:
            session = json.load(file)
        self.assertEqual((self.records(), session["janks"]), ({}, 0), log)
        (dump,) = glob.glob(os.path.join(self.dump_dir, "*.sfdump"))
        verdict = inspect(dump)["verdict"]
        self.assertIn("A debugger was attached: python3 (pid", " ".join(verdict["evidence"]))
        self.assertEqual((verdict["confidence"], verdict["confidence_reason"]), ("low", "debugged"))

    def test_frozen_time_is_taken_off_a_hang_that_was_on_disk(self):
        (record,), session, ran_ms = self.run_frozen(8_000, 3.1)
        self.assertLessEqual(abs(record["cost"] - ran_ms), 250, record)
        self.assertNotIn("running", record)
        self.assertGreater(record["revision"], 1, "it was on disk")
        self.assertEqual((record["total_ms"], session["janks"], session["jank_ms"]), (record["cost"], 1, record["cost"]))
        told = subprocess.run([HOST_TOOL, "janks", "--json", self.dump_dir], capture_output=True, text=True, check=True)
        (row,) = json.loads(told.stdout)["causes"]
        self.assertEqual(row["lost_ms"], record["cost"])
        self.assertNotEqual(row["kind"], "frozen")

    def test_what_runs_outside_messages_has_its_record(self):
        took, log = self.run_janks("idle-handler", 900)
        _, record = self.only_record(log)
        self.assertEqual(record["segment"], 2)
        self.assertEqual(record["callback"], "Janks$Warm.queueIdle")
        self.assertLessEqual(abs(record["cost"] - took[0][0]), 60, record)
        # By chance most samples are of what it calls.
        self.assertIn(record["methods"][record["stackKey"].rstrip("|")], ("Janks.first", "java.lang.System.nanoTime"))

    def test_what_is_omitted_is_not_in_it(self):
        _, log = self.run_janks("lengths", 900, OMIT="stacks,messages,process,annotations,context")
        path, record = self.only_record(log)
        for field in ("stack", "methods", "stackKey", "target", "callback", "process", "scene", "machine"):
            self.assertNotIn(field, record)
        with open(path, encoding="ascii") as file:
            self.assertNotIn("Janks", file.read())
        self.assertEqual(record["count"], 1)

    def test_the_days_budget_holds(self):
        _, log = self.run_janks("equal", 40, 60, SLOW_MS=20, JANK_MS=50, JANK_KIB_PER_DAY=1, DUMP_AT_EXIT=1)
        counters = {counter["name"]: counter["value"] for counter in inspect(self.only_dump(log))["counters"]}
        # A record below 1 KiB is written once, a larger one never.
        self.assertEqual(counters["janks"], 40)
        self.assertLessEqual(counters["jank_records_written"], len(self.records()), "the dump comes before the last record")
        self.assertLessEqual(len(self.records()), 1)
        self.assertGreater(counters["jank_records_held"], 0)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
