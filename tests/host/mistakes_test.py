# SPDX-License-Identifier: Apache-2.0
"""Mistakes in the kinds of evidence and in rows of a store that the compiler must find.

Each case changes a copy of a source and compiles it: COMPILER and its arguments are this script's.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = "tools/stillframe/judge/evidence.h"
TABLES = "tools/stillframe/fleet/tables.h"
SENTENCES = "tools/stillframe/words/evidence_text.cc"
USE = 'const stillframe::judge::Evidence kFact = stillframe::judge::evidence::Holder{.%s = "db", .%s = 2};\n'


class MistakesTest(unittest.TestCase):
    def compiles(self, path, change=lambda text: text, use=None):
        """Whether `use`, or the source itself, compiles with the changed copy of the source."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, path)
            copy.parent.mkdir(parents=True)
            copy.write_text(change((ROOT / path).read_text()))
            source = copy
            if use is not None:
                source = pathlib.Path(folder, "use.cc")
                source.write_text(f'#include "{path}"\n{use}')
            return subprocess.run(
                [*COMPILER, "-std=c++20", "-fsyntax-only", "-I", folder, "-I", ROOT, "-I", ROOT / "include", source],
                capture_output=True, check=False).returncode == 0

    def renamed(self, old, new):
        def change(text):
            self.assertEqual(text.count(old), 1, old)
            return text.replace(old, new)
        return change

    def test_a_kind_has_a_name_of_its_own(self):
        name = 'static constexpr std::string_view kName = "late";'
        self.assertTrue(self.compiles(KINDS, use=""))
        self.assertFalse(self.compiles(KINDS, self.renamed(name, ""), use=""))
        self.assertFalse(self.compiles(KINDS, self.renamed('"late"', '"holder"'), use=""))

    def test_a_kind_has_its_sentence(self):
        late = "operator()(const evidence::Late& fact)"
        self.assertTrue(self.compiles(SENTENCES))
        self.assertFalse(self.compiles(SENTENCES, self.renamed(late, "Other(const evidence::Late& fact)")))

    def test_members_of_different_types_cannot_be_swapped(self):
        self.assertTrue(self.compiles(KINDS, use=USE % ("lock_class", "held_ns")))
        self.assertFalse(self.compiles(KINDS, use=USE % ("held_ns", "lock_class")))

    def test_columns_cannot_be_swapped(self):
        row = "const stillframe::fleet::HangRow kRow = {.install = %s, .session = %s, .signature = %s};\n"
        keys = [f"stillframe::fleet::{key}{{7}}" for key in ("InstallKey", "SessionKey", "Signature")]
        self.assertTrue(self.compiles(TABLES, use=row % tuple(keys)))
        for one, other in ((0, 1), (1, 2), (0, 2)):
            swapped = list(keys)
            swapped[one], swapped[other] = keys[other], keys[one]
            self.assertFalse(self.compiles(TABLES, use=row % tuple(swapped)))
        self.assertFalse(self.compiles(TABLES, use="const stillframe::fleet::HangRow kRow = {.longest_ms = 1, .total_ms = 2};\n"))
        self.assertTrue(self.compiles(TABLES))
        # The other table's member.
        self.assertFalse(self.compiles(TABLES, self.renamed("MemberColumn{&HangRow::scene", "MemberColumn{&SessionRow::unsampled")))


if __name__ == "__main__":
    COMPILER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
