# SPDX-License-Identifier: Apache-2.0
"""Constructed programs on real ART, and the verdict on each: kind, messages, methods and threads.

All acceptance runs, by hand: verdicts_test.py --runs 20. Writes program, expected, runs, right, wrong. Exits with 77 if
the only failures are states that this machine cannot produce.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

import consistency
from memory_shortage import MemoryShortage, NotToBeHad, join
from process import (ANDROID, ART_RUN, BUILD, HOST_TOOL, LIBRARY, MAX_RUN_QUEUE_SHARE, MEASUREMENTS, RELEASES,
                     WITHIN_S, art, inspect, require_android, rise, run_queue_wait_ms)

JAR = os.path.join(BUILD, "art", "verdicts.jar")
MOST_OFF_PERCENT = 5
SCRATCH = os.path.join(BUILD, "test")  # on a disk: where files are memory, they cannot be short of it


@dataclasses.dataclass
class Program:
    state: str  # of Verdicts.java
    kind: str
    hold_s: float = 2.5  # from "ready" to the SIGQUIT
    messages: tuple = ()  # classes of the messages to blame, any order
    method: str = ""
    threads: tuple = ()  # at least one of them is named
    says: tuple = ()  # parts of headline and sentence
    evidence: tuple = ()  # parts of the evidence
    stacks: dict = dataclasses.field(default_factory=dict)  # threads of the chain, and a method of each
    releases: tuple = (ANDROID,)
    # Causes of contributors (spaces join those of one sum) -> percent of the verdict's time.
    shares: dict = dataclasses.field(default_factory=dict)
    settings: dict = dataclasses.field(default_factory=dict)
    name: str = ""
    release: str = ANDROID
    alone: bool = False  # needs the machine for itself

    def __post_init__(self):
        self.name = self.name or self.state


PROGRAMS = [
    Program("compute", "method", messages=("Compute",), method="Verdicts.spin"),
    Program("sleep", "standstill", messages=("Sleeper",), method="Verdicts$Sleeper.run"),
    Program("wait", "standstill", messages=("Waiter",), method="Verdicts$Waiter.run"),
    Program("lock", "blocked", messages=("CheckIn",), method="Verdicts$CheckIn.save", threads=("db-writer",),
            name="article-1-lock"),
    Program("binder", "binder-call", messages=("Query",), method="Verdicts$Query.run"),
    Program("read", "input-output", messages=("Load",), method="Verdicts$Load.run"),
    Program("earlier", "earlier-messages", hold_s=0.3, messages=("Inflate", "Sync"), method="Verdicts.spin",
            settings={"TREE_MIN_MS": 500}, name="article-2-earlier"),
    Program("many", "earlier-messages", hold_s=0.2, messages=("Row",)),
    Program("flood", "queue-flood", hold_s=0),
    Program("innocents", "queue-flood", hold_s=0, says=("short messages", "most of them Runnable Verdicts$Progress")),
    Program("barrier", "leaked-barrier"),
    Program("starved", "starved-of-cpu", hold_s=4, messages=("Draw",), threads=("realm-io-0", "realm-io-1", "realm-io-2"),
            name="article-3-starved", alone=True),
    Program("frozen", "process-frozen", hold_s=0.4, alone=True),
    Program("quick", "nothing-slow", hold_s=0.5),
    Program("idle", "nothing-slow", hold_s=1),
    Program("outside", "method", method="Verdicts.spin", says=("idle handler",), name="outside-messages"),
    Program("third", "method", hold_s=1.6, messages=("Compute", "Inflate", "Sync"), method="Verdicts$Compute.multiply",
            settings={"TREE_MIN_MS": 500}, name="the-largest-third"),
    Program("flood-of-kinds", "queue-flood", hold_s=0, says=("short messages",), evidence=("late messages", "are Runnable Mixed$Move")),
    Program("outside-later", "method", hold_s=4, method="Verdicts.idle|Verdicts.spin", says=("idle handler",),
            shares={"work no-cpu": 100}),
    Program("half", "method|standstill", messages=("Half",), says=("Verdicts.spin", "Verdicts.sleep"),
            shares={"work no-cpu": 50, "sleep": 50}),
    Program("spread", "method", messages=("Feed",), method="Mixed$Feed.refresh", says=("shared by",),
            shares={"work no-cpu": 100}),
    Program("recursive", "method", messages=("Walk",), method="Verdicts.spin", shares={"work no-cpu": 100}),
    Program("collect", "runtime-wait", messages=("Collect",)),
    Program("chain", "blocked", hold_s=1, messages=("Chain",), threads=("cache-loader",),
            says=("a lock held by thread cache-loader", "waiting for disk-writer", "network"),
            evidence=("thread network (tid ",),
            stacks={"cache-loader": "Waits$Chain.flush", "disk-writer": "Waits$Chain.flush", "network": "Waits$Chain.download"},
            releases=RELEASES),
    Program("deadlock", "deadlock", hold_s=1, messages=("Deadlock",), threads=("bookkeeper",),
            says=("Deadlock: main and thread bookkeeper wait for each other", "held by bookkeeper", "held by main"),
            stacks={"main": "Waits$Deadlock.run", "bookkeeper": "Waits$Deadlock.transfer"}, releases=RELEASES),
    Program("reentrant", "standstill", hold_s=1, messages=("Reentrant",), threads=("indexer",),
            says=("for a lock held by thread indexer", "the lock java.util.concurrent.locks.ReentrantLock"),
            stacks={"indexer": "Waits$Reentrant.index"}, releases=RELEASES),
    Program("future", "standstill", hold_s=1, messages=("Future",), threads=("fetcher",),
            says=("for thread fetcher", "the result of java.util.concurrent.FutureTask"),
            stacks={"fetcher": "Waits$Future.fetch"},
            releases=RELEASES),
    Program("join", "standstill", hold_s=1, messages=("Join",), threads=("migration",),
            says=("for thread migration to end",), stacks={"migration": "Waits$Join.migrate"}, releases=RELEASES),
    Program("latch", "standstill", hold_s=1, messages=("Latch",), evidence=("Thread loader (tid ",),
            releases=RELEASES),
    Program("class-init-circle", "deadlock", hold_s=1, messages=("ClassInitCircle",), threads=("preloader",),
            says=("Deadlock: ", "the initialisation of class Circles$Prices, held by preloader",
                  "the initialisation of class Circles$Catalog, held by main"),
            stacks={"main": "Circles$Catalog.count", "preloader": "Circles$Prices.find"}, releases=RELEASES),
    Program("class-init", "standstill", hold_s=1, messages=("ClassInit",), threads=("font-loader",),
            says=("for class Circles$Fonts to initialise", "font-loader was in"),
            stacks={"font-loader": "Circles$Fonts.load"}, releases=RELEASES),
    Program("class-notified", "standstill", hold_s=1, messages=("ClassNotified",),
            evidence=("It waited for a notification of java.lang.Class; which thread can end that is not known.",),
            releases=RELEASES),
    Program("timed-circle", "blocked", hold_s=1, messages=("TimedCircle",), threads=("syncer",),
            says=("a lock held by thread syncer", "waiting for main until a timeout"),
            stacks={"syncer": "Circles$TimedCircle.sync"}, releases=RELEASES),
    Program("posted-circle", "blocked", hold_s=1, messages=("PostedCircle",), threads=("exporter",),
            says=("held by thread exporter", "perhaps waiting for Runnable Circles$PostedCircle$Progress in this queue"), releases=RELEASES),
    Program("thrash", "short-of-memory", messages=("Scan",), name="short-of-memory", alone=True),
]
# Each program on each of its releases. The name includes the release if there are several.
PROGRAMS = [dataclasses.replace(p, release=release, name=p.name if len(p.releases) == 1 else f"{p.name}-{release}")
            for p in PROGRAMS for release in p.releases]


def disturb(program, process, shortage):
    """Disturbs the process between "ready" and the SIGQUIT, as the program's kind requires."""
    if shortage:
        shortage.wait_until_short()
    if program.kind == "starved-of-cpu":
        cpu = min(os.sched_getaffinity(0))
        for task in os.listdir(f"/proc/{process.pid}/task"):
            os.sched_setaffinity(int(task), {cpu})
        # Lowers the main thread only. A thirtieth of the CPU is enough for a sample or two.
        os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, process.pid) + 10)
    time.sleep(program.hold_s)
    if program.kind == "process-frozen":
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(4)
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(program.hold_s)


