# SPDX-License-Identifier: Apache-2.0
"""Tests that run on a phone, an emulator, or in a chroot with an Android system: `tools/test --device SERIAL`,
`tools/test --android-root DIR`.

The unit tests run first if they are built for that ABI (STILLFRAME_ANDROID_TESTS). Then DeviceLane.java runs under
app_process or dalvikvm, with the library preloaded. In each sample's stack, the methods of that program must be among
those that ART reported for the same message. The row goes to build/test/frames.tsv.
"""

import argparse
import glob
import os
import posixpath
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "process"))
import frames_table  # noqa: E402
from process import BUILD, collapsed, inspect  # noqa: E402

JAR = os.path.join(BUILD, "art", "device_lane.jar")
FOLDER = "/data/local/tmp/stillframe-test"
TIMEOUT_S = 300
MIN_SAMPLES = 100
# Between two calls a method is innermost for some microseconds; ART is hardly ever asked then.
MAX_BETWEEN_CALLS = 0.01
SKIPPED = 77
PRESETS = {"arm64-v8a": "android-arm64", "armeabi-v7a": "android-arm", "x86_64": "android-x86_64", "x86": "android-x86"}
ABIS = {183: "arm64-v8a", 40: "armeabi-v7a", 62: "x86_64", 3: "x86"}  # by e_machine
FILES_OF_PROPERTIES = ("/default.prop", "/prop.default", "/system/build.prop", "/system/etc/prop.default", "/vendor/build.prop")
RUNNERS = ("app_process64", "app_process32", "app_process", "dalvikvm64", "dalvikvm32", "dalvikvm")


class Skip(Exception):
    """Says what cannot run on this device, and why."""


class Phone:
    """A device that is reached by adb."""

    def __init__(self, serial):
        self.adb = ["adb", "-s", serial]
        if (state := subprocess.run([*self.adb, "get-state"], capture_output=True, text=True, check=False)).returncode:
            sys.exit(f"device {serial}: {state.stderr.strip()}; see stillframe doctor")

    def run(self, command):
        return subprocess.run([*self.adb, "shell", command], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)

    def property(self, name):
        return self.run(f"getprop {name}").stdout.strip()

    def push(self, path, name):
        subprocess.run([*self.adb, "push", path, name], check=True, capture_output=True)

    def read(self, name):
        return subprocess.run([*self.adb, "exec-out", "cat " + shlex.quote(name)], check=True, capture_output=True).stdout


class Root:
    """An unpacked Android system. For a foreign CPU, qemu-user's binfmt entry needs the flag F."""

    def __init__(self, root):
        self.root = os.path.abspath(root)
        if not os.path.exists(os.path.join(self.root, "system", "bin", "sh")):
            sys.exit(f"{root} holds no Android system: there is no system/bin/sh")
        if os.geteuid() != 0:
            sys.exit("chroot is for root only")

    def run(self, command):
        return subprocess.run(["/usr/sbin/chroot", self.root, "/system/bin/sh", "-c", command], capture_output=True, text=True,
                              env={"PATH": "/system/bin:/apex/com.android.art/bin", "ANDROID_ROOT": "/system",
                                   "ANDROID_DATA": "/data"}, timeout=TIMEOUT_S, check=False)

    def property(self, name):
        """A system property. Without init, getprop is empty: properties are read from files, and the ABI from the
        shell's ELF header."""
        if told := self.run(f"getprop {name}").stdout.strip():
            return told
        for file in FILES_OF_PROPERTIES:
            if os.path.exists(self.root + file):
                with open(self.root + file, encoding="utf-8", errors="replace") as lines:
                    if found := [line.split("=", 1)[1].strip() for line in lines if line.startswith(name + "=")]:
                        return found[-1]
        return self.abi_of_shell() if name.endswith(".abi") else ""

    def abi_of_shell(self):
        shell = os.path.join(self.root, "system", "bin", "sh")
        with open(shell, "rb") as file:
            head = file.read(20)
        return ABIS.get(int.from_bytes(head[18:20], "little"), "") if head[:4] == b"\x7fELF" else ""

    def push(self, path, name):
        os.makedirs(os.path.dirname(self.root + name), exist_ok=True)
        shutil.copy(path, self.root + name)

    def read(self, name):
        with open(self.root + name, "rb") as file:
            return file.read()


