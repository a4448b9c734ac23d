# SPDX-License-Identifier: Apache-2.0
"""Good files after what mail, chat and editors do to them: the verdict names the same method.

`mangled_test.py TOOL [unittest options]`.
"""

import html
import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

TOOL = sys.argv.pop(1)
FOLDER = pathlib.Path(__file__).parent.parent / "field"
KINDS = ("traces", "dalvik", "onelook", "nopid", "mainthread")
FILES = 20
MOST_REFUSED = 30


def lines(text, change):
    return "\n".join(change(line) for line in text.splitlines()) + "\n"


def wrap(text, width):
    """Breaks within words, as a terminal does."""
    return "\n".join("\n".join(line[i:i + width] for i in range(0, max(len(line), 1), width)) for line in text.splitlines()) + "\n"


def heads_stripped(text, _other):
    start = text.find("DALVIK THREADS")
    return text[start:] if start >= 0 else text[text.find('"'):]


WAYS = {
    "indented": lambda text, _: textwrap.indent(text, "    "),
    "tabs": lambda text, _: lines(text, lambda line: "\t" + line.lstrip() if line.startswith(" ") else line),
    "flat": lambda text, _: lines(text, str.strip),
    "wrapped": lambda text, _: wrap(text, 72),
    "bom": lambda text, _: "\ufeff" + text,
    "crlf": lambda text, _: text.replace("\n", "\r\n"),
    "quoted": lambda text, _: lines(text, lambda line: "> " + line),
    "fenced": lambda text, _: f"Our app hangs, please help:\n\n```\n{text}```\n\nThanks!\n",
    "logcat": lambda text, _: lines(text, lambda line: "10-05 11:11:47.498  4321  4350 E anr     : " + line),
    "truncated": lambda text, _: text[:len(text) * 3 // 4],
    "joined": lambda text, other: text + "\n" + other,
    "doubled": lambda text, _: text + "\n" + text,
    "headless": heads_stripped,
    "spaced": lambda text, _: text.replace("\n", "\n\n"),
    "string": lambda text, _: json.dumps(text),
    "list of lines": lambda text, _: json.dumps({"lines": text.splitlines()}),
    "page": lambda text, _: f"<html><body>\n<pre>{html.escape(text)}</pre></body></html>\n",
    "table": lambda text, _: '4,"' + text.replace('"', '""') + '"\n',
    "wiki": lambda text, _: lines(text, lambda line: "|" + line + "|"),
    "bullets": lambda text, _: lines(text, lambda line: "* " + line),
    "syslog": lambda text, _: lines(text, lambda line: "Oct  5 11:11:47 lab adb[77]: " + line),
}
# The text is not whole: it may be refused, or judged with less.
PARTIAL = ("truncated", "headless")


class Mangled(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "mangled.txt")

    def judge(self, text):
        self.path.write_text(text, encoding="utf-8", newline="")
        done = subprocess.run([TOOL, "inspect", "--json", str(self.path)], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            self.assertTrue(done.stderr, "refused without a word")
            return None
        dump = json.loads(done.stdout)
        verdict = dump["verdict"]
        stack = dump["thread_stacks"]["stacks"][0]
        if not stack["frames"] and not stack["native"]:
            self.assertIn("ends early", done.stderr)
            return None
        frame = dump["frames"][stack["frames"][0]] if stack["frames"] else stack["native"][0]
        named = (verdict.get("culprit") or {}).get("method") or [frame.get("class"), frame.get("method"), frame.get("symbol")]
        return {"kind": verdict["kind"], "method": named, "confidence": verdict["confidence"]}

    def good_files(self):
        texts = []
        for kind in KINDS:
            for path in sorted((FOLDER / kind).glob("*.txt")):
                text = path.read_text(encoding="utf-8", errors="surrogateescape")
                if "\r" not in text and "  at " in text and self.judge(text):
                    texts.append((path.name, text))
        self.assertGreaterEqual(len(texts), FILES)
        step = len(texts) / FILES
        return [texts[int(i * step)] for i in range(FILES)]

    def test_the_verdict_is_the_same(self):
        files = self.good_files()
        refused = []
        for i, (name, text) in enumerate(files):
            good = self.judge(text)
            other = files[(i + 1) % len(files)][1]
            for way, mangle in WAYS.items():
                with self.subTest(file=name, way=way):
                    found = self.judge(mangle(text, other))
                    if found is None:
                        refused.append((name, way))
                        self.assertIn(way, PARTIAL)
                    elif way in PARTIAL:
                        self.assertTrue(found["method"] == good["method"] or found["confidence"] != "high", f"{found} {good}")
                    else:
                        self.assertEqual(found, good)
        self.assertLessEqual(len(refused), MOST_REFUSED, refused)


if __name__ == "__main__":
    unittest.main()
