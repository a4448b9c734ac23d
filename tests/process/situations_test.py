"""Dumps in the middle of trouble: whole, quick, and without getting into the Signal Catcher's way."""

import glob
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

from process import BUILD, ProcessTest, art_command, inspect

NATIVES = os.path.join(BUILD, "art", "libsituations.so")
WROTE = re.compile(r"stillframe: wrote (\S+) \((\d+) bytes in ([\d.]+) ms\)")


def lines_of_ours(text):
    return [line for line in text.splitlines() if line.startswith("stillframe: ")]


class SituationCase(ProcessTest):
    def situation(self, name, seconds, **variables):
        process = self.start_app("Situations", NATIVES, name, seconds, **variables)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def wait_for_dumps(self, count, seconds=20):
        deadline = time.monotonic() + seconds
        while len(self.dumps()) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertGreaterEqual(len(self.dumps()), count)

    def finish(self, process):
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        return output, errors

    def check_quick(self, errors):
        times = [float(ms) for _, _, ms in WROTE.findall(errors)]
        self.assertTrue(times, errors)
        self.assertLess(min(times), 100, errors)

    def quit_in(self, name):
        """SIGQUIT in a situation; gives its document."""
        process = self.situation(name, 3)
        time.sleep(1.2)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_dumps(1)
        _, errors = self.finish(process)
        self.check_quick(errors)
        self.assertEqual(errors.count("DALVIK THREADS"), 1, errors)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["damage"], [])
        self.assertEqual(document["trigger"], "sigquit")
        return document


class SituationTest(SituationCase):
    def test_stuck_in_native_code(self):
        document = self.quit_in("native")
        self.assertGreater(document["running"]["wall_ns"], 1e9)
        pending = document["pending"]["messages"]
        self.assertEqual(len(pending), 2)
        self.assertLess(pending[0]["delay_ms"], -1000)
        self.assertGreater(pending[1]["delay_ms"], 50_000)

    def test_holds_the_queues_monitor(self):
        document = self.quit_in("monitor")
        self.assertEqual(document["pending"]["source"], "MessageQueue.mMessages")
        self.assertEqual(len(document["pending"]["messages"]), 2)

    def test_inside_the_collector(self):
        document = self.quit_in("collector")
        self.assertTrue(document["running"])
        pending = document["pending"]
        self.assertTrue(pending["messages"] or pending["absent"])

    def test_main_thread_is_dead(self):
        process = self.situation("dead", 5)
        self.assertEqual(process.stdout.readline().split()[:2], ["dump", "0"])
        process.send_signal(signal.SIGQUIT)
        _, errors = self.finish(process)
        self.check_quick(errors)
        self.assertIn("DALVIK THREADS", errors)
        document = inspect(self.dumps()[0])
        self.assertEqual((document["trigger"], document["damage"]), ("api", []))

    def test_queue_that_changes_all_the_time(self):
        document = self.quit_in("messages")
        self.assertTrue(document["pending"]["source"].startswith("MessageQueue.mMessages"))

    def test_queue_through_looper_dump(self):
        process = self.situation("native", 2, PENDING="dump", LONG_MS=1000)
        self.wait_for_dumps(1)
        _, errors = self.finish(process)
        pending = inspect(self.only_dump(errors))["pending"]
        self.assertEqual(pending["source"], "Looper.dump")
        self.assertEqual(len(pending["messages"]), 2)
        self.assertLess(pending["messages"][0]["delay_ms"], -500)


