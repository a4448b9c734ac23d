# SPDX-License-Identifier: Apache-2.0
"""The pending messages of each MessageQueue that Android has had, by the class files of the releases themselves.

A program fills its queue from three threads, with delays, a barrier, asynchronous messages and removed ones, before
and after the looper's thread has sorted some. A dump must have the messages in the order in which the queue then hands
them out."""

import os
import re
import signal
import sys
import threading

from framework_classes import Unavailable, jar_of
from process import ANDROID, ProcessTest, inspect, require_android, run_at_once

THREADS, MESSAGES = 3, 42
FRONT = 2 * THREADS * MESSAGES
# The native methods of MessageQueue that the runtime's library has; the others are newer and answer zero.
NATIVES = ("nativeInit", "nativeDestroy", "nativePollOnce", "nativeWake", "nativeIsPolling",
           "nativeSetFileDescriptorEvents")
CLASSES = (r"android/app/compat/CompatChanges|android/os/(Looper|Handler|Message|MessageQueue|MessageStack"
           r"|MessageHeap|LooperDoctor|WaitState|HandlerThread|HandlerExecutor|TraceNameSupplier|ThreadLocalWorkSource|PerfettoTrace|PerfettoTrackEventExtra"
           r"|PerfettoCategories)(\$.*)?|com/android/internal/(hidden_from_bootclasspath/android/os|dev/perfetto/sdk"
           r"|ravenwood)/.*")
# As jar_of has them. Those classes answer zero that ask other parts of the system.
RELEASES = {
    "16": ("16-robolectric-13921718-2", CLASSES, "b891cb9e38c48db947241dea8982f4be9a883b25d4cbad41d3dc8592e66dd259",
           "android/app/compat/CompatChanges,android/os/PerfettoTrace$Category"),
    "17": ("17-robolectric-16653203", CLASSES, "1ccf73d9ed42d22730a3dd9c57d9f1a19d6d439c53cd99540b093cedbc88c9e4",
           "android/app/compat/CompatChanges,com/android/internal/dev/perfetto/sdk/PerfettoTrace$Category,"
           "com/android/internal/dev/perfetto/sdk/PerfettoNativeMemoryCleaner"),
}


class QueuesTest(ProcessTest):
    release = ANDROID

    def begin(self, of, *args, **settings):
        """The running program on the queue of that release, its log and the event that it wrote a dump."""
        try:
            options = ("--framework", jar_of(*RELEASES[of], *NATIVES)) if of in RELEASES else ()
        except Unavailable as why:
            self.skipTest(str(why))
        process = self.start_app("QueueOrder", *args, options=options, **settings)
        log, wrote = [], threading.Event()

        def read():
            for line in process.stderr:
                log.append(line)
                if "stillframe: wrote " in line:
                    wrote.set()
            wrote.set()

        reader = threading.Thread(target=read)
        reader.start()
        self.addCleanup(reader.join)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n", log)
        return process, log, wrote

    def check(self, of, queue, source):
        self.check_order(of, queue, source)
        self.setUp()
        self.check_barrier(of, queue)

    def check_order(self, of, queue, source):
        told = os.path.join(self.dump_dir, "told")
        process, log, wrote = self.begin(of, told, queue)
        process.send_signal(signal.SIGQUIT)
        wrote.wait(60)
        with open(told, "w", encoding="ascii"):
            pass
        taken = [int(what) for what in re.findall(r"^took (\d+)$", process.stdout.read(), re.MULTILINE)]
        self.assertEqual(process.wait(60), 0, log)
        pending = inspect(self.only_dump("".join(log)))["pending"]
        self.assertEqual((pending["absent"], pending["source"]), ("", source))
        own = [each["what"] for each in pending["messages"] if each["target"].endswith("QueueOrder$Receiver")
               and each["what"] >= 0]
        self.assertEqual(own, taken)
        self.assertEqual(taken[0], FRONT)
        self.assertEqual(len(taken), 2 * THREADS * MESSAGES * 5 // 6 + 1)
        barriers = [i for i, each in enumerate(pending["messages"]) if each["barrier"]]
        self.assertEqual(barriers, [1], pending["messages"][:3])

    def check_barrier(self, of, queue):
        """A barrier that stays is noticed while the main thread is in the poll, and the watch does not end."""
        _, log, wrote = self.begin(of, "", queue, "barrier", LONG_MS=1000)
        self.assertTrue(wrote.wait(60), log)
        document = inspect(self.only_dump("".join(log)))
        self.assertEqual(document["trigger"], "heartbeat", log)
        self.assertTrue(document["pending"]["messages"][0]["barrier"])

    def test_the_list_of_10(self):
        self.check("10", "list", "MessageQueue.mMessages")

    def test_the_sets_of_16(self):
        self.check("16", "sets", "MessageQueue.mPriorityQueue")

    def test_the_list_of_16(self):
        self.check("16", "list", "MessageQueue.mMessages")

    def test_the_stack_of_17(self):
        self.check("17", "stack", "MessageQueue.mStack")

    def test_the_list_of_17(self):
        self.check("17", "list", "MessageQueue.mMessages")


if __name__ == "__main__":
    require_android()
    run_at_once(sys.modules[__name__], jobs=1)
