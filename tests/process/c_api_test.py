# SPDX-License-Identifier: Apache-2.0
"""The C API in a running application."""

import os
import subprocess
import sys
import unittest

from process import BUILD, ProcessTest, inspect, run_at_once


class CApiTest(ProcessTest):
    def test_dumps_are_written_and_sampling_stops_and_resumes(self):
        done = self.run_app("CApi", os.path.join(BUILD, "art", "libc_api.so"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "state on")
        self.assertEqual(lines[2:4], ["stop 0", "resume 0"])
        statuses, dumps = zip(*(lines[i].split(" ")[1:] for i in (1, 4)))
        self.assertEqual(statuses, ("0", "0"))
        first, second = map(inspect, dumps)
        self.assertEqual((first["trigger"], second["sequence"]), ("api", 1))
        self.assertEqual(self.are_sampled(first), [True])
        self.assertEqual(self.are_sampled(second), [True, False, True])
        self.assertEqual([m["samples"] for m in self.long_messages(second)][1], 0)

    def test_a_client_of_before_is_served(self):
        done = subprocess.run([os.path.join(BUILD, "bin", "client_of_before")], env=self.environment(), capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("stillframe: ring_kib is ignored: unknown setting", done.stderr)

    @staticmethod
    def long_messages(dump):
        """The messages that spin. The bound is high because a busy machine makes other messages slow as well."""
        return [message for message in dump["history"] if message["wall_ns"] >= 1_200_000_000]

    def are_sampled(self, dump):
        return [message["samples"] > 80 for message in self.long_messages(dump)]


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
