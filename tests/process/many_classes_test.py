# SPDX-License-Identifier: Apache-2.0
"""More classes in slow messages than the table of names holds: the hang after them is named all the same.

--full runs ten thousand classes instead of three thousand.
"""

import os
import sys
import unittest

from process import BUILD, ProcessTest, inspect

CLASSES = 10_000 if "--full" in sys.argv else 3_000
CLASSES_A_MESSAGE = 1_000
MAX_BYTES = 3 << 20
CULPRIT = "ManyClasses$CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone"


class ManyClassesTest(ProcessTest):
    def command(self, main, *args, options=()):
        command = super().command(main, *args, options=options)
        command[command.index("-cp") + 1] = os.path.join(BUILD, "art", "many_classes.jar")
        return command

    def hang_after_many_classes(self):
        done = self.run_app("ManyClasses", CLASSES, CLASSES_A_MESSAGE, DUMP_AT_EXIT=1, TIMER="wall", INTERVAL_US=1000)
        self.assertEqual(done.returncode, 0, done.stderr)
        return inspect(self.only_dump(done.stderr))

    def test_the_hang_has_its_name(self):
        document = self.measure(self.hang_after_many_classes)
        verdict = document["verdict"]
        self.assertEqual((verdict["kind"], verdict["confidence"]), ("method", "high"), verdict)
        self.assertEqual(verdict["culprit"]["method"], f"{CULPRIT}.hold", verdict)

        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        print({name: counters[name] for name in counters if name.startswith(("frame_table", "trees_lost", "history_names",
                                                                             "methods_not"))})
        self.assertEqual(counters["frame_table_overflows"], 0)
        self.assertGreater(counters["frame_table_evictions"], CLASSES / 2, "the table was never full")
        ours = sum(value for name, value in counters.items() if name.endswith("_bytes"))
        self.assertLess(ours, MAX_BYTES)


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--full"]
    unittest.main()
