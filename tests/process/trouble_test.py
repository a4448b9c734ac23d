# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong, the application runs on, and one clear line says what to do."""

import hashlib
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
import zlib

from process import BUILD, HOST_TOOL, LIBRARY, TUNABLE, ToldTest, collapsed, inspect, preloads, run_at_once, thread_names


def core_without_observer(folder, release="11"):
    """Options for a core library as before API 29, whose Looper has no field for an Observer."""
    core = os.path.join(folder, "core.jar")
    with zipfile.ZipFile(os.path.join(BUILD, "art", release, "core.jar")) as jar, zipfile.ZipFile(core, "w") as patched:
        for name in jar.namelist():
            data = bytearray(jar.read(name))
            if name.endswith(".dex"):
                # Strings are sorted: the next one begins with sT.
                assert data.count(b"\x09sObserver\0") <= 1
                data[:] = data.replace(b"\x09sObserver\0", b"\x09sObservex\0")
                data[12:32] = hashlib.sha1(data[32:]).digest()
                data[8:12] = struct.pack("<I", zlib.adler32(bytes(data[12:])))
            patched.writestr(name, bytes(data))
    return [f"-Xbootclasspath:{core}", f"-Xbootclasspath-locations:{core}"]


class TroubleTest(ToldTest):
    def lines_of_ours(self, text):
        return [line for line in text.splitlines() if line.startswith("stillframe: ")]

    def test_a_process_without_a_vm_is_left_alone(self):
        done = subprocess.run(["/bin/echo", "hello"], capture_output=True, text=True,
                              env=self.environment() | preloads(LIBRARY))
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"))
        lines = self.lines_of_ours(done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("no Java VM in this process", lines[0])

    def test_a_library_of_another_name_is_preloaded_as_well(self):
        with tempfile.TemporaryDirectory() as folder:
            renamed = shutil.copy(LIBRARY, os.path.join(folder, "libother.so"))
            done = subprocess.run(["/bin/echo", "hello"], capture_output=True, text=True,
                                  env=self.environment() | {"LD_PRELOAD": renamed})
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"))
        self.assertIn("no Java VM in this process", "".join(self.lines_of_ours(done.stderr)))

    def test_the_wait_for_a_vm_ends(self):
        done = subprocess.run(["/bin/sleep", "1"], capture_output=True, text=True,
                              env=self.environment(WAIT_VM_MS=200) | preloads(TUNABLE))
        self.assertEqual(done.returncode, 0)
        lines = self.lines_of_ours(done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("no Java VM in this process within 200 ms", lines[0])

    def test_a_runtime_of_another_cpu_is_reported_and_costs_nothing(self):
        program = """
import ctypes, mmap, threading, time
pages = [mmap.mmap(-1, 4096, prot=mmap.PROT_READ | (i % 2 and mmap.PROT_WRITE)) for i in range(4000)]
def catch():
    ctypes.CDLL(None).prctl(15, b"Signal Catcher")
    time.sleep(6)
before = time.process_time()
threading.Thread(target=catch).start()
time.sleep(6)
print(time.process_time() - before)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env=self.environment() | preloads(LIBRARY))
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = self.lines_of_ours(done.stderr)
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn("of another CPU", lines[0])
        print(f"{1000 * float(done.stdout):.1f} ms of CPU time in 6 s")
        self.assertLess(float(done.stdout), 0.1)

    def test_a_process_without_a_vm_ends_with_its_main_thread(self):
        begin = time.monotonic()
        done = subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL(None).pthread_exit(None)"],
                              env=self.environment() | preloads(LIBRARY), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(time.monotonic() - begin, 10)

    def test_the_runtime_itself_is_asked_for_the_vm(self):
        unchosen = os.path.join(BUILD, "art", "libunchosen_runtime.so")
        done = self.run_app("NeverLoops", 300, DUMP_AT_EXIT=1, options=("--preload", unchosen))
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        self.assertTrue(any(line.startswith("stillframe: on: ") for line in self.lines_of_ours(done.stderr)),
                        done.stderr)

    def test_a_platform_without_an_observer_is_asked_a_few_times(self):
        options = core_without_observer(self.dump_dir)
        process = self.begin(self.command("Rests", 100, self.told, 0, 0, options=options), "ready\n", TAP="observer",
                             DUMP_AT_EXIT=1)
        self.wait_for_log("stillframe: no tap: no Looper.Observer on this platform")
        time.sleep(3)
        (collector,) = (tid for tid, name in thread_names(process.pid).items() if name == "stillframe")
        with open(f"/proc/{process.pid}/task/{collector}/schedstat", encoding="ascii") as schedstat:
            self.assertLess(int(schedstat.read().split()[0]), 500e6, "start-up, and next to nothing after it")
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("DALVIK THREADS")
        self.wait_for_log("----- end")
        log = self.finish(process)
        self.assertRegex(log, r'"stillframe" .*\(not attached\)')
        self.assertNotIn("stillframe: on", log)
        states = {inspect(dump)["identity"]["sampler_state"] for dump in self.dumps()}
        self.assertEqual({state.split(":")[0] for state in states}, {"off"}, states)

    def test_without_a_tap_it_is_not_on(self):
        done = self.run_app("NeverLoops", 300, DUMP_AT_EXIT=1, TAP="none")
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        self.assertNotIn("stillframe: on", done.stderr)
        self.assertIn("stillframe: off: no tap is in the Looper", done.stderr)
        self.assertTrue(inspect(self.only_dump(done.stderr))["identity"]["sampler_state"].startswith("off: "))

    def test_before_observers_only_the_main_looper_is_seen(self):
        options = core_without_observer(self.dump_dir)
        process = self.begin(self.command("Rests", 100, self.told, 0, 0, options=options), "ready\n", LOOPERS="all",
                             DUMP_AT_EXIT=1)
        time.sleep(1)
        log = self.finish(process)
        self.assertEqual(log.count("Loopers beside the main one are not seen"), 1, log)
        self.assertEqual(log.count("stillframe: on: "), 1, log)
        self.assertIn(", tap printer, ", log)
        dump = self.only_dump(log)
        self.assertEqual(inspect(dump)["identity"]["tap"], "printer")
        told = subprocess.run([HOST_TOOL, "inspect", dump], capture_output=True, text=True, check=True).stdout
        self.assertIn("Looper watched by: printer; Loopers beside the main one are not seen", told)

    def test_a_main_thread_that_never_loops_has_no_history(self):
        done = self.run_app("NeverLoops", 300, DUMP_AT_EXIT=1)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
        self.assertEqual(inspect(self.only_dump(done.stderr))["history"], [])

    def test_a_dump_folder_that_is_missing_is_named(self):
        self.dump_dir = "/nonexistent/folder"
        done = self.run_app("NeverLoops", 300, DUMP_AT_EXIT=1)
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"))
        self.assertIn("/nonexistent/folder", self.lines_of_ours(done.stderr)[-1])

    def test_a_full_disk_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "full", folder],
                                     capture_output=True)
            if mounted.returncode != 0:
                self.skipTest("a small file system needs the right to mount")
            try:
                with open(os.path.join(folder, "filler"), "wb") as filler:
                    filler.write(bytes(4096))
                self.dump_dir = folder
                done = self.run_app("NeverLoops", 300, DUMP_AT_EXIT=1)
                self.assertEqual((done.returncode, done.stdout), (0, "done\n"))
                self.assertIn("No space left", self.lines_of_ours(done.stderr)[-1])
                self.assertEqual(os.listdir(folder), ["filler"])
            finally:
                subprocess.run(["umount", folder], check=True)

    def test_sigquit_is_not_touched_without_a_dump_folder(self):
        self.dump_dir = ""
        process = self.begin(self.command("Hang", self.told), "hanging\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGQUIT)
        self.wait_for_log("DALVIK THREADS")
        self.finish(process)
        self.assertEqual([line for line in self.lines_of_ours(self.log()) if "dump" in line], [])

    def test_absurd_settings_are_named_and_ignored(self):
        done = self.run_app("NeverLoops", 300, SLOW_MS=-5, INTERVAL_US="many", MAX_DEPTH=10**12,
                            RING_KIB="", TAP="magic", DUMP_AT_EXIT="perhaps")
        self.assertEqual((done.returncode, done.stdout), (0, "done\n"))
        ignored = [line for line in self.lines_of_ours(done.stderr) if "is ignored" in line]
        self.assertEqual(len(ignored), 6, done.stderr)

    def test_switched_off_writes_nothing(self):
        done = self.run_app("NeverLoops", 100, ENABLED=0, DUMP_AT_EXIT=1)
        self.assertEqual((done.returncode, done.stdout, self.dumps()), (0, "done\n", []))


class QuitSignalTest(ToldTest):
    def test_each_sigquit_gives_a_dump_and_a_trace(self):
        process = self.begin(self.command("Hang", self.told), "hanging\n")
        for count in (1, 2, 3):
            time.sleep(2.2)  # later than signals that belong together
            process.send_signal(signal.SIGQUIT)
            self.wait_until(f"not {count} dumps", lambda: len(self.dumps()) == count)
            self.wait_until(f"not {count} traces", lambda: self.log().count("DALVIK THREADS") == count)
        self.finish(process)
        for dump in self.dumps():
            document = inspect(dump)
            self.assertEqual((document["trigger"], document["damage"]), ("sigquit", []))
            self.assertTrue(document["running"]["has_tree"])
            stacks = collapsed(dump, document["running"]["token"])
            # On a busy machine the verdict is about that, not about this method.
            self.assertTrue(any("Hang.hang" in frame for frames, _ in stacks for frame in frames), stacks)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
