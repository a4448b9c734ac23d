# SPDX-License-Identifier: Apache-2.0
"""The verdict on a record is that on a dump of the same hang, for the programs of contributors_test.py.

Long form: record_verdicts_test.py --all. A program whose dump blames other messages than the one that runs has no such
record; it is counted.
"""

import argparse
import concurrent.futures
import contextlib
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from contributors_table import PROGRAMS
from process import ART_RUN, LIBRARY, art, inspect, require_android, rise
from verdicts_test import JAR, SCRATCH, wait_for_dump

# A running hang is written when it is this old.
WRITTEN_S = 2.0
MEASUREMENTS = 3
MOST_LONGER = 1.25
LEAST_LEAD = 0.1


def verdict_of(path):
    return inspect(path)["verdict"]


def subject_of(verdict):
    culprit = verdict["culprit"] or {}
    return verdict["kind"], culprit.get("method")


def has_lead(verdict):
    """False if chance decides which of two contributors is the larger one."""
    shares = sorted((each["ns"] / verdict["window_ns"] for each in verdict["contributors"]), reverse=True)
    return len(shares) < 2 or shares[0] - shares[1] > LEAST_LEAD


def run_once(program):
    """(verdict of the dump, of the record, size of the record compressed); the record's is None without one."""
    with contextlib.ExitStack() as cleanup:
        folder = cleanup.enter_context(tempfile.TemporaryDirectory(dir=SCRATCH))
        ledger = os.path.join(folder, "ledger")
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        settings = {"DUMP_DIR": folder, "LONG_MS": 0, "JANKS": 1, **program.settings}
        environment = {**os.environ, **{"STILLFRAME_" + k: str(v) for k, v in settings.items()}}
        process = subprocess.Popen(
            [ART_RUN, *art(program.release), "--preload", LIBRARY, "-cp", JAR, "Measured", program.name, ledger, pipe],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=rise)
        cleanup.callback(process.communicate)
        cleanup.callback(process.kill)
        if process.stdout.readline() != "ready\n":
            raise RuntimeError(f"it does not begin: {process.stderr.read()}")
        deadline = time.monotonic() + WRITTEN_S + 2
        records = []
        while time.monotonic() < deadline and not records:
            records = [path for path in glob.glob(os.path.join(folder, "stillframe-jank-*.json")) if is_running(path)]
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGQUIT)
        dump = verdict_of(wait_for_dump(folder))
        if not records:
            return dump, None, 0
        token = int(records[0].rsplit("-", 2)[1])
        record = verdict_of(records[0])
        # The dump is about another message, or about one that waited behind others.
        is_other = dump["token"] != token or dump["window_ns"] > MOST_LONGER * record["window_ns"]
        if is_other or not all(map(has_lead, (dump, record))):
            return dump, None, 0
        return dump, record, compressed_bytes(records[0])


def is_running(path):
    try:
        with open(path, encoding="ascii") as file:
            return json.load(file).get("running", False)
    except FileNotFoundError:  # a new revision replaced it
        return False


def compressed_bytes(path):
    return len(subprocess.run(["gzip", "-c", path], capture_output=True, check=True).stdout)


def judge(program):
    """(violation, whether there was a record, its compressed size)"""
    told = ""
    for _ in range(MEASUREMENTS):
        dump, record, size = run_once(program)
        if record is None:
            return "", False, 0
        if subject_of(dump) == subject_of(record):
            return "", True, size
        told = f"{program.name} on {program.release}: the dump says {dump['sentence']}, the record {record['sentence']}"
    return told, True, size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all programs")
    parser.add_argument("--only", help="names of programs, with commas")
    options = parser.parse_args()
    require_android()
    os.makedirs(SCRATCH, exist_ok=True)
    names = options.only.split(",") if options.only else []
    programs = [program for program in PROGRAMS if (program.name in names if names else program.short or options.all)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(judge, programs))
    wrong = [fault for fault, _, _ in results if fault]
    sizes = [size for _, has_record, size in results if has_record]
    if not sizes:
        sys.exit("no program had a record")
    mean = sum(sizes) / len(sizes)
    print(f"{len(results)} programs, {len(sizes)} with a record, {len(wrong)} wrong; a record has {mean:.0f} bytes compressed, "
          f"at most {max(sizes)}")
    print("\n".join(f"WRONG {fault}" for fault in wrong))
    sys.exit(1 if wrong or mean > 3 * 1024 else 0)


if __name__ == "__main__":
    main()
