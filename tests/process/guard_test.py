# SPDX-License-Identifier: Apache-2.0
"""Processes that crash or are killed in sequence, and what the next one may do."""

import concurrent.futures
import contextlib
import glob
import json
import os
import platform
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from process import (BUILD, TUNABLE, WITHIN_S, ProcessTest, on_each_release, inspect, lasts, rise, run_and_tell, run_at_once,
                     where_it_stands)

NATIVES = os.path.join(BUILD, "art", "libdies.so")
# Random ends on each release; 500 in the long form.
ENDS = int(os.environ.get("STILLFRAME_GUARD_ENDS", "6"))
# For each signal from outside.
KILLS = 100 if "STILLFRAME_RELEASES" in os.environ else 20
# A run of hundreds of processes meets times in which the machine is busy.
MOST_S = WITHIN_S if ENDS < 100 else 10 * WITHIN_S
ROWS = 6
COPY_BYTES = 512
FILE_BYTES = 2 * COPY_BYTES + 16
MOST_RECORD_BYTES = 20 * 1024
# Defaults in docs/reference/settings.md.
MOST_RECORDS = 64
MOST_KIB_A_DAY = 512
MOST_PARTS = 8
FAULTED = "sampling has ended: its signal handler has faulted three times in this process"
RECORDING = "off: of earlier processes"


def checksum(copy):
    value = 14695981039346656037
    for byte in copy[:12] + bytes(4) + copy[16:]:
        value = (value ^ byte) * 1099511628211 % 2**64
    return (value ^ value >> 32) % 2**32


def rows_of(path):
    """Used rows of the newest intact record of a guard file; None: no record is intact."""
    with open(path, "rb") as file:
        data = file.read()
    newest = None
    for begin in (0, COPY_BYTES):
        copy = data[begin:begin + COPY_BYTES]
        if copy[:8] != b"SFGUARD1":
            continue
        size, told = struct.unpack_from("<II", copy, 8)
        if checksum(copy[:size]) != told:
            continue
        generation, _, _ = struct.unpack_from("<IIQ", copy, 16)
        fields = ("key", "off_until_s", "last_s", "deaths", "ours", "kills", "strikes", "times_off", "last_signal")
        rows = [dict(zip(fields, struct.unpack_from("<QQQIIIIII", copy, 32 + 48 * i))) for i in range(ROWS)]
        if newest is None or generation > newest[0]:
            newest = (generation, [row for row in rows if row["key"]])
    return newest and newest[1]


