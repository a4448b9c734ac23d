# SPDX-License-Identifier: Apache-2.0
"""The live output of `record`, through Debian's adb, which connects as adb's shell."""

import os
import re
import subprocess
import unittest

from desk import PACKAGE, WITHIN_S, DeskTest


class LiveTest(DeskTest):
    def test_slow_messages_are_reported_while_they_happen(self):
        self.phone.start()
        process = subprocess.Popen(self.command("record", "-s", self.device.serial, "-p", PACKAGE, "--for", "10m"),
                                   env=self.server.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.read_until(process, rf"process {self.phone.process.pid} .*: seconds from now on")
        self.assertIn("stillframe-live-", self.server.adb("forward", "--list").stdout)
        self.read_until(process, r" main +slow +\d+ ms .*Runnable PhoneApp\$")
        with open(self.hang, "w", encoding="ascii"):
            pass
        self.read_until(process, r" main +slow +1,\d{3} ms +still running")
        self.read_until(process, r"^ +at PhoneApp\.spin\(PhoneApp\.java:\d+\)$")
        process.send_signal(2)
        out, error = process.communicate(timeout=WITHIN_S)
        self.judge(subprocess.CompletedProcess(process.args, process.returncode, out, error))
        self.assertEqual(self.server.adb("forward", "--list").stdout.strip(), "")

    def read_until(self, process, pattern):
        read = []
        while not re.search(pattern, read[-1] if read else ""):
            read.append(process.stderr.readline())
            self.assertNotEqual(read[-1], "", f"it has ended without {pattern}: {read}")

    def test_adbs_shell_may_not_watch_what_is_not_debuggable(self):
        if os.geteuid() != 0:
            self.skipTest("only root can connect as another user does")
        self.art_options = ()
        self.phone.start()
        done = self.record("--for", "2s")
        self.judge(done)
        self.assertIn("the process does not send its messages", done.stderr)

    def test_it_does_not_listen_where_the_settings_say_so(self):
        self.phone.start()
        done = self.record("--for", "1s", "--set", "live=0")
        document = self.judge(done)
        self.assertIn(["live", "0"], [[row["name"], row["value"]] for row in document["configuration"]])
        self.assertNotIn("seconds from now on", done.stderr)


if __name__ == "__main__":
    unittest.main()
