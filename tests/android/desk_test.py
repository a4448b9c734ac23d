# SPDX-License-Identifier: Apache-2.0
"""doctor, record and pull of the host tool, through Debian's adb, on a scripted phone with real ART behind it."""

import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time

import adbd
import phone
from desk import PACKAGE, WITHIN_S, DeskTest
from process import LIBRARY, run_at_once


class AdbTest(DeskTest):
    def test_adb_itself_talks_to_the_scripted_device(self):
        serial = ["-s", self.device.serial]
        done = self.server.adb(*serial, "shell", "getprop ro.product.model; ls /nowhere; exit 3")
        self.assertEqual((done.returncode, done.stdout), (3, "Bed\n"))
        self.assertIn("/nowhere", done.stderr)
        big = os.path.join(self.folder, "big")
        with open(big, "wb") as file:
            file.write(os.urandom(3_000_000))
        self.assertEqual(self.server.adb(*serial, "push", big, "/data/local/tmp/big").returncode, 0)
        back = subprocess.run(["adb", *serial, "exec-out", "cat /data/local/tmp/big"], env=self.server.environment,
                              capture_output=True, check=True)
        with open(big, "rb") as file:
            self.assertEqual(back.stdout, file.read())
        with socket.create_server(("127.0.0.1", 0)) as service:
            port = self.server.adb(*serial, "forward", "tcp:0", f"tcp:{service.getsockname()[1]}").stdout.strip()
            with socket.create_connection(("127.0.0.1", int(port))) as end:
                other, _ = service.accept()
                end.sendall(b"question")
                self.assertEqual(other.recv(100), b"question")
                other.sendall(b"answer")
                self.assertEqual(end.recv(100), b"answer")
                other.close()


