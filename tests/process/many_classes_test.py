# SPDX-License-Identifier: Apache-2.0
"""Slow messages with more classes than the table of names can hold. The hang that follows must still be named.

--full runs ten thousand classes, not just enough to fill the table.
"""

import os
import sys
import unittest

from process import BUILD, ProcessTest, collapsed, inspect, on_each_release, run_at_once

IS_FULL = "--full" in sys.argv
CLASSES, CLASSES_A_MESSAGE, HANG_MS = (10_000, 1_000, 3_000) if IS_FULL else (1_800, 300, 1_500)
MAX_BYTES = 3 << 20
CULPRIT = "ManyClasses$CulpritWithANameThatIsLongerThanThatOfAnyOtherClassSoThatItFindsNoPlaceWhereOneOfThemFoundNone"


class ManyClassesTest(ProcessTest):
    release = "11"

    def command(self, main, *args, options=()):
        command = super().command(main, *args, options=options)
        command[command.index("-cp") + 1] = os.path.join(BUILD, "art", "many_classes.jar")
        return command

    def check_hang_after(self, *arguments):
        """Runs many classes, then a hang, which tree and verdict must name. Returns the dump's counters."""
        done = self.run_app("ManyClasses", *arguments, timeout=1800, DUMP_AT_EXIT=1, TIMER="wall", INTERVAL_US=1000,
                            TREE_MIN_MS=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        dump = self.only_dump(done.stderr)
        document = inspect(dump)
        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        print({name: value for name, value in counters.items()
               if name.startswith(("frame_table", "trees_lost", "history_names", "methods_not"))})
        self.assertGreater(counters["frame_table_evictions"], 0, "the table was never full")
        self.assertEqual(counters["frame_table_overflows"], 0)
        self.assertLess(sum(value for name, value in counters.items() if name.endswith("_bytes")), MAX_BYTES)

        held_us = {token: sum(us for frames, us in collapsed(dump, token, "us") if f"{CULPRIT}.hold" in frames)
                   for token in (tree["token"] for tree in document["trees"])}
        self.assertGreater(max(held_us.values()), 900 * arguments[2], held_us)
        verdict = document["verdict"]
        if verdict["kind"] == "starved-of-cpu":
            self.skipTest("names are right; the verdict is about the machine, which has other work")
        self.assertEqual(verdict["kind"], "method", verdict)
        self.assertNotEqual(verdict["confidence"], "low", verdict)
        self.assertEqual(verdict["culprit"]["method"], f"{CULPRIT}.hold", verdict)
        return counters


@on_each_release
class AfterThemOn11Test(ManyClassesTest):
    def test_the_hang_has_its_name(self):
        counters = self.check_hang_after(CLASSES, CLASSES_A_MESSAGE, HANG_MS)
        self.assertGreater(counters["frame_table_evictions"], CLASSES / 2)


class InOneMessageTest(ManyClassesTest):
    """The classes of the message's own tree exceed the table."""

    def test_the_hang_has_its_name(self):
        classes = CLASSES * 7 // 10
        self.check_hang_after(classes, classes, classes, "inside")


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--full"]
    run_at_once(sys.modules[__name__], jobs=1)
