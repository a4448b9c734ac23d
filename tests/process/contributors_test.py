# SPDX-License-Identifier: Apache-2.0
"""Programs on real ART that measure what took their time, and the ranking of the report's JSON.

The long form: contributors_test.py --all --runs 20. A main thread that waits for a CPU does so within one of the
program's parts: what the report calls no-cpu may be missing from any of them, and is bounded by the kernel's count.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import time

from process import ART_RELEASE, ART_RUN, BUILD, LIBRARY, inspect, rise, run_queue_wait_ms
from verdicts_test import EVERY_RELEASE, JAR, SCRATCH, wait_for_dump

MOST_OFF = 0.05
MOST_WITHOUT_CPU = 0.5  # beyond it nothing is left to judge
MOST_UNSAMPLED = 0.25  # that whoever samples waited for a CPU, since the process began
MEASUREMENTS = 3
# What a sentence names, as measured.
NAMED_FROM = 0.2 + MOST_OFF


@dataclasses.dataclass
class Part:
    causes: str  # with spaces
    name: str = ""  # of message, method or thread: a part of the contributor's text or of its methods
    said: str = ""  # by the sentence where the part is large; the name if empty
    method: bool = False  # it shares its contributor with other methods


def work(name, said=""):
    return Part("work", name, said)


def of_work(name):
    return Part("work", name, method=True)


SLEEP = Part("sleep", "Verdicts.sleep")


@dataclasses.dataclass
class Program:
    name: str
    parts: dict  # by name in the ledger
    kind: str = ""
    method: str = ""
    says: tuple = ()
    hold_s: float = 0.8
    settings: dict = dataclasses.field(default_factory=dict)
    short: bool = False  # in the short form too
    release: str = ART_RELEASE


IN = "MeasuredWork$"
TRAP = "MeasuredTraps$"
COMPUTE = work("MeasuredWaits.compute")
ENDED = {"inflate": work("MeasuredLoop$Inflate"), "sync": Part("sleep", "MeasuredLoop$Sync"), "bind": work("MeasuredLoop$Bind"),
         "rest": Part("sleep", "MeasuredLoop$Rest", "Verdicts.sleep"), "quick": Part("quick-messages", "MeasuredLoop$Quick"),
         "newest": work("MeasuredLoop$Newest", "MeasuredWaits.compute")}
FIELD = "MeasuredField$"
OWNERS = {"archiver": Part("lock", "archiver"), "scaler": Part("lock", "scaler"), "rest": SLEEP}


def on_every_release(program):
    return [dataclasses.replace(program, release=release) for release in EVERY_RELEASE]


PROGRAMS = [
    Program("two-methods", {"parse": of_work(IN + "TwoMethods.parse"), "sort": of_work(IN + "TwoMethods.sort")},
            "method", IN + "TwoMethods.parse", hold_s=0, short=True),
    Program("shared-helper", {"decode": work("Verdicts.spin"), "layout": work("Verdicts.spin")},
            "method", says=("SharedHelper.decode", "SharedHelper.layout", "inside Verdicts.spin"), hold_s=0.7, short=True),
    Program("lambdas", {"dear": of_work(IN + "Lambdas.dear"), "cheap": of_work(IN + "Lambdas.part"),
                        "rest": of_work(IN + "Lambdas.part")}, "method", IN + "Lambdas.dear", hold_s=0.3),
    Program("reflection", {"inflate": work(IN + "Reflection.inflate"), "sleep": SLEEP}, "method", IN + "Reflection.inflate"),
    Program("proxy", {"notify": work(IN + "ThroughProxy.notifyListeners"), "sleep": SLEEP}, "method",
            IN + "ThroughProxy.notifyListeners"),
    Program("library", {"library": work(IN + "Restore.restoreCart"), "sleep": SLEEP}, "method", IN + "Restore.restoreCart",
            says=("inside com.google.gson.JsonReader",), short=True),
    Program("class-init", {"fill": work(IN + "Registry.fill"), "sleep": SLEEP}, "method", IN + "Registry.fill"),
    Program("exceptions", {"validate": work(IN + "Exceptions"), "sleep": SLEEP}, "method"),
    Program("native-work", {"blur": work(IN + "Copies.blur"), "sleep": SLEEP}, "method", IN + "Copies.blur"),
    Program("strings", {"join": Part("work runtime", IN + "Strings.join"), "sleep": SLEEP}),
    Program("recursion-leaves", {"measure": of_work(IN + "Tree.measure"), "draw": of_work(IN + "Tree.draw"), "sleep": SLEEP},
            "method", IN + "Tree.measure", short=True),
    Program("ten-callees", {"refresh": work(IN + "TenCallees.refresh"), "sleep": SLEEP}, "method",
            IN + "TenCallees.refresh", says=("shared by",), short=True),
    Program("allocation", {"load": Part("work runtime", IN + "Allocation.load"), "sleep": SLEEP}),
    Program("work-lock-sleep", {"work": work("MeasuredWaits.compute"), "lock": Part("lock", "db-writer"), "sleep": SLEEP},
            "method", hold_s=0.3, short=True),
    Program("lock-in-turn", {"work": work("MeasuredWaits.compute"), "lock": Part("lock", "cache-loader")}, "blocked",
            says=("cache-loader", "disk-writer"), hold_s=1.2),
    Program("object-wait", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "java.lang.Object.wait"), "sleep": SLEEP},
            hold_s=0.5),
    Program("thread-join", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "ThreadJoin.run")}),
    Program("future-get", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "FutureGet.run"), "sleep": SLEEP},
            "standstill", hold_s=0.5, short=True),
    Program("latch-then-work", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "MeasuredWaits.await")}),
    Program("reentrant-then-work", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "ReentrantThenWork.run")}),
    Program("read-then-work", {"work": work("MeasuredWaits.compute"), "read": Part("input-output", "ReadThenWork.run")},
            short=True),
    Program("binder-then-work", {"work": work("MeasuredWaits.compute"), "binder": Part("binder", "BinderThenWork.run")}),
    Program("slices", {"work": work("MeasuredWaits.compute"), "sleep": SLEEP}, hold_s=0, short=True),
    Program("class-init-elsewhere", {"work": work("MeasuredWaits.compute"),
                                     "init": Part("wait lock runtime", "InitializedElsewhere.run"), "sleep": SLEEP}, hold_s=0.3),
    Program("three-ended", ENDED, "earlier-messages", hold_s=0.3, short=True),
    Program("nearly-half", {"older": work("MeasuredLoop$Older"), "newer": work("MeasuredLoop$Newer", "MeasuredWaits.compute")},
            hold_s=0.97, short=True),
    Program("one-target", ENDED, "queue-flood", hold_s=0.4, short=True),
    Program("three-kinds", {"blink": Part("quick-messages"), "move": Part("quick-messages"), "rest": ENDED["rest"]},
            "queue-flood", hold_s=0.4),
    Program("repeated", {"row": work("MeasuredLoop$Row"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.3),
    Program("idle-then-message", {"idle": work("idle handler"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5,
            short=True),
    Program("from-native", {"touch": work("native callback"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5),
    Program("before-loop", {"startup": work("code before the loop"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5),
    Program("nested", {"before": work("MeasuredLoop$Dialog"), "confirm": work("MeasuredLoop$Confirm", "MeasuredWaits.compute"),
                       "rest": Part("sleep", "MeasuredLoop$Confirm", "Verdicts.sleep")}, "method", hold_s=0.3),
    Program("everything", ENDED, hold_s=0.6, short=True),
    Program("spread-recursion", {"visit": of_work(TRAP + "Outline.visit"), "measure": of_work(TRAP + "Outline.measure"),
                                 "draw": of_work(TRAP + "Outline.draw"), "sleep": SLEEP}, "method", TRAP + "Outline.visit",
            hold_s=0.3),
    Program("nearly-even", {"decrypt": of_work(TRAP + "Even.decrypt"), "unzip": of_work(TRAP + "Even.unzip")}, "method",
            hold_s=0),  # not short: in turns of less than three intervals, 5 points are chance at times
    Program("other-allocates", {"sum": Part("work runtime", TRAP + "BesideGarbage.sum"), "sleep": SLEEP}, "method",
            TRAP + "BesideGarbage.sum", hold_s=0.4),
    Program("nested-twice", {"first": work("MeasuredTraps$FirstDialog"), "second": work("MeasuredTraps$SecondDialog"),
                             "rest": work("MeasuredTraps$Then", "MeasuredWaits.compute"),
                             "sleep": Part("sleep", "MeasuredTraps$Then", "Verdicts.sleep")}, hold_s=0.3),
    Program("wrapped", {"render": work(TRAP + "Wrapped.render"), "sleep": SLEEP}, "method", TRAP + "Wrapped.render"),
    Program("unwinding", {"search": work(TRAP + "Unwinding"), "sleep": SLEEP}, "method"),
    Program("sleeping-init", {"work": COMPUTE, "open": SLEEP, "after": COMPUTE}, "standstill", hold_s=0.3),
    Program("short-reads", {"work": COMPUTE, "read": Part("input-output", "ShortReads.run")}, hold_s=0),
    Program("lock-slices", {"work": COMPUTE, "lock": Part("lock", "evictor")}, hold_s=0, short=True),
    Program("polling", {"poll": SLEEP}, "standstill", hold_s=0),
    Program("timed-waits", {"work": COMPUTE, "wait": Part("wait", "TimedWaits.run")}, hold_s=0),
    Program("just-ended", {"ended": work("MeasuredTraps$JustEnded"), "begun": work("MeasuredTraps$Begun")}, "earlier-messages", hold_s=0.05,
            short=True),
    Program("ended-then-quick", {"ended": work("MeasuredTraps$JustEnded"), "quick": work("MeasuredTraps$Then"),
                                 "sleep": SLEEP}, "earlier-messages", hold_s=0.05),
    *on_every_release(Program("two-owners", OWNERS, "blocked", says=("that thread archiver", " held for 1,", " and thread scaler"),
                              hold_s=0.2, short=True)),
    *on_every_release(Program("ended-owners", OWNERS, "earlier-messages", says=("of thread archiver", "of thread scaler"), hold_s=0.2)),
    Program("owners-late", OWNERS, hold_s=0.2, short=True),
    *on_every_release(Program("owners-many-turns", OWNERS, "blocked", hold_s=0.2)),
    *on_every_release(Program("idle-handlers", {"fonts": work("MeasuredOwners$Fonts"), "shaders": work("MeasuredOwners$Shaders"),
                                                "rest": SLEEP}, "earlier-messages", hold_s=0.2, short=True)),
    Program("idle-handler-runs", {"fonts": work("MeasuredOwners$Fonts"), "cookies": work("MeasuredOwners$Cookies")}, "method",
            says=("while idle handler MeasuredOwners$Cookies.queueIdle was running",), hold_s=1.4, short=True),
    Program("prefs-apply", {"save": COMPUTE, "apply": Part("input-output", "StopActivity.run"), "rest": SLEEP}, "input-output",
            says=("called from MeasuredField$StopActivity.run",), hold_s=0.2),
    Program("rx-chain", {"render": of_work(FIELD + "Subscribed.render"), "sort": of_work(FIELD + "Subscribed.sort"), "rest": SLEEP}, hold_s=0.2),
    Program("live-data-storm", {"badge": of_work(FIELD + "Storm.badge"), "total": of_work(FIELD + "Storm.total"), "rest": SLEEP},
            hold_s=0.2),
    Program("two-providers", {"maps": of_work("MeasuredField.installMaps"), "crashes": of_work("MeasuredField.installCrashes"),
                              "rest": SLEEP}, "earlier-messages", hold_s=0.2),
    # Since ART 11 a thread that was notified wakes when the monitor is free: until then it waits.
    Program("notified-then-blocked", {"wait": Part("wait", "Notified.run"), "blocked": Part("wait", "Notified.run"), "rest": SLEEP},
            "standstill", hold_s=0.2),
    Program("pool-of-owners", {f"pool-{i}": Part("lock") for i in range(40)} | {"rest": SLEEP}, "blocked",
            says=(" others,",), hold_s=0.2),
    Program("idle-handler-blocked", {"compactor": Part("lock", "compactor"), "flush": work("MeasuredField$Flush"), "rest": SLEEP},
            "earlier-messages", hold_s=0.2),
    Program("barrier-removed", {"barrier": Part("barrier outside"), "rest": SLEEP}, "not-enough-data",
            says=("the main thread had nothing to do: a synchronization barrier that was removed again may have held",), hold_s=0.2),
    Program("coroutines", {"resume": Part("quick-messages", "MeasuredField$Resume"), "rest": SLEEP}, hold_s=0.2),
    Program("parse-in-bursts", {"parse": of_work(FIELD + "Bursts.parse"), "bind": of_work(FIELD + "Bursts.bind"), "rest": SLEEP},
            "method", FIELD + "Bursts.parse", hold_s=0.2),
]
# Programs over which the moment of the dump moves, in ms from the beginning on.
MOVING = ("moving", "moving-mixed")
MOMENTS_MS = range(1_100, 3_700, 100)
SHORT_MOMENTS_MS = (1_500, 2_000)


@dataclasses.dataclass
class Run:
    document: dict
    ledger: str
    waited_ms: float  # the main thread for a CPU, since it began
    sampler_waited_ms: float

    def is_disturbed(self):
        """Of what there is to judge too little is left, or too little was looked at."""
        window_ms = self.document["verdict"]["window_ns"] / 1e6
        return without_cpu_of(self.document) > MOST_WITHOUT_CPU or self.sampler_waited_ms > MOST_UNSAMPLED * window_ms


def spans_of(ledger, end_ns):
    """(part, begin, end) of each moment's innermost part; one that had not ended lasted until the dump."""
    spans = []
    open_parts = []  # of name, and since when it has been the innermost
    for line in ledger.splitlines():
        what, ns, part = line.split(" ", 2)
        ns = int(ns)
        if open_parts:
            spans.append((open_parts[-1][0], open_parts[-1][1], ns))
        if what == "+":
            open_parts.append([part, ns])
        else:
            open_parts.pop()
            if open_parts:
                open_parts[-1][1] = ns
    if open_parts:
        spans.append((*open_parts[-1], end_ns))
    return spans


