#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benches on real ART and writes ratios.tsv (name, ratio, limit, unit) and rows.tsv (with the spread).

Times are reported, and marked OVER above a limit. Counts gate: too many system calls, allocations, instructions or
bytes fail the run. "ratio" holds the figure of every row, whatever its unit.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# The project's goals; other figures are for information.
LIMITS = {
    "sample_vs_empty_signal_depth32": 1.25,
    "other_thread_sample_vs_empty_signal_depth32": 1.5,
    "sample_vs_getstacktrace_depth32": 0.35,
    "sample_vs_suspend_walk_depth32": 0.35,
    "handler_vs_getstacktrace_depth32": 0.05,
    "tap_vs_empty_observer": 1.5,
    "tap_vs_printer": 0.2,
    "tap_vs_block_printer": 0.2,
    "tap_several_vs_empty_observer": 1.5,
    "message_with_tap_vs_without_android10": 1.3,
    "message_with_tap_vs_without_android14": 1.3,
    "dump_write_ms": 50,
    "sample_vs_empty_signal_copied_depth32": 3,
    "sample_vs_empty_signal_nterp_depth32": 1.5,
    "sample_vs_empty_signal_art11_nterp_depth32": 1.5,
    "sample_vs_empty_signal_art14_switch_depth32": 1.25,
    "sample_vs_empty_signal_compiled_depth32": 1.5,
    "sample_vs_empty_signal_art11_compiled_depth32": 1.5,
    "sample_vs_empty_signal_jit_depth32": 1.25,
    "sample_vs_empty_signal_art11_jit_depth32": 1.25,
    "ns_per_frame": 15,
    "slowdown_vs_empty_signals": 2,
}
# Exceeding these fails the run.
COUNT_LIMITS = {
    # The handler's instructions by kind of frame: exact counts, equal on every machine.
    "instructions_per_frame_of_handler": 45,  # mterp; a slope over one run moves by half an instruction
    "instructions_per_frame_nterp_of_handler": 60.5,
    "instructions_per_frame_art11_nterp_of_handler": 60.5,
    "instructions_per_frame_art14_switch_of_handler": 39,
    "instructions_per_frame_compiled_of_handler": 41.5,
    "instructions_per_frame_art11_compiled_of_handler": 41.5,
    "instructions_per_frame_jit_of_handler": 41.5,
    "instructions_per_frame_art11_jit_of_handler": 41.5,
    # Each method once on the stack, with a class of its own.
    "instructions_per_first_frame_of_handler": 55.5,
    # 190 with kept shapes. Addresses decide which methods share a row, and are read anew.
    "instructions_per_first_frame_nterp_of_handler": 270,
    "instructions_per_first_frame_art11_nterp_of_handler": 270,
    "instructions_per_first_frame_jit_of_handler": 236,
    # Distinct lines of 64 bytes that a sample touches in an application, but for the thread's own stack, whose lines
    # depend on where it begins. Without facts kept from sample to sample: 98, 164, 93 and 131. The aim is half.
    "handler_in_situ_data_lines_beside_stack": 84,
    "handler_in_situ_nterp_data_lines_beside_stack": 163,
    "handler_in_situ_code_lines": 104,
    "handler_in_situ_nterp_code_lines": 140,
    # A quick message on Android's own Looper.
    "instructions_with_tap_vs_without_android10": 1.3,
    "instructions_with_tap_vs_without_android14": 1.3,
    # CodeModules::Find: logarithmic in the number of libraries.
    "lookup_instructions_400_vs_30": 2,
    "dump_10x1000_kib": 200,
    "library_kib": 1024,
    "library_android_proxy_kib": 794,
    "resident_kib": 1024,
    "resident_many_classes_kib": 3072,
    "tap_mallocs_per_message": 0,
    "tap_java_allocations_per_message": 0,
    "timer_calls_per_message": 0,
    "clock_calls_per_message": 1,
    # Clocks of both threads, and the sleep.
    "collector_calls_per_slow_tick": 5,
    # All our threads, by the kernel's count of their sleeps.
    "wakeups_idle_per_minute": 0,
    "wakeups_per_lone_message": 2,
    "wakeups_busy_per_second": 22,
    # With a probe as the tap: a look every 100 ms in the foreground. The main thread sleeps on.
    "wakeups_probe_idle_per_second": 11,
    "wakeups_probe_idle_of_main": 0,
    "wakeups_probe_background_per_minute": 0,
    "wakeups_probe_busy_per_second": 30,
}
ANDROID_RELEASES = ("10", "14")
DEPTHS = (8, 32, 128)
# Kinds of frames other than those of ART 11's mterp: tag of the rows, release, mode of art-run, and arguments of
# Samples.java. Kinds of the JIT are missing without ART's own compiler.
KINDS = (("nterp_", "14", "nterp", ()), ("art11_nterp_", "11", "nterp", ()), ("art14_switch_", "14", "switch", ()),
         ("compiled_", "14", "nterp", ("compiled",)), ("art11_compiled_", "11", "nterp", ("compiled",)),
         ("jit_", "14", "jit-low", ("jitted",)), ("art11_jit_", "11", "jit-low", ("jitted",)))
