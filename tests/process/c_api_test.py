# SPDX-License-Identifier: Apache-2.0
"""The C API in a running application."""

import glob
import json
import os
import subprocess
import sys
import unittest

from process import BUILD, HOST_TOOL, ProcessTest, collapsed, inspect, run_at_once

MS = 1_000_000


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

    def beats(self, **variables):
        """The dump, and the hung beats of each thread, oldest first."""
        done = self.run_app("Heartbeats", os.path.join(BUILD, "art", "libc_api.so"), JANKS=1, TREE_MIN_MS=300, **variables)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = sorted(line for line in done.stdout.splitlines() if not line.startswith("dump "))
        self.assertEqual(lines, ["end without begin 1", "game 0", "game 0", "main 7"])
        dump = inspect(self.only_dump(done.stderr))
        hung = {}
        for message in dump["history"]:
            if message["looper"] != 0 and message["wall_ns"] >= 1_990 * MS:
                hung.setdefault(dump["loopers"][message["looper"]]["thread"], []).append(message)
        self.assertEqual({name: len(beats) for name, beats in hung.items()}, {"engine": 2, "game": 1})
        return dump, hung

    def part_in(self, message, *frames):
        """Part of the message's samples with these frames, outermost first."""
        stacks = collapsed(self.dumps()[-1], message["token"])
        inside = 0
        for stack, count in stacks:
            rest = iter(stack)
            inside += count * all(any(frame in each for each in rest) for frame in frames)
        self.assertGreater(sum(count for _, count in stacks), 10, stacks)
        return inside / sum(count for _, count in stacks), stacks

    def test_beats_of_threads_without_a_looper_have_samples(self):
        dump, hung = self.beats(NATIVE=1)
        (engine,) = [each for each in dump["loopers"] if each["thread"] == "engine"]
        self.assertEqual((engine["messages"], engine["tap"], engine["running"]), (103, "heartbeat", None))
        for message, frames in ((hung["engine"][0], ("RunEngine", "HeartbeatBurn")),
                                (hung["engine"][1], ("RunEngine", "HeartbeatNap", "nanosleep")),
                                (hung["game"][0], ("play", "Heartbeats.burn", "HeartbeatBurn"))):
            part, stacks = self.part_in(message, *frames)
            self.assertGreaterEqual(part, 0.9, stacks)
        records = self.records()
        self.assertEqual({(record["thread"], record["count"]) for record in records}, {("engine", 1), ("game", 1)})
        methods = {record["thread"] + " " + record["methods"][record["stackKey"].rstrip("|")] for record in records}
        self.assertEqual(methods, {"engine libc_api.so.HeartbeatBurn", "engine libc_api.so.HeartbeatNap",
                                   "game Heartbeats.burn"})
        told = subprocess.run([HOST_TOOL, "janks", self.dump_dir], capture_output=True, text=True, check=True).stdout
        self.assertIn("libc_api.so.HeartbeatBurn", told)
        self.assertIn("thread engine: beat", told)
        self.assertIn("thread game: beat", told)

    def records(self):
        records = []
        for path in glob.glob(os.path.join(self.dump_dir, "stillframe-jank-*.json")):
            with open(path, encoding="ascii") as file:
                records.append(json.load(file))
        return records

    def test_without_native_frames_a_beat_has_its_system_call(self):
        _, hung = self.beats()
        part, stacks = self.part_in(hung["engine"][1], "nanosleep")
        self.assertGreaterEqual(part, 0.9, stacks)
        part, stacks = self.part_in(hung["game"][0], "play", "Heartbeats.burn")
        self.assertGreaterEqual(part, 0.9, stacks)

    @staticmethod
    def long_messages(dump):
        """The messages that spin. The bound is high because a busy machine makes other messages slow as well."""
        return [message for message in dump["history"] if message["wall_ns"] >= 1_200_000_000]

    def are_sampled(self, dump):
        return [message["samples"] > 80 for message in self.long_messages(dump)]


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
