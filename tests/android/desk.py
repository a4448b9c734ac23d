# SPDX-License-Identifier: Apache-2.0
"""A desk with an adb server, and a scripted phone on its cable with a real ART application."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "process"))
import adbd  # noqa: E402
import phone  # noqa: E402
from process import ART_RUN, BUILD, HOST_TOOL, LIBRARY, inspect  # noqa: E402

HOST = os.path.join(BUILD, "art", "libagent_host.so")
JAR = os.path.join(BUILD, "art", "phone_app.jar")
PACKAGE = phone.PACKAGE
WITHIN_S = 120
ATTEMPTS = 5  # another process may take the port


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Server:
    """Debian's adb server, of its own port and its own home."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="adb")
        self.environment = {**{k: v for k, v in os.environ.items() if not k.startswith(("ANDROID_", "ADB_"))},
                            "HOME": self.home, "TMPDIR": self.home}
        for _ in range(ATTEMPTS):
            self.environment["ANDROID_ADB_SERVER_PORT"] = str(free_port())
            started = self.adb("start-server")
            if started.returncode == 0:
                return
        raise RuntimeError(started.stderr)

    def adb(self, *arguments):
        return subprocess.run(["adb", *arguments], env=self.environment, capture_output=True, text=True, timeout=WITHIN_S,
                              check=False)

    def close(self):
        self.adb("kill-server")
        shutil.rmtree(self.home, ignore_errors=True)


class DeskTest(unittest.TestCase):
    # Options with which the zygote starts a debuggable application.
    art_options = ("-Xcompiler-option", "--debuggable", "-XjdwpProvider:none")

    def setUp(self):
        if shutil.which("adb") is None:
            self.skipTest("adb is not installed: tools/setup/install-packages")
        self.server = Server()
        self.addCleanup(self.server.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.output = os.path.join(self.folder, "out")
        self.hang = os.path.join(self.folder, "hang")
        self.libraries = os.path.join(self.folder, "lib")
        os.makedirs(os.path.join(self.libraries, "x86_64"))
        shutil.copy(LIBRARY, os.path.join(self.libraries, "x86_64", "libstillframe.so"))
        self.phone = phone.Phone(self.application)
        self.addCleanup(self.phone.close)
        self.device = adbd.Adbd(self.phone)
        self.addCleanup(self.device.unplug)
        self.connect()

    def application(self, wrap, pipe, log):
        command = [*wrap, ART_RUN, "--art", "11", *self.art_options, "-cp", JAR, "PhoneApp", HOST, pipe, self.hang]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("STILLFRAME_")}
        return subprocess.Popen(command, env=inherited, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def connect(self):
        """Connects, with retries: adb may not yet know that an earlier connection to this address broke."""
        def is_listed():
            self.server.adb("connect", self.device.serial)
            return any(line.startswith(self.device.serial + "\t") and not line.endswith("offline")
                       for line in self.server.adb("devices").stdout.splitlines())
        self.wait_until("not connected", is_listed)

    def wait_until(self, what, is_so):
        deadline = time.monotonic() + WITHIN_S
        while not is_so():
            self.assertLess(time.monotonic(), deadline, f"{what} within {WITHIN_S} s\n{self.log()}")
            time.sleep(0.1)

    def log(self):
        if not os.path.exists(self.phone.log):
            return ""
        with open(self.phone.log, encoding="utf-8", errors="replace") as log:
            return log.read()

    def command(self, *arguments):
        options = ["--libraries", self.libraries] if arguments[0] in ("doctor", "record") else []
        options += ["-o", self.output] if arguments[0] in ("record", "pull") else []
        return [HOST_TOOL, *arguments, *options]

    def desk(self, *arguments, **variables):
        return subprocess.run(self.command(*arguments), env={**self.server.environment, **variables},
                              capture_output=True, text=True, timeout=WITHIN_S, check=False)

    def doctor(self, *arguments, **variables):
        """Runs doctor on this test's phone, whatever else is connected."""
        return self.desk("doctor", "-s", self.device.serial, "-p", PACKAGE, *arguments, **variables)

    def record(self, *arguments, **variables):
        done = self.desk("record", "-s", self.device.serial, "-p", PACKAGE, *arguments, **variables)
        return done

    def problem(self, done, text):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        problems = [line for line in done.stdout.splitlines() if line.startswith("problem ")]
        self.assertEqual(len(problems), 1, done.stdout)
        self.assertIn(text, problems[0])

    def judge(self, done, dumps=1):
        """Checks that a recording succeeded, and returns its newest dump. A busy machine has more dumps: for an
        unresponsive Looper, and for each SIGQUIT."""
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr + self.log()[-3000:])
        files = sorted(os.listdir(self.output))
        self.assertGreaterEqual(len([name for name in files if name.endswith(".sfdump")]), dumps, files)
        self.assertIn("report.html", files)
        self.assertEqual(done.stdout, f"{self.output}/report.html\n")
        self.is_clean()
        return inspect(os.path.join(self.output, [name for name in files if name.endswith(".sfdump")][-1]))

    def is_clean(self):
        self.assertEqual(self.phone.files(), ["data/data/" + PACKAGE + "/code_cache"]
                         if "data/data/" + PACKAGE + "/code_cache" in self.phone.files() else [])
        self.assertEqual(self.phone.property("wrap." + PACKAGE), "")
