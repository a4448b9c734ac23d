# SPDX-License-Identifier: Apache-2.0
"""Stacks of all threads in a dump: equal to the Signal Catcher's, quick, and without ending a sleep early.

STILLFRAME_STACK_DUMPS: dumps compared on each runtime; 334 for a measurement with a thousand.
"""

import collections
import os
import re
import signal
import sys
import time
import unittest

from process import BUILD, MEASUREMENTS, RELEASES, TUNABLE, WITHIN_S, ToldTest, inspect, run_at_once, run_queue_wait_ms

DUMPS = int(os.environ.get("STILLFRAME_STACK_DUMPS", "6"))
PALETTE = os.path.join(BUILD, "art", "palette")
# Makes the traces reach the dump. Debian's libart alone writes them without calling the palette.
PALETTE_OPTIONS = tuple(word for name in ("libartpalette.so", "libart.so")
                        for word in ("--preload", os.path.join(PALETTE, name)))
MOST_MS = 200
TRACES_WITHIN_S = 5
# Lines of ART's report.
HEAD = re.compile(r'^"(?P<name>.*)" (?:daemon )?prio=')
TID = re.compile(r"sysTid=(\d+)")
# For sleeping threads only: the kernel updates a running thread's figure at its next tick.
RUN_TIME = re.compile(r"state=[SD] schedstat=\( (\d+) ")
FRAME = re.compile(r"^  at (?P<method>[^(]+)\((?P<place>.*)\)$")
REPEATED = re.compile(r"^  \.\.\. repeated (\d+) times$")


def stacks_of_traces(text):
    """{thread id: (CPU time in ns, Java frames)} of threads that were asleep for the Signal Catcher."""
    stacks = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if not lines or not HEAD.match(lines[0]):
            continue
        tid, run_time = TID.search(block), RUN_TIME.search(block)
        frames = []
        for line in lines:
            if match := FRAME.match(line):
                # For an unknown line ART writes -1 or the dex pc.
                place = re.sub(r"^unavailable:.*|.*:-1$", "unavailable", match["place"])
                frames.append((match["method"], place))
            elif match := REPEATED.match(line):
                # ART writes one less than it omits (runtime/thread.cc, StackDumpVisitor).
                frames += frames[-1:] * (int(match[1]) + 1)
        if tid and run_time:
            stacks[int(tid[1])] = (int(run_time[1]), frames)
    return stacks


def stacks_of_dump(document):
    """{thread id: (source of the stack, CPU time in ns, Java frames as ART writes them)}"""
    stacks = {}
    for stack in document["thread_stacks"]["stacks"]:
        frames = []
        for number in stack["frames"]:
            frame = document["frames"][number]
            place = {-2: "Native method", -1: "unavailable"}.get(frame["line"], f"{frame['file']}:{frame['line']}")
            frames.append((f"{frame['class']}.{frame['method']}", place))
        stacks[stack["tid"]] = (stack["source"], stack["cpu_ns"], frames)
    return stacks


class ThreadStacksTest(ToldTest):
    library = TUNABLE

    def begin_threads(self, release, standing, running, ways):
        self.release = release
        command = self.command("ThreadStacks", self.told, standing, running, ways, options=PALETTE_OPTIONS)
        return self.begin(command, "ready\n", DUMP_GAP_MS=0, DUMPS=10_000)

    def finish_threads(self, process):
        """(number of sleeps, number that ended early)"""
        with open(self.told, "w", encoding="utf-8"):
            pass
        sleeps, early = map(int, process.stdout.readline().split())
        self.assertEqual(process.wait(timeout=WITHIN_S), 0, self.log())
        self.reader.join()
        return sleeps, early

    def next_dump(self, process):
        """(dump, whether it has the traces). A collector without a CPU misses them."""
        before = set(self.dumps())
        process.send_signal(signal.SIGQUIT)
        self.wait_until("no dump", lambda: set(self.dumps()) - before)
        path = (set(self.dumps()) - before).pop()
        deadline = time.monotonic() + TRACES_WITHIN_S
        while True:
            document = inspect(path)
            has_traces = bool((document["signal_catcher"] or {}).get("text"))
            if has_traces or time.monotonic() > deadline:
                os.remove(path)
                return document, has_traces
            time.sleep(0.05)

    def compare(self, document):
        """(number of compared stacks, those that differ)"""
        theirs, ours = stacks_of_traces(document["signal_catcher"]["text"]), stacks_of_dump(document)
        compared, wrong = 0, []
        for tid, (source, cpu_ns, frames) in ours.items():
            if source != "stood-still" or tid not in theirs or theirs[tid][0] != cpu_ns:
                continue  # it ran between the two
            compared += 1
            if theirs[tid][1] != frames:
                wrong.append((tid, frames, theirs[tid][1]))
        return compared, wrong

    def test_they_are_the_signal_catchers(self):
        for release in RELEASES:
            with self.subTest(art=release):
                self.setUp()
                process = self.begin_threads(release, 60, 1, 6)
                compared = 0
                sources = {}
                dumps = late = 0
                while dumps < DUMPS and late <= MEASUREMENTS + DUMPS // 4:
                    document, has_traces = self.next_dump(process)
                    late += not has_traces
                    if not has_traces:
                        continue
                    dumps += 1
                    self.assertEqual(document["thread_stacks"]["absent"], "")
                    for stack in document["thread_stacks"]["stacks"]:
                        sources[stack["source"]] = sources.get(stack["source"], 0) + 1
                    count, wrong = self.compare(document)
                    compared += count
                    self.assertEqual(wrong, [])
                sleeps, early = self.finish_threads(process)
                print(f"ART {release}: {compared} stacks in {dumps} dumps are the Signal Catcher's; stacks {sources}; "
                      f"{early} of {sleeps} sleeps ended early; {late} dumps without traces in time")
                self.assertEqual(early, 0)
                if dumps < DUMPS:
                    self.skipTest(f"the traces came too late for {late} dumps")
                self.assertGreater(compared, 20 * DUMPS)

    def test_a_thousand_threads_in_time(self):
        for release in RELEASES:
            with self.subTest(art=release):
                self.setUp()
                process = self.begin_threads(release, 1000, 10, 3)
                for _ in range(MEASUREMENTS):
                    waited_ms = run_queue_wait_ms(process.pid)
                    stacks = self.next_dump(process)[0]["thread_stacks"]
                    waited_ms = run_queue_wait_ms(process.pid) - waited_ms
                    took_ms = stacks["duration_ns"] / 1e6
                    listed = stacks["stacks"]
                    running = [stack for stack in listed if stack["name"].startswith("running-")]
                    # On a busy machine some of the ten may not have started.
                    if took_ms - waited_ms < MOST_MS and len(running) == 10:
                        break
                _, early = self.finish_threads(process)
                sources = collections.Counter(stack["source"] for stack in listed)
                print(f"ART {release}: {stacks['threads']} threads in {took_ms:.1f} ms, of which the collector had no CPU "
                      f"for {waited_ms:.1f} ms; {sources}; {early} sleeps ended early")
                self.assertGreaterEqual(stacks["threads"], 1010)
                self.assertEqual(len(listed), stacks["threads"])
                self.assertEqual(len(running), 10)
                for stack in listed:  # what was not reached says so
                    self.assertEqual(stack["absent"] == "", stack["source"] != "none", stack)
                self.assertLess(took_ms - waited_ms, MOST_MS)
                self.assertEqual(early, 0)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