class TriggerTest(SituationCase):
    def test_long_message_is_dumped_once_and_replaced_by_the_signals_dump(self):
        process = self.situation("spin", 4, LONG_MS=1000)
        self.wait_for_dumps(1)
        document = inspect(self.dumps()[0])
        self.assertEqual(document["trigger"], "long-message")
        time.sleep(0.5)
        self.assertEqual(len(self.dumps()), 1)
        process.send_signal(signal.SIGQUIT)
        deadline = time.monotonic() + 10
        while "sigquit" not in str(self.dumps()) and time.monotonic() < deadline:
            time.sleep(0.02)
        _, errors = self.finish(process)
        self.assertEqual(inspect(self.only_dump(errors))["trigger"], "sigquit")

    def test_heartbeat_of_a_loop_that_does_not_return(self):
        process = self.situation("idle-handler", 5, LONG_MS=1000)
        _, errors = self.finish(process)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["trigger"], "heartbeat")
        self.assertIsNone(document["running"])

    def test_leaked_barrier_is_a_missed_heartbeat(self):
        process = self.situation("barrier", 5, LONG_MS=1000)
        _, errors = self.finish(process)
        document = inspect(self.only_dump(errors))
        self.assertEqual(document["trigger"], "heartbeat")
        self.assertTrue(document["pending"]["messages"][0]["barrier"])

    def test_a_loop_inside_a_message_is_no_long_message(self):
        process = self.situation("nested", 3, LONG_MS=1000)
        _, errors = self.finish(process)
        self.assertEqual(self.dumps(), [], errors)


class StormTest(SituationCase):
    def test_a_hundred_signals_in_a_second(self):
        process = self.situation("spin", 4)
        for _ in range(100):
            process.send_signal(signal.SIGQUIT)
            time.sleep(0.01)
        _, errors = self.finish(process)
        self.assertLessEqual(len(self.dumps()), 2, errors)
        self.assertGreaterEqual(len(self.dumps()), 1, errors)
        self.assertGreaterEqual(errors.count("DALVIK THREADS"), 1)

    def test_signals_during_start_up_and_shutdown(self):
        for _ in range(2):
            errors = tempfile.TemporaryFile("w+")
            self.addCleanup(errors.close)
            process = subprocess.Popen(
                art_command("Quick", 200), env=self.environment(DUMP_GAP_MS=0), stdout=errors, stderr=errors)
            self.addCleanup(process.kill)
            # Before the runtime takes it, SIGQUIT ends any program.
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and not self.has_signal_catcher(process.pid):
                time.sleep(0.001)
            while process.poll() is None and time.monotonic() < deadline:
                process.send_signal(signal.SIGQUIT)
                time.sleep(0.01)
            errors.seek(0)
            self.assertEqual(process.wait(timeout=30), 0, errors.read())
        self.assertLessEqual(len(self.dumps()), 32)

    @staticmethod
    def has_signal_catcher(pid):
        for comm in glob.glob(f"/proc/{pid}/task/*/comm"):
            try:
                with open(comm) as name:
                    if name.read() == "Signal Catcher\n":
                        return True
            except OSError:
                pass
        return False

    def test_only_the_newest_files_are_kept(self):
        for i in range(5):
            path = os.path.join(self.dump_dir, f"stillframe-{i}-1-sigquit.sfdump")
            with open(path, "w"):
                pass
            os.utime(path, (i, i))
        process = self.situation("spin", 2, DUMPS=3)
        process.send_signal(signal.SIGQUIT)
        self.finish(process)
        self.assertEqual(len(self.dumps()), 3)
        self.assertEqual(sum(os.path.getsize(path) > 0 for path in self.dumps()), 1)

    def test_no_room_for_the_file(self):
        """As on a full disk: each write beyond the limit fails, and the signal for it is ignored."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
        process = subprocess.Popen(
            art_command("Situations", NATIVES, "spin", 2), env=self.environment(), preexec_fn=limit,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGQUIT)
        _, errors = self.finish(process)
        failed = [line for line in lines_of_ours(errors) if "File too large" in line]
        self.assertEqual(len(failed), 1, errors)
        self.assertEqual(os.listdir(self.dump_dir), [])
        self.assertIn("DALVIK THREADS", errors)

    def test_no_permission(self):
        if os.geteuid() == 0:
            folder = "/proc/self"  # nobody creates files there
        else:
            os.chmod(self.dump_dir, 0o500)
            folder = self.dump_dir
        process = self.situation("spin", 2, DUMP_DIR=folder)
        process.send_signal(signal.SIGQUIT)
        _, errors = self.finish(process)
        failed = [line for line in lines_of_ours(errors) if folder in line]
        self.assertEqual(len(failed), 1, errors)
        self.assertIn("may write to", failed[0])


if __name__ == "__main__":
    unittest.main()
