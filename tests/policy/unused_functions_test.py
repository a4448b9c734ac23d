# SPDX-License-Identifier: Apache-2.0
"""unused_functions.py fails on a function of a header that only tests use."""

import unittest

import unused_functions
from made_up_tree import MadeUpTreeTest

HEADER = """
#pragma once
namespace made_up {
// Of Unused() this comment is no use, nor is "Unused()" of a text.
int Used(int);
int Unused(int first, int second = Used(1));
class Counter {
 public:
  void Add(int n) { total_ += n; }
  int total() const { return total_; }
  static void OnSignal(int);

 private:
  int total_ = 0;
};
}  // namespace made_up
"""
SOURCE = """
#include "src/a/a.h"
namespace made_up {
int Used(int n) { return n; }
int Unused(int first, int second) { return first == 0 ? second : Unused(first - 1, second); }
void Counter::OnSignal(int) {}
}  // namespace made_up
"""
USER = """
#include "src/a/a.h"
void Use(made_up::Counter* counter, Action* action) {
  counter->Add(made_up::Used(1));
  action->total = 1;
  action->handler = &made_up::Counter::OnSignal;
}
"""


class UnusedFunctionsTest(MadeUpTreeTest):
    def violations(self, files, hooks=()):
        tree = self.tree({"src/a/a.h": HEADER, "src/a/a.cc": SOURCE, "src/b/b.cc": USER, **files})
        return list(unused_functions.violations_of(tree, dict(hooks)))

    def test_unused_functions_are_named(self):
        found = self.violations({})
        self.assertEqual(len(found), 2, found)
        self.assertIn("src/a/a.h:6: nothing of the product uses Unused", found[0])
        self.assertIn("uses Counter::total", found[1])

    def test_a_test_is_no_use(self):
        use = '#include "src/a/a.h"\nint x = Unused(1, 2) + made_up::Counter().total();\n'
        self.assertEqual(len(self.violations({"tests/unit/a/a_test.cc": use})), 2)
        self.assertEqual(self.violations({"src/c/c.cc": use}), [])

    def test_a_file_that_does_not_see_the_header_is_no_use(self):
        self.assertEqual(len(self.violations({"src/c/c.cc": "int x = Unused(1, 2) + total();\n"})), 2)

    def test_a_file_that_sees_it_through_another_header_is(self):
        self.assert_one(self.violations({
            "src/c/c.h": '#include "src/a/a.h"\n', "src/c/c.cc": '#include "src/c/c.h"\nint x = Unused(1, 2);\n',
        }), "Counter::total")

    def test_a_template_that_meets_the_header_in_a_source_is(self):
        template = "template <typename T>\nvoid Visit(T& all) { all.total(); }\n"
        meets = ('#include "src/a/a.h"\n#include "src/c/visit.h"\n'
                 "int x = Unused(1, 2);\nvoid F(Counter& c) { Visit(c); }\n")
        self.assertEqual(self.violations({"src/c/visit.h": template, "src/c/c.cc": meets}), [])
        plain = template.replace("template <typename T>\n", "").replace("T&", "Other&")
        self.assert_one(self.violations({"src/c/visit.h": plain, "src/c/c.cc": meets}), "Counter::total")

    def test_an_unused_inline_function_is_named(self):
        self.assert_one(self.violations({
            "src/c/c.cc": '#include "src/a/a.h"\nint x = Unused(1, 2) + made_up::Counter().total();\n',
            "src/c/c.h": "template <typename T>\ninline T Twice(T x) { return 2 * x; }\n",
        }), "src/c/c.h:2", "Twice")

    def test_a_function_behind_extern_c_is_named(self):
        self.assert_one(self.violations({
            "src/c/c.h": 'extern "C" {\nvoid Block();\n}\nextern "C" inline int Single(int x) { return x; }\n',
            "src/c/c.cc": '#include "src/a/a.h"\n#include "src/c/c.h"\n'
                          'void F() { Block(); }\nint x = Unused(1, 2) + made_up::Counter().total();\n',
        }), "src/c/c.h:4", "Single")

    def test_a_variable_of_the_same_name_is_no_use(self):
        for line in ("int Unused = 1;\n  total(Unused);", "auto Unused = [] { return 1; };\n  Unused();",
                     "std::vector<int> Unused(3);\n  Unused.clear();", "Other Unused{};", "other.Unused();",
                     "const Other* Unused = nullptr;\n  if (Unused) F();"):
            use = f'#include "src/a/a.h"\nvoid F(Counter& c) {{\n  c.total();\n  {line}\n}}\n'
            self.assert_one(self.violations({"src/c/c.cc": use}), "uses Unused")
        use = '#include "src/a/a.h"\nvoid F(Counter& c, int Unused) { c.total(); F(c, Unused); }\n'
        self.assert_one(self.violations({"src/c/c.cc": use}), "uses Unused")

    def test_what_only_looks_like_a_variable_is_a_use(self):
        for line in ("return Unused(1, 2);", "if (3 > Unused(1, 2)) return 2;", "int x = 2 * Unused(1, 2);",
                     "call = &Unused;", "Call(1, Unused);"):
            use = f'#include "src/a/a.h"\nint F(Counter& c) {{\n  c.total();\n  {line}\n}}\n'
            self.assertEqual(self.violations({"src/c/c.cc": use}), [], line)

    def test_functions_that_only_use_each_other_are_named(self):
        found = self.violations({
            "src/c/c.h": "int Ping(int);\nint Pong(int);\n",
            "src/c/c.cc": '#include "src/c/c.h"\n#include "src/a/a.h"\n'
                          "int Ping(int x) { return Pong(x); }\nint Pong(int x) { return Ping(x); }\n"
                          "int x = Unused(1, 2) + made_up::Counter().total();\n",
        })
        self.assertEqual(len(found), 2, found)
        found = self.violations({
            "src/c/c.h": "int Ping(int);\n",
            "src/c/c.cc": '#include "src/c/c.h"\n#include "src/a/a.h"\n'
                          "static int Local(int x) { return Ping(x); }\nint Ping(int x) { return Local(x); }\n"
                          "int x = Unused(1, 2) + made_up::Counter().total();\n",
        })
        self.assert_one(found, "uses Ping")

    def test_what_is_disabled_is_no_use(self):
        for around in ("#if 0\n{}#endif\n", "#if 0\n#ifdef X\n#endif\n{}#else\nint y;\n#endif\n",
                       "#ifdef X\n#if 0\n{}#endif\n#endif\n"):
            use = '#include "src/a/a.h"\nint z = made_up::Counter().total();\n' + around.format(
                "int x = Unused(1, 2);\n")
            self.assert_one(self.violations({"src/c/c.cc": use}), "uses Unused")
        use = ('#if 0\n#else\n#include "src/a/a.h"\nint x = Unused(1, 2) + made_up::Counter().total();\n#endif\n'
               "#if 1\n#endif\n")
        self.assertEqual(self.violations({"src/c/c.cc": use}), [])

    def test_hooks_of_tests_are_excepted_by_name(self):
        hooks = {("src/a/a.h", "Unused"): "why", ("src/a/a.h", "total"): "why"}
        self.assertEqual(self.violations({}, hooks), [])

    def test_a_hook_that_is_used_leaves_the_list(self):
        hooks = {("src/a/a.h", "Unused"): "why", ("src/a/a.h", "total"): "why", ("src/a/a.h", "Used"): "why"}
        self.assert_one(self.violations({}, hooks), "Used is listed")


if __name__ == "__main__":
    unittest.main()