def measured_shares(document, ledger):
    """{part: its share of the verdict's time}"""
    end_ns = document["taken_monotonic_ns"]
    window_ns = document["verdict"]["window_ns"]
    shares = {}
    for part, begin_ns, part_end_ns in spans_of(ledger, end_ns):
        inside_ns = min(part_end_ns, end_ns) - max(begin_ns, end_ns - window_ns)
        if inside_ns > 0:
            shares[part] = shares.get(part, 0) + inside_ns / window_ns
    return shares


def reported_ns(part, contributor):
    """How much of a contributor is this part's."""
    if contributor["cause"] not in part.causes.split():
        return 0
    if part.method:
        return sum(1000 * method["self_us"] for method in contributor["methods"] if method["method"] == part.name)
    names = [contributor["text"]] + [method["method"] for method in contributor["methods"]]
    return contributor["ns"] if any(part.name in name for name in names) else 0


def describe(document, shares):
    verdict = document["verdict"]
    reported = ", ".join(f"{c['cause']} {c['ns'] / verdict['window_ns']:.1%} ({c['text']}; "
                         + " ".join(f"{m['method']} {m['self_us'] // 1000} ms" for m in c["methods"]) + ")"
                         for c in verdict["contributors"])
    measured = ", ".join(f"{part} {share:.1%}" for part, share in shares.items())
    return f"measured {measured}; of {verdict['window_ns'] / 1e6:.0f} ms; reported {reported}; {verdict['sentence']}"


