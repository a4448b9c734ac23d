# SPDX-License-Identifier: Apache-2.0
"""Dumps in difficult situations: complete, quick, and without disturbing the Signal Catcher."""

import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from process import BUILD, TUNABLE, WITHIN_S, ToldTest, inspect, run_at_once, run_queue_wait_ms, thread_names

MAX_DUMP_MS = 250  # beside other tests; tools/bench has the limit of a machine at rest, dump_write_ms
GAP_MS = 2000  # signals within it belong together
TRIGGER, CONTEXT, THREADS, ANNOTATIONS, SIGNAL_CATCHER = 2, 14, 15, 16, 17  # include/stillframe/dump_format.h
NATIVES = os.path.join(BUILD, "art", "libsituations.so")
WROTE = re.compile(r"stillframe: wrote (\S+) \((\d+) bytes in ([\d.]+) ms\)")


def section(dump, wanted):
    """The payload of the dump's section of this kind."""
    with open(dump, "rb") as file:
        rest = file.read()[16:]
    while rest:
        _, kind, _, _, length, _, _, _ = struct.unpack_from("<IIIIQQII", rest)
        if kind == wanted:
            return zlib.decompress(rest[40:40 + length])
        rest = rest[40 + length:]
    raise AssertionError(f"{dump} has no section {wanted}")


def lines_of_ours(text):
    return [line for line in text.splitlines() if line.startswith("stillframe: ")]


class SituationCase(ToldTest):
    def situation(self, name, options=(), **variables):
        command = self.command("Situations", NATIVES, name, self.told, options=options)
        return self.begin(command, "ready\n", **variables)

    def wait_for_dump(self, kind=None, *texts):
        """Waits until there is exactly one dump, and its section has one of the texts."""
        def is_there():
            dumps = self.dumps()
            try:
                return len(dumps) == 1 and (kind is None or any(text in section(dumps[0], kind) for text in texts))
            except FileNotFoundError:  # another one has just replaced it
                return False
        self.wait_until(f"no dump with {texts}", is_there)

    def quit_in(self, name, **variables):
        """The dump's document after a SIGQUIT in this situation."""
        process = self.situation(name, **variables)
        time.sleep(1.2)
        waited_ms = run_queue_wait_ms(process.pid)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("stillframe: wrote ")
        waited_ms = run_queue_wait_ms(process.pid) - waited_ms
        self.wait_for_log("DALVIK THREADS")
        errors = self.finish(process)
        self.check_quick(errors, waited_ms)
        self.assertEqual(errors.count("DALVIK THREADS"), 1, errors)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["damage"], [])
        self.assertEqual(document["trigger"], "sigquit")
        return document

    def check_quick(self, errors, waited_ms):
        """Excludes the time in which its threads waited for a CPU."""
        times = [float(ms) for _, _, ms in WROTE.findall(errors)]
        self.assertTrue(times, errors)
        self.assertLess(min(times) - waited_ms, MAX_DUMP_MS, f"{waited_ms:.0f} ms without a CPU\n{errors}")