class DoctorTest(DeskTest):
    def test_nothing_is_wrong(self):
        done = self.doctor()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Bed, Android 11 (API 30), x86_64", done.stdout)
        self.assertIn(f"ok      {PACKAGE} 1.2 is debuggable", done.stdout)
        self.assertIn(f"note    {PACKAGE} does not run: a recording starts it", done.stdout)
        self.phone.start()
        self.assertIn(f"runs as process {self.phone.process.pid}", self.doctor().stdout)

    def test_it_says_how_a_library_in_the_application_sees_messages(self):
        self.phone.start()
        with open(os.path.join(self.phone.root, "log"), "a", encoding="utf-8") as log:
            log.write("stillframe: the tap is a probe: hangs are found by a look\n"
                      "stillframe: on: ART 17, build x, tap probe\n")
        told = self.doctor().stdout
        self.assertIn("Stillframe in it is on: ART 17, build x, tap probe", told)
        self.assertIn("note    Stillframe in it: the tap is a probe: hangs are found by a look", told)

    def test_adb_is_not_there(self):
        self.problem(self.doctor(PATH=self.folder), "adb is not installed: install it")

    def test_adb_does_not_answer(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            def talk():
                while True:
                    try:
                        connection, _ = other.accept()
                    except OSError:
                        return
                    connection.sendall(b"HTTP")
                    connection.close()
            threading.Thread(target=talk, daemon=True).start()
            self.problem(self.doctor(ANDROID_ADB_SERVER_PORT=str(other.getsockname()[1])), "adb does not answer: ")

    def test_there_is_no_phone(self):
        self.server.adb("disconnect", self.device.serial)
        self.problem(self.desk("doctor"), "adb sees no phone: connect one")
        self.problem(self.doctor(), f"adb sees no phone {self.device.serial}")

    def test_there_are_two_phones(self):
        other = adbd.Adbd(self.phone)
        self.addCleanup(other.unplug)
        self.server.adb("connect", other.serial)
        done = self.desk("doctor")
        self.problem(done, "adb sees 2 phones: ")
        self.assertIn("--serial", done.stdout)
        self.assertEqual(self.desk("doctor", ANDROID_SERIAL=other.serial).returncode, 0)

    def test_the_phone_does_not_know_this_computer(self):
        self.server.adb("disconnect", self.device.serial)
        self.device.is_authorized = False
        self.connect()
        self.problem(self.doctor(), "is unauthorized: unlock the phone")

    def test_the_phone_is_offline(self):
        self.device.unplug()
        self.wait_until("not offline", lambda: "offline" in self.server.adb("devices").stdout)
        self.problem(self.doctor(), "is offline: unplug it and plug it in again")

    def test_this_user_may_not_use_usb(self):
        """Only USB reports this, so the test runs its own adb server."""
        def answer(connection):
            asked = connection.recv(int(connection.recv(4), 16)).decode()
            text = {"host:version": "0029", "host:devices": "12345\tno permissions; see [http://x]\n"}.get(asked, "")
            connection.sendall(b"OKAY" + f"{len(text):04x}{text}".encode())
            connection.close()
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                while True:
                    try:
                        answer(server.accept()[0])
                    except (OSError, ValueError):
                        return
            threading.Thread(target=serve, daemon=True).start()
            done = self.desk("doctor", ANDROID_ADB_SERVER_PORT=str(server.getsockname()[1]))
        self.problem(done, "12345 is no permissions")
        self.assertIn("plugdev", done.stdout)

    def test_its_shell_does_not_answer(self):
        os.unlink(os.path.join(self.phone.bin, "getprop"))
        self.problem(self.doctor(), "its shell does not answer")

    def properties(self, **changed):
        self.phone.change(properties={**phone.PROPERTIES, **{k.replace("_", "."): v for k, v in changed.items()}})

    def test_android_is_too_old(self):
        self.properties(ro_build_version_sdk="25", ro_build_version_release="7.1")
        self.problem(self.doctor(), "Android 7.1 (API 25) is too old")

    def test_there_is_no_library_for_its_cpu(self):
        self.properties(ro_product_cpu_abilist="riscv64")
        self.problem(self.doctor(), "no library for its CPU (riscv64)")

    def test_the_phone_is_full(self):
        self.phone.change(free_kib=900)
        self.problem(self.doctor(), "/data has 900 KiB left")

    def package(self, **facts):
        self.phone.change(packages={PACKAGE: {"debuggable": True, "abi": "null", **facts}})

    def test_the_application_is_not_installed(self):
        self.phone.change(packages={})
        self.problem(self.doctor(), f"{PACKAGE} is not installed")

    def test_the_application_is_not_debuggable(self):
        self.package(debuggable=False)
        self.problem(self.doctor(), f"{PACKAGE} is not debuggable: install a debug build")

    def test_run_as_does_not_work(self):
        self.phone.change(run_as_problem="couldn't stat /data/user/0: Permission denied")
        self.problem(self.doctor(), f"run-as cannot become {PACKAGE}: run-as: couldn't stat")

    def test_the_application_is_translated(self):
        self.package(abi="arm64-v8a")
        self.problem(self.doctor(), "is translated from arm64-v8a for this x86_64")

    def test_the_application_has_an_abi_without_a_library(self):
        self.package(abi="mips")
        self.problem(self.doctor(), f"{PACKAGE} runs as mips; no library for it")

    def test_the_library_is_not_built(self):
        self.package(abi="x86")
        self.problem(self.doctor(), f"no library for x86: {self.libraries}/x86/libstillframe.so")

    def test_something_else_wraps_its_start(self):
        self.phone.change(properties={**phone.PROPERTIES, "wrap." + PACKAGE: "LD_PRELOAD=/data/other.so"})
        done = self.doctor()
        self.assertEqual(done.returncode, 0)
        self.assertIn("note    something else wraps its start: LD_PRELOAD=/data/other.so", done.stdout)
        done = self.record("--wrap", "--for", "1s")
        self.assertEqual(done.returncode, 1)
        self.assertIn("something else wraps its start", done.stderr)
        self.assertEqual(self.phone.property("wrap." + PACKAGE), "LD_PRELOAD=/data/other.so")

    def test_a_name_of_no_package_is_wrong_usage(self):
        done = self.desk("doctor", "-p", "a;reboot")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("'a;reboot' is not a name of a package", done.stderr)


class RecordTest(DeskTest):
    def spin_samples(self, document):
        return sum(message["samples"] for message in document["history"])

    def test_a_running_application_gets_the_agent_and_keeps_running(self):
        self.phone.start()
        pid = self.phone.process.pid
        done = self.record("--for", "2s", "--set", "slow_ms=20,omit=reason,queue,trees=7")
        document = self.judge(done)
        self.assertIn("on: ART 11", done.stderr)
        self.assertIn(f"process {pid} keeps the profiler, at rest", done.stderr)
        self.assertEqual(self.phone.process.pid, pid)
        self.assertIsNone(self.phone.process.poll())
        settings = {row["name"]: row["value"] for row in document["configuration"]}
        self.assertEqual((settings["trees"], settings["slow_ms"]), ("7", "20"))
        self.assertGreater(self.spin_samples(document), 0)
        # A second time: the process has the library already.
        shutil.rmtree(self.output)
        done = self.record("--for", "1s")
        self.judge(done)
        self.assertIn("has the profiler from before", done.stderr)

    def test_the_library_is_read_only_and_replaces_an_earlier_file(self):
        """Twice, each time over what a broken-off recording left. A process may still use the earlier file."""
        path = os.path.join(self.phone.home, "code_cache", "stillframe", "libstillframe.so")
        with open(LIBRARY, "rb") as file:
            library = file.read()
        for _ in range(2):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            for name in (path, path + ".new"):
                with open(name, "wb") as file:
                    file.write(b"earlier")
                os.chmod(name, 0o500)
            attached = []

            def look(command, attached=attached):
                if command.startswith("am attach-agent"):
                    with open(path, "rb") as file:
                        found = os.fstat(file.fileno())
                        attached.append((stat.S_IMODE(found.st_mode), found.st_ino, file.read() == library))
                    attached.append(sorted(os.listdir(os.path.dirname(path))))
            self.phone.before_command = look
            with open(path, "rb") as earlier:
                self.judge(self.record("--for", "1s"))
                self.assertEqual(attached, [(0o500, attached[0][1], True), ["dumps", "libstillframe.so"]])
                self.assertNotEqual(attached[0][1], os.fstat(earlier.fileno()).st_ino)
                self.assertEqual(earlier.read(), b"earlier")
            shutil.rmtree(self.output)

    def test_one_that_does_not_run_is_started_and_stopped_again(self):
        done = self.record("--for", "1s")
        self.judge(done)
        self.assertIn(f"started {PACKAGE}", done.stderr)
        self.assertIsNone(self.phone.process)

    def test_wrapped_from_its_start(self):
        self.phone.start()
        done = self.record("--wrap", "--for", "1s", "--set", "slow_ms=20,omit=reason,queue")
        document = self.judge(done)
        settings = {row["name"]: row["value"] for row in document["configuration"]}
        self.assertEqual((settings["slow_ms"], settings["omit"]), ("20", "queue,reason"))
        self.assertIsNone(self.phone.process)

    def test_a_hang_ends_it(self):
        self.phone.start()
        process = subprocess.Popen(
            self.command("record", "-s", self.device.serial, "-p", PACKAGE, "--until-anr", "--set", "long_ms=1000"),
            env=self.server.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not (line := process.stderr.readline()).count("on: ART 11"):
            self.assertNotEqual(line, "", "it has ended")
        with open(self.hang, "w", encoding="ascii"):
            pass
        out, error = process.communicate(timeout=WITHIN_S)
        done = subprocess.CompletedProcess(process.args, process.returncode, out, error)
        document = self.judge(done)
        methods = {document["frames"][node[0]]["method"] for tree in document["trees"] for node in tree["nodes"]}
        self.assertIn("spin", methods)

    def test_ctrl_c_ends_it_with_a_report(self):
        self.phone.start()
        process = subprocess.Popen(self.command("record", "-s", self.device.serial, "-p", PACKAGE, "--for", "10m"),
                                   env=self.server.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not (line := process.stderr.readline()).count("on: ART 11"):
            self.assertNotEqual(line, "", "it has ended")
        process.send_signal(2)
        out, error = process.communicate(timeout=WITHIN_S)
        self.judge(subprocess.CompletedProcess(process.args, process.returncode, out, error))

    def unplugged_at(self, part, *arguments):
        """Unplugs the cable during a recording, when the phone gets a command that contains this text."""
        def unplug(command):
            if part in command:
                self.phone.before_command = lambda _: None
                self.device.unplug()
        self.phone.before_command = unplug
        done = self.record(*arguments)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("was unplugged", done.stderr)
        self.assertNotEqual(self.phone.files(), [])
        self.device.plug_in()
        self.server.adb("disconnect", self.device.serial)  # it would be tried again later by itself
        self.connect()
        self.assertIn("note    a recording was broken off", self.doctor().stdout)

    def test_unplugged_while_it_records(self):
        self.phone.start()
        self.unplugged_at("kill -QUIT", "--for", "1s")
        # A dump that the profiler wrote at another time is kept.
        os.kill(self.phone.process.pid, 3)
        dumps = os.path.join(self.phone.home, "code_cache", "stillframe", "dumps")
        self.wait_until("no dump", lambda: any(name.endswith(".sfdump") for name in os.listdir(dumps)))
        done = self.record("--for", "3s")
        self.assertIn(f"a recording of {PACKAGE} was broken off", done.stderr)
        self.judge(done, dumps=2)

    def test_unplugged_while_a_dump_comes(self):
        self.unplugged_at(" cat 'code_cache", "--for", "1s")
        done = self.record("--for", "1s")
        self.judge(done, dumps=2)

    def test_unplugged_before_the_application_starts(self):
        self.unplugged_at("am start", "--wrap", "--for", "1s")
        self.assertIn("code_cache/stillframe", self.phone.property("wrap." + PACKAGE))
        self.judge(self.record("--for", "1s"))

    def test_the_phone_lets_nobody_wrap(self):
        self.phone.change(is_wrap_allowed=False)
        done = self.record("--wrap", "--for", "1s")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not allow a wrapped application start", done.stderr)
        self.is_clean()

    def test_no_activity_can_be_started(self):
        self.phone.change(has_no_activity=True)
        done = self.record("--for", "1s")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no activity to start", done.stderr)
        self.is_clean()

    def test_a_profiler_that_stays_off_says_why(self):
        self.phone.start()
        done = self.record("--for", "1s", "--set", "enabled=0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the profiler stays off: enabled=0", done.stderr)
        self.is_clean()

    def test_an_application_that_ends_is_reported(self):
        self.phone.start()

        def end(command):
            if command.startswith("pidof") and "on: ART" in self.log():
                self.phone.process.kill()
        self.phone.before_command = end
        done = self.record("--for", "60s")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{PACKAGE} has ended", done.stderr)
        self.is_clean()

    def test_the_report_is_opened(self):
        programs = os.path.join(self.folder, "programs")
        os.mkdir(programs)
        opened = os.path.join(self.folder, "opened")
        with open(os.path.join(programs, "xdg-open"), "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\necho "$1" > {opened}\n')
        os.chmod(script.name, 0o755)
        self.judge(self.record("--for", "1s", "--open", PATH=programs + ":" + os.environ["PATH"]))
        with open(opened, encoding="utf-8") as file:
            self.assertEqual(file.read(), f"{self.output}/report.html\n")

    def test_settings_that_are_none_are_wrong_usage(self):
        for text in ("slow", "=3", "a b=3", "slow_ms;reboot=1"):
            done = self.record("--set", text)
            self.assertEqual(done.returncode, 2, done.stderr)

    def test_times_that_are_none_are_wrong_usage(self):
        for text in ("0", "s", "3h", "-1", "1e9"):
            done = self.record("--for", text)
            self.assertEqual(done.returncode, 2, done.stderr)


class PullTest(DeskTest):
    def put(self, name, content):
        path = os.path.join(self.phone.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def pull(self):
        return self.desk("pull", "-s", self.device.serial, "-p", PACKAGE)

    def test_dumps_are_fetched_from_wherever_they_are_and_stay(self):
        contents = {"files/a/one.sfdump": os.urandom(200_000), "cache/two.sfdump": b"\r\n\0" * 9}
        for name, content in contents.items():
            self.put(name, content)
        self.put("files/.hidden.sfdump", b"x")
        self.put("files/a b;c.sfdump", b"x")
        self.put("files/other", b"x")
        before = self.phone.files()
        done = self.pull()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.output)), ["one.sfdump", "two.sfdump"])
        for name, content in contents.items():
            with open(os.path.join(self.output, os.path.basename(name)), "rb") as file:
                self.assertEqual(file.read(), content)
        self.assertEqual(self.phone.files(), before)

    def test_where_there_is_none_it_says_so(self):
        done = self.pull()
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no dumps in its folder", done.stderr)

    def change_while_it_is_read(self, times):
        sizes = iter(range(100, 100 + times))
        self.put("files/one.sfdump", b"first")

        def change(command):
            if " cat " in command and (size := next(sizes, None)):
                self.put("files/one.sfdump", b"x" * size)
        self.phone.before_command = change
        return self.pull()

    def test_a_file_that_is_replaced_meanwhile_is_fetched_again(self):
        done = self.change_while_it_is_read(2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.path.getsize(os.path.join(self.output, "one.sfdump")), 101)

    def test_half_a_file_is_none(self):
        done = self.change_while_it_is_read(10)
        self.assertEqual(done.returncode, 1)
        self.assertIn("104 of 103 bytes came: the file changes", done.stderr)
        self.assertEqual(os.listdir(self.output), [])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