def without_cpu_of(document):
    verdict = document["verdict"]
    return sum(c["ns"] for c in verdict["contributors"] if c["cause"] == "no-cpu") / verdict["window_ns"]


def faults(program, document, shares, waited_ms, judges_sentence=True):
    """What is wrong, one line each."""
    verdict = document["verdict"]
    window_ns = verdict["window_ns"]
    contributors = verdict["contributors"]
    without_cpu = without_cpu_of(document)
    if without_cpu > waited_ms * 1e6 / window_ns + MOST_OFF:
        yield f"no-cpu has {without_cpu:.1%}, and the kernel counted {waited_ms} ms"
    if sum(c["ns"] for c in contributors) != window_ns:
        yield "the contributors do not add up"
    # Parts that a name does not tell apart are one.
    alike = {}
    for name, share in shares.items():
        key = dataclasses.astuple(program.parts[name])
        alike[key] = alike.get(key, 0) + share
    ranked = []
    for key, share in alike.items():
        part = Part(*key)
        reported = sum(reported_ns(part, c) for c in contributors) / window_ns
        ranked.append((share, reported, part))
        if not share - without_cpu - MOST_OFF <= reported <= share + MOST_OFF:
            yield f"{part.name or part.causes} has {reported:.1%} instead of {share:.1%}"
        said = part.said or part.name
        if judges_sentence and share - without_cpu >= NAMED_FROM and said not in verdict["sentence"]:
            yield f"{said} is not said"
    for share, reported, part in ranked:
        for other_share, other_reported, other in ranked:
            if share > other_share + without_cpu + 2 * MOST_OFF and reported <= other_reported:
                yield f"{other.name or other.causes} comes before {part.name or part.causes}"
    if not judges_sentence or not is_lead_certain(ranked, without_cpu):
        return
    if program.kind and verdict["kind"] != program.kind:
        yield f"it is {verdict['kind']} instead of {program.kind}"
    else:
        if program.method and (verdict["culprit"] or {}).get("method") != program.method:
            yield f"{program.method} is not the culprit"
        for part in program.says:
            if part not in verdict["sentence"]:
                yield f"{part} is not said"


