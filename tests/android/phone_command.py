# SPDX-License-Identifier: Apache-2.0
"""A command of phone.py's shell that Linux lacks: phone_command.py NAME ARGUMENTS..., with PHONE, its folder.

A recording runs hundreds of these, so only built-in modules are imported.
"""

import marshal
import os
import sys


class Command:
    """One command of the phone's shell, in a process of its own."""

    def __init__(self, root):
        self.root = root
        with open(os.path.join(root, "state"), "rb") as file:
            self.state = marshal.load(file)

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
        with open(os.path.join(self.root, "state"), "wb") as file:
            marshal.dump(self.state, file)
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
        """Runs an ART of the test bed instead of the phone's own."""
        assert folder.endswith("/system/bin")
        library = os.environ.pop("LD_PRELOAD")
        command = [*self.state["art"], "--preload", library, "-cp", os.environ["CLASSPATH"], *arguments]
        sys.stdout.flush()
        return os.execvpe(command[0], command, {**os.environ, "PATH": os.defpath})

    def pidof(self, name):
        pid = self.pid() if name in self.state["packages"] else 0
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
