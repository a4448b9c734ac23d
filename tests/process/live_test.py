# SPDX-License-Identifier: Apache-2.0
"""`stillframe live` over a real process."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time
import unittest

from process import HOST_TOOL, WITHIN_S, ProcessTest


class LiveTest(ProcessTest):
    def watch(self, pid):
        return subprocess.Popen([HOST_TOOL, "live", "--pid", str(pid)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def listens(self, pid):
        with open("/proc/net/unix", encoding="utf-8") as sockets:
            return any(line.rstrip().endswith(f"@stillframe-live-{pid}") for line in sockets)

    def start_watched(self):
        """An application that can be watched, and what makes it go on."""
        begin = os.path.join(self.dump_dir, "begin")
        process = self.start_app("Loopers", "watched", begin, LIVE=1)
        while not self.listens(process.pid):
            self.assertIsNone(process.poll(), process.stderr)
            time.sleep(0.01)
        return process, lambda: open(begin, "w", encoding="utf-8").close()

    def test_messages_are_shown_as_they_happen(self):
        process, begin = self.start_watched()
        first = self.watch(process.pid)
        self.addCleanup(first.kill)
        head = first.stdout.readline()
        self.assertIn(f"process {process.pid} ", head)
        second = self.watch(process.pid)
        _, refused = second.communicate(timeout=WITHIN_S)
        self.assertEqual(second.returncode, 1)
        self.assertIn("one watcher at a time", refused)
        begin()
        output, log = process.communicate(timeout=WITHIN_S)
        self.assertEqual(process.returncode, 0, output + log)
        lines, complaints = first.communicate(timeout=WITHIN_S)
        self.assertEqual((first.returncode, complaints), (0, ""))
        slow = re.findall(r"main +slow +([\d,]+) ms +.*Runnable Loopers\$", lines)
        self.assertGreaterEqual(len([ms for ms in slow if int(ms.replace(",", "")) >= 140]), 2, lines)
        quick = [int(count) for count in re.findall(r"main +quick .* (\d+) messages?", lines)]
        self.assertGreaterEqual(sum(quick), 40, lines)
        self.assertRegex(lines, r"main +idle +1,\d{3} ms")

    def test_a_terminal_shows_a_table_that_fits(self):
        process, begin = self.start_watched()
        begin()
        screens = self.screens(process.pid, rows=24, columns=80)
        self.assertGreaterEqual(len(screens), 3)
        for screen in screens:
            self.assertLessEqual(len(screen), 24, screen)
            self.assertLessEqual(max(map(len, screen)), 80, screen)
        self.assertIn(f"({process.pid})", screens[-1][0])
        self.assertTrue(any("Runnable " in line for line in screens[-1]), screens[-1])

    def screens(self, pid, rows, columns):
        """What `live` draws on a terminal of that size until the process ends, each screen as its lines."""
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        watcher = subprocess.Popen([HOST_TOOL, "live", "--pid", str(pid)], stdout=end)
        self.addCleanup(watcher.kill)
        os.close(end)
        drawn = b""
        try:
            while chunk := os.read(terminal, 65_536):
                drawn += chunk
        except OSError:
            pass  # so a terminal ends whose other side is closed
        os.close(terminal)
        self.assertEqual(watcher.wait(timeout=WITHIN_S), 0)
        without_colours = re.sub(r"\x1b\[[0-9;]*[mKJ]", "", drawn.decode())
        return [screen.split("\r\n")[:-1] for screen in without_colours.split("\x1b[H")[1:]]

    def test_nothing_listens_unless_asked_to(self):
        process = self.start_app("Loopers", "hang")
        self.assertTrue(any(line.startswith("stillframe: on: ") for line in process.stderr))
        self.assertEqual(process.stdout.readline(), "hangs\n")
        self.assertFalse(self.listens(process.pid))
        process.communicate(timeout=WITHIN_S)


if __name__ == "__main__":
    unittest.main()
