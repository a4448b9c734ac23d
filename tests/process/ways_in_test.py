# SPDX-License-Identifier: Apache-2.0
"""Starts the profiler in each way and at each moment, then stops, restarts and reconfigures it.

ART itself loads an agent with -agentpath (Agent_OnLoad). A later attach needs openjdkjvmti, which the test bed lacks.
ways_in/agent_host.cc replaces it.
"""

import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from process import (ART_RUN, BUILD, HELD, LIBRARY, TUNABLE, WITHIN_S, ProcessTest, art, inspect, on_each_release,
                     preloads, run_at_once, settled)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STARTS = int(os.environ.get("STILLFRAME_WAYS_STARTS", "12"))
ROUNDS = int(os.environ.get("STILLFRAME_WAYS_ROUNDS", "40"))
HOST = os.path.join(BUILD, "art", "libagent_host.so")
LINKED_IN = os.path.join(BUILD, "art", "liblinked_in.so")
NO_VM_LOADED = os.path.join(BUILD, "bin", "no_vm_loaded")
SLOW_START = os.path.join(BUILD, "art", "libslow_start.so")
LATE_MS = 50  # after the program's start, where the library is loaded late
JAR = os.path.join(BUILD, "art", "ways_in.jar")
NOOP_JAR = os.path.join(BUILD, "art", "ways_in_noop.jar")
ASKED_FOR = ("facade", "linked", "agent")  # by a call; the other ways start before main()
# Way to start -> library that is loaded.
WAYS = {"preload": LIBRARY, "facade": LIBRARY, "linked": LINKED_IN, "agent": LIBRARY, "onload": LIBRARY}
# Pages that a start first touches on the caller's thread, without the loader's. The time is reported only: a page costs
# 0.1 us on one machine and 20 us on another.
MAX_START_FAULTS = 80


def cost_of(costs, faults):
    return f"{statistics.median(costs) / 1e3:.0f} us of the caller's CPU, {statistics.median(faults):.0f} page faults"


