# SPDX-License-Identifier: Apache-2.0
"""objects.py fails on accessors that hand out parts and on circles among the collector's parts."""

import unittest

import made_up_tree
import objects

RING = "class Ring {\n public:\n  void Take();\n};\nstruct Place { int x; };\n"


class ObjectsTest(made_up_tree.MadeUpTreeTest):
    def of(self, files):
        return objects.violations_of(self.tree(files))

    def test_a_part_is_not_handed_out(self):
        for accessor in ("  Ring& ring() { return ring_; }", "  const core::Ring* ring() const;"):
            self.assert_one(self.of({"src/core/ring.h": RING, "src/core/sampler.h": accessor}), "ring() hands out a Ring")

    def test_values_and_plain_data_may_be(self):
        text = ("  Ring ring() const;\n  const Place& place() const;\n  Ring& At(int i);\n"
                "  const model::Tree& tree() const;\n  // Ring& ring()\n")
        self.assertEqual(list(self.of({"src/core/ring.h": RING, "src/core/sampler.h": text,
                                       "src/model/tree.h": "class Tree {\n  Tree& self();\n};\n"})), [])

    def test_circles_are_found(self):
        files = {"src/collector/a.h": "class A {\n  struct Parts {\n    B* b;\n  };\n};\n",
                 "src/collector/b.h": "class B {\n  C& c_;\n};\n", "src/collector/c.h": "class C {\n  int x;\n};\n"}
        self.assertEqual(list(self.of(files)), [])
        files["src/collector/c.h"] = "class C {\n  const A* a_ = nullptr;\n};\n"
        self.assertEqual(len(list(self.of(files))), 3)

    def test_a_circle_may_not_be_hidden(self):
        self.assert_one(self.of({"src/collector/a.h": "class B;\nclass A {\n  int x;\n};\n"}), "declares B")


if __name__ == "__main__":
    unittest.main()
