# SPDX-License-Identifier: Apache-2.0
"""clean_tree.py fails on files and texts that it forbids."""

import unittest

import clean_tree
from made_up_tree import MadeUpTreeTest


class CleanTreeTest(MadeUpTreeTest):
    def violations(self, name, text=""):
        return clean_tree.violations_of(self.tree({name: text}), {"packages.example"})

    def test_a_clean_file_passes(self):
        self.assertEqual(list(self.violations("src/walk/walk.cc", "int x;\n")), [])

    def test_a_folder_that_has_no_place_at_the_top_is_named(self):
        self.assert_one(self.violations("stuff/a.cc"), "stuff has no place")

    def test_a_name_that_says_nothing_is_named(self):
        self.assert_one(self.violations("src/walk/walk_utils.cc"), "says nothing")
        self.assert_one(self.violations("src/common/walk.cc"), "says nothing")

    def test_a_note_of_unfinished_work_is_found(self):
        self.assert_one(self.violations("src/walk/walk.cc", "\n// TO" + "DO: more\n"), "walk.cc:2", "unfinished")

    def test_a_path_of_one_machine_is_found(self):
        self.assert_one(self.violations("tools/run", "cd /" + "work/main\n"), "one machine")

    def test_a_package_host_is_found(self):
        self.assert_one(self.violations("tools/run", "fetch packages.example\n"), "package host")

    def test_a_kind_of_file_that_no_policy_reads_is_named(self):
        for name in ("src/walk/walk.hpp", "src/os/log.cpp", "src/os/a.c", "src/os/a.ipp", "src/walk/a.s",
                     "src/walk/a.inc", "src/walk/walk", "src/walk/notes.txt", "src/walk/x.cmake", "src/tap/Tap.java",
                     "arch/x86/a.cc", "include/stillframe/a.hh", "tools/stillframe/rules/a.cxx", "src/walk/a.H"):
            self.assert_one(self.violations(name), name, "no file of this kind")

    def test_kinds_of_files_that_have_their_place_pass(self):
        for name in ("src/os/log.h", "src/os/CMakeLists.txt", "src/tap/tap_dex.inc", "src/tap/java/a/Tap.java", "src/entry/java/a/A.java",
                     "src/entry/exports.map", "arch/x86/a.h", "tools/stillframe/render/assets/a.js", "tests/unit/a.c"):
            self.assertEqual(list(self.violations(name)), [])


if __name__ == "__main__":
    unittest.main()