class EssentialTest(SituationCase):
    """Checks for each release."""

    def test_a_thread_stuck_in_native_code_is_dumped(self):
        document = self.quit_in("native")
        self.assertGreater(document["running"]["wall_ns"], 1e9)
        pending = document["pending"]["messages"]
        self.assertEqual(len(pending), 2)
        self.assertLess(pending[0]["delay_ms"], -1000)
        self.assertGreater(pending[1]["delay_ms"], 400_000)
        dump = self.dumps()[0]
        for name in (b"window_ms", b"process_busy_permille", b"rss_bytes", b"open_files", b"java_heap_used_bytes",
                     b"blocking_collections", b"api_level"):
            self.assertIn(name, section(dump, CONTEXT))
        for name in (b"main", b"Signal Catcher", b"stillframe"):
            self.assertIn(name, section(dump, THREADS))
        self.assertIn(b"battery", section(dump, ANNOTATIONS))

    def test_a_thread_that_holds_the_queues_monitor_is_dumped(self):
        document = self.quit_in("monitor")
        self.assertEqual(document["pending"]["source"], "MessageQueue.mMessages")
        self.assertEqual(len(document["pending"]["messages"]), 2)

    def test_messages_of_the_system_tell_their_component(self):
        document = self.quit_in("system-messages")
        of_system = [each for each in document["pending"]["messages"] if each["target"] == "android.app.ActivityThread$H"]
        self.assertEqual([(each["system_name"], each["component"]) for each in of_system], [
            ("RECEIVER", "shop.SYNC to com.shop/.SyncReceiver"),
            ("CREATE_SERVICE", "com.shop/.Upload"),
            ("SERVICE_ARGS", "com.shop/.Upload"),
            ("BIND_SERVICE", "shop.BIND"),
            ("EXECUTE_TRANSACTION", "LaunchActivityItem of com.shop/.Main, ClientTransaction$ResumeActivityItem"),
            ("EXECUTE_TRANSACTION", ""),
            ("RECEIVER", ""),
            ("RECEIVER", ""),
            ("STOP_SERVICE", "")])
        anr = document["verdict"]["anr"]
        self.assertEqual((anr["kind"], anr["component"]), ("broadcast", "shop.SYNC to com.shop/.SyncReceiver"))
        with open(self.dumps()[0], "rb") as dump:
            self.assertNotIn(b"secret", dump.read())

    def test_a_dump_before_the_first_message_has_the_queue(self):
        document = self.quit_in("before-the-loop")
        self.assertEqual(document["running"]["segment"], "before-loop")
        self.assertEqual(len(document["pending"]["messages"]), 3)

    def test_a_dump_inside_the_collector_has_the_queue_or_says_why_not(self):
        document = self.quit_in("collector")
        self.assertTrue(document["running"])
        pending = document["pending"]
        self.assertTrue(pending["messages"] or pending["absent"])

    def test_a_dead_main_thread_leaves_the_dump_whole(self):
        # The Signal Catcher waits for a thread that is gone, on ART 14 for 10 s, also without the profiler.
        process = self.situation("dead")
        self.assertEqual(process.stdout.readline().split()[:2], ["dump", "0"])
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("DALVIK THREADS")
        self.finish(process)
        document = inspect(self.dumps()[0])
        self.assertEqual((document["trigger"], document["damage"]), ("api", []))

    def test_a_hundred_signals_give_a_dump_per_gap(self):
        process = self.situation("spin")
        begin = time.monotonic()
        for _ in range(100):
            process.send_signal(signal.SIGQUIT)
            time.sleep(0.01)
        self.wait_until("no dump", self.dumps)
        self.wait_for_log("DALVIK THREADS")
        errors = self.finish(process)
        gaps = (time.monotonic() - begin) * 1000 // GAP_MS
        self.assertLessEqual(len(self.dumps()), 1 + gaps, errors)

    def test_signals_during_start_up_and_shutdown_do_no_harm(self):
        for _ in range(2):
            errors = tempfile.TemporaryFile("w+")
            self.addCleanup(errors.close)
            process = subprocess.Popen(
                self.command("Quick", 200), env=self.environment(), stdout=errors, stderr=errors)
            self.addCleanup(process.kill)
            # Until the runtime blocks SIGQUIT, the signal ends the process.
            deadline = time.monotonic() + WITHIN_S
            while time.monotonic() < deadline and not self.has_signal_catcher(process.pid):
                time.sleep(0.001)
            while process.poll() is None and time.monotonic() < deadline:
                process.send_signal(signal.SIGQUIT)
                time.sleep(0.01)
            errors.seek(0)
            self.assertEqual(process.wait(timeout=WITHIN_S), 0, errors.read())

    @staticmethod
    def has_signal_catcher(pid):
        return "Signal Catcher" in thread_names(pid).values()

    def test_no_room_for_the_file_is_reported(self):
        """As on a full disk: writes beyond the limit fail, and the signal for that is ignored."""
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 1; exec "$@"', "bash"]
        process = self.begin(limited + self.command("Situations", NATIVES, "spin", self.told), "ready\n")
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("File too large")
        self.wait_for_log("DALVIK THREADS")
        errors = self.finish(process)
        failed = [line for line in lines_of_ours(errors) if "File too large" in line and "no crash-loop guard" not in line]
        self.assertEqual(len(failed), 1, errors)
        self.assertEqual([name for name in os.listdir(self.dump_dir)
                          if name not in ("stillframe-verdict", "stillframe-jank.day", "stillframe-install")
                          and not name.startswith("stillframe-guard-")], [])
        self.assertIn("DALVIK THREADS", errors)

    def test_a_forbidden_folder_is_reported(self):
        if os.geteuid() == 0:
            folder = "/proc/self"  # nobody creates files there
        else:
            os.chmod(self.dump_dir, 0o500)
            folder = self.dump_dir
        process = self.situation("spin", DUMP_DIR=folder)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("may write to")
        errors = self.finish(process)
        failed = [line for line in lines_of_ours(errors) if folder in line and "no crash-loop guard" not in line]
        self.assertEqual(len(failed), 1, errors)
        self.assertIn("may write to", failed[0])