NO_CPU = f"its main thread waited for a CPU in each of {MEASUREMENTS} runs"


class Disturbed(Exception):
    """The machine had no CPU for the main thread, so it was not in the program's state."""


def main_waited_ms(process):
    return run_queue_wait_ms(process.pid, tids=(process.pid,))


def settle_in(shortage):
    """Called in the new process: raises its priority, and joins the group that lacks memory."""
    rise()
    if shortage:
        join(shortage.group)


def wait_for_dump(folder):
    deadline = time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        dumps = glob.glob(os.path.join(folder, "*.sfdump"))
        if dumps:
            return dumps[0]
        time.sleep(0.05)
    raise RuntimeError("no dump was written")


def run_once(program, run):
    with contextlib.ExitStack() as cleanup:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(dir=SCRATCH))
        shortage = MemoryShortage(folder) if program.kind == "short-of-memory" else None
        if shortage:
            cleanup.callback(shortage.end)
            shortage.start()
            file = shortage.file
        else:
            file = os.path.join(folder, "pipe")
            os.mkfifo(file)
            cleanup.callback(os.close, os.open(file, os.O_RDWR))
        settings = {"DUMP_DIR": folder, "LONG_MS": 0, **program.settings}
        environment = {**os.environ, **{"STILLFRAME_" + k: str(v) for k, v in settings.items()}}
        process = subprocess.Popen(
            [ART_RUN, *art(program.release), "--preload", LIBRARY, "-cp", JAR, "Verdicts", program.state, file],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: settle_in(shortage))
        cleanup.callback(process.communicate)
        cleanup.callback(process.kill)
        if process.stdout.readline().strip() != "ready":
            process.kill()
            raise RuntimeError(f"{program.name} did not get ready: {process.communicate()[1]}")
        begin, waited_ms = time.monotonic(), main_waited_ms(process)
        disturb(program, process, shortage)
        waited_ms = main_waited_ms(process) - waited_ms
        if program.kind != "starved-of-cpu" and waited_ms > (time.monotonic() - begin) * 1000 * MAX_RUN_QUEUE_SHARE:
            raise Disturbed
        os.kill(process.pid, signal.SIGQUIT)
        dump = wait_for_dump(folder)
        document = inspect(dump)
        if keep := os.environ.get("STILLFRAME_KEEP_DUMPS"):
            os.replace(dump, os.path.join(keep, f"{program.name}-{run}.sfdump"))
        return document


