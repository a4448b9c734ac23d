# SPDX-License-Identifier: Apache-2.0
"""A phone behind adbd.py: its files in a folder, its commands as far as the desk uses them, and its application a
process of real ART of the test bed.

A command line is given to a real shell, whose only commands are those of COREUTILS (which toybox has as well) and those
of this file; paths below /data and /system are changed to the folder and back. What has no process behind it (dumpsys, getprop) is
told as Android tells it.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.abspath(__file__)
COREUTILS = ("cat", "chmod", "cp", "find", "grep", "ls", "mkdir", "rm", "rmdir", "sh", "stat", "tail")
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
                script.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {shlex.quote(HERE)} {name} "$@"\n')
            os.chmod(script.name, 0o755)
        self.state = {"properties": dict(PROPERTIES), "packages": {PACKAGE: {"debuggable": True, "abi": "null"}},
                      "free_kib": 1 << 20, "is_wrap_allowed": True, "run_as_problem": ""}
        self.lock = threading.Lock()
        self.save()

    def change(self, **state):
        self.state.update(state)
        self.save()

    def save(self):
        with open(os.path.join(self.root, "state.json"), "w", encoding="utf-8") as file:
            json.dump(self.state, file)

    def load(self):
        with open(os.path.join(self.root, "state.json"), encoding="utf-8") as file:
            self.state = json.load(file)

    def property(self, name):
        self.load()
        return self.state["properties"].get(name, "")

    def path(self, name):
        return self.root + name

    def files(self):
        """All that is in the folders of shell and application."""
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
        """What `am` has asked for: only this process may be the application's parent."""
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


class Command:
    """One command of the phone's shell, in a process of its own."""

    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "state.json"), encoding="utf-8") as file:
            self.state = json.load(file)

    def fail(self, text):
        print(text, file=sys.stderr)
        return 1

    def pid(self):
        try:
            with open(os.path.join(self.root, "pid"), encoding="ascii") as file:
                pid = int(file.read())
            with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # one that has ended is its parent's to see
                return pid if stat.read().rsplit(")", 1)[1].split()[0] != "Z" else 0
        except OSError:
            return 0

    def getprop(self, name):
        print(self.state["properties"].get(name, ""))
        return 0

    def setprop(self, name, value):
        if name.startswith("wrap.") and not self.state["is_wrap_allowed"]:
            return self.fail(f"setprop: failed to set property '{name}' to '{value}'")
        if len(value.replace(self.root, "")) > 91:
            return self.fail(f"setprop: value '{value}' too long; try '{value[:91]}'")
        self.state["properties"][name] = value.replace(self.root, "")
        with open(os.path.join(self.root, "state.json"), "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        return 0

    def df(self, *_):
        print("Filesystem 1K-blocks Used Available Use% Mounted on")
        print(f"/dev/block/dm-5 9000000 1000000 {self.state['free_kib']} 12% /data")
        return 0

    def pm(self, verb, name):
        assert verb == "path"
        if name not in self.state["packages"]:
            return 1
        print(f"package:/data/app/{name}/base.apk")
        return 0

    def dumpsys(self, service, name):
        assert service == "package"
        facts = self.state["packages"].get(name)
        if facts is None:
            print(f"Unable to find package: {name}")
            return 0
        debuggable = "DEBUGGABLE " if facts["debuggable"] else ""
        print(f"Packages:\n  Package [{name}] (1234567):\n    userId=10077\n    primaryCpuAbi={facts['abi']}\n"
              f"    versionName=1.2\n    flags=[ {debuggable}HAS_CODE ALLOW_BACKUP ]")
        return 0

    def run_as(self, name, *command):
        if self.state["run_as_problem"]:
            return self.fail("run-as: " + self.state["run_as_problem"])
        facts = self.state["packages"].get(name)
        if facts is None:
            return self.fail(f"run-as: unknown package: {name}")
        if not facts["debuggable"]:
            return self.fail(f"run-as: package not debuggable: {name}")
        os.chdir(os.path.join(self.root, "data", "data", name))
        if command == ("pwd",):
            print(os.getcwd())
            return 0
        sys.stdout.flush()
        return os.execvp(command[0], command)

    def cmd(self, *arguments):
        assert arguments[:2] == ("package", "resolve-activity")
        if self.state.get("has_no_activity"):
            print("No activity found")
        else:
            print(f"priority=0 preferredOrder=0 match=0x108000\n{arguments[-1]}/.Main")
        return 0

    def am(self, verb, *arguments):
        if verb == "attach-agent":
            return self.attach(*arguments)
        with open(os.path.join(self.root, {"start": "start", "force-stop": "force-stop"}[verb]), "w", encoding="ascii"):
            pass
        return 0

    def attach(self, process, agent):
        if int(process) != self.pid():
            return self.fail(f"java.lang.IllegalArgumentException: Unknown process: {process}")
        with open(os.path.join(self.root, "agents"), "w", encoding="utf-8") as pipe:
            pipe.write(agent + "\n")
        return 0

    def app_process64(self, folder, *arguments):
        """An ART of the bed instead of the phone's own."""
        assert folder.endswith("/system/bin")
        library = os.environ.pop("LD_PRELOAD")
        command = [*self.state["art"], "--preload", library, "-cp", os.environ["CLASSPATH"], *arguments]
        sys.stdout.flush()
        return os.execvpe(command[0], command, {**os.environ, "PATH": os.defpath})

    def pidof(self, name):
        pid = self.pid() if name == PACKAGE else 0
        if pid:
            print(pid)
        return 0 if pid else 1

    def logcat(self, *arguments):
        assert "-d" in arguments and "stillframe" in arguments, arguments
        if os.path.exists(os.path.join(self.root, "log")):
            with open(os.path.join(self.root, "log"), encoding="utf-8", errors="replace") as log:
                for line in log:
                    if line.startswith("stillframe: "):
                        print(line.removeprefix("stillframe: "), end="")
        return 0


if __name__ == "__main__":
    sys.exit(getattr(Command(os.environ["PHONE"]), sys.argv[1].replace("-", "_"))(*sys.argv[2:]))
