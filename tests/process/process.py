# SPDX-License-Identifier: Apache-2.0
"""Runs applications on real ART under the preloaded profiler, and reads what it leaves."""

import atexit
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

BUILD = os.environ.get("STILLFRAME_BUILD") or sys.exit("set STILLFRAME_BUILD to the build folder")
# Debian's name of the CPU, and the build for it. art-run, the jars and the host tool always come from the release
# build.
CPU = os.environ.get("STILLFRAME_CPU", "amd64")
TARGET_BUILD = os.environ.get("STILLFRAME_TARGET_BUILD", BUILD)
LIBRARY = os.path.join(TARGET_BUILD, "lib", "libstillframe.so")
# The same library with variables for constants that tests may set (STILLFRAME_TUNABLE).
TUNABLE = os.path.join(TARGET_BUILD, "tunable", "libstillframe.so")
ART_RUN = os.path.join(BUILD, "bin", "art-run")
HOST_TOOL = os.path.join(BUILD, "bin", "stillframe")
ART_RELEASE = os.environ.get("STILLFRAME_ART", "11")
# Releases for tests that run on each: the newest by default, all with tools/test --full.
ALL_RELEASES = ("10", "11", "14")
# Android's own class library and framework, for tests of what an application shows.
ANDROID = os.environ.get("STILLFRAME_ART", "10 android")
RELEASES = tuple(os.environ.get("STILLFRAME_RELEASES", ALL_RELEASES[-1]).split())
if unknown := set(RELEASES) - set(ALL_RELEASES):
    sys.exit(f"STILLFRAME_RELEASES: there is no ART {' '.join(sorted(unknown))} here")
# Measurements disturbed by a busy machine are repeated this often. Then the test is skipped with that reason.
MEASUREMENTS = 5
MAX_RUN_QUEUE_SHARE = 0.3
OUR_THREADS = ("stillframe", "stillframe-q")
# Parallel tests of a file. They mostly wait.
JOBS = 3
WITHIN_S = 90  # limit of any wait, not a measurement
APPS = os.path.join(BUILD, "art", "process_apps.jar")

COMPILER = "{0}" if CPU == "amd64" else f"{{0}}-{CPU}"  # as tools/setup/build-art-compiler names it
NO_COMPILER = f"the compiler of ART {COMPILER} is not built: tools/setup/build-art-compiler {COMPILER}"


NO_ANDROID = f"Android {ANDROID.split()[0]} is not built: tools/setup/build-android {ANDROID.split()[0]}"


def has_core(release):
    """Whether the class library of a release is there; Android's own is built apart."""
    if not release.endswith("android"):
        return True
    with open(os.path.join(BUILD, "art", release.split()[0], CPU, "android"), encoding="utf-8") as path:
        return os.path.exists(os.path.join(path.read().strip(), "framework.jar"))


def require_android():
    """Ends a test that runs on ANDROID as skipped, with the reason, if that is not built."""
    if not has_core(ANDROID):
        print(f"SKIPPED: {NO_ANDROID}")
        sys.exit(77)


def has_compiler(release):
    """True if ART's own compiler is built, which some modes of art-run need."""
    with open(os.path.join(BUILD, "art", release.split()[0], CPU, "compiler"), encoding="utf-8") as path:
        return os.path.exists(os.path.join(path.read().strip(), "libart-compiler.so"))


def run_stepped(run):
    """The result of a program that steps through its code. On arm64 it steps by breakpoints, which other threads meet:
    one that a signal ends there, which is rare, runs again."""
    for attempt in range(1 if CPU == "amd64" else 3):
        done = run()
        if done.returncode >= 0:
            break
        print(f"attempt {attempt + 1} ended by signal {-done.returncode}")
    return done


def preloads(path):
    """LD_PRELOAD for a program that art-run does not start. The dynamic linker splits it at blanks and colons: a path
    with those gets a link."""
    if re.search(r"[\s:]", path):
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder)
        link = os.path.join(folder, os.path.basename(path))
        os.symlink(path, link)
        path = link
    return {"LD_PRELOAD": path}


def art(release):
    """Options of art-run for a release, "10", or for one whose core is Android's own, "10 android"."""
    release, *core = release.split()
    return ["--art", release, *(["--core", *core] if core else [])]


def art_command(main, *args, options=(), preload=LIBRARY, release=ART_RELEASE):
    command = [ART_RUN, *art(release)]
    if preload:
        command += ["--preload", preload]
    return command + list(options) + ["-cp", APPS, main, *map(str, args)]


def inspect(dump):
    """The dump as the host tool's JSON."""
    done = subprocess.run([HOST_TOOL, "inspect", "--json", dump], capture_output=True, check=True)
    return json.loads(done.stdout)


def collapsed(dump, token=None, unit="samples"):
    """Collapsed stacks as [(frames, outermost first; samples or microseconds)]."""
    command = [HOST_TOOL, "export", dump, "--format", "collapsed", "--unit", unit]
    command += ["--message", str(token)] if token is not None else []
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    stacks = []
    for line in done.stdout.splitlines():
        stack, count = line.rsplit(" ", 1)
        stacks.append((stack.split(";"), int(count)))
    return stacks


