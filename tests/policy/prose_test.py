# SPDX-License-Identifier: Apache-2.0
"""prose.py fails on long sentences in documents and on its phrases in documents and comments."""

import unittest

import made_up_tree
import prose

LONG = " ".join(["word"] * 33) + "."


class ProseTest(made_up_tree.MadeUpTreeTest):
    def of(self, **files):
        return prose.violations_of(self.tree({name.replace("__", "/").replace("_md", ".md").replace("_cc", ".cc"): text
                                              for name, text in files.items()}))

    def test_sentences_are_short(self):
        self.assert_one(self.of(docs__a_md="A word.\n\nB word.\n\n" + LONG), "33 words in one sentence")
        self.assert_one(self.of(README_md=" ".join(["word"] * 17) + "."), "17.0 words in a sentence on average")

    def test_code_tables_and_quotations_do_not_count(self):
        text = f"A word.\n\n    {LONG}\n\n| {LONG} |\n\n> {LONG}\n\n`{LONG}`\n"
        self.assertEqual(list(self.of(docs__a_md=text)), [])

    def test_phrases_are_found_in_comments_and_documents(self):
        self.assert_one(self.of(src__a_cc="// What is read later.\nint a;\n"), "src/a.cc:1", "begins with What")
        self.assert_one(self.of(src__a_cc="int a;  // is no number\n"), "is no X")
        self.assert_one(self.of(README_md="The thread stands still."), "stands")
        self.assert_one(self.of(docs__a_md="Nobody is told."), "told")

    def test_code_is_no_comment(self):
        self.assertEqual(list(self.of(src__a_cc='*text = "there stands one";\n// There is no reader.\n')), [])


if __name__ == "__main__":
    unittest.main()
