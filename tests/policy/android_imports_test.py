# SPDX-License-Identifier: Apache-2.0
"""android_imports.py fails on functions of a later API level, and on those its table lacks."""

import subprocess
import unittest

import android_imports
from made_up_tree import MadeUpTreeTest

KNOWN = android_imports.table("memcmp\tlibc\t21\naligned_alloc\tlibc\t28\n")


class AndroidImportsTest(MadeUpTreeTest):
    def imports(self, *sources):
        tree = self.tree({f"{i}.c": source for i, source in enumerate(sources)})
        objects = [tree.root / f"{i}.o" for i in range(len(sources))]
        for path in objects:
            subprocess.run(["cc", "-c", path.with_suffix(".c"), "-o", path], check=True)
        return android_imports.imports(objects)

    def test_what_is_old_enough_is_fine(self):
        self.assertEqual(list(android_imports.violations_of({"memcmp", "bcmp"}, KNOWN)), [])

    def test_what_came_too_late_is_refused(self):
        self.assert_one(android_imports.violations_of({"aligned_alloc"}, KNOWN), "API level 28")

    def test_what_is_not_known_is_refused(self):
        self.assert_one(android_imports.violations_of({"memfd_create"}, KNOWN), "memfd_create is not in")

    def test_rows_that_nothing_calls_are_told(self):
        self.assert_one(android_imports.unused({"memcmp"}, KNOWN), "aligned_alloc")

    def test_objects_call_each_other(self):
        first = "void abort(void); void Second(void); void First(void) { Second(); abort(); }\n"
        self.assertEqual(self.imports(first, "void Second(void) {}\n"), {"abort"})


if __name__ == "__main__":
    unittest.main()
