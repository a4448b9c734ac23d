# SPDX-License-Identifier: Apache-2.0
"""Sections of the trace marker, from the process and from the runtime, with a device's libcutils."""

import collections
import os
import subprocess
import sys
import unittest

from process import BUILD, HOST_TOOL, ProcessTest, inspect, on_each_release, rise, run_at_once

FOLDER = os.path.join(BUILD, "art", "sections")
NATIVES = os.path.join(FOLDER, "libsections.so")
DEVICE = tuple(word for name in ("libcutils.so", "libsections.so")
               for word in ("--preload", os.path.join(FOLDER, name)))
APP = 1 << 12
# Method of the sample -> expected section.
SECTION_OF = {"computing": "inner, computing", "waiting": "inner, waiting", "outer": "outer", "outside": None}
MIN_RIGHT = 0.95


def samples_in(document, tree):
    """[(methods of the sample's stack, name of its section)]"""
    sections = document["trace_sections"]["sections"]
    frames = document["frames"]
    stacks = [set() for _ in tree["samples"]]
    for frame, _, count, first in tree["nodes"]:
        for sample in range(first, first + count):
            stacks[sample].add(frames[frame]["method"])
    return [(stack, sections[section]["name"] if section is not None else None)
            for stack, section in zip(stacks, tree["sections"])]


@on_each_release
class SectionsOn11Test(ProcessTest):
    release = "11"

    def run_sections(self, system_tags=0, options=DEVICE, **settings):
        self.marker = os.path.join(self.dump_dir, "marker")
        environment = {**self.environment(DUMP_AT_EXIT=1, TREES=100, TREE_MIN_MS=200, **settings),
                       "MARKER": self.marker, "TAGS": str(system_tags)}
        done = subprocess.run(self.command("Sections", NATIVES, options=options), env=environment,
                              capture_output=True, text=True, timeout=240, preexec_fn=rise)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-3000:])
        self.said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
        dump = self.only_dump(done.stderr)
        document = inspect(dump)
        self.assertEqual(document["damage"], [])
        return dump, document

    def in_marker(self):
        with open(self.marker, encoding="utf-8") as marker:
            return marker.read()

    def section(self, document, name):
        found = [each for each in document["trace_sections"]["sections"] if each["name"] == name]
        self.assertTrue(found, name)
        return found[0]

    def check_own(self, document):
        outer = self.section(document, "outer")
        for name, least_ms in (("inner, computing", 600), ("inner, waiting", 600)):
            inner = self.section(document, name)
            self.assertEqual(inner["depth"], outer["depth"] + 1)
            self.assertGreaterEqual(inner["end_ns"] - inner["begin_ns"], least_ms * 1e6)
            self.assertLessEqual(outer["begin_ns"], inner["begin_ns"])
            self.assertGreaterEqual(outer["end_ns"], inner["end_ns"])
        downloads = [each for each in document["trace_sections"]["sections"] if each["name"] == "download"]
        self.assertEqual([each["async"] for each in downloads], [True, True])
        self.assertTrue(all(each["end_ns"] > outer["end_ns"] and not each["open"] for each in downloads))
        self.assertTrue(self.section(document, "never ended")["open"])
        values = [(each["name"], each["value"]) for each in document["trace_sections"]["values"]]
        self.assertIn(("queue", 42), values)
        self.assertIn(("queue", None), values)

    def check_samples(self, document):
        tree = next(each for each in document["trees"] if any("nested" in stack for stack, _ in samples_in(document, each)))
        pairs = samples_in(document, tree)
        for method, section in SECTION_OF.items():
            inside = [found for stack, found in pairs if method in stack]
            self.assertGreaterEqual(len(inside), 10, method)
            right = inside.count(section)
            self.assertGreaterEqual(right, MIN_RIGHT * len(inside), (method, collections.Counter(inside), inside))

    def check_runtime(self, document):
        names = [each["name"] for each in document["trace_sections"]["sections"]]
        contended = [each for each in document["trace_sections"]["sections"]
                     if each["name"].startswith("monitor contention with owner owner")]
        self.assertTrue(contended, names)
        self.assertGreater(max(each["end_ns"] - each["begin_ns"] for each in contended), 300e6)
        collecting = self.section(document, "collecting")
        inside = [each["name"] for each in document["trace_sections"]["sections"]
                  if collecting["begin_ns"] < each["begin_ns"] < collecting["end_ns"]]
        # ART 14 collects on its own thread, and reports the heap's size on this one.
        if self.release != "14":
            self.assertTrue(any("GC" in name for name in inside), inside)
        self.assertIn("Heap size (KB)", [each["name"] for each in document["trace_sections"]["values"]])

    def check_other_forms(self, dump):
        def of(*words):
            return subprocess.run([HOST_TOOL, *words], capture_output=True, check=True, text=False).stdout
        self.assertIn(b"inner, computing", of("text", dump))
        self.assertIn(b"inner, computing", of("export", dump, "--format", "perfetto"))

    def test_what_threads_write_is_in_the_dump(self):
        dump, document = self.run_sections(SECTIONS=1)
        self.assertEqual(document["trace_sections"]["absent"], "")
        self.check_own(document)
        self.check_samples(document)
        self.check_runtime(document)
        self.check_other_forms(dump)
        # Nothing reaches the kernel without another tracer, except what is written while the tracer is stopped.
        self.assertEqual(self.in_marker(), "")
        for when in ("tags", "anew", "started"):
            self.assertTrue(int(self.said[when]) & APP, self.said)
        self.assertEqual(self.said["stopped"], "0")

    def test_the_systems_own_trace_has_them_too(self):
        _, document = self.run_sections(system_tags=APP, SECTIONS=1)
        self.section(document, "outer")
        self.assertIn("|outer", self.in_marker())

    def test_without_the_setting_nothing_is_touched(self):
        _, document = self.run_sections()
        self.assertIsNone(document["trace_sections"])
        self.assertEqual(self.said["tags"], "0")

    def test_without_such_a_library_the_dump_says_so(self):
        done = self.run_app("Computes", os.devnull, 3, SECTIONS=1, DUMP_AT_EXIT=1)
        document = inspect(self.only_dump(done.stderr))
        self.assertEqual(document["trace_sections"]["absent"], "no libcutils that writes to a trace marker")


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