def is_lead_certain(ranked, without_cpu):
    """Whatever was taken from the largest part, it is the largest."""
    largest = sorted((share for share, _, _ in ranked), reverse=True)
    others = largest[1] if len(largest) > 1 else 0
    return largest[0] - without_cpu - MOST_OFF > max(others, without_cpu) + MOST_OFF


def run_once(program, moment_ms=None):
    with contextlib.ExitStack() as cleanup:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(dir=SCRATCH))
        ledger = os.path.join(folder, "ledger")
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        settings = {"DUMP_DIR": folder, "LONG_MS": 0, "TREE_MIN_MS": 100, **program.settings}
        environment = {**os.environ, **{"STILLFRAME_" + k: str(v) for k, v in settings.items()}}
        process = subprocess.Popen(
            [ART_RUN, "--art", program.release, "--preload", LIBRARY, "-cp", JAR, "Measured", program.name, ledger, pipe],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=rise)
        cleanup.callback(process.communicate)
        cleanup.callback(process.kill)
        if process.stdout.readline() != "ready\n":
            process.kill()
            raise RuntimeError(f"it does not begin: {process.stderr.read()}")
        time.sleep(program.hold_s if moment_ms is None else moment_ms / 1000)
        os.kill(process.pid, signal.SIGQUIT)
        dump = wait_for_dump(folder)
        waited_ms = run_queue_wait_ms(process.pid, tids=(process.pid,))
        sampler_waited_ms = run_queue_wait_ms(process.pid)
        time.sleep(0.1)  # the ledger is written every 20 ms
        document = inspect(dump)
        if keep := os.environ.get("STILLFRAME_KEEP_DUMPS"):
            os.replace(dump, os.path.join(keep, f"{program.name}.sfdump"))
        with open(ledger, encoding="utf-8") as lines:
            return Run(document, lines.read(), waited_ms, sampler_waited_ms)


