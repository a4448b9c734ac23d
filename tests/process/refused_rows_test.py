# SPDX-License-Identifier: Apache-2.0
"""Each member and class that the profiler looks up, refused alone. The dump of an application that has every fact then
lacks what the row says, and nothing else."""

import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from process import WITHIN_S, ProcessTest, art_command, inspect
from refused_test import REFUSER, ROWS, text_of

RELEASES = ("11", "14")
TABLE = pathlib.Path(__file__).with_name("refused_rows.tsv")
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Facts that a dump lacks when the look-up of one row of src/art/framework_members.h is refused, by release of ART.
# Written by: STILLFRAME_BUILD=build python3 tests/process/refused_rows_test.py --write
"""
NOTHING = "nothing"
JOBS = 6


def facts_of(dump):
    """{name: value}: everything that a look-up may change, without times and addresses."""
    facts = {
        "tap": dump["identity"]["tap"],
        "sampler": dump["identity"]["sampler_state"].split(":")[0],
        "slow": len([message for message in dump["history"] if message["wall_ns"] >= 250e6 and not message["segment"]]),
        "trees": len(dump["trees"]) >= 2,
        "queue": dump["pending"]["source"] or "absent",
        "queue, messages": sorted({message["target"] for message in dump["pending"]["messages"]}),
        "queue, objects": sorted(re.sub("@[0-9a-f]+", "@", str(message["object"])) for message in dump["pending"]["messages"] if message.get("object")),
        "queue, components": sorted(message["component"] for message in dump["pending"]["messages"]),
        "frames": dump["jank"]["frames"] > 0,
        "refresh": dump["jank"]["refresh_interval_ns"],
        "anr": dump["trigger_confirmed"],
        "reason": dump["system_reason"],
        "component": dump["system_component"],
        "stacks": dump["thread_stacks"]["absent"],
    }
    for entry in dump["context"]:
        facts[f"fact {entry['group']} {entry['name']}"] = "absent" if "absent" in entry else "there"
    for stack in dump["thread_stacks"]["stacks"]:
        if stack["name"].startswith("waits"):
            facts[f"thread {stack['name']}"] = (stack["state"], stack["wait"], stack["wait_class"], stack["wait_tid"] != 0)
    return facts


def run(release, row):
    with tempfile.TemporaryDirectory() as folder:
        case = ProcessTest()
        case.dump_dir = folder
        application = subprocess.Popen(
            art_command("AllFacts", options=("--preload", REFUSER), release=release), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**case.environment(TREE_MIN_MS=200, MESSAGE_OBJECTS=1), "REFUSED_LOOK_UPS": "" if row is None else text_of(row)})
        if application.stdout.readline() == "ready\n":
            os.kill(application.pid, signal.SIGQUIT)
        log = application.communicate(timeout=WITHIN_S)[1]
        dumps = [inspect(dump) for dump in case.dumps()]
        return application.returncode, log, facts_of(dumps[0]) if dumps else None


def losses(release):
    """{row's name: what its refusal takes away, in words}."""
    code, log, whole = run(release, None)
    if code != 0 or whole is None:
        sys.exit(f"AllFacts on {release}: {code}\n{log}")
    found = {}
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for row, (code, log, facts) in zip(ROWS, pool.map(lambda row: run(release, row), ROWS)):
            if code != 0:
                found[row.cpp_name] = f"the process ended with {code}"
            elif "refused: " + text_of(row) not in log:
                found[row.cpp_name] = NOTHING  # it may be looked up later, or on other releases
            elif facts is None:
                found[row.cpp_name] = "everything, with a reason" if "stays off: " in log else "everything"
            else:
                found[row.cpp_name] = "; ".join(sorted(name for name in whole if facts.get(name) != whole[name])) or NOTHING
    return found


def read_table():
    with open(TABLE, encoding="utf-8") as file:
        heading, *lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {release: {line[0]: line[column] for line in lines} for column, release in enumerate(heading) if column > 0}


class RefusedRowsTest(unittest.TestCase):
    maxDiff = None

    def test_each_row_alone_takes_away_what_the_table_says(self):
        for release, expected in read_table().items():
            with self.subTest(release=release):
                found = losses(release)
                # Nothing else in the process can be slow or lost by chance: a second look decides.
                again = [row for row in ROWS if found[row.cpp_name] != expected.get(row.cpp_name)]
                self.assertLess(len(again), 10, [(row.cpp_name, found[row.cpp_name]) for row in again])
                if again:
                    found |= {name: text for name, text in losses(release).items() if name in {row.cpp_name for row in again}}
                self.assertEqual(found, expected)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        tables = {release: losses(release) for release in RELEASES}
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(HEAD + "\t".join(["row", *tables]) + "\n")
            for row in ROWS:
                file.write("\t".join([row.cpp_name, *(table[row.cpp_name] for table in tables.values())]) + "\n")
    else:
        unittest.main()
