# SPDX-License-Identifier: Apache-2.0
"""The checks of documents.py fail on what they are for."""

import pathlib
import unittest

import documents

SOURCE = """
constexpr const char* kTaps[] = {"auto", "poll"};
constexpr Setting kSettings[] = {
    Number("slow_ms", "ms", Change::kAnyTime, &Config::slow_ms, 1, 60'000),
    Switch("live", Change::kAtStart, &Config::live),
    Choice<&Config::tap>("tap", Change::kAtStart, kTaps),
    Text("dump_dir", Change::kAtStart, &Config::dump_dir),
};
"""
HEADER = """
struct Config {
  std::string dump_dir;  // "": nothing is dumped
  bool live = false;
  TapChoice tap = TapChoice::kAuto;
  uint32_t slow_ms = 1'050;  // slow
"""
TABLE = """
| `STILLFRAME_SLOW_MS` | ms | 1050 | 1 to 60,000 | any time | slow |
| `STILLFRAME_LIVE` | | 0 | 0, 1 | at start | live |
| `STILLFRAME_TAP` | | auto | auto, poll | at start | tap |
| `STILLFRAME_DUMP_DIR` | | none | a folder | at start | dumps |
"""
DROPS = """
const char* DropName(Drop drop) {
  switch (drop) {
    case Drop::kRingFull: return "ring_full";
  }
  return "unknown";
}
"""


def text_of(name):
    return {"docs/a.md": "# A title\n\n## What `x` is\n", "docs": "", "docs/b.png": ""}.get(name)


class DocumentsTest(unittest.TestCase):
    def settings(self, source=SOURCE, header=HEADER, table=TABLE):
        return list(documents.settings_violations(source, header, table))

    def links(self, text):
        return list(documents.link_violations(pathlib.PurePosixPath("README.md"), text, text_of))

    def test_settings_that_agree_pass(self):
        self.assertEqual(self.settings(), [])

    def test_settings_that_differ_are_named(self):
        for old, new in (("| 1050 |", "| 50 |"), ("60,000", "6,000"), ("| 0 | 0, 1 |", "| 1 | 0, 1 |"),
                         ("| ms |", "| us |"), ("| auto | auto, poll |", "| poll | auto, poll |"),
                         ("| auto, poll |", "| auto |"), ("| none |", "| /data |"),
                         ("| any time |", "| at start |")):
            with self.subTest(new=new):
                self.assertEqual(len(self.settings(table=TABLE.replace(old, new))), 1)

    def test_a_setting_that_only_one_side_has_is_named(self):
        self.assertEqual(self.settings(source=SOURCE.replace('"live"', '"alive"')),
                         ["STILLFRAME_ALIVE is not in docs/settings.md", "STILLFRAME_LIVE is not in src/settings"])
        self.assertTrue(self.settings(source="", table=""))

    def test_links_are_followed(self):
        right = ("[a](docs/a.md#a-title)", "[b](docs/a.md#what-x-is)", "![b](docs/b.png)", "[c](docs)", "[d](https://e)",
                 "`[x](y)`", "    [x](y)")
        self.assertEqual(self.links("\n".join(right)), [])
        self.assertEqual(len(self.links("[a](docs/c.md)")), 1)
        self.assertEqual(len(self.links("[a](docs/a.md#another-title)")), 1)
        self.assertEqual(len(self.links("[a](#nothing)")), 1)

    def test_reasons_are_compared(self):
        names = documents.names_of(DROPS, "DropName")
        self.assertEqual(names, ["ring_full"])
        listed = documents.first_cells("| `ring_full` | why |")
        self.assertEqual(list(documents.list_violations("drop", names, "p", listed)), [])
        self.assertEqual(len(list(documents.list_violations("drop", names, "p", []))), 1)
        self.assertEqual(len(list(documents.list_violations("drop", [], "p", []))), 1)

    def test_variables_are_compared(self):
        text = "`STILLFRAME_LIVE`, `STILLFRAME_*`, `STILLFRAME_ALIVE`"
        found = list(documents.variable_violations("README.md", text, {"STILLFRAME_LIVE"}))
        self.assertEqual(found, ["README.md: STILLFRAME_ALIVE is read by nobody"])

    def test_lengths_are_limited(self):
        self.assertEqual(list(documents.length_violations("README.md", "\n" * 140)), [])
        self.assertEqual(len(list(documents.length_violations("README.md", "\n" * 141))), 1)

    def test_the_glossary_is_short_and_in_order(self):
        def glossary(words):
            return "# D\n\n## Glossary\n\n" + "".join(f"- **{word}**: means.\n" for word in words)
        self.assertEqual(list(documents.glossary_violations(glossary(["ANR", "barrier"]))), [])
        self.assertEqual(len(list(documents.glossary_violations(glossary(["tap", "Sample"])))), 1)
        self.assertEqual(len(list(documents.glossary_violations(glossary([f"w{i:02}" for i in range(26)])))), 1)
        self.assertEqual(len(list(documents.glossary_violations("# D\n"))), 1)


if __name__ == "__main__":
    unittest.main()
