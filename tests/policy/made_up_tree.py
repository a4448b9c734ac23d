# SPDX-License-Identifier: Apache-2.0
"""Small made-up trees, over which tests show that a policy fails."""

import pathlib
import tempfile
import unittest

import repository

LICENCE = "SPDX-License-Identifier: Apache-2.0"


def head(context, uses="include arch", *more):
    """A folder's CMakeLists.txt."""
    lines = ["# What it is for.", f"# Context: {context}", f"# Uses: {uses}", *more, "add_library(x a.cc)"]
    return "\n".join(lines) + "\n"


class MadeUpTreeTest(unittest.TestCase):
    """`tree(files)` writes the files, path -> text, below a temporary folder."""

    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = pathlib.Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return repository.Tree(folder.name)

    def assert_one(self, violations, *parts):
        """There is one violation, and it says all of this."""
        violations = list(violations)
        self.assertEqual(len(violations), 1, violations)
        for part in parts:
            self.assertIn(part, violations[0])
