# SPDX-License-Identifier: Apache-2.0
"""The checks of documents.py fail on the mistakes that they look for."""

import pathlib
import unittest

import documents

REASONS = """
    {Truncation::kNone, "none", Counter::kCount},
    {Truncation::kBadMethod, "not a method", Counter::kCutNotAMethod},
"""


def text_of(name):
    return {"docs/a.md": "# A title\n\n## What `x` is\n", "docs": "", "docs/b.png": ""}.get(name)


class DocumentsTest(unittest.TestCase):
    def links(self, text):
        return list(documents.link_violations(pathlib.PurePosixPath("README.md"), text, text_of))

    def test_links_are_followed(self):
        right = ("[a](docs/a.md#a-title)", "[b](docs/a.md#what-x-is)", "![b](docs/b.png)", "[c](docs)", "[d](https://e)",
                 "`[x](y)`", "    [x](y)")
        self.assertEqual(self.links("\n".join(right)), [])
        self.assertEqual(len(self.links("[a](docs/c.md)")), 1)
        self.assertEqual(len(self.links("[a](docs/a.md#another-title)")), 1)
        self.assertEqual(len(self.links("[a](#nothing)")), 1)

    def test_reasons_are_compared(self):
        names = documents.truncations_of(REASONS)
        self.assertEqual(names, ["not a method"])
        listed = documents.first_cells("| `not a method` | why |")
        self.assertEqual(list(documents.list_violations("cut", names, "p", listed)), [])
        self.assertEqual(len(list(documents.list_violations("cut", names, "p", []))), 1)
        self.assertEqual(len(list(documents.list_violations("cut", [], "p", []))), 1)

    def test_variables_are_compared(self):
        text = "`STILLFRAME_LIVE`, `STILLFRAME_*`, `STILLFRAME_ALIVE`"
        found = list(documents.variable_violations("README.md", text, {"STILLFRAME_LIVE"}))
        self.assertEqual(found, ["README.md: STILLFRAME_ALIVE is read by nobody"])

    def test_lengths_are_limited(self):
        self.assertEqual(list(documents.length_violations("README.md", "\n" * 110)), [])
        self.assertEqual(len(list(documents.length_violations("README.md", "\n" * 111))), 1)

    def test_the_glossary_is_short_and_in_order(self):
        def glossary(words):
            return "# D\n\n## Glossary\n\n" + "".join(f"- **{word}**: means.\n" for word in words)
        self.assertEqual(list(documents.glossary_violations(glossary(["ANR", "barrier"]))), [])
        self.assertEqual(len(list(documents.glossary_violations(glossary(["tap", "Sample"])))), 1)
        self.assertEqual(len(list(documents.glossary_violations(glossary([f"w{i:02}" for i in range(26)])))), 1)
        self.assertEqual(len(list(documents.glossary_violations("# D\n"))), 1)


if __name__ == "__main__":
    unittest.main()
