# SPDX-License-Identifier: Apache-2.0
"""A phone behind adbd.py. Its files are in a folder, and it has the commands that the desk uses. Its application is a
process of the test bed's real ART.

A real shell runs each command line. It has only the commands of COREUTILS (which toybox has too) and of
phone_command.py. Paths below /data and /system are mapped to the folder and back. Output without a process behind it
(dumpsys, getprop) imitates Android's.
"""

import marshal
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "phone_command.py")
COREUTILS = ("cat", "chmod", "cp", "find", "grep", "ls", "mkdir", "mv", "rm", "rmdir", "sh", "stat", "tail")
ANDROID = ("am", "app_process64", "cmd", "df", "dumpsys", "getprop", "logcat", "pidof", "pm", "run-as", "setprop")
PACKAGE = "com.example.shop"
PROPERTIES = {"ro.build.version.sdk": "30", "ro.build.version.release": "11",
              "ro.product.cpu.abi": "x86_64", "ro.product.cpu.abilist": "x86_64,arm64-v8a,armeabi-v7a", "ro.product.model": "Bed"}


class Phone:
    """`application` is a function (wrap, pipe, log) -> Popen that starts the application behind the words `wrap`, as the
    zygote does; it reads requests for agents from the pipe. Its output is the log."""

    def __init__(self, application):
        self.root = tempfile.mkdtemp(prefix="phone")
        self.application = application
        self.process = None
        self.before_command = lambda command: None  # a test's hand in it
        self.home = os.path.join(self.root, "data", "data", PACKAGE)
        self.pipe = os.path.join(self.root, "agents")
        self.log = os.path.join(self.root, "log")
        self.bin = os.path.join(self.root, "system", "bin")
        for folder in (self.home, os.path.join(self.root, "data", "local", "tmp"), self.bin):
            os.makedirs(folder)
        os.mkfifo(self.pipe)
        for name in COREUTILS:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        for name in ANDROID:
            with open(os.path.join(self.bin, name), "w", encoding="utf-8") as script:
                script.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {shlex.quote(COMMAND)} {name} "$@"\n')
            os.chmod(script.name, 0o755)
        self.state = {"properties": dict(PROPERTIES), "packages": {PACKAGE: {"debuggable": True, "abi": "null"}},
                      "free_kib": 1 << 20, "is_wrap_allowed": True, "run_as_problem": ""}
        self.lock = threading.Lock()
        self.save()

    def change(self, **state):
        self.state.update(state)
        self.save()

    def save(self):
        with open(os.path.join(self.root, "state"), "wb") as file:
            marshal.dump(self.state, file)

    def load(self):
        with open(os.path.join(self.root, "state"), "rb") as file:
            self.state = marshal.load(file)

    def property(self, name):
        self.load()
        return self.state["properties"].get(name, "")

    def path(self, name):
        return self.root + name

    def files(self):
        """Paths of all files in the folders of the shell and the application."""
        return sorted(os.path.relpath(os.path.join(folder, name), self.root)
                      for top in (self.home, os.path.join(self.root, "data", "local", "tmp"))
                      for folder, folders, names in os.walk(top) for name in folders + names)

    def run(self, command):
        """(exit code, standard output, standard error) of a command line."""
        self.before_command(command)
        real = re.sub(r"(?<![\w/])/(data|system)/", rf"{self.root}/\1/", command)
        done = subprocess.run(["/bin/sh", "-c", real], cwd=self.root, stdin=subprocess.DEVNULL, capture_output=True,
                              env={"PATH": self.bin, "PHONE": self.root, "LC_ALL": "C.UTF-8"}, check=False)
        for started in ("start", "force-stop"):
            self.do_request(started)
        return done.returncode, done.stdout.replace(self.root.encode(), b""), \
            done.stderr.replace(self.root.encode(), b"")

    def do_request(self, what):
        """Carries out a request of `am`: only this process may be the application's parent."""
        path = os.path.join(self.root, what)
        with self.lock:
            if not os.path.exists(path):
                return
            os.unlink(path)
            self.stop()
            if what == "start":
                self.start()

    def start(self):
        wrap = self.property("wrap." + PACKAGE).replace("/data/", f"{self.root}/data/")
        with open(self.log, "ab") as log:
            self.process = self.application(wrap.split(), self.pipe, log)
        with open(os.path.join(self.root, "pid"), "w", encoding="ascii") as file:
            file.write(str(self.process.pid))

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None
            os.unlink(os.path.join(self.root, "pid"))

    def close(self):
        self.stop()
        shutil.rmtree(self.root)