class EssentialOn10Test(EssentialTest):
    release = "10"


class EssentialOn14Test(EssentialTest):
    release = "14"


class SituationTest(SituationCase):
    def test_a_queue_that_changes_all_the_time_is_read(self):
        document = self.quit_in("messages")
        self.assertTrue(document["pending"]["source"].startswith("MessageQueue.mMessages"))

    def test_what_messages_carry_is_there_only_when_asked_for(self):
        for variables, wanted in [({}, [None] * 3), ({"MESSAGE_OBJECTS": 1}, [
                {"arg1": 3, "arg2": -4, "type": "Situations$Order", "text": "three coffees"},
                {"arg1": 0, "arg2": 0, "type": "Situations$Order", "text": ""},
                {"arg1": 0, "arg2": 0, "type": "", "text": ""}])]:
            with self.subTest(variables):
                document = self.quit_in("objects", **variables)
                of_ours = [each for each in document["pending"]["messages"] if each["what"] in (7, 8, 9)]
                self.assertEqual([each.get("object") for each in of_ours], wanted)
                os.remove(self.dumps()[0])
                os.remove(self.told)

    def test_an_object_that_does_not_answer_costs_its_text_only(self):
        process = self.situation("stuck-object", MESSAGE_OBJECTS=1)
        time.sleep(1.2)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("stillframe: wrote ")
        errors = self.finish(process)
        pending = inspect(self.only_dump(errors))["pending"]
        carried = [each["object"] for each in pending["messages"] if each["what"] == 7]
        self.assertEqual(carried, [{"arg1": 3, "arg2": -4, "type": "Situations$1", "text": ""}])

    def test_the_queue_is_read_through_looper_dump(self):
        # Another trigger (a heartbeat missed before the loop) may dump first. Repeat until the requested dump comes
        # first.
        self.library = TUNABLE
        for _ in range(3):
            process = self.situation("native", PENDING_BY_DUMP=1, LONG_MS=1000)
            self.wait_for_dump()
            errors = self.finish(process)
            document = inspect(self.only_dump(errors))
            if document["trigger"] == "long-message":
                break
            os.remove(self.dumps()[0])
            os.remove(self.told)
        self.assertEqual(document["trigger"], "long-message", errors)
        pending = document["pending"]
        self.assertEqual(pending["source"], "Looper.dump")
        self.assertEqual(len(pending["messages"]), 2)
        self.assertLess(pending["messages"][0]["delay_ms"], -500, (pending, document["running"], errors))