def faults(program, document):
    """Describes the first error of the verdict in one line; empty: none."""
    verdict = document["verdict"]
    if verdict["kind"] not in program.kind.split("|"):
        return f"{verdict['kind']}: {verdict['sentence']} {' '.join(verdict['evidence'])}"
    known = {m["token"]: m["text"] for m in document["history"] + [document["running"]] if m}
    named = [known.get(token, "") for token in verdict["tokens"]]
    for message in program.messages:
        if not any(f"${message}" in text for text in named):
            return f"message {message} is not named: {verdict['sentence']} {verdict['tokens']} {named}"
    if program.method and (verdict["culprit"] or {}).get("method") not in program.method.split("|"):
        return f"method {program.method} is not named: {verdict['sentence']}"
    if program.threads and not set(program.threads) & set(verdict["threads"]):
        return f"none of {program.threads} is named: {verdict['sentence']} {verdict['evidence']}"
    for part in program.says:
        if part not in verdict["headline"] + " " + verdict["sentence"]:
            return f"{part} is not said: {verdict['headline']} {verdict['sentence']}"
    for part in program.evidence:
        if part not in " ".join(verdict["evidence"]):
            return f"{part} is no evidence: {verdict['sentence']} {verdict['evidence']}"
    stacks = {waiter["thread"]: waiter["stack"] for waiter in verdict["chain"]["threads"]}
    for thread, method in program.stacks.items():
        if not any(frame.startswith(method) for frame in stacks.get(thread, [])):
            return f"no {method} in the stack of {thread}: {verdict['chain']}"
    contributors = verdict["contributors"]
    if sum(c["ns"] for c in contributors) != verdict["window_ns"]:
        return f"contributors do not add up to {verdict['window_ns']} ns: {contributors}"
    for causes, percent in program.shares.items():
        taken = 100 * sum(c["ns"] for c in contributors if c["cause"] in causes.split()) / verdict["window_ns"]
        if abs(taken - percent) > MOST_OFF_PERCENT:
            return f"{causes} has {taken:.1f} % instead of {percent} %: {verdict['sentence']}"
    if wrong := consistency.faults(document):
        return f"{wrong}: {verdict}"
    if program.kind == "nothing-slow" and verdict["tokens"]:
        return f"a healthy program has culprits: {verdict['tokens']}"
    return ""