class WaysIn(ProcessTest):
    def environment(self, **variables):
        """Only the preloaded library gets its dump folder from the environment."""
        given = super().environment(**variables)
        if "DUMP_DIR" not in variables:
            given.pop("STILLFRAME_DUMP_DIR")
        return given

    def way_command(self, way, *what, library=None, jar=JAR):
        library = library or WAYS[way]
        command = [ART_RUN, *art(self.release)]
        if way == "preload":
            command += ["--preload", library]
        if way == "onload":
            command += [f"-agentpath:{library}=trees=7,omit=reason,annotations,dump_dir={self.dump_dir}"]
        java_way = "facade" if way == "linked" else way
        return command + ["-cp", jar, "WaysIn", HOST, library, java_way, self.dump_dir, *map(str, what)]

    def run_way(self, way, *what, library=None, jar=JAR, **variables):
        done = subprocess.run(self.way_command(way, *what, library=library, jar=jar),
                              env=self.environment(**variables), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    @staticmethod
    def run_often(command, environment):
        for _ in range(STARTS):
            yield subprocess.run(command, env=environment, capture_output=True, text=True, timeout=WITHIN_S)

    @staticmethod
    def settings(dump, *names):
        values = {item["name"]: item["value"] for item in dump["configuration"]}
        return [values[name] for name in names]


@on_each_release
class WaysOn11Test(WaysIn):
    def test_the_facade_starts_stops_configures_dumps_and_tells(self):
        done = self.run_way("facade", "use")
        lines = [line for line in done.stdout.splitlines() if not line.startswith("told ")]
        told = [line.split(" ")[1] for line in done.stdout.splitlines() if line.startswith("told ")]
        dumps = [line.split(" ")[1] for line in lines if line.startswith("dump ")]
        self.assertEqual([line for line in lines if not line.startswith("dump ")], [
            "state not started", "bad BAD_ARGUMENT BAD_ARGUMENT BAD_ARGUMENT",
            "early NOT_STARTED null OK OK", "state not started", "start OK", "await OK on",
            "again ALREADY_STARTED", "stop OK", "start OK", "late TOO_LATE OK BAD_ARGUMENT"])
        self.assertEqual(told, dumps)
        log = done.stderr
        self.assertEqual(log.count("loaded, not started: Stillframe.start() starts it"), 1, log)
        self.assertIn("slow_mss is ignored: unknown setting", log)
        self.assertIn("slow_ms=x is ignored: it must be a number from 1 to 60000 (ms)", log)
        self.assertIn("slow_ms is ignored: it can be set before the start only", log)
        first, second = map(inspect, dumps)
        self.assertEqual(self.settings(first, "trees", "slow_ms", "interval_us"), ["7", "50", "10000"])
        self.assertEqual(self.settings(second, "trees", "slow_ms", "interval_us"), ["7", "50", "2000"])
        self.assertEqual(first["annotations"]["scene"], "a scene")
        self.assertEqual([(fact["name"], fact["value"]) for fact in first["annotations"]["entries"]],
                         [("battery", "full")])
        samples = [m["samples"] for m in second["history"] if m["target"] and (m["cpu_ns"] or 0) > 550e6]
        self.assertEqual(len(samples), 3, second["history"])
        self.assertGreater(samples[0], 30)
        self.assertEqual(samples[1], 0)
        self.assertGreater(samples[2], 30)

    def test_a_renamed_library_is_bound_and_starts(self):
        renamed = os.path.join(self.dump_dir, "libanother.so")
        shutil.copy(LIBRARY, renamed)
        done = self.run_way("facade", "start", library=renamed)
        self.assertIn("state on", done.stdout.splitlines(), done.stderr)

    def main_methods(self, document):
        """Methods of the main thread at the dump. If a busy machine kept it from answering, those sampled before."""
        main = [stack for stack in document["thread_stacks"]["stacks"] if stack["name"] == "main"]
        frames = main[0]["frames"] or [node[0] for tree in document["trees"] for node in tree["nodes"]]
        return {document["frames"][frame]["method"] for frame in frames}

    def test_a_late_agent_sees_an_idle_main_thread(self):
        self.late_agent("idle")

    def test_a_late_agent_sees_a_message_that_runs(self):
        self.late_agent("busy", "unseen-message")

    def test_a_late_agent_sees_what_runs_before_the_loop(self):
        self.late_agent("before", "before-loop", "outside")

    def late_agent(self, state, *segments):
        """`segments`: kinds that the main thread's work may have."""
        done = self.run_way("agent", state)
        self.assertIn("attached 0", done.stdout)
        self.assertIn("await OK on", done.stdout)
        middle, end = [inspect(line.split(" ")[1]) for line in done.stdout.splitlines() if line.startswith("dump ")]
        self.assertEqual(self.settings(end, "trees", "omit"), ["7", "annotations,reason"])
        if segments:
            self.assertIn("spinUntilReleased", self.main_methods(middle))
            segment = middle["running"] or {}
            self.assertIn(segment["segment"], segments)
        message = [m for m in end["history"] if m["target"] == "android.os.Handler" and (m["cpu_ns"] or 0) > 550e6]
        self.assertEqual(len(message), 1, end["history"])
        self.assertGreater(message[0]["samples"], 30)

    def test_starts_preloaded(self):
        self.starts("preload", DUMP_DIR=self.dump_dir)

    def test_starts_by_the_facade(self):
        self.starts("facade")

    def test_starts_linked_in(self):
        self.starts("linked")

    def test_starts_of_a_late_agent(self):
        self.starts("agent")

    def test_starts_of_an_agent_at_once(self):
        self.starts("onload")

    def test_starts_where_the_vm_comes_late(self):
        self.starts("preload", before=("--preload", SLOW_START), DUMP_DIR=self.dump_dir)

    def starts(self, way, before=(), **variables):
        """Starts must succeed, and cost the calling thread little."""
        command = self.way_command(way, "start")
        command[3:3] = before
        costs, faults = [], []
        for done in self.run_often(command, self.environment(**variables)):
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("state on", done.stdout.splitlines(), done.stdout + done.stderr)
            self.assertEqual(done.stderr.count("stillframe: on: ART " + self.release), 1, done.stderr)
            costs.append(int(re.search(r"^cpu (\d+)$", done.stdout, re.MULTILINE).group(1)))
            faults.append(int(re.search(r"^faults (\d+)$", done.stdout, re.MULTILINE).group(1)))
        cost = f", {cost_of(costs, faults)}" if way in ASKED_FOR else ""
        print(f"ART {self.release}, {way}{', late VM' if before else ''}: {len(costs)} starts{cost}")
        self.assertLess(statistics.median(faults), MAX_START_FAULTS)

    def test_nothing_is_left_of_stops_and_starts_by_the_facade(self):
        self.churn("facade")

    def test_nothing_is_left_of_stops_and_starts_linked_in(self):
        self.churn("linked")

    def test_nothing_is_left_of_stops_and_starts_of_an_agent(self):
        self.churn("agent")

    def test_nothing_is_left_of_stops_and_starts_of_an_agent_at_once(self):
        self.churn("onload")

    def test_nothing_is_left_of_stops_and_starts_preloaded(self):
        self.churn("preload", DUMP_DIR=self.dump_dir)

    def churn(self, way, **variables):
        # For a preloaded profiler, the program's settings would come too late.
        settings = {"SLOW_MS": 1, "TREE_MIN_MS": 10, "INTERVAL_US": 1000, **variables}
        process = subprocess.Popen(self.way_command(way, "churn", ROUNDS), env=self.environment(**settings),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        held = []
        for line in process.stdout:
            if found := re.match(r"part (\d)", line):
                held.append(settled(process.pid, held[0] if held else None))
                with open(os.path.join(self.dump_dir, f"looked{found.group(1)}"), "w", encoding="ascii"):
                    pass
            self.assertNotIn("expected", line)
        log = process.stderr.read()
        self.assertEqual(process.wait(timeout=WITHIN_S), 0, log)
        process.stdout.close()
        process.stderr.close()
        self.assertEqual(len(held), 4, log)
        for what in HELD:
            self.assertEqual(held[0][what], held[3][what], (what, held))
        print(f"ART {self.release}, {way}, {ROUNDS} rounds: {[part['anonymous_kib'] for part in held]} KiB anonymous")
        self.assertLess(held[3]["anonymous_kib"] - held[1]["anonymous_kib"], 1024, held)
        for part in range(4):
            os.remove(os.path.join(self.dump_dir, f"looked{part}"))
        self.assertTrue(self.dumps(), log)
        for dump in self.dumps():
            self.assertFalse(inspect(dump)["damage"], dump)
            os.remove(dump)


class OnceTest(WaysIn):
    def test_the_variant_that_does_nothing_has_the_same_api_and_does_nothing(self):
        done = self.run_way("facade", "use", jar=NOOP_JAR)
        self.assertIn("await NOT_STARTED not built in", done.stdout)
        self.assertIn("early NOT_STARTED null OK OK", done.stdout)
        self.assertNotIn("told", done.stdout)
        self.assertEqual(self.dumps(), [])
        real, noop = map(self.public_api, (os.path.join(ROOT, "src", "entry", "java"), os.path.join(BUILD, "art", "noop")))
        self.assertEqual(real, noop)
        self.assertIn("public static dev.stillframe.Stillframe$Status start();", real)
        with open(os.path.join(ROOT, "include", "stillframe", "profiler.h"), encoding="utf-8") as header:
            numbered = re.findall(r"^  STILLFRAME_(\w+) = (\d+),", header.read(), re.MULTILINE)
        self.assertEqual([int(number) for _, number in numbered], list(range(len(numbered))))
        prefix = "public static final dev.stillframe.Stillframe$Status "
        self.assertEqual([line.removeprefix(prefix).rstrip(";") for line in real if line.startswith(prefix)],
                         [name for name, _ in numbered])

    @staticmethod
    def public_api(folder):
        """Visible members of each class, as javap prints them."""
        sources = glob.glob(os.path.join(folder, "dev", "stillframe", "*.java"))
        with tempfile.TemporaryDirectory() as classes:
            subprocess.run(["javac", "-nowarn", "-Xlint:-options", "-source", "8", "-target", "8", "-d", classes, *sources],
                           check=True, capture_output=True)
            files = [os.path.join(classes, "dev", "stillframe", name)
                     for name in ("Stillframe.class", "Stillframe$Status.class", "Stillframe$Listener.class",
                                   "Stillframe$RecordListener.class")]
            shown = subprocess.run(["javap", "-protected", *files], check=True, capture_output=True, text=True).stdout
        return [re.sub(r"\bsynchronized ", "", line).strip() for line in shown.splitlines() if "Compiled from" not in line]

    def test_where_no_vm_comes_it_says_so(self):
        """Not for agents, which only a VM loads."""
        soon = self.environment(WAIT_VM_MS=20)
        preloaded = soon | preloads(TUNABLE)
        gave_up = "the profiler stays off: no Java VM in this process"
        ended = "there was no Java VM in this process (/bin/true)"
        loads = {}
        for way, command, environment, said in (
                ("loaded at once", [NO_VM_LOADED, TUNABLE, "0"], soon, gave_up),
                ("loaded late", [NO_VM_LOADED, TUNABLE, str(LATE_MS)], soon, gave_up),
                ("started by its loading", [NO_VM_LOADED, TUNABLE, "0", "preloaded"], soon, gave_up),
                ("preloaded", ["/bin/sleep", "0.2"], preloaded, gave_up),
                ("preloaded, ends before", ["/bin/true"], self.environment() | preloads(LIBRARY), ended)):
            with self.subTest(way=way):
                costs, faults = [], []
                for done in self.run_often(command, environment):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr.count(said), 1, done.stderr)
                    costs += map(int, re.findall(r"^cpu (\d+)$", done.stdout, re.MULTILINE))
                    faults += map(int, re.findall(r"^faults (\d+)$", done.stdout, re.MULTILINE))
                    loads.setdefault(way, []).extend(map(int, re.findall(r"^loaded (\d+)$", done.stdout, re.MULTILINE)))
                if costs:
                    print(f"no VM, {way}: {cost_of(costs, faults)}, in {len(costs)} starts")
                    self.assertLess(statistics.median(faults), MAX_START_FAULTS)
        beside = statistics.median(loads["started by its loading"]) - statistics.median(loads["loaded at once"])
        print(f"no VM, preloaded: {beside:.0f} page faults of the main thread beside the loader's work")
        self.assertLess(beside, MAX_START_FAULTS)

    def test_a_file_and_the_environment_set_what_the_table_has(self):
        path = os.path.join(self.dump_dir, "settings.json")
        with open(path, "w", encoding="utf-8") as settings:
            settings.write('{"trees": 3, "dumps": 44, "tap": "sideways", "no_such": 1, "live": false}\n')
        os.chmod(path, 0o644)
        done = self.run_way("facade", "use", CONFIG=path, JANK_MS="77", JNAK_MS="78", GROUPS="9")
        self.assertEqual(self.settings(inspect(self.dumps()[0]), "trees", "dumps", "jank_ms", "tap"),
                         ["7", "44", "77", "auto"])
        for line in ("tap=sideways is ignored: it must be one of auto observer printer probe none",
                     "no_such is ignored: unknown setting",
                     "STILLFRAME_GROUPS is ignored: unknown setting",
                     "STILLFRAME_JNAK_MS is ignored: unknown setting"):
            self.assertEqual(done.stderr.count(line), 1, done.stderr)
        with open(path, "w", encoding="utf-8") as settings:
            settings.write('{"dumps": 44,\n}')
        done = self.run_way("facade", "start", CONFIG=path)
        self.assertIn(f"the settings in {path} are ignored: line 2: expected a name in quotes", done.stderr)
        done = self.run_way("facade", "start", CONFIG=path + "x", ENABLED=0)
        self.assertIn(f"the settings in {path}x are ignored: No such file or directory", done.stderr)
        self.assertIn("the profiler stays off: enabled=0", done.stderr)
        self.assertIn("start NOT_STARTED", done.stdout)
        with open(path, "w", encoding="utf-8") as settings:
            settings.write('{"dumps": 44}')
        os.chmod(path, 0o666)
        done = self.run_way("facade", "start", CONFIG=path)
        self.assertIn(f"the settings in {path} are ignored: its mode is 0666, others may write it: chmod go-w", done.stderr)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
