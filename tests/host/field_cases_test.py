# SPDX-License-Identifier: Apache-2.0
"""Files that people hand over, of every kind: what the tool says of each, by tests/field/cases.tsv.

`field_cases_test.py TOOL [unittest options]`.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

TOOL = sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).parent.parent / "field"
TIMEOUT_S = 60


def parts(cell):
    return [part for part in (cell or "").split(" | ") if part]


def one_line(text):
    return " ".join(text.split())


class ToolTest(unittest.TestCase):
    def run_tool(self, *arguments, stdin=None):
        return subprocess.run([TOOL, *map(str, arguments)], stdin=stdin, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT_S, check=False)


class FieldCases(ToolTest):
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


class Folders(ToolTest):
    def test_a_skipped_file_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            for i in range(7):
                pathlib.Path(folder, f"{i}.txt").write_text("ANR in org.kite\nReason: executing service x\n" if i < 1 else "Hello.\n")
            pathlib.Path(folder, "good.txt").write_bytes((FOLDER / "traces/art8-latch.txt").read_bytes())
            done = self.run_tool("top", folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("0.txt: skipped: is the system's report of an ANR without stacks; give", done.stderr)
        self.assertIn("4.txt: skipped: is none of the formats known", done.stderr)
        self.assertIn("2 more skipped", done.stderr)
        self.assertNotIn("5.txt", done.stderr)


REPORT = FOLDER / "bugreport/last-anr-after-just-now.txt"
TRACES = FOLDER / "traces/art14-blocked-by-worker.txt"
OTHER_TRACES = FOLDER / "traces/art8-latch.txt"
GOLDEN = FOLDER.parent / "golden"


class Zips(ToolTest):
    """Bug reports as `adb bugreport` packs them, and zips of dumps and texts."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def zip_of(self, files, name="bugreport.zip"):
        with zipfile.ZipFile(self.folder / name, "w", zipfile.ZIP_DEFLATED) as file:
            for member, content in files.items():
                file.writestr(member, content if isinstance(content, (bytes, str)) else content.read_bytes())
        return self.folder / name

    def text_of(self, path):
        done = self.run_tool("text", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def verdict_of(self, path):
        return json.loads(self.run_tool("inspect", "--json", path).stdout)["verdict"]["sentence"]

    def test_a_bug_report_is_judged_as_its_text(self):
        path = self.zip_of({"version.txt": "2.0", "FS/data/anr/anr_2024-03-05-01-11-12-000": TRACES, "dumpstate_log.txt": "log",
                            "bugreport-x-2024-03-05.txt": REPORT, "main_entry.txt": "bugreport-x-2024-03-05.txt"})
        self.assertEqual(self.text_of(path), self.text_of(REPORT))
        with open(path, "rb") as file:
            self.assertEqual(self.run_tool("text", "-", stdin=file).stdout, self.text_of(REPORT))

    def test_the_text_may_have_another_name(self):
        path = self.zip_of({"FS/data/anr/anr_2024-03-05-01-11-12-000": TRACES, "dumpState_G.log": REPORT, "main_entry.txt": "dumpState_G.log\n"})
        self.assertEqual(self.text_of(path), self.text_of(REPORT))

    def test_without_traces_in_the_text_the_newest_file_of_traces_is_judged(self):
        text = REPORT.read_text().replace("VM TRACES", "NO TRACES")
        path = self.zip_of({"bugreport-x.txt": text, "FS/data/anr/anr_2024-03-05-01-11-12-000": TRACES,
                            "FS/data/anr/anr_2023-12-31-23-00-00-000": OTHER_TRACES})
        self.assertEqual(self.verdict_of(path), self.verdict_of(TRACES))
        path = self.zip_of({"bugreport-x.txt": text})
        done = self.run_tool("text", path)
        self.assertEqual(done.returncode, 0)
        self.assertIn("without a stack", done.stdout)

    def test_each_dump_of_a_zip_counts(self):
        path = self.zip_of({"a.sfdump": GOLDEN / "dump-v1.6-intervals.sfdump", "b/c.sfdump": GOLDEN / "dump-v1.6-all.sfdump", "t.txt": TRACES,
                            "picture.png": b"\x89PNG", "note.txt": "hello"}, "dumps.zip")
        table = json.loads(self.run_tool("top", "--json", path).stdout)
        self.assertEqual(table["dumps"], 3)
        folder = json.loads(self.run_tool("top", "--json", self.folder).stdout)
        self.assertEqual(folder["dumps"], 3)
        done = self.run_tool("report", path, "-o", self.folder / "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 of its files skipped", done.stderr)
        one = self.run_tool("inspect", path)
        self.assertEqual(one.returncode, 1)
        self.assertIn("holds 3 dumps, of which only the first was used", one.stderr)

    def test_a_zip_without_stacks_or_cut_short_is_refused(self):
        for name, content in (("none.zip", {"a.png": b"\x89PNG", "b.txt": "hello"}), ("empty.zip", {"folder/": ""})):
            done = self.run_tool("text", self.zip_of(content, name))
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("is a zip without a dump, traces or other text", done.stderr)
        whole = self.zip_of({"bugreport-x.txt": REPORT}).read_bytes()
        for share in (0.1, 0.5, 0.9):
            cut = self.folder / "cut.zip"
            cut.write_bytes(whole[:int(len(whole) * share)])
            done = self.run_tool("text", cut)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("cut.zip", done.stderr)

    def test_a_zip_in_a_zip_is_left_out(self):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as file:
            file.writestr("t.txt", TRACES.read_bytes())
        done = self.run_tool("text", self.zip_of({"inner.zip": inner.getvalue()}, "outer.zip"))
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
