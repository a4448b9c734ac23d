# SPDX-License-Identifier: Apache-2.0
"""A process that is stopped, by a signal or a debugger, does not hang: no record, no count, and the dump says so."""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from process import WITHIN_S, ProcessTest, inspect, on_each_release, run_at_once

STOP_S = 5
MS = 1_000_000


@on_each_release
class StopsOn11Test(ProcessTest):
    release = "11"

    def begin_quick(self):
        """A program whose main thread sleeps in one message of 30 ms after another, for two seconds."""
        app = self.start_app("Janks", "sleeps", *[30] * 60, JANKS=1, DUMP_AT_EXIT=1)
        for _ in range(10):
            self.assertTrue(app.stdout.readline())
        return app

    def begin_resting(self):
        """A program whose Looper has a tiny message every two seconds, until the file is there."""
        app = self.start_app("Rests", 2_000, self.end_file(), 0, 0, JANKS=1, DUMP_AT_EXIT=1)
        self.assertEqual(app.stdout.readline(), "ready\n")
        time.sleep(0.5)
        return app

    def end_file(self):
        return os.path.join(self.dump_dir, "end")

    def end(self, app):
        """(the session, the dump at the end). Fails if a record is there."""
        time.sleep(0.3)
        with open(self.end_file(), "w", encoding="ascii"):
            pass
        _, log = app.communicate(timeout=WITHIN_S)
        self.assertEqual(app.returncode, 0, log)
        self.assertEqual(glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")), [], log)
        (path,) = glob.glob(os.path.join(self.dump_dir, "stillframe-session-*.json"))
        with open(path, encoding="ascii") as file:
            session = json.load(file)
        self.assertEqual((session["janks"], session["jank_ms"], "4096" in session.get("slow_histogram", {})), (0, 0, False), session)
        return session, inspect(self.only_dump(log))

    def check_frozen(self, app):
        app.send_signal(signal.SIGSTOP)
        time.sleep(STOP_S)
        app.send_signal(signal.SIGCONT)
        _, dump = self.end(app)
        frozen_ms = sum(record["span_ns"] for record in dump["history_records"]["records"]
                        if record["kind"] == "frozen") / MS
        self.assertLessEqual(abs(frozen_ms - STOP_S * 1_000), 500, dump["history_records"]["records"])
        return dump["verdict"]

    def test_in_a_quick_message(self):
        verdict = self.check_frozen(self.begin_quick())
        self.assertRegex(verdict["headline"], r"^The process was frozen for (4\.[89]|5\.\d) s$", verdict)

    def test_at_rest(self):
        verdict = self.check_frozen(self.begin_resting())
        self.assertEqual(verdict["headline"], "No slow message was seen", verdict)

    def debugger_stops(self, app):
        """gdb attaches, which stops all threads, and lets them go."""
        done = subprocess.run(["gdb", "-p", str(app.pid), "-batch", "-iex", "set auto-load off", "-iex",
                               "set sysroot /nonexistent", "-ex", f"shell sleep {STOP_S}", "-ex", "detach"],
                              capture_output=True, text=True, timeout=WITHIN_S, check=False)
        self.assertIn("detached", done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_under_gdb_in_a_quick_message(self):
        app = self.begin_quick()
        self.debugger_stops(app)
        self.end(app)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_under_gdb_at_rest(self):
        app = self.begin_resting()
        self.debugger_stops(app)
        self.end(app)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
