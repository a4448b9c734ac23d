# SPDX-License-Identifier: Apache-2.0
"""Other threads during a hang of the main thread, on real ART: who held it up, where, and for how long.

Long form: around_test.py --runs 10 with STILLFRAME_RELEASES="11 14".
"""

import argparse
import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import time

from process import ART_RUN, LIBRARY, MEASUREMENTS, RELEASES, art, inspect, run_queue_wait_ms
from verdicts_test import JAR, SCRATCH, settle_in, wait_for_dump

HOLD_S = 2.5
LEAST_PART = 0.8  # of the true time of the other thread
MOST_WAITED = 0.1  # of the hang, the collector for a CPU: beyond it looks are too rare


@dataclasses.dataclass
class Program:
    state: str  # of Around.java
    kind: str
    threads: dict  # name: (role, method) of each thread that must be followed
    says: tuple = ()  # parts of headline, sentence and next step


PROGRAMS = [
    Program("computes", "blocked", {"order-sync": ("ends-the-wait", "Around.inflate")},
            ("a lock held by order-sync", " s in Around.spin", "Shorten what order-sync does while it holds the lock: Around.spin")),
    Program("waits", "blocked", {"order-sync": ("ends-the-wait", "Around.flush"), "disk-writer": ("ends-its-wait", "Around$Disk.checksum")},
            ("order-sync", "disk-writer")),
    Program("reads", "blocked", {"order-sync": ("ends-the-wait", "Around.receive")},
            ("a lock held by order-sync", " s in Around.receive")),
    Program("sleeps", "blocked", {"order-sync": ("ends-the-wait", "Around.pause")},
            ("a lock held by order-sync", " s in Around.pause")),
    Program("starves", "starved-of-cpu", {"indexer": ("used-cpu", "Around.index"), "thumbnailer": ("used-cpu", "Around.scale")}),
]


class Disturbed(Exception):
    """The machine had no CPU for the collector."""


def disturb(process):
    """Leaves all threads one CPU, and the main thread little of it."""
    cpu = min(os.sched_getaffinity(0))
    for task in os.listdir(f"/proc/{process.pid}/task"):
        os.sched_setaffinity(int(task), {cpu})
    os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, process.pid) + 10)


def collector_waited_ms(process):
    tids = [int(task) for task in os.listdir(f"/proc/{process.pid}/task")
            if open(f"/proc/{process.pid}/task/{task}/comm").read().strip() == "stillframe"]
    return run_queue_wait_ms(process.pid, tids=tids)


def spend_budget(folder):
    """The CPU time of the day is used up, as by other processes of the application."""
    path = os.path.join(folder, "stillframe-jank.day")
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as day:
        day.write(f"{int(time.time() // 86_400)} 0 0 1000000\n")
    return {"STILLFRAME_CPU_S_PER_DAY": "1"}


def run_once(program, release, is_spent=False):
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        end = os.open(pipe, os.O_RDWR)
        environment = {**os.environ, "STILLFRAME_DUMP_DIR": folder, "STILLFRAME_LONG_MS": "0",
                       **(spend_budget(folder) if is_spent else {})}
        process = subprocess.Popen([ART_RUN, *art(release), "--preload", LIBRARY, "-cp", JAR, "Around", program.state, pipe],
                                   env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: settle_in(None))
        try:
            if process.stdout.readline().strip() != "ready":
                process.kill()
                raise RuntimeError(f"{program.state} did not get ready: {process.communicate()[1]}")
            before_ms = collector_waited_ms(process)
            if program.state == "starves":
                disturb(process)
            time.sleep(HOLD_S)
            waited_ms = collector_waited_ms(process) - before_ms
            if program.state != "starves" and waited_ms > HOLD_S * 1000 * MOST_WAITED:
                raise Disturbed
            os.kill(process.pid, signal.SIGQUIT)
            return inspect(wait_for_dump(folder))
        finally:
            process.kill()
            process.communicate()
            os.close(end)


def time_in(document, tree, method):
    """Microseconds of the tree's samples whose stack has the method."""
    names = [f"{frame['class']}.{frame['method']}" for frame in document["frames"]]
    samples = set()
    for frame, _, count, first in tree["nodes"]:
        if names[frame] == method:
            samples.update(range(first, first + count))
    return sum(tree["samples"][i][1] for i in samples)


def faults(program, document):
    """The first error in one line; empty: none."""
    verdict = document["verdict"]
    text = f"{verdict['headline']} {verdict['sentence']} {verdict['next_step']}"
    if verdict["kind"] != program.kind:
        return f"{verdict['kind']}: {text}"
    rows = {row["name"]: row for row in document["other_threads"]}
    trees = {tree["token"]: tree for tree in document["thread_trees"]}
    hang_us = document["running"]["wall_ns"] / 1000
    for name, (role, method) in program.threads.items():
        row = rows.get(name)
        if row is None or row["role"] != role:
            return f"{name} was not followed as {role}: {rows}"
        part = time_in(document, trees[row["tree"]], method) / hang_us
        if part < LEAST_PART or part > 1.02:
            return f"{name} was in {method} for {part:.0%} of the hang: {row}"
        if not any(name in each and "Meanwhile" in each for each in verdict["evidence"]):
            return f"{name} is not in the evidence: {verdict['evidence']}"
    for part in program.says:
        if part not in text:
            return f"{part} is not said: {text}"
    return ""


def spent_faults(document):
    """The same while the sampler is off: less is said, and nothing of the other threads."""
    state, verdict = document["identity"]["sampler_state"], document["verdict"]
    if not state.startswith("off: the day's 1 s of CPU are used up"):
        return f"the budget was not spent: {state}"
    if verdict["kind"] not in ("no-samples", "starved-of-cpu"):
        return f"{verdict['kind']}: {verdict['headline']}"
    if document["other_threads"] or document["thread_trees"] or any("Meanwhile" in each for each in verdict["evidence"]):
        return f"other threads were looked at: {document['other_threads']}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.makedirs(SCRATCH, exist_ok=True)
    wrong, skipped = [], []
    for release in RELEASES:
        for program in PROGRAMS:
            if options.only and program.state not in options.only.split(","):
                continue
            for run in range(options.runs):
                for attempt in range(MEASUREMENTS):
                    try:
                        fault = faults(program, run_once(program, release))
                    except Disturbed:
                        fault = None
                        continue
                    if fault:
                        wrong.append(f"WRONG {program.state} on ART {release}, run {run}: {fault}")
                    break
                if fault is None:
                    skipped.append(f"SKIPPED: {program.state} on ART {release}: the collector had no CPU in {MEASUREMENTS} runs")
            if fault := spent_faults(run_once(program, release, is_spent=True)):
                wrong.append(f"WRONG {program.state} on ART {release} without budget: {fault}")
    print("\n".join(skipped + wrong))
    sys.exit(1 if wrong else 77 if skipped else 0)


if __name__ == "__main__":
    main()