@on_each_release
class GuardOn11Test(ProcessTest):
    release = "11"
    library = TUNABLE

    def begin(self, how="wait", after_ms=0, also="", forbidden=None, **variables):
        options = () if forbidden is None else ("--preload", os.path.join(BUILD, "art", "libforbidden_calls.so"))
        settings = {"JANKS": 1, "JANK_MS": 100, "GUARD_BACK_OFF_S": 3600, **variables}
        return subprocess.Popen(self.command("Dies", NATIVES, how, after_ms, also, options=options),
                                env=self.environment(**settings) | {"FORBIDDEN_CALL": str(forbidden)},
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, process):
        """(state that the process reported, exit code, log)"""
        try:
            out, log = process.communicate(timeout=MOST_S)
        except subprocess.TimeoutExpired:
            self.fail(f"{process.args} does not end\n{where_it_stands(process.pid)}")
        finally:
            process.kill()
        state = re.search(r"state (.*)", out)
        return state and state.group(1), process.returncode, out + log

    def die(self, how, **variables):
        """Runs a process that must die; returns its state. On a host, ART 10 and 11 exit with 1 after a signal that
        they handle themselves.
        """
        state, code, log = self.end(self.begin(how, **variables))
        self.assertNotEqual(code, 0, log)
        return state

    def assert_on(self, state, why=""):
        self.assertTrue(state == "on", f"{state} {why}")

    def assert_recording_alone(self, state, why=""):
        self.assertTrue(state.startswith(RECORDING), f"{state} {why}")

    def kill(self, after_s, **variables):
        process = self.begin(**variables)
        time.sleep(after_s)
        process.kill()
        return self.end(process)[0]

    def see(self, **variables):
        """Runs a process that must end normally; returns its state."""
        state, code, log = self.end(self.begin("exit", 0, **variables))
        self.assertEqual(code, 0, log)
        return state

    def row(self):
        """The only row."""
        files = glob.glob(os.path.join(self.dump_dir, "stillframe-guard-*"))
        self.assertEqual(len(files), 1)
        rows = rows_of(files[0])
        self.assertEqual(len(rows), 1, rows)
        return rows[0]

    def check_files(self):
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-guard-*")):
            self.assertLessEqual(os.path.getsize(path), FILE_BYTES)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            if os.path.getsize(path) > 0:  # killed before anything was written
                self.assertIsNotNone(rows_of(path), path)
        records = glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json"))
        for path in records:
            self.assertLessEqual(os.path.getsize(path), MOST_RECORD_BYTES, path)
            with open(path, encoding="ascii") as file:
                json.load(file)
        self.assertLessEqual(len(records), MOST_RECORDS)
        # Each process killed while it wrote leaves one. The next process's write leaves some of them.
        self.assertLessEqual(len(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.part"))), MOST_PARTS + 1)
        self.day()

    def day(self):
        """(writes, bytes) of the day so far, which never exceed the budget."""
        path = os.path.join(self.dump_dir, "stillframe-jank.day")
        if not os.path.exists(path) or os.path.getsize(path) == 0:
            return 0, 0
        with open(path, encoding="ascii") as file:
            text = file.read()
        self.assertRegex(text, r"^\d+ \d+ \d+ \d+\n")
        writes, written = map(int, text.split()[1:3])
        self.assertLessEqual(written, MOST_KIB_A_DAY * 1024)
        return writes, written

    @lasts
    def test_the_second_death_switches_off_and_says_so_and_on_again(self):
        settings = {"GUARD_BACK_OFF_S": 20, "DUMP_AT_EXIT": 1}
        self.assert_on(self.die("fault", **settings))
        self.assert_on(self.see(**settings))
        for dump in self.dumps():
            os.remove(dump)
        self.assert_on(self.die("main abort", **settings))
        began = time.time()
        state, code, log = self.end(self.begin("exit", 500, **settings))
        self.assertEqual(code, 0, log)
        self.assertTrue(state.startswith(f"{RECORDING} 2 died of a signal with sampling on, the last of signal 6; "), state)
        self.assertIn("stillframe: the profiler stays off: of earlier processes", log)
        dump = inspect(self.only_dump(log))
        self.assertEqual(dump["identity"]["sampler_state"], state)
        self.assertGreater(len(dump["history"]), 0, "messages are recorded all the same")
        counters = {counter["name"]: counter["value"] for counter in dump["counters"]}
        self.assertEqual([counters["guard_" + name] for name in ("deaths", "deaths_in_our_code", "kills", "times_off")],
                         [2, 0, 0, 1])
        newest = max(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")), key=os.path.getmtime)
        with open(newest, encoding="ascii") as file:
            self.assertIn("2 died of a signal", json.load(file)["samplerOff"])
        self.assert_on(self.see(SLOW_MS=60, **settings), "another configuration starts anew")
        self.assert_recording_alone(self.see(**settings))
        time.sleep(max(0, began + 24 - time.time()))
        self.assert_on(self.see(**settings))
        self.assert_on(self.die("fault", **settings))
        self.assert_recording_alone(self.see(**settings), "one is enough after a back-off")

    def test_a_death_in_our_code_ends_all_of_it_at_once(self):
        self.assert_on(self.die("our-code", GUARD_DEATHS=50))
        self.assertIn("in our code", self.see(GUARD_DEATHS=50))
        # Nothing is installed: a death from here on has another cause.
        self.assert_recording_alone(self.die("our-code", GUARD_DEATHS=50))
        self.see(GUARD_DEATHS=50)
        self.assertEqual(self.row()["deaths"], 1)

    def test_deaths_with_recording_alone_end_that_too(self):
        self.assert_on(self.die("fault", GUARD_DEATHS=1))
        self.assert_recording_alone(self.die("fault", GUARD_DEATHS=1))
        self.assertIn("died of a signal with recording on", self.see(GUARD_DEATHS=1))

    def test_a_system_call_that_is_forbidden_kills_once(self):
        if platform.machine() != "x86_64":
            self.skipTest("it knows the numbers of x86_64 alone")
        config = os.path.join(self.dump_dir, "settings.json")
        with open(config, "w", encoding="ascii") as file:
            file.write("{}")
        # Tested only after the guard has its file. Before that, start-up needs what any program needs.
        for name, number in (("inotify_init1", 294), ("timer_create", 222)):
            with self.subTest(call=name):
                for path in glob.glob(os.path.join(self.dump_dir, "stillframe-guard-*")):
                    os.remove(path)
                self.assertIsNone(self.die("wait", forbidden=number, CONFIG=config))
                state, code, log = self.end(self.begin("exit", 300, forbidden=number, CONFIG=config))
                self.assertEqual(code, 0, log)
                self.assertTrue(state.startswith(f"{RECORDING} 1 died of a signal with sampling on"), state)
                self.assertIn("signal 31 in our code", state)

    def test_a_death_on_our_thread_does_too(self):
        self.assert_on(self.die("our-thread", GUARD_DEATHS=50))
        self.assertIn("signal 6 in our code", self.see(GUARD_DEATHS=50))

    def test_a_healthy_process_is_no_sign(self):
        self.assert_on(self.die("fault", after_ms=3000, GUARD_DEATHS=1, GUARD_HEALTHY_S=1))
        self.assert_on(self.see(GUARD_DEATHS=1, GUARD_HEALTHY_S=1))
        self.assertEqual(self.row()["deaths"], 0)

    def test_what_is_no_death_of_ours(self):
        for also in ("stopped", "child"):
            state, code, log = self.end(self.begin("exit" if also == "child" else "fault", 200, also, GUARD_DEATHS=1))
            self.assertEqual(state, "on")
            self.assertEqual(code == 0, also == "child", log)
        for how in (signal.SIGTERM, signal.SIGKILL):
            self.die(str(int(how)), GUARD_DEATHS=1)
        self.assert_on(self.see(GUARD_DEATHS=1))
        row = self.row()
        self.assertEqual((row["deaths"], row["kills"]), (0, 2), row)

    def test_a_reporter_of_crashes_keeps_its_place(self):
        for how in ("abort", "fault"):
            _, code, log = self.end(self.begin(how, 100, "reporter", GUARD_DEATHS=100))
            self.assertNotEqual(code, 0, log)
            self.assertIn("reported", log)
        self.assert_on(self.see(GUARD_DEATHS=100))
        self.assertEqual(self.row()["deaths"], 2)

    def check_kills(self, number):
        """Uses its own folder: the cases run in parallel."""
        folder = tempfile.mkdtemp(dir=self.dump_dir)
        environment = self.environment(INTERVAL_US=1000) | {"STILLFRAME_DUMP_DIR": folder}
        for i in range(KILLS):
            process = subprocess.Popen(self.command("Dies", NATIVES, "wait", 0, ""), env=environment, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=rise)
            try:
                self.assertEqual(process.stdout.readline(), "state on\n", f"after {i} times signal {number}")
                time.sleep(0.4 + i % 10 * 0.001)
                process.send_signal(number)
                # On a host, ART 14 may hang in its own handler, with and without the profiler.
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=WITHIN_S / 6)
            finally:
                process.kill()
                process.communicate()
            self.assertNotEqual(process.returncode, 0)
        (path,) = glob.glob(os.path.join(folder, "stillframe-guard-*"))
        _, code, log = self.end(subprocess.Popen(self.command("Dies", NATIVES, "exit", 0, ""), env=environment, text=True,
                                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.assertEqual(code, 0, log)
        (row,) = rows_of(path)
        self.assertEqual((row["deaths"], row["ours"], row["kills"]), (0, 0, KILLS), f"signal {number}: {row}")

    @lasts
    def test_a_fatal_signal_from_outside_is_a_kill(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for done in [pool.submit(self.check_kills, number) for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS)]:
                done.result()

    def test_faults_in_the_handler_that_end_sampling_are_no_death(self):
        clock = os.path.join(BUILD, "art", "libfaulty_clock.so")
        told = os.path.join(self.dump_dir, "told")
        done = run_and_tell(self.command("Janks", "told", told, 60_000, options=("--preload", clock)),
                            self.environment(GUARD_DEATHS=1) | {"FAULTY_CLOCK": "fault"}, told, FAULTED)
        self.assertEqual((done.returncode, done.stdout.count("took ")), (0, 1), done.stdout + done.stderr)
        self.assertRegex(done.stderr, FAULTED)
        self.assert_on(self.see(GUARD_DEATHS=1))

    @lasts
    def test_each_random_end_counts_as_it_is(self):
        draw = random.Random(int(os.environ.get("STILLFRAME_GUARD_SEED", time.time_ns() % 10_000)))
        kind = draw.randrange(1000)
        deaths = strikes = times_off = 0
        settings = {}
        counted = dict.fromkeys(("killed before it was armed", "killed while armed", "died", "off", "on again"), 0)
        for i in range(ENDS):
            if times_off == 2:  # the back-off would become long
                kind, deaths, strikes, times_off = kind + 1, 0, 0, 0
            settings = {"GUARD_BACK_OFF_S": 2, "DUMPS": 32 + kind, "WAIT_VM_MS": 600_000}
            if draw.random() < 0.6:
                state = self.kill(draw.uniform(0.02, 1.5), **settings)
                self.assertIn(state, (None, "on"))
                counted["killed while armed" if state else "killed before it was armed"] += 1
            else:
                how = draw.choice(("fault", "main fault", "abort", "4", "5", "7", "8"))
                self.assert_on(self.die(how, after_ms=draw.randrange(400), **settings))
                counted["died"] += 1
                deaths += 1
                strikes += 1
            self.check_files()
            if strikes >= 2 and (times_off == 0 or strikes > 2):
                times_off += 1
                strikes = 2
            else:
                continue
            died = time.time()
            state = self.see(**settings)
            self.assertTrue(state.startswith(f"{RECORDING} {deaths} died"), f"{i}: {state}")
            time.sleep(2 * 2**(times_off - 1) + 1 + max(0, 1 - (time.time() - died)))
            self.assert_on(self.see(**settings), f"{i} after {deaths} deaths")
            counted["off"] += 1
            counted["on again"] += 1
        self.check_files()
        print(f"ART {self.release}: {counted}, records {len(glob.glob(os.path.join(self.dump_dir, 'stillframe-jank-*.json')))}, "
              f"written today {self.day()}")


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