def thread_names(pid):
    """{thread id: name}"""
    names = {}
    for comm in glob.glob(f"/proc/{pid}/task/*/comm"):
        try:
            with open(comm, encoding="utf-8") as name:
                names[int(comm.split("/")[4])] = name.read().rstrip("\n")
        except OSError:  # it has ended
            pass
    return names


def run_queue_wait_ms(pid, tids=None):
    """Time in ms that these threads (default: ours) were ready without a CPU; 0: the kernel does not report it."""
    if tids is None:
        tids = [tid for tid, name in thread_names(pid).items() if name in OUR_THREADS]
    waited_ns = 0
    for tid in tids:
        try:
            with open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii") as schedstat:
                waited_ns += int(schedstat.read().split()[1])
        except OSError:
            pass
    return waited_ns / 1e6


def where_it_stands(pid):
    """The wait of each thread of a hanging process, with stacks if gdb is installed."""
    lines = []
    for task in sorted(glob.glob(f"/proc/{pid}/task/*")):
        for name in ("comm", "wchan", "syscall", "status"):
            try:
                with open(os.path.join(task, name), encoding="utf-8", errors="replace") as file:
                    lines.append(f"{task}/{name} {file.read().rstrip()}")
            except OSError as error:
                lines.append(f"{task}/{name}: {error.strerror}")
    if debugger := shutil.which("gdb"):
        try:
            done = subprocess.run([debugger, "-p", str(pid), "-batch", "-ex", "thread apply all backtrace 50"],
                                  capture_output=True, text=True, timeout=WITHIN_S)
            lines.append(done.stdout)
        except subprocess.TimeoutExpired:
            lines.append("the debugger did not end")
    return "\n".join(lines)


def wakeups(pid):
    """{name: voluntary context switches} of our threads. Each is a sleep that ends with a wake-up."""
    counts = {}
    for tid, name in thread_names(pid).items():
        if name in OUR_THREADS:
            with open(f"/proc/{pid}/task/{tid}/status", encoding="ascii") as status:
                counts[name] = int(dict(line.split(":", 1) for line in status)["voluntary_ctxt_switches"])
    return counts


# Resources that must be back at their first values when everything was undone.
HELD = ("files", "threads", "timers")


def held_by(pid):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        fields = dict(line.split(":", 1) for line in status)
    with open(f"/proc/{pid}/timers", encoding="ascii") as timers:
        timer_count = sum(line.startswith("ID:") for line in timers)
    files = sorted(os.readlink(link) for link in glob.glob(f"/proc/{pid}/fd/*"))
    return {"files": files, "threads": int(fields["Threads"]), "timers": timer_count,
            "anonymous_kib": int(fields["RssAnon"].split()[0])}


def settled(pid, first):
    """The resources of the process. Waits until files, threads and timers equal `first`, for 20 s at most."""
    deadline = time.monotonic() + 20
    while True:
        held = held_by(pid)
        if first is None or all(held[what] == first[what] for what in HELD) or time.monotonic() > deadline:
            return held
        time.sleep(0.1)


def rest_command(release, every_ms, told, slow_every=0, slow_ms=0):
    """A program that runs until the file exists: a message every `every_ms` (0: none), each `slow_every`th of them
    slow.
    """
    return art_command("Rests", every_ms, told, slow_every, slow_ms, release=release)


