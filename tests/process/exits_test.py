# SPDX-License-Identifier: Apache-2.0
"""How the system says that a process ended joins the record of the hang that was running.

The exits are objects of Android 14's own class ApplicationExitInfo, which a stand-in of the system hands out."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from framework_classes import Unavailable, jar_of
from process import ANDROID, HOST_TOOL, LIBRARY, ProcessTest, require_android, run_at_once

VERSION = "14-robolectric-10818077"
CLASSES = r"android/app/(ApplicationExitInfo|IAppTraceRetriever|IParcelFileDescriptorRetriever)(\$.*)?"
SHA256 = "48d293af474860ec238377f846d9b795baf35d103bfd16f2e95f40e084d65252"
ANR, LOW_MEMORY = 6, 3
INPUT = "Input dispatching timed out (com.shop/com.shop.Main is not responding. Waited 5003ms for MotionEvent)"
TRACE = """----- pid 77 at 2026-11-28 10:00:00.000 -----
Cmd line: com.shop
Build fingerprint: 'a/b/c:14/x/y:user/release-keys'
ABI: 'x86_64'

DALVIK THREADS (2):
"main" prio=5 tid=1 Runnable
  | group="main" sCount=0 ucsCount=0 flags=0 obj=0x1 self=0x1
  | sysTid=77 nice=-10 cgrp=top-app sched=0/0 handle=0x1
  | state=R schedstat=( 1 1 1 ) utm=1 stm=1 core=1 HZ=100
  | stack=0x1-0x2 stackSize=8188KB
  | held mutexes=
  at com.shop.Basket.price(Basket.java:10)
  at com.shop.Main.onClick(Main.java:20)
  at android.os.Handler.dispatchMessage(Handler.java:106)
  at android.os.Looper.loop(Looper.java:288)
  at android.app.ActivityThread.main(ActivityThread.java:7839)

