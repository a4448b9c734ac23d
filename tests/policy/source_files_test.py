# SPDX-License-Identifier: Apache-2.0
"""source_files.py fails on a source file without licence or purpose, and on one that is too long."""

import unittest

import source_files
from made_up_tree import LICENCE, MadeUpTreeTest, head

# A file of each kind as it should be.
GOOD = {
    "src/a/a.cc": f"// {LICENCE}\n// Counts what is lost.\nint x;\n",
    "src/a/a.h": f"// {LICENCE}\n// Counts what is lost.\n#pragma once\n",
    "src/a/CMakeLists.txt": f"# {LICENCE}\n# What counts losses.\nadd_library(a a.cc)\n",
    "tests/a_test.py": f"# {LICENCE}\n\"\"\"Losses are counted.\"\"\"\n",
    "tools/run.py": f"#!/usr/bin/env python3\n# {LICENCE}\n\"\"\"Counts all losses.\"\"\"\n",
    "tools/run": f"#!/bin/bash\n# {LICENCE}\n# Counts all losses.\nset -e\n",
    "tests/A.java": f"// {LICENCE}\npackage a;\nimport b.C;\n/** Counts all losses. */\n@Final\npublic class A {{}}\n",
    "tools/page/a.ts": f"// {LICENCE}\n// Counts all losses.\nexport const a = 1;\n",
    "tools/page/a.css": f"/* {LICENCE} */\n/* Colours of losses. */\n",
    "tests/browser/a.mjs": f"// {LICENCE}\n// Counts all losses.\n",
}
LICENCES = (f"// {LICENCE}\n", f"# {LICENCE}\n", f"/* {LICENCE} */\n")
PURPOSES = ("// Counts what is lost.\n", "# What counts losses.\n", '"""Losses are counted."""\n',
            "/** Counts all losses. */\n", '"""Counts all losses."""\n', "# Counts all losses.\n",
            "// Counts all losses.\n", "/* Colours of losses. */\n")


def without(text, parts):
    for part in parts:
        text = text.replace(part, "")
    return text


class SourceFilesTest(MadeUpTreeTest):
    def violations(self, files):
        return source_files.violations_of(self.tree(files))

    def test_files_as_they_should_be_pass(self):
        self.assertEqual(list(self.violations(GOOD)), [])

    def test_a_missing_spdx_line_is_named(self):
        for name, text in GOOD.items():
            self.assert_one(self.violations({name: without(text, LICENCES)}), name, "SPDX")

    def test_an_spdx_line_that_is_not_first_is_named(self):
        self.assert_one(self.violations({"src/a/a.cc": f"// Counts what is lost.\n// {LICENCE}\n"}), "SPDX")

    def test_another_licence_beside_it_is_named(self):
        self.assert_one(self.violations({"src/a/a.cc": f"// {LICENCE} AND GPL-2.0\n// Counts what is lost.\n"}), "SPDX")

    def test_a_missing_purpose_is_named(self):
        for name, text in GOOD.items():
            self.assert_one(self.violations({name: without(text, PURPOSES)}), name, "what it is for")

    def test_what_is_no_purpose_is_named(self):
        for name, text in (("src/a/a.cc", "#include <x>\n// Counts what is lost.\n"),
                           ("src/a/a.h", "// Context: any thread but a signal handler\n#pragma once\n"),
                           ("src/a/a.cc", "// clang-format off\nint x;\n"),
                           ("src/a/a.cc", "// NOLINTBEGIN(some-check)\n// namespace stillframe\nint x;\n"),
                           ("tests/A.java", "class A {\n  /** Counts what is lost. */\n}\n")):
            self.assert_one(self.violations({name: f"// {LICENCE}\n{text}"}), "what it is for")

    def test_a_file_that_no_policy_reads_is_named(self):
        for name in ("src/a/b.hpp", "src/a/b.c", "tools/b.inl"):
            told = list(self.violations({name: f"// {LICENCE}\n// Counts what is lost.\n"}))
            self.assertEqual([name in line and ".cc and .h" in line for line in told], [True], told)

    def test_data_may_have_any_length(self):
        self.assertEqual(list(self.violations({
            "src/tap/tap_dex.inc": "0,\n" * 500, "tools/page/package-lock.json": "{\n" * 500,
            "tests/golden/a.txt": "x\n" * 500,
        })), [])

    def test_a_header_that_repeats_its_folders_context_is_named(self):
        for context, said, count in (("signal", "signal", 1), ("watched thread", "the watched thread", 1),
                                     ("signal", "any thread", 0), ("signal", "signal (Find), collector (Add)", 0),
                                     ("collector", "collector; reads files", 0),
                                     ("collector", "collector\n// at start-up only", 0)):
            header = f"// {LICENCE}\n// Counts what is lost.\n// Context: {said}\n#pragma once\n"
            lists = f"# {LICENCE}\n{head(context)}"
            found = list(self.violations({"src/a/CMakeLists.txt": lists, "src/a/a.h": header}))
            self.assertEqual(len(found), count, (context, said, found))

    def test_assets_carry_no_licence_into_reports(self):
        self.assertEqual(list(self.violations({"tools/stillframe/render/assets/a.css": "p {}\n"})), [])


if __name__ == "__main__":
    unittest.main()