# The same for stacks on which no method repeats.
FIRST_KINDS = (("", "11", "mterp", ()), ("nterp_", "14", "nterp", ()), ("art11_nterp_", "11", "nterp", ()),
               ("jit_", "14", "jit-low", ("jitted",)))
DEEP = 20_000  # frames
DEEP_STACK_BYTES = 512 << 20
LIBRARIES = 400
# For deep stacks and samples in situ: tag of the rows, release and interpreter.
INTERPRETERS = (("", "11", "mterp"), ("nterp", "14", "nterp"))
TURN_MS = 50  # of the work timed with and without samples
QUICK_MESSAGES = 20_000
# As strace writes the CPU clock of another thread.
MAIN_CLOCK = re.compile(r"clock_gettime\(0x")
# oom_score_adj of an application that is not on the screen.
BACKGROUND = 700


def sleeps(pid):
    """Voluntary context switches of our threads, and of the main one: each is a sleep that ends with a wake-up."""
    ours = main = 0
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines())
        count = int(fields["voluntary_ctxt_switches"])
        ours += count if fields["Name"].startswith("stillframe") else 0
        main += count if int(status.parent.name) == pid else 0
    return ours, main


class Bench:
    def __init__(self, build, smoke):
        self.build = pathlib.Path(build)
        self.smoke = smoke
        self.rows = {}  # name: (median, low, high, unit)

    def art(self, main, *args, release="11", interpreter="mterp", preload=(), wrap=(), rounds=None,
            settings=None, jars=(), options=(), stack_bytes=None):
        """Runs one program of the bench jar and returns its rows."""
        class_path = ":".join(str(self.build / jar) for jar in ("bench/bench.jar", *jars))
        command = [*map(str, wrap), str(self.build / "bin/art-run"), "--art", release.split()[0],
                   "--core", (release.split() + ["testbed"])[1], "--mode", interpreter, *(["-Xjitpthreadpriority:0"] if interpreter.startswith("jit") else [])]
        for library in preload:
            command += ["--preload", str(self.build / library)]
        command += ["--library", str(self.build / "bench/libbench.so"), *options, "-cp",
                    class_path, f"bench.{main}", *map(str, args)]

        def give_stack():
            resource.setrlimit(resource.RLIMIT_STACK, (stack_bytes, resource.getrlimit(resource.RLIMIT_STACK)[1]))
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows")
            # A dump during the measurement would be measured too.
            environment = {**os.environ, "STILLFRAME_LONG_MS": "0", **(settings or {}), "BENCH_ROWS": str(rows),
                           "BENCH_DUMP": str(pathlib.Path(folder, "bench.sfdump"))}
            if self.smoke or rounds:
                environment["BENCH_ROUNDS"] = str(3 if self.smoke else rounds)
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600,
                                  preexec_fn=give_stack if stack_bytes else None)
            if done.returncode != 0:
                sys.exit(f"bench: {main} failed with {done.returncode}:\n{done.stderr[-2000:]}")
            lines = rows.read_text().splitlines() if rows.exists() else []
        found = {}
        for line in lines:
            name, *figures, unit = line.split("\t")
            found[name] = (*map(float, figures), unit)
        return found

    def has_compiler(self, release):
        path = self.build / "art" / release / "amd64" / "compiler"
        return path.exists() and pathlib.Path(path.read_text().strip(), "libart-compiler.so").exists()

    def add(self, name, value, unit):
        self.rows[name] = (value, value, value, unit)

    def ratio(self, name, above, below):
        self.add(name, self.rows[above][0] / self.rows[below][0], "ratio")

    def samples(self):
        self.rows.update(self.art("Samples"))
        for depth in DEPTHS:
            # Compares with the main thread's loss while it runs managed code, the state in which it is sampled. Uses
            # the tenth percentile of that loss, which favours the other methods: higher values include the scheduler.
            for way in ("getstacktrace", "suspend_walk"):
                # In a short run the main thread may not have been running when it was asked, so it lost nothing.
                loss_ns = self.rows[f"running_main_{way}_loss_depth{depth}"][1] or math.nan
                self.add(f"sample_vs_{way}_depth{depth}", self.rows[f"sample_depth{depth}"][0] / loss_ns,
                         "ratio")


    def kinds(self):
        kinds = [kind for kind in KINDS if kind[2] != "jit-low" or self.has_compiler(kind[1])]
        for tag, release, interpreter, more in kinds:
            rows = self.art("Samples", "ours", *more, release=release, interpreter=interpreter)
            self.rows.update({name.replace("depth", tag + "depth"): row for name, row in rows.items()})
        # Each sample with a copy of 16 KiB of the stack.
        rows = self.art("Samples", "ours", settings={"BENCH_COPIES": "1"})
        self.rows.update({name.replace("depth", "copied_depth"): row for name, row in rows.items()})
        self.rows["unw_step_vs_copied_sample_depth32"] = (
            self.rows["unw_step_depth32"][0] / self.rows["sample_copied_depth32"][0],) * 3 + ("ratio",)
        tags = ["", *(kind[0] for kind in kinds)]
        for tag in tags:
            self.slope(f"ns_per_frame_{tag}of_handler", f"handler_{tag}depth", "ns")
            self.slope(f"instructions_per_frame_{tag}of_handler", f"instructions_{tag}depth", "count")
        for name, unit in (("ns_per_frame", "ns"), ("instructions_per_frame", "count")):
            self.add(name, max(self.rows[f"{name}_{tag}of_handler"][0] for tag in tags), unit)

    def first_frames(self):
        """Methods without an earlier frame on the stack. The stacks above alternate between two methods."""
        jar = self.build / "bench/bench.jar"
        for tag, release, interpreter, more in FIRST_KINDS:
            if interpreter == "jit-low" and not self.has_compiler(release):
                continue
            rows = self.art("Strangers", jar, *more, release=release, interpreter=interpreter)
            self.rows.update({name.replace("depth", f"first_{tag}depth"): row for name, row in rows.items()})
            self.slope(f"ns_per_first_frame_{tag}of_handler", f"handler_first_{tag}depth", "ns")
            self.slope(f"instructions_per_first_frame_{tag}of_handler", f"instructions_first_{tag}depth", "count")

    def in_situ(self):
        """At the profiler's rate, with caches filled by other work and many libraries."""
        jar = self.build / "bench/bench.jar"
        with tempfile.TemporaryDirectory() as folder:
            for i in range(LIBRARIES):
                shutil.copyfile(self.build / "guests/libsf_guest_1.so", pathlib.Path(folder, f"libguest_{i}.so"))
            for tag, release, interpreter in INTERPRETERS:
                self.rows.update(self.art("InSitu", jar, folder, tag and tag + "_", release=release,
                                          interpreter=interpreter, options=["-Xmx160m"]))

    def deep(self):
        """Stacks so deep that a sample keeps only both ends. The walk still covers all frames."""
        for tag, release, interpreter in INTERPRETERS:
            self.rows.update(self.art("Deep", DEEP, tag and "_" + tag, release=release, interpreter=interpreter,
                                      stack_bytes=DEEP_STACK_BYTES))

    def look_ups(self):
        self.rows.update(self.art("LookUps"))

    def slope(self, name, row, unit):
        """The cost of one more frame, between the least depth and the greatest."""
        deep, flat = (self.rows[f"{row}{depth}"][0] for depth in (DEPTHS[-1], DEPTHS[0]))
        self.add(name, (deep - flat) / (DEPTHS[-1] - DEPTHS[0]), unit)

    def slowdown(self):
        """A main thread that is slow all the time: without signals, with empty ones and with samples.

        Uses about 1,000 signals a second, so that their cost exceeds the noise, and scales it to 100 a second. On a
        virtual machine the timer's interrupt alone may cost several times the sample, so the sample is compared with an
        empty signal of such a timer. Spread: 95 % of the bootstrap's medians.
        """
        with tempfile.TemporaryDirectory() as folder:
            self.rows.update(self.art("Slowdown", TURN_MS, preload=["lib/libstillframe.so"], settings={
                "STILLFRAME_INTERVAL_US": "1000", "STILLFRAME_TIMER": "wall", "STILLFRAME_DUMP_DIR": folder,
                "STILLFRAME_DUMP_AT_EXIT": "1"}))
            dump, = pathlib.Path(folder).glob("*.sfdump")
            inspected = subprocess.run([self.build / "bin/stillframe", "inspect", "--json", dump], check=True,
                                       capture_output=True, text=True).stdout
        samples = next(counter["value"] for counter in json.loads(inspected)["counters"]
                       if counter["name"] == "samples_by_signal")
        hertz = samples / (self.rows["slowdown_sampled"][0] / 1e9)
        self.add("slowdown_samples_per_second", hertz, "count")
        *figures, unit = self.rows["slowdown_as_sampled"]
        self.rows["slowdown_at_100hz"] = (*(figure * 100 / hertz for figure in figures), unit)
        self.ratio("slowdown_vs_empty_signals", "slowdown_as_sampled", "slowdown_by_empty_signals")

    def taps(self):
        self.rows.update(self.art("Taps"))
        # Ratios of the medians: the costs are differences, so quotients by block are mostly noise.
        self.ratio("tap_vs_empty_observer", "tap_observer", "tap_empty_observer")
        self.ratio("tap_vs_printer", "tap_observer", "tap_printer")
        self.ratio("tap_vs_block_printer", "tap_observer", "tap_block_printer")
        for release in ANDROID_RELEASES:
            self.android_taps(release)
        self.rows.update(self.art("Taps", "several"))
        self.ratio("tap_several_vs_empty_observer", "tap_observer_several", "tap_empty_observer_several")
        self.rows.update(self.art("Taps", "allocations", preload=["bench/libmalloc_count.so"]))

    def has_android(self, release):
        """Android's framework of the release. tools/bench builds both, tools/test the older alone."""
        android = pathlib.Path((self.build / f"art/{release}/amd64/android").read_text(encoding="utf-8").strip())
        return (android / "framework.jar").exists()

    def android_taps(self, release):
        """The same on Android's own Looper, by time and by instructions; no rows if it is not built."""
        if not self.has_android(release):
            return
        tag = f"_android{release}"
        interpreter = {"10": "mterp", "14": "nterp"}[release]
        for how in (), ("instructions",):
            rows = self.art("Taps", *how, release=f"{release} android", interpreter=interpreter)
            self.rows.update({name + tag: row for name, row in rows.items()})
        whole, tap = self.rows["message" + tag][0], self.rows["tap_observer" + tag][0]
        self.add("message_with_tap_vs_without" + tag, (whole + tap) / whole, "ratio")
        self.ratio("instructions_with_tap_vs_without" + tag, "instructions_message_with_tap" + tag,
                   "instructions_message" + tag)

    def sizes(self):
        self.rows.update(self.art("Sizes", 10, 1000))
        self.library_size("library_kib", self.build)
        if self.has_android_proxy():
            self.library_size("library_android_proxy_kib", self.build / "android-proxy")

    def has_android_proxy(self):
        """The library as for Android. tools/bench builds it, and so does tools/test after its tests."""
        return (self.build / "android-proxy/lib/libstillframe.so").exists()

    def library_size(self, name, build):
        with tempfile.NamedTemporaryFile() as stripped:
            subprocess.run(["strip", "-o", stripped.name, str(build / "lib/libstillframe.so")], check=True)
            self.add(name, os.path.getsize(stripped.name) / 1024, "KiB")

    def memory(self):
        """Memory that the profiler has allocated and mapped after many messages, counted in its process."""
        self.rows.update(self.art("LongRun", 40 if self.smoke else 1_000, 60_000,
                                  preload=["bench/libowned_memory.so", "lib/libstillframe.so"]))
        rows = self.art("ManyClasses", 2_000 if self.smoke else 10_000, 400, jars=["art/many_classes.jar"],
                        preload=["bench/libowned_memory.so", "lib/libstillframe.so"],
                        settings={"STILLFRAME_INTERVAL_US": "1000", "STILLFRAME_TIMER": "wall",
                                  "STILLFRAME_TREE_MIN_MS": "300"})
        self.rows["resident_many_classes_kib"] = rows["resident_kib"]

    def count_calls(self, messages):
        """System calls of the main thread by name, for that many quick messages under the profiler.

        Under strace on a busy machine any message may take 50 ms; an unreachable threshold keeps them all quick.
        """
        with tempfile.NamedTemporaryFile("r") as log:
            self.art("Quick", messages, preload=["lib/libstillframe.so"],
                     settings={"STILLFRAME_SLOW_MS": "60000"},
                     wrap=["strace", "-f", "-qq", "-e", "trace=timer_settime,timer_create,clock_gettime",
                           "-o", log.name])
            lines = [line.split(None, 1) for line in log.read().splitlines()]
        if not lines:
            sys.exit("bench: strace saw no call")
        main_thread = min(int(thread) for thread, _ in lines)  # the process's first thread
        counts = {}
        for thread, call in lines:
            name = re.match(r"\w+", call)
            if name and int(thread) == main_thread:
                counts[name.group()] = counts.get(name.group(), 0) + 1
        return counts

    def system_calls(self):
        once, twice = self.count_calls(QUICK_MESSAGES), self.count_calls(2 * QUICK_MESSAGES)

        def per_message(*names):
            calls = sum(twice.get(name, 0) - once.get(name, 0) for name in names)
            return max(0, calls) / QUICK_MESSAGES

        self.add("timer_calls_per_message", per_message("timer_settime", "timer_create"), "count")
        self.add("clock_calls_per_message", per_message("clock_gettime"), "count")
        self.add("collector_calls_per_slow_tick", self.calls_of_a_tick(), "count")

    def calls_of_a_tick(self):
        """System calls of the collector from one sleep to the next while a message is slow and runs, the sleep among them."""
        with tempfile.NamedTemporaryFile("r") as log:
            self.art("Slowdown", TURN_MS, preload=["lib/libstillframe.so"], rounds=15,
                     wrap=["strace", "-f", "-qq", "-o", log.name])
            lines = log.read().splitlines()
        thread = next(line.split()[0] for line in lines if 'PR_SET_NAME, "stillframe"' in line)
        ticks = [[]]
        for line in lines:
            of, call = line.split(None, 1)
            if of != thread or not call[0].isalpha():  # "<... resumed>" or a signal
                continue
            ticks[-1].append(call)
            if call.startswith("rt_sigtimedwait"):
                ticks.append([])
        # Between two measurements the program switches sampling off: then no tick asks for the main thread's clock. If
        # the main thread did not run since the last tick, as on a busy machine, the kernel is asked why.
        return statistics.median(len(tick) for tick in ticks if any(MAIN_CLOCK.match(call) for call in tick)
                                 and not any("/syscall" in call for call in tick))

    def wakeups_for(self, every_ms, seconds, adjustment=0, **settings):
        """Sleeps of our threads and of the main thread within that time, with a message every `every_ms`; 0: no messages.
        `adjustment`: the kernel's score that Android gives the process, 0 in the foreground.
        """
        with tempfile.TemporaryDirectory() as folder:
            told = pathlib.Path(folder, "told")
            command = [self.build / "bin/art-run", "--preload", self.build / "lib/libstillframe.so", "-cp",
                       self.build / "art/process_apps.jar", "Rests", every_ms, told, 0, 0]
            with subprocess.Popen([*map(str, command)], env={**os.environ, **settings, "STILLFRAME_DUMP_DIR": folder},
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
                process.stdout.readline()  # "ready"
                if adjustment:
                    pathlib.Path(f"/proc/{process.pid}/oom_score_adj").write_text(str(adjustment), encoding="ascii")
                time.sleep(2)  # start-up is over
                before = sleeps(process.pid)
                time.sleep(seconds)
                woken = [after - first for after, first in zip(sleeps(process.pid), before)]
                told.touch()
            if process.returncode != 0:
                sys.exit(f"bench: Rests failed with {process.returncode}")
        return woken

    def wakeups(self):
        idle_s, lone_messages, lone_ms, busy_s = (6, 4, 1500, 5) if self.smoke else (60, 20, 1500, 20)
        self.add("wakeups_idle_per_minute", self.wakeups_for(0, idle_s)[0] * 60 / idle_s, "count")
        # At either end, half of a message's wake-ups may be outside.
        woken, _ = self.wakeups_for(lone_ms, lone_messages * lone_ms / 1000)
        self.add("wakeups_per_lone_message", woken / (lone_messages + 1), "count")
        self.add("wakeups_busy_per_second", self.wakeups_for(1, busy_s)[0] / busy_s, "count")
        probe = {"STILLFRAME_TAP": "probe"}
        woken, woken_main = self.wakeups_for(0, idle_s, **probe)
        self.add("wakeups_probe_idle_per_second", woken / idle_s, "count")
        self.add("wakeups_probe_idle_of_main", woken_main, "count")
        woken, _ = self.wakeups_for(0, idle_s, adjustment=BACKGROUND, **probe)
        self.add("wakeups_probe_background_per_minute", woken * 60 / idle_s, "count")
        self.add("wakeups_probe_busy_per_second", self.wakeups_for(1, busy_s, **probe)[0] / busy_s, "count")

    def write(self, output):
        """Writes both files and prints the table. Returns the names of counts over their limit."""
        output.mkdir(parents=True, exist_ok=True)
        limits = {**LIMITS, **COUNT_LIMITS}
        ordered = sorted(self.rows, key=lambda name: (name not in limits, name))
        over = []
        with open(output / "ratios.tsv", "w") as ratios, open(output / "rows.tsv", "w") as spread:
            ratios.write("name\tratio\tlimit\tunit\n")
            spread.write("name\tmedian\tp10\tp90\tunit\n")
            print(f"{'name':44} {'figure':>12} {'limit':>8}  {'unit':6}  p10 to p90")
            for name in ordered:
                median, low, high, unit = self.rows[name]
                limit = limits.get(name, "-")
                ratios.write(f"{name}\t{median:.6g}\t{limit}\t{unit}\n")
                spread.write(f"{name}\t{median:.6g}\t{low:.6g}\t{high:.6g}\t{unit}\n")
                is_over = limit != "-" and median > limit
                if is_over and name in COUNT_LIMITS:
                    over.append(name)
                print(f"{name:44} {median:12.5g} {limit!s:>8}  {unit:6}  {low:.5g} to {high:.5g}"
                      + ("  OVER" if is_over else ""))
        return over


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="the release build folder")
    parser.add_argument("--output", required=True, help="folder for ratios.tsv and rows.tsv")
    parser.add_argument("--smoke", action="store_true", help="few rounds: counts are right, times are noise")
    options = parser.parse_args()
    if shutil.which("strace") is None:
        sys.exit("bench: strace is missing; run tools/setup/install-packages")
    bench = Bench(options.build, options.smoke)
    for step in (bench.samples, bench.kinds, bench.first_frames, bench.in_situ, bench.deep, bench.look_ups,
                 bench.slowdown, bench.taps, bench.sizes, bench.memory, bench.system_calls, bench.wakeups):
        print(f"bench: {step.__name__}", flush=True)
        step()
    over = bench.write(pathlib.Path(options.output))
    unbuilt = tuple(kind[0] for kind in KINDS if kind[2] == "jit-low" and not bench.has_compiler(kind[1]))
    for tag in unbuilt:
        print(f"bench: no rows of {tag}: ART's own compiler is not built")
    for release in ANDROID_RELEASES:
        if not bench.has_android(release):
            print(f"bench: no rows of android{release}: its framework is not built")
            unbuilt += (f"android{release}",)
    if not bench.has_android_proxy():
        print("bench: no row of the library as for Android: it is not built")
        unbuilt += ("android_proxy_",)
    missing = [name for name in {**LIMITS, **COUNT_LIMITS}
               if name not in bench.rows and not any(f"_{tag}" in name for tag in unbuilt)]
    if missing or over:
        sys.exit(f"bench: over the limit: {over}; missing: {missing}")


if __name__ == "__main__":
    main()