def rise():
    """Called in a new process: raises its priority over the machine's other work, if permitted."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except OSError:
        pass


class ProcessTest(unittest.TestCase):
    """A fresh dump folder for each test."""

    release = ART_RELEASE
    library = LIBRARY

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dump_dir = folder.name

    def environment(self, **variables):
        # On a slow machine any message can be long.
        settings = {"DUMP_DIR": self.dump_dir, "LONG_MS": 0, **variables}
        # Variables of the tests themselves are not settings.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("STILLFRAME_")}
        return {**inherited, **{"STILLFRAME_" + k: str(v) for k, v in settings.items()}}

    def command(self, main, *args, options=()):
        return art_command(main, *args, options=options, preload=self.library, release=self.release)

    def run_app(self, main, *args, timeout=300, options=(), **variables):
        return subprocess.run(
            self.command(main, *args, options=options), env=self.environment(**variables),
            capture_output=True, text=True, timeout=timeout, preexec_fn=rise)

    def start_app(self, main, *args, options=(), **variables):
        process = subprocess.Popen(
            self.command(main, *args, options=options), env=self.environment(**variables),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=rise)
        self.addCleanup(process.kill)
        return process

    def measure(self, run):
        """Result of the first `run` in whose dumps no slow message lacked a CPU for long."""
        for _ in range(MEASUREMENTS):
            ProcessTest.setUp(self)
            result = run()
            waits = [(message["runqueue_wait_ns"] or 0) / message["wall_ns"]
                     for dump in self.dumps() for message in inspect(dump)["history"] if message["wall_ns"] > 300e6]
            if max(waits, default=0) <= MAX_RUN_QUEUE_SHARE:
                return result
        return self.skipTest(f"in each of {MEASUREMENTS} measurements a message waited for a CPU for more than "
                             f"{MAX_RUN_QUEUE_SHARE:.0%} of its time, in the last for {max(waits):.0%}")

    def dumps(self):
        return sorted(glob.glob(os.path.join(self.dump_dir, "*.sfdump")))

    def only_dump(self, output):
        dumps = self.dumps()
        self.assertEqual(len(dumps), 1, f"dumps {dumps}, output:\n{output}")
        return dumps[0]


class ToldTest(ProcessTest):
    """The application continues until a file ends it, however slow the machine is."""

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.told = os.path.join(folder.name, "told")

    def begin(self, command, first_line, **variables):
        process = subprocess.Popen(command, env=self.environment(**variables), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.lines = []
        self.reader = threading.Thread(target=self.read_log, args=(process.stderr,))
        self.reader.start()
        self.assertEqual(process.stdout.readline(), first_line, self.log())
        return process

    def read_log(self, stream):
        for line in stream:
            self.lines.append(line)

    def log(self):
        return "".join(self.lines)

    def wait_until(self, what, is_so):
        """The limit is not a measurement, and long enough for a busy machine."""
        deadline = time.monotonic() + WITHIN_S
        while not is_so():
            self.assertLess(time.monotonic(), deadline, f"{what} within {WITHIN_S} s; dumps {self.dumps()}\n{self.log()}")
            time.sleep(0.02)

    def wait_for_log(self, text):
        self.wait_until(f"no {text!r}", lambda: text in self.log())

    def finish(self, process):
        with open(self.told, "w", encoding="utf-8"):
            pass
        self.assertEqual(process.wait(timeout=WITHIN_S), 0, self.log())
        self.reader.join()
        return self.log()


def run_and_tell(command, environment, told, when):
    """Like subprocess.run, for a program that ends once the file exists. Creates it when the log matches `when`."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out = []
        reader = threading.Thread(target=lambda: out.append(process.stdout.read()))
        reader.start()
        timer = threading.Timer(4 * WITHIN_S, process.kill)
        timer.start()
        log = []
        for line in process.stderr:
            log.append(line)
            if when is not None and re.search(when, line):
                with open(told, "w", encoding="utf-8"):
                    pass
        reader.join()
        process.wait()
        timer.cancel()
    return subprocess.CompletedProcess(command, process.returncode, "".join(out), "".join(log))


def on_each_release(case):
    """Runs BootOn11Test as BootOn10Test and so on, for all RELEASES."""
    module = sys.modules[case.__module__]
    for release in ALL_RELEASES:
        if release != case.release:
            name = case.__name__.replace("On11Test", f"On{release}Test")
            setattr(module, name, type(name, (case,), {"release": release, "__module__": case.__module__}))
    case.is_on_each_release = True
    return case


def is_chosen(test):
    return not getattr(test, "is_on_each_release", False) or test.release in RELEASES


def each(suite):
    for test in suite:
        yield from each(test) if isinstance(test, unittest.TestSuite) else (test,)


def lasts(test):
    """Marks a test that takes long: run_at_once starts these first."""
    test.lasts = True
    return test


def alone(test):
    """Marks a test that measures: run_at_once runs these last, one at a time."""
    test.alone = True
    return test


def run_at_once(module, jobs=JOBS):
    """Runs the tests of a file on the chosen releases, `jobs` at a time, or those on the command line.

    Fixtures of classes and modules need `jobs` 1. A file without tests fails.
    """
    if len(sys.argv) > 2:
        unittest.main(module)
    chosen = list(filter(is_chosen, each(unittest.defaultTestLoader.loadTestsFromModule(module))))
    if not chosen:
        sys.exit(f"no test of {sys.argv[0]} runs on ART {' '.join(RELEASES)}")
    if jobs == 1:
        result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(chosen))
        sys.exit(0 if result.wasSuccessful() else 1)

    def has(mark, test):
        return hasattr(getattr(test, test.id().rsplit(".", 1)[1]), mark)

    tests = sorted(chosen, key=lambda test: not has("lasts", test))
    results = {test: unittest.TestResult() for test in tests}
    seconds = {}

    def run(test):
        begin = time.monotonic()
        test.run(results[test])
        seconds[test] = time.monotonic() - begin

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, [test for test in tests if not has("alone", test)]))
    for test in tests:
        if has("alone", test):
            run(test)
    for test, result in results.items():
        skipped = f"skipped {result.skipped[0][1]!r}" if result.skipped else "ok"
        print(f"{test.id()} ... {skipped if result.wasSuccessful() else 'FAILED'} ({seconds[test]:.1f} s)")
        for _, text in result.failures + result.errors:
            print(text)
    if not all(result.wasSuccessful() for result in results.values()):
        sys.exit(1)
    print(f"OK (skipped={sum(len(result.skipped) for result in results.values())})"
          if any(result.skipped for result in results.values()) else "OK")