def judge(program, moment_ms=None):
    """What is wrong, and why it was not judged."""
    title = f"{program.name} on {program.release}" if moment_ms is None else f"{program.name} at {moment_ms} ms"
    for _ in range(MEASUREMENTS):
        try:
            run = run_once(program, moment_ms)
            document = run.document
            if document["verdict"]["window_ns"] == 0:
                return f"{title}: nobody's time: {document['verdict']['sentence']}", ""
            if run.is_disturbed():
                continue
            shares = measured_shares(document, run.ledger)
            wrong = list(faults(program, document, shares, run.waited_ms, judges_sentence=moment_ms is None))
            return f"{title}: {'; '.join(wrong)}: {describe(document, shares)}" if wrong else "", ""
        except RuntimeError as error:
            return f"{title}: {error}", ""
    return "", f"{title}: it, or who samples it, waited for a CPU in each of {MEASUREMENTS} runs"


def jobs_of(options):
    jobs = []
    for _ in range(options.runs):
        for program in PROGRAMS:
            if program.name in options.only.split(",") if options.only else program.short or options.all:
                jobs.append((program, None))
        for name in MOVING:
            if not options.only or name in options.only.split(","):
                for moment_ms in MOMENTS_MS if options.all else SHORT_MOMENTS_MS:
                    jobs.append((Program(name, ENDED), moment_ms))
    return jobs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="all programs, and each moment of a dump")
    parser.add_argument("--only", help="names of programs, with commas")
    parser.add_argument("--at-once", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(SCRATCH, exist_ok=True)
    jobs = jobs_of(options)
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        results = list(pool.map(lambda job: judge(*job), jobs))
    wrong = [fault for fault, _ in results if fault]
    skipped = [why for _, why in results if why]
    print(f"{len(jobs)} runs, {len(wrong)} wrong, {len(skipped)} not judged")
    print("\n".join([f"SKIPPED: {why}" for why in skipped] + [f"WRONG {fault}" for fault in wrong]))
    if wrong:
        sys.exit(1)
    sys.exit(77 if skipped else 0)


if __name__ == "__main__":
    main()
