# SPDX-License-Identifier: Apache-2.0
"""`stillframe live` over a real process."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
import unittest

from process import HOST_TOOL, WITHIN_S, ProcessTest, run_at_once


class LiveTest(ProcessTest):
    def watch(self, pid):
        return subprocess.Popen([HOST_TOOL, "live", "--pid", str(pid)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def listens(self, pid):
        with open("/proc/net/unix", encoding="utf-8") as sockets:
            return any(line.rstrip().endswith(f"@stillframe-live-{pid}") for line in sockets)

    def start_watched(self, scene="watched", **variables):
        """(application that can be watched, function that lets it continue)"""
        begin = os.path.join(self.dump_dir, "begin")
        process = self.start_app("Loopers", scene, begin, LIVE=1, **variables)
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

    def test_a_hang_ticks_with_its_stack(self):
        process, begin = self.start_watched("watched-hang")
        watcher = self.watch(process.pid)
        self.addCleanup(watcher.kill)
        self.assertIn(f"process {process.pid} ", watcher.stdout.readline())
        begin()
        output, log = process.communicate(timeout=WITHIN_S)
        self.assertEqual(process.returncode, 0, output + log)
        lines, _ = watcher.communicate(timeout=WITHIN_S)
        ticks = re.findall(r"main +slow +([\d,]+) ms +still running\n((?: +at .*\n)+)", lines)
        self.assertEqual([int(ms.replace(",", "")) // 1_000 for ms, _ in ticks], [1, 2], lines)
        for _, stack in ticks:
            frames = re.findall(r" at (\S+?)\(Loopers\.java:\d+\)\n", stack)
            self.assertIn("Loopers.burn", frames, stack)
            self.assertIn("Loopers.main", frames, stack)
            self.assertLess(frames.index("Loopers.burn"), frames.index("Loopers.main"))

    def test_one_may_look_again_at_once(self):
        process, begin = self.start_watched()
        for _ in range(20):
            watcher = self.watch(process.pid)
            self.assertIn(f"process {process.pid} ", watcher.stdout.readline())
            watcher.kill()
            watcher.communicate()
        begin()
        process.communicate(timeout=WITHIN_S)

    def test_what_is_left_out_of_dumps_is_not_told_either(self):
        process, begin = self.start_watched("watched-hang", OMIT="stacks,messages,process")
        watcher = self.watch(process.pid)
        begin()
        process.communicate(timeout=WITHIN_S)
        lines, _ = watcher.communicate(timeout=WITHIN_S)
        self.assertRegex(lines, r"main +slow +1,\d{3} ms +still running: not known until it ends\n")
        self.assertRegex(lines, r"main +slow +2,\d{3} ms +\d+% ")
        self.assertNotIn("Loopers", lines)

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
        """The screens, as lists of lines, that `live` draws on a terminal of this size until the process ends."""
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
    run_at_once(sys.modules[__name__], jobs=1)