def runner_of(target, abi):
    bits = "64" if "64" in abi else "32"
    found = [line for line in target.run("command -v " + "; command -v ".join(RUNNERS)).stdout.split()
             if not line.endswith({"64": "32", "32": "64"}[bits])]
    return found[0] if found else ""


def skip_vm(failed, why):
    """Failed unit tests are reported even if the rest cannot run."""
    if failed:
        sys.exit(f"unit tests failed; skipped: {why}")
    raise Skip(why)


def command_of(runner, library):
    """A shell's command that runs the program under the preloaded library."""
    environment = f"LD_PRELOAD={library} STILLFRAME_DUMP_DIR={FOLDER}/dumps STILLFRAME_INTERVAL_US=2000"
    jar = f"{FOLDER}/device_lane.jar"
    if posixpath.basename(runner).startswith("app_process"):
        return f"CLASSPATH={jar} {environment} {runner} /system/bin DeviceLane {library}"
    return f"{environment} {runner} -cp {jar} DeviceLane {library}"


def own_frames(stack):
    """The program's methods in ART's answers. A frame of the dump has a source position after the name."""
    return [found.group(0) for frame in stack if (found := re.match(r"DeviceLane[\w$.]*", frame))]


def cases_of(listed):
    """The names of a program's cases, as --gtest_list_tests has them."""
    suite = ""
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith(" "):
            yield suite + name.strip()
        elif name.endswith("."):
            suite = name


def results_of(run):
    """{kind: cases} of one program; `run` runs it with a filter of cases. Cases that failed, or were not reached before
    the program broke off, run again one by one, as under CTest."""
    whole = run("")
    results = {kind: set(re.findall(rf"^\[ +{word} \] (\w[\w/]*\.[\w/]+)", whole.stdout, re.MULTILINE))
               for kind, word in (("passed", "OK"), ("skipped", "SKIPPED"))}
    results["failed"] = set()
    results["passed"] -= results["skipped"]
    cases = list(cases_of(run("--gtest_list_tests").stdout))
    told = whole.stdout + whole.stderr[-2000:] if not cases else ""
    for case in cases:
        if case not in results["passed"] | results["skipped"]:
            alone = run(f"--gtest_filter={shlex.quote(case)}")
            kind = "failed" if alone.returncode else "skipped" if "[  SKIPPED ]" in alone.stdout else "passed"
            results[kind].add(case)
            told += f"{case}: exit code {alone.returncode}\n{alone.stdout}{alone.stderr[-2000:]}" if kind == "failed" else ""
    if not cases:
        results["failed"].add("all: it does not run")
    return results, told


