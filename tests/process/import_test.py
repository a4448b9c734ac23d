# SPDX-License-Identifier: Apache-2.0
"""Imports the traces that ART itself writes at a SIGQUIT, without the profiler, as a dump."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from process import ALL_RELEASES, ART_RUN, HOST_TOOL, art, inspect, run_at_once
from thread_stacks_test import stacks_of_dump, stacks_of_traces
from verdicts_test import JAR

# Debian's libartpalette writes the text to the log.
LOGGED = re.compile(r"^.*palette_fake\.cc:\d+\]? (.*)$")
# States of Verdicts.java, with the verdict and words of its sentence.
STATES = {
    "lock": ("blocked", ("Verdicts$CheckIn.save", "db-writer")),
    "chain": ("blocked", ("cache-loader", "waiting for disk-writer")),
    "deadlock": ("deadlock", ("held by bookkeeper", "held by main", "It will never end.")),
    "wait": ("standstill", ("waited", "Verdicts$Waiter.run")),
    "compute": ("method", ("Main was running in", "Verdicts")),
}


TRIES = 20  # it says "ready" before it stands


def next_traces(process):
    """The text of one report, as Android would write it to a file."""
    process.send_signal(signal.SIGQUIT)
    lines = []
    others = []
    for line in process.stderr:
        if match := LOGGED.match(line.rstrip("\n")):
            lines.append(match[1] + "\n")
        if "----- end " in line:
            return "".join(lines)
        others.append(line)
    raise RuntimeError(f"it ended with {process.wait()}: {''.join(others)}")


class ImportTest(unittest.TestCase):
    def import_text(self, text, folder):
        dump = os.path.join(folder, "imported.sfdump")
        done = subprocess.run([HOST_TOOL, "import", "-", "--format", "traces", "-o", dump], input=text, text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return inspect(dump)

    def judge(self, process, kind, says, folder):
        for _ in range(TRIES):
            text = next_traces(process)
            document = self.import_text(text, folder)
            theirs = stacks_of_traces(text)
            # ART's own threads, and those of a chain, start only when they get a CPU.
            verdict = document["verdict"]
            if verdict["kind"] == kind and all(part in verdict["sentence"] for part in says) and len(theirs) > 3:
                break
            time.sleep(0.1)
        self.assertEqual(verdict["kind"], kind, text)
        for part in says:
            self.assertIn(part, verdict["sentence"])
        self.assertEqual(document["identity"]["pid"], process.pid)
        # Compares each Java frame of each thread with ART's.
        ours = {tid: frames for tid, (_, _, frames) in stacks_of_dump(document).items()}
        self.assertGreater(len(theirs), 3)
        for tid, (_, frames) in theirs.items():
            self.assertEqual([method for method, _ in ours[tid]], [method for method, _ in frames], tid)

    def test_traces_of_each_release_tell_who_waits_for_whom(self):
        for release in ALL_RELEASES:  # each writes traces of its own form
            for state, (kind, says) in STATES.items():
                with self.subTest(art=release, state=state), tempfile.TemporaryDirectory() as folder:
                    pipe = os.path.join(folder, "pipe")
                    os.mkfifo(pipe)
                    process = subprocess.Popen([ART_RUN, *art(release), "-cp", JAR, "Verdicts", state, pipe],
                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
                    try:
                        self.assertEqual(process.stdout.readline(), "ready\n")
                        self.judge(process, kind, says, folder)
                    finally:
                        process.kill()
                        process.communicate()


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
