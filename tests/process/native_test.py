# SPDX-License-Identifier: Apache-2.0
"""Native frames of blocked threads: the dump must have the return addresses that the functions of a fixture report."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from process import BUILD, HOST_TOOL, ToldTest, collapsed, inspect, on_each_release, run_at_once

NATIVES = os.path.join(BUILD, "art", "libnative_waits.so")
FUNCTIONS = ("inner", "middle", "outer")
CHAINS = 5  # that of the main thread among them
TABLE = os.path.join(BUILD, "test", "native.tsv")


def build_id_of(path):
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, check=True, text=True).stdout
    return notes.split("Build ID:")[1].split()[0]


class NativeOn11Test(ToldTest):
    release = "11"

    def begin_waits(self, **variables):
        process = self.begin(self.command("NativeWaits", NATIVES, self.told), "ready\n", **variables)
        truth = {}
        while len(truth) < CHAINS:
            word, tid, chain, *returns = process.stdout.readline().split()
            self.assertEqual(word, "truth", self.log())
            truth[int(tid)] = (chain, [int(address, 16) for address in returns])
        time.sleep(0.5)  # each thread has come to where it stands
        return process, truth

    def dump_of(self, process):
        process.send_signal(signal.SIGQUIT)
        self.wait_until("no dump", self.dumps)
        return self.dumps()[-1]

    def fixture_frames(self, document, stack):
        """(frames in the fixture as (symbol, address), innermost first; frames before them; frames behind them)."""
        names = [os.path.basename(module["path"]) for module in document["modules"]]
        frames = [(None if frame["module"] is None else names[frame["module"]], frame["symbol"], frame["address"])
                  for frame in stack["native"]]
        inside = [i for i, frame in enumerate(frames) if frame[0] == "libnative_waits.so"]
        self.assertTrue(inside, frames)
        self.assertEqual(inside, list(range(inside[0], inside[-1] + 1)), frames)
        return ([frame[1:] for frame in frames[inside[0]:inside[-1] + 1]], frames[:inside[0]], frames[inside[-1] + 1:])

    def test_chains_are_what_their_functions_return_to(self):
        process, truth = self.begin_waits(NATIVE=1)
        document = inspect(self.dump_of(process))
        self.finish(process)
        libraries = {os.path.basename(module["path"]): module for module in document["modules"]}
        self.assertEqual(libraries["libnative_waits.so"]["build_id"], build_id_of(NATIVES))
        judged = 0
        rows = []
        for stack in document["thread_stacks"]["stacks"]:
            if stack["tid"] not in truth:
                continue
            chain, returns = truth[stack["tid"]]
            judged += 1
            self.assertEqual(stack["native_absent"], "")
            own, before, behind = self.fixture_frames(document, stack)
            rows.append((chain, len(before), len(own), stack["native_truncated"]))
            self.assertEqual({name for name, _, _ in before}, {"libc.so.6"}, before)
            self.assertEqual(own[0][0], f"sf_{chain}_inner")
            # The byte before a return address is in the caller.
            known = min(len(own), len(FUNCTIONS))
            self.assertEqual([address + 1 for _, address in own[1:known]], returns[:known - 1])
            self.assertEqual([symbol for symbol, _ in own[:known]], [f"sf_{chain}_{name}" for name in FUNCTIONS[:known]])
            if chain != "plain":
                # The frame's size is undescribed, or depends on an unknown register.
                self.assertEqual(behind, [])
                self.assertLess(len(own), len(FUNCTIONS) + 1, own)
                self.assertTrue(stack["native_truncated"])
                continue
            # Then the JNI function, which is not exported. Frames of the runtime must be absent.
            self.assertEqual([symbol for symbol, _ in own[3:]], [""], own)
            self.assertEqual(behind, [])
            self.assertFalse(stack["native_truncated"])
        self.assertEqual(judged, CHAINS)
        with open(TABLE, "a", encoding="utf-8") as table:
            for chain, before, own, truncated in sorted(rows):
                print(self.release, chain, before, own, "truncated" if truncated else "whole", sep="\t", file=table)
        print(f"ART {self.release}: {sorted(rows)}")

    def test_the_runtimes_waits_end_in_the_c_library(self):
        process, _ = self.begin_waits(NATIVE=1)
        document = inspect(self.dump_of(process))
        self.finish(process)
        stacks = {stack["name"]: stack for stack in document["thread_stacks"]["stacks"]}
        names = [os.path.basename(module["path"]) for module in document["modules"]]
        for name in ("object", "sleep", "park", "holder", "monitor"):
            stack = stacks[name]
            self.assertEqual((stack["source"], stack["native_absent"]), ("stood-still", ""), stack)
            libraries = [names[frame["module"]] for frame in stack["native"]]
            print(f"ART {self.release}: {name}: "
                  + " < ".join(f"{library}!{frame['symbol']}" for library, frame in zip(libraries, stack["native"])))
            self.assertEqual(libraries[0], "libc.so.6")
            self.assertTrue(any(library.startswith("libart.so") for library in libraries), libraries)
            for frame in stack["native"]:
                self.assertNotIn("invoke_stub", frame["symbol"])

    def test_samples_of_the_standing_main_thread_have_them(self):
        process, _ = self.begin_waits(NATIVE=1)
        time.sleep(1)
        dump = self.dump_of(process)
        self.finish(process)
        mixed = every = 0
        for stack, samples in collapsed(dump):
            if "NativeWaits.wait" not in stack:
                continue
            every += samples
            called = stack[stack.index("NativeWaits.wait") + 1:]
            if not called:
                continue  # it had not come to rest
            mixed += samples
            if called[-1].endswith(" [kernel]"):
                self.assertEqual(called.pop(), "read pipe [kernel]")
            names = [frame.split(" [")[0] for frame in called]
            self.assertTrue(names[0].startswith("libnative_waits.so+0x"), stack)
            self.assertEqual(names[1:4], [f"sf_plain_{name}" for name in reversed(FUNCTIONS)])
            self.assertTrue(all("libc.so.6" in frame for frame in called[4:]), stack)
            self.assertGreater(len(called), 4)
        print(f"ART {self.release}: {mixed} of {every} samples have native frames")
        self.assertGreater(mixed, 0.9 * every)
        # The culprit is a method.
        self.assertIn("NativeWaits", inspect(dump)["verdict"]["sentence"])

    def test_files_name_what_memory_does_not(self):
        process, truth = self.begin_waits(NATIVE="files")
        document = inspect(self.dump_of(process))
        self.finish(process)
        names = set()
        for stack in document["thread_stacks"]["stacks"]:
            if truth.get(stack["tid"], ("",))[0] == "plain":
                own, _, _ = self.fixture_frames(document, stack)
                names |= {symbol for symbol, _ in own}
                # The JNI function is not exported.
                self.assertRegex(own[3][0], "Wait", own)
        print(f"ART {self.release}: {sorted(names)}")
        self.assertTrue(names)

    def test_nothing_of_it_without_the_switch(self):
        process, truth = self.begin_waits()
        document = inspect(self.dump_of(process))
        self.finish(process)
        self.assertEqual(document["modules"], [])
        for stack in document["thread_stacks"]["stacks"]:
            self.assertEqual((stack["native"], stack["native_absent"], stack["native_truncated"]), ([], "", False))

    def test_the_host_names_them_by_line(self):
        process, truth = self.begin_waits(NATIVE=1)
        dump = self.dump_of(process)
        self.finish(process)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(NATIVES, os.path.join(folder, "libnative_waits.so"))
            text = subprocess.run([HOST_TOOL, "symbolize", dump, "--symbols", folder], capture_output=True, check=True,
                                  text=True).stdout
        for function in FUNCTIONS:
            self.assertRegex(text, rf"native sf_plain_{function} \(chain\.cc:\d+\) libnative_waits\.so")
        self.assertIn("NativeWaits.wait", text)


on_each_release(NativeOn11Test)


if __name__ == "__main__":
    os.makedirs(os.path.dirname(TABLE), exist_ok=True)
    with open(TABLE, "w", encoding="utf-8") as table:
        print("art", "chain", "frames of the C library", "frames of the fixture", "end", sep="\t", file=table)
    run_at_once(sys.modules[__name__], jobs=1)