def run_unit_tests(target, abi):
    """Runs each program of the ABI's build; how many cases failed."""
    bin_folder = os.environ.get("STILLFRAME_UNIT_TESTS", os.path.join(BUILD, PRESETS.get(abi, "none"), "bin"))
    programs = sorted(glob.glob(os.path.join(bin_folder, "unit_*")))
    if not programs:
        print(f"unit tests: none are built in {bin_folder}: cmake --preset {PRESETS.get(abi)} -DSTILLFRAME_ANDROID_TESTS=ON")
        return 0
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for program in programs:
        name = posixpath.join(FOLDER, os.path.basename(program))
        target.push(program, name)
        command = f"chmod 755 {name}; cd {FOLDER} && TMPDIR={FOLDER} TEST_TMPDIR={FOLDER} {name} "
        results, told = results_of(lambda arguments, command=command: target.run(command + arguments))
        target.run(f"rm -f {name}")
        for kind, cases in results.items():
            counts[kind] += len(cases)
        print(f"{os.path.basename(program)}: " + ", ".join(f"{len(cases)} {kind}" for kind, cases in results.items()))
        print(told, end="")
    print("unit tests: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return counts["failed"]


def judge(output, dump):
    """(samples, truncated, (right, wrong) guesses, wrong stacks) of the long message."""
    answers = {tuple(own_frames(line.removeprefix("art ").split(";"))) for line in output if line.startswith("art ")}
    stacks = [found for tree in inspect(dump)["trees"] for found in collapsed(dump, token=tree["token"])]
    return compare(answers, stacks)


def compare(answers, stacks):
    """An incomplete stack is an answer without its innermost frames. It counts as right only where such samples are
    rare. With a mark it counts as a wrong guess."""
    begun = {answer[:end] for answer in answers for end in range(1, len(answer))}
    samples, truncated, guesses = 0, 0, [0, 0]
    wrong, between = [], []
    for stack, count in stacks:
        frames = tuple(own_frames(stack))
        if not frames:
            continue
        is_guess = any(frame.startswith("DeviceLane") and "or inlined into it" in frame for frame in stack)
        samples += count
        if "truncated" in stack[0]:
            truncated += count
        elif is_guess and frames in answers | begun:
            guesses[frames not in answers] += count
        elif frames not in answers:
            (between if frames in begun else wrong).append((count, ";".join(frames)))
    is_rare = sum(count for count, _ in between) <= max(1, MAX_BETWEEN_CALLS * samples)
    return samples, truncated, tuple(guesses), wrong + ([] if is_rare else between)


def run_lane(target, libraries):
    abi = target.property("ro.product.cpu.abi")
    release = target.property("ro.build.version.release")
    name = target.property("ro.product.model") or "unnamed"
    library = os.path.join(libraries, abi or "unknown", "libstillframe.so")
    if not os.path.exists(library):
        sys.exit(f"{library} is not there: build it with tools/android, or set STILLFRAME_LIBRARIES")
    print(f"{name}: Android {release}, {abi}")
    try:
        target.run(f"rm -rf {FOLDER}; mkdir -p {FOLDER}/dumps")
        target.push(library, f"{FOLDER}/libstillframe.so")
        loaded = target.run(f"LD_PRELOAD={FOLDER}/libstillframe.so sh -c 'exit 3'")
        if loaded.returncode != 3:
            sys.exit(f"the library does not load there: {loaded.stdout}{loaded.stderr}")
        print("the library loads")
        failed = run_unit_tests(target, abi)
        runner = runner_of(target, abi)
        if not runner:
            skip_vm(failed, "there is neither app_process nor dalvikvm: nothing that needs a VM can run")
        target.push(JAR, f"{FOLDER}/device_lane.jar")
        done = target.run(command_of(runner, f"{FOLDER}/libstillframe.so"))
        output = done.stdout.splitlines()
        if unlinked := re.search(r"CANNOT LINK EXECUTABLE.*", done.stdout + done.stderr):
            skip_vm(failed, f"its VM is not complete: {unlinked.group(0)}")
        if "state on" not in output:
            sys.exit(f"the profiler is not on there: {done.stdout}{done.stderr}")
        dumps = [line.removeprefix("dump ") for line in output if line.startswith("dump /")]
        if len(dumps) != 1:
            sys.exit(f"no dump: {done.stdout}{done.stderr}")
        with tempfile.TemporaryDirectory() as folder:
            dump = os.path.join(folder, os.path.basename(dumps[0]))
            with open(dump, "wb") as file:
                file.write(target.read(dumps[0]))
            samples, truncated, guesses, wrong = judge(output, dump)
    finally:
        target.run(f"rm -rf {FOLDER}")
    kind = "device " + name
    frames_table.replace_rows(lambda cpu, other: (cpu, other) == (abi, kind), [frames_table.row(
        release, abi, kind, samples, truncated, sum(count for count, _ in wrong), "device", guesses)])
    for count, stack in wrong:
        print(f"wrong: {count} x {stack}")
    if samples < MIN_SAMPLES:
        sys.exit(f"{samples} samples, {MIN_SAMPLES} are needed")
    return 1 if wrong or failed else 0


def main():
    parser = argparse.ArgumentParser(description="Runs the device's part of the tests.")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--device", metavar="SERIAL")
    where.add_argument("--android-root", metavar="DIR")
    arguments = parser.parse_args()
    libraries = os.environ.get("STILLFRAME_LIBRARIES", os.path.join(BUILD, "android", "lib"))
    try:
        return run_lane(Phone(arguments.device) if arguments.device else Root(arguments.android_root), libraries)
    except Skip as why:
        print(f"SKIPPED: {why}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
