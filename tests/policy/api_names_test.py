# SPDX-License-Identifier: Apache-2.0
"""api_names.py fails on a name that went and on one that is not listed."""

import unittest

import api_names

FILES = {
    "include/stillframe/profiler.h": "  STILLFRAME_OK = 0,\nSTILLFRAME_EXPORT int stillframe_start(void);\n",
    "src/entry/java/dev/stillframe/Stillframe.java": "    OK,\n  public static Status start() {\n",
    "src/settings/omissions.cc": 'kWords[] = {"stacks"};',
    "tools/stillframe/verbs/exit_codes.h": "constexpr int kExitFine = 0;\n",
    "src/collector/sampler_state.cc": 'return "off: it ended";',
    "docs/reference/settings.md": "| `STILLFRAME_TREES` | 1 |\n",
    "docs/reference/counters.md": "| `messages` | x |\n",
    "docs/reference/fields.md": "| `kTrigger` | `trigger` | varint |\n\n## Records\n\n| `tag` | string |\n",
}


class ApiNamesTest(unittest.TestCase):
    def test_all_kinds_are_found(self):
        self.assertEqual(api_names.names_of(FILES.get), [
            "function int stillframe_start(void)", "status STILLFRAME_OK = 0", "java Status start()", "java-status OK",
            "exit kExitFine = 0", "state off: it ended", "word stacks", "setting STILLFRAME_TREES", "counter messages",
            "field trigger", "record tag"])

    def test_a_name_neither_goes_nor_comes_in_silence(self):
        names = api_names.names_of(FILES.get)
        self.assertEqual(list(api_names.violations_of(names, names)), [])
        self.assertEqual(len(list(api_names.violations_of(names, [*names, "counter janks"]))), 1)
        self.assertEqual(len(list(api_names.violations_of([*names, "counter janks"], names))), 1)
        self.assertEqual(len(list(api_names.violations_of(names[1:], names[1:]))), 1)


if __name__ == "__main__":
    unittest.main()