class TriggerTest(SituationCase):
    def test_long_message_is_dumped_once_and_replaced_by_the_signals_dump(self):
        process = self.situation("spin", LONG_MS=1000)
        self.wait_for_dump(TRIGGER, b"the limit is 1000 ms")
        self.assertEqual(inspect(self.dumps()[0])["trigger"], "long-message")
        time.sleep(0.5)
        self.assertEqual(len(self.dumps()), 1)
        process.send_signal(signal.SIGQUIT)
        self.wait_until("no dump of the signal alone", lambda: [d for d in self.dumps() if "sigquit" in d] == self.dumps())
        errors = self.finish(process)
        self.assertEqual(inspect(self.only_dump(errors))["trigger"], "sigquit")

    def test_idle_handler_that_does_not_return_is_a_missed_heartbeat(self):
        process = self.situation("idle-handler", LONG_MS=1000)
        self.wait_for_dump(TRIGGER, b"no message was begun")
        errors = self.finish(process)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["trigger"], "heartbeat")
        self.assertEqual(document["running"]["segment"], "idle-handler")

    def test_leaked_barrier_is_a_missed_heartbeat(self):
        process = self.situation("barrier", LONG_MS=1000)
        self.wait_for_dump()
        errors = self.finish(process)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["trigger"], "heartbeat")
        self.assertTrue(document["pending"]["messages"][0]["barrier"])

    def test_a_loop_inside_a_message_is_no_long_message(self):
        process = self.situation("nested", LONG_MS=2000)
        time.sleep(5)
        errors = self.finish(process)
        self.assertEqual(self.dumps(), [], errors)

    def test_a_signal_without_a_sign_of_an_anr_is_said_to_be_none(self):
        process = self.situation("nested")
        process.send_signal(signal.SIGQUIT)
        # Without a CPU, the runtime's answer exceeds the time limit.
        self.wait_for_dump(TRIGGER, b"not known to be an ANR", b"no ANR: the system did not say so")
        self.finish(process)

    def test_anr_confirmed_by_a_late_queue_head(self):
        process = self.situation("spin")
        time.sleep(2.5)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_dump(TRIGGER, b"the head of the queue is")
        self.finish(process)

    def test_anr_confirmed_by_the_system(self):
        process = self.situation("system-says")
        process.send_signal(signal.SIGQUIT)
        self.wait_for_dump(TRIGGER, b"ANR Input dispatching timed out")
        document = inspect(self.only_dump(self.finish(process)))
        self.assertEqual(document["system_reason"], "ANR Input dispatching timed out")
        self.assertEqual(document["system_component"], "com.example/.Main")


class SignalCatcherTest(SituationCase):
    def test_traces_come_into_the_dump(self):
        palette = os.path.join(BUILD, "art", "palette")
        options = [word for name in ("libartpalette.so", "libart.so")
                   for word in ("--preload", os.path.join(palette, name))]
        process = self.situation("monitor", options=options)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_dump(SIGNAL_CATCHER, b"DALVIK THREADS")
        errors = self.finish(process)
        self.assertIn("palette: ", errors)
        dump = self.only_dump(errors)
        self.assertEqual(inspect(dump)["damage"], [])
        traces = section(dump, SIGNAL_CATCHER)
        for text in (b"at Situations.spin", b"- locked <"):
            self.assertIn(text, traces)

    def test_where_libart_has_the_palette_inside_they_are_absent(self):
        process = self.situation("spin")
        process.send_signal(signal.SIGQUIT)
        self.wait_for_dump(SIGNAL_CATCHER, b"does not hand its traces")
        self.finish(process)


class FolderTest(SituationCase):
    def test_a_dump_of_an_earlier_process_with_this_id_is_kept(self):
        script = 'echo earlier > "$1/stillframe-$$-1-sigquit.sfdump"; shift; exec "$@"'
        command = ["bash", "-c", script, "bash", self.dump_dir]
        process = self.begin(command + self.command("Situations", NATIVES, "spin", self.told), "ready\n")
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("stillframe: wrote ")
        self.finish(process)
        first, second = self.dumps()
        with open(first, encoding="ascii") as dump:
            self.assertEqual(dump.read(), "earlier\n")
        self.assertTrue(second.endswith(f"-{process.pid}-2-sigquit.sfdump"), second)

    def test_only_the_newest_files_are_kept(self):
        for i in range(5):
            path = os.path.join(self.dump_dir, f"stillframe-{i}-1-sigquit.sfdump")
            with open(path, "w"):
                pass
            os.utime(path, (i, i))
        process = self.situation("spin", DUMPS=3)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("stillframe: wrote ")
        self.finish(process)
        self.assertEqual(len(self.dumps()), 3)
        self.assertEqual(sum(os.path.getsize(path) > 0 for path in self.dumps()), 1)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