def judge(program, run):
    """(program, error of its verdict, why it was not judged). Disturbed runs are repeated."""
    for _ in range(MEASUREMENTS):
        try:
            return program, faults(program, run_once(program, run)), ""
        except Disturbed:
            continue
        except RuntimeError as error:
            return program, str(error), ""
        except NotToBeHad as why:
            return program, "", str(why)
    return program, "", NO_CPU


def write_table(path, mode, chosen, results):
    with open(path, mode) as table:
        if mode == "w":
            table.write("program\texpected\truns\tright\twrong\n")
        for p in chosen:
            runs = results[p.name]
            table.write(f"{p.name}\t{p.kind}\t{len(runs)}\t{sum(runs)}\t{len(runs) - sum(runs)}\n")
    with open(path) as table:
        print(table.read(), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("--without", default="", help="names of programs, with commas")
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--output", default=os.path.join(SCRATCH, "verdicts.tsv"))
    parser.add_argument("--append", action="store_true", help="to what another run left in the output")
    options = parser.parse_args()
    require_android()
    os.makedirs(SCRATCH, exist_ok=True)
    chosen = [p for p in PROGRAMS if (not options.only or p.name in options.only.split(","))
              and p.name not in options.without.split(",")]
    results = {p.name: [] for p in chosen}
    remarks = []
    skipped = False
    todo = [(p, run) for run in range(options.runs) for p in chosen]
    for is_last, workers in ((False, options.at_once), (True, 1)):
        now = [(p, run) for p, run in todo if is_last or not p.alone]
        todo = [each for each in todo if each not in now]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            jobs = {pool.submit(judge, p, run): (p, run) for p, run in now}
            for job in concurrent.futures.as_completed(jobs):
                program, wrong, why_not = job.result()
                if why_not == NO_CPU and not is_last:
                    todo.append(jobs[job])  # again, when nothing else runs
                elif why_not:
                    skipped = True
                    remarks.append(f"SKIPPED: {program.name}: {why_not}")
                else:
                    results[program.name].append(not wrong)
                    remarks += [f"WRONG {program.name}: {wrong}"] if wrong else []
    write_table(options.output, "a" if options.append else "w", chosen, results)
    print("\n".join(remarks))  # last, where the summary of all tests finds them
    if not all(all(runs) for runs in results.values()):
        sys.exit(1)
    sys.exit(77 if skipped else 0)


if __name__ == "__main__":
    main()
