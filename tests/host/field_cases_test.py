# SPDX-License-Identifier: Apache-2.0
"""Files that people hand over, of every kind: what the tool says of each, by tests/field/cases.tsv.

`field_cases_test.py TOOL [unittest options]`.
"""

import csv
import json
import pathlib
import subprocess
import sys
import unittest

TOOL = sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).parent.parent / "field"
TIMEOUT_S = 60


def parts(cell):
    return [part for part in (cell or "").split(" | ") if part]


def one_line(text):
    return " ".join(text.split())


class FieldCases(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False)

    def check(self, row):
        path = FOLDER / row["file"]
        done = self.run_tool("text", str(path))
        said = one_line(done.stdout + done.stderr)
        if row["file"].startswith(("collapsed/", "blockcanary/")):
            said += one_line(self.run_tool("top", str(path)).stdout)
        self.assertEqual(done.returncode, int(row["exit"]), said[-600:])
        for part in parts(row["says"]):
            self.assertIn(one_line(part), said)
        for part in parts(row["says_not"]):
            self.assertNotIn(part, done.stdout + done.stderr)
        if row["exit"] != "0":
            self.assertEqual(done.stdout, "")
            return
        shown = self.run_tool("inspect", "--json", str(path))
        dump = json.loads(shown.stdout)
        identity = dump["identity"]
        self.assertEqual(identity["process_name"], row["process"] or identity["process_name"])
        self.assertEqual(identity["pid"], int(row["pid"] or 0))
        stacks = (dump.get("thread_stacks") or {}).get("stacks") or []
        if row["main_top"] and not stacks:
            self.assertIn(row["main_top"], said)
        elif row["main_top"]:
            frame = dump["frames"][stacks[0]["frames"][0]]
            self.assertEqual(f'{frame["class"]}.{frame["method"]}', row["main_top"])
        if row["owner"]:
            owner = next((stack["name"] for stack in stacks if stack["tid"] == stacks[0]["wait_tid"]), "")
            self.assertEqual(owner, row["owner"])

    def test_each_file_gives_what_is_right(self):
        with open(FOLDER / "cases.tsv", encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
        self.assertGreaterEqual(len(rows), 100)
        for row in rows:
            with self.subTest(file=row["file"]):
                self.check(row)


if __name__ == "__main__":
    unittest.main()
