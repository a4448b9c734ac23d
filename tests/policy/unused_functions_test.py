# SPDX-License-Identifier: Apache-2.0
"""unused_functions.py fails on a function that the product only declares and defines."""

import unittest

import unused_functions

TEXT = """
int Used(int);  // Neither Unused() in a comment nor "Unused()" in a text is a use.
int Unused(int first, int second = Used(1));
int Used(int n) { return n; }
int Unused(int first, int second) { return first + second; }
const char* text = "Unused";
"""


class UnusedFunctionsTest(unittest.TestCase):
    def test_an_unused_function_is_named(self):
        found = unused_functions.violations_of({"stillframe::Used", "stillframe::Unused", "stillframe::A::A"}, TEXT)
        self.assertEqual(list(found), ["nothing of the product uses stillframe::Unused"])


if __name__ == "__main__":
    unittest.main()