----- end 77 -----
"""


class ExitsTest(ProcessTest):
    release = ANDROID

    def begin(self, *args, **settings):
        try:
            options = ("--framework", jar_of(VERSION, CLASSES, SHA256))
        except Unavailable as why:
            self.skipTest(str(why))
        process = self.start_app("Exits", LIBRARY, *args, options=options, JANKS=1, **settings)
        self.addCleanup(process.kill)
        return process

    def files(self, prefix):
        return sorted(name for name in os.listdir(self.dump_dir) if name.startswith(prefix))

    def records(self):
        return [self.read(name) for name in self.files("stillframe-jank-") if not name.endswith(".day")]

    def read(self, name):
        with open(os.path.join(self.dump_dir, name), encoding="ascii") as file:
            return json.load(file)

    def wait_for(self, what, seconds=40):
        deadline = time.monotonic() + seconds
        while not (found := what()):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        return found

    def killed_hang(self, **settings):
        """A process that was killed while it hung: its pid and start, as its record has them."""
        process = self.begin("hang", **settings)
        self.wait_for(lambda: any(record.get("running") for record in self.records()))
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        start, pid = self.records()[-1]["id"].split("-")[1].split("p")
        self.assertEqual(int(pid) > 0, True)
        return int(pid), int(start)

    def exit(self, pid, **members):
        values = {"Pid": pid, "Timestamp": int(time.time() * 1000), "Reason": ANR, "Importance": 100, "Pss": 4321,
                  "ProcessName": "com.shop", "Description": INPUT} | members
        return ";".join(f"{name}={value}" for name, value in values.items())

    def read_exits(self, *exits, until=None, **settings):
        """Waits until the exits are in the folder's list. Returns the program's output."""
        process = self.begin("read", *exits, **settings)

        def are_listed():
            try:
                with open(os.path.join(self.dump_dir, "stillframe-exits"), encoding="ascii") as file:
                    return len(file.readlines()) >= (len(exits) if until is None else until)
            except FileNotFoundError:
                return not exits
        self.wait_for(are_listed)
        time.sleep(0.5)
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate(timeout=60)
        return out

    def trace_file(self, text, packed=True):
        path = os.path.join(self.enterContext(tempfile.TemporaryDirectory()), "trace")
        data = text.encode()
        with open(path, "wb") as file:
            file.write(gzip.compress(data) if packed else data)
        return path

    def report(self, record):
        done = subprocess.run([HOST_TOOL, "text", record], capture_output=True, text=True, check=True)
        return done.stdout

    def ranked(self):
        done = subprocess.run([HOST_TOOL, "janks", "--json", self.dump_dir], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_the_exit_joins_the_hang_that_ran(self):
        pid, start = self.killed_hang()
        summary = (b"SFP1" + start.to_bytes(8, "big") + pid.to_bytes(4, "big")).hex()
        before = self.records()[0]
        self.read_exits(self.exit(pid, ProcessStateSummary=summary), self.exit(1, Reason=LOW_MEMORY))
        record, = self.records()
        self.assertEqual(record["id"], before["id"])
        self.assertGreater(record["revision"], before["revision"])
        self.assertEqual(record["ended"], "killed")
        self.assertEqual((record["exit"]["reason"], record["exit"]["description"]), (str(ANR), INPUT))
        self.assertEqual((record["exit"]["importance"], record["exit"]["pss_kib"]), ("100", "4321"))
        text = self.report(os.path.join(self.dump_dir, self.files("stillframe-jank-")[-1]))
        self.assertIn("The system killed the process", text)
        self.assertIn("Input dispatching timed out", text)
        self.assertIn("Exits.checkOut", text)
        self.assertEqual(self.ranked()["causes"][0]["hangs"], 1)

    def test_without_a_summary_the_pid_joins_and_twice_is_once(self):
        pid, _ = self.killed_hang()
        exit_of = self.exit(pid)
        self.read_exits(exit_of)
        first, = self.records()
        self.assertIn("exit", first)
        self.read_exits(exit_of)
        again, = self.records()
        self.assertEqual(first, again)

    def test_a_summary_of_the_application_joins_nothing_else_and_is_kept(self):
        pid, _ = self.killed_hang()
        out = self.read_exits(self.exit(pid, ProcessStateSummary=b"my own words".hex(), ProcessName=self.own_name()))
        self.assertIn("exit", self.records()[0])
        self.assertNotIn("summary ", out)

    def test_the_summary_is_set_once_it_is_known_to_be_free(self):
        self.assertNotIn("summary ", self.read_exits())
        out = self.read_exits(self.exit(1, Reason=LOW_MEMORY, ProcessName=self.own_name()))
        self.assertRegex(out, r"summary [0-9a-f]{32} SFP1")
        self.assertEqual(out.count("asked"), 1)
        self.assertIn("sub-reason TOO MANY EMPTY PROCS\n", out)

    def own_name(self):
        """The name of each process here, as its command line has it."""
        process = self.begin("read")
        process.stdout.readline()
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            name = file.read().split(b"\0")[0].decode()
        process.kill()
        process.wait(60)
        return name

    def test_an_anr_without_a_record_has_the_system_s_stacks(self):
        self.read_exits(self.exit(77, Trace=self.trace_file(TRACE)))
        record, = self.records()
        self.assertEqual((record["detail"], record["cost"]), ("ANR", 0))
        text = self.report(os.path.join(self.dump_dir, self.files("stillframe-jank-")[0]))
        self.assertIn("com.shop.Basket.price", text)
        cause, = self.ranked()["causes"]
        self.assertIn("Basket.price", cause["cause"]["method"] if isinstance(cause["cause"], dict) else json.dumps(cause))

    def test_a_broken_or_missing_stream_says_so(self):
        path = self.trace_file(TRACE, packed=False)
        with open(self.trace_file(TRACE), "rb") as file:
            half = file.read()[:-9]
        cut = path + "-cut"
        with open(cut, "wb") as file:
            file.write(half)
        self.read_exits(self.exit(77, Trace=path), self.exit(78, Trace=""), self.exit(79, Trace="/nowhere"))
        self.read_exits(self.exit(80, Trace=cut), until=4)
        part, = (record for record in self.records() if "p80-" in record["id"])
        self.assertIn("system_traces", part)
        self.assertIn("EOFException", part["exit"]["no_traces"])
        why = {record["id"].split("p")[1].split("-")[0]: record["exit"]["no_traces"] for record in self.records()}
        self.assertEqual(why["78"], "the system has none")
        self.assertIn("GZIP", why["77"])
        self.assertIn("open failed", why["79"])

    def test_ten_megabytes_leave_a_record_with_the_main_thread(self):
        thread = TRACE[TRACE.index('"main"'):TRACE.index("----- end")]
        others = "".join(thread.replace('"main"', f'"worker-{i}-{hash(str(i))}"').replace("tid=1", f"tid={i + 2}")
                         for i in range(18_000))
        path = self.trace_file(TRACE.replace("----- end", others + "----- end"))
        self.read_exits(self.exit(77, Trace=path))
        name, = self.files("stillframe-jank-")
        self.assertLess(os.path.getsize(os.path.join(self.dump_dir, name)), 64 * 1024)
        self.assertIn("com.shop.Basket.price", self.report(os.path.join(self.dump_dir, name)))


if __name__ == "__main__":
    require_android()
    run_at_once(sys.modules[__name__])
