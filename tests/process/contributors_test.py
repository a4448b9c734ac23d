# SPDX-License-Identifier: Apache-2.0
"""Compares the report's ranking with what programs on real ART measured themselves.

Long form: contributors_test.py --all --runs 20. If the main thread waits for a CPU, the time belongs to a part of the
program. The report's no-cpu may be missing from any part, and is bounded by the kernel's count.
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

import consistency
from contributors_table import ENDED, MOMENTS_MS, MOVING, PROGRAMS, SHORT_MOMENTS_MS, Part, Program
from process import ART_RUN, LIBRARY, art, inspect, require_android, rise, run_queue_wait_ms
from verdicts_test import JAR, SCRATCH, wait_for_dump

MOST_OFF = 0.05
MOST_WITHOUT_CPU = 0.5  # beyond it nothing is left to judge
MOST_UNSAMPLED = 0.25  # that whoever samples waited for a CPU, since the process began
MEASUREMENTS = 3
# The quick messages since the last group have no name yet; a group lasts this long, and one message.
UNNAMED_MS = 320
# Measured share from which a sentence names a part.
NAMED_FROM = 0.2 + MOST_OFF


@dataclasses.dataclass
class Run:
    document: dict
    ledger: str
    waited_ms: float  # the main thread for a CPU, since it began
    sampler_waited_ms: float

    def is_disturbed(self):
        """True if too little time is left to judge, or too little of it was sampled."""
        window_ms = self.document["verdict"]["window_ns"] / 1e6
        return without_cpu_of(self.document) > MOST_WITHOUT_CPU or self.sampler_waited_ms > MOST_UNSAMPLED * window_ms


def spans_of(ledger, end_ns):
    """(part, begin, end) of each period, by innermost part. A part that has not ended lasts until the dump."""
    spans = []
    open_parts = []  # (name, start of its time as the innermost part)
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
    """{part: share of the verdict's time}"""
    end_ns = document["taken_monotonic_ns"]
    window_ns = document["verdict"]["window_ns"]
    shares = {}
    for part, begin_ns, part_end_ns in spans_of(ledger, end_ns):
        inside_ns = min(part_end_ns, end_ns) - max(begin_ns, end_ns - window_ns)
        if inside_ns > 0:
            shares[part] = shares.get(part, 0) + inside_ns / window_ns
    return shares


def reported_ns(part, contributor):
    """The time of a contributor that belongs to this part."""
    if contributor["cause"] not in part.causes.split():
        return 0
    if part.method:
        return sum(1000 * method["self_us"] for method in contributor["methods"] if method["method"] == part.name)
    names = [contributor["text"]] + [method["method"] for method in contributor["methods"]]
    return contributor["ns"] if any(part.name in name for name in names) else 0


def unnamed_ns(part, contributors):
    """The time of quick messages that may belong to this part, but have no name yet."""
    if "quick-messages" not in part.causes.split():
        return 0
    ns = sum(c["ns"] for c in contributors if c["cause"] == "quick-messages" and "most of them" not in c["text"])
    return min(ns, UNNAMED_MS * 1e6)


def describe(document, shares):
    verdict = document["verdict"]
    reported = ", ".join(f"{c['cause']} {c['ns'] / verdict['window_ns']:.1%} ({c['text']}; "
                         + " ".join(f"{m['method']} {m['self_us'] // 1000} ms" for m in c["methods"]) + ")"
                         for c in verdict["contributors"])
    measured = ", ".join(f"{part} {share:.1%}" for part, share in shares.items())
    return f"measured {measured}; of {verdict['window_ns'] / 1e6:.0f} ms; reported {reported}; {verdict['sentence']}"


def says(words, said):
    return any(each in words for each in said.split("|"))


def without_cpu_of(document):
    verdict = document["verdict"]
    return sum(c["ns"] for c in verdict["contributors"] if c["cause"] == "no-cpu") / verdict["window_ns"]


def faults(program, document, shares, waited_ms, judges_sentence=True):
    """Each violation as a line."""
    verdict = document["verdict"]
    window_ns = verdict["window_ns"]
    contributors = verdict["contributors"]
    words = verdict["headline"] + " " + verdict["sentence"]
    if wrong := consistency.faults(document):
        yield wrong
    without_cpu = without_cpu_of(document)
    if without_cpu > waited_ms * 1e6 / window_ns + MOST_OFF:
        yield f"no-cpu has {without_cpu:.1%}, and the kernel counted {waited_ms} ms"
    if sum(c["ns"] for c in contributors) != window_ns:
        yield "the contributors do not add up"
    # Merge parts that a name cannot distinguish.
    alike = {}
    for name, share in shares.items():
        key = dataclasses.astuple(program.parts[name])
        alike[key] = alike.get(key, 0) + share
    ranked = []
    for key, share in alike.items():
        part = Part(*key)
        reported = sum(reported_ns(part, c) for c in contributors) / window_ns
        ranked.append((share, reported, part))
        unnamed = unnamed_ns(part, contributors) / window_ns
        if not share - without_cpu - unnamed - MOST_OFF <= reported <= share + MOST_OFF:
            yield f"{part.name or part.causes} has {reported:.1%} instead of {share:.1%}"
        said = part.said or part.name
        if judges_sentence and share - without_cpu >= NAMED_FROM and not says(words, said):
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
            if not says(words, part):
                yield f"{part} is not said"


def is_lead_certain(ranked, without_cpu):
    """True if the largest part stays the largest, whichever part the missing time came from."""
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
            [ART_RUN, *art(program.release), "--preload", LIBRARY, "-cp", JAR, "Measured", program.name, ledger, pipe],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=rise)
        cleanup.callback(process.communicate)
        cleanup.callback(process.kill)
        if process.stdout.readline() != "ready\n":
            process.kill()
            raise RuntimeError(f"it does not begin: {process.stderr.read()}")
        for stop_ms in program.stops:
            time.sleep(0.05)
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(stop_ms / 1000)
            os.kill(process.pid, signal.SIGCONT)
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
    """(violations, why the program was not judged)"""
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
    require_android()
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
