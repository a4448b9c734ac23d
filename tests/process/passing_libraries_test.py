# SPDX-License-Identifier: Apache-2.0
"""Libraries that are loaded and unloaded while samples are taken in them: their code is known, and nothing grows.

--full loads ten thousand, instead of 600.
"""

import os
import re
import sys
import unittest

from process import BUILD, ProcessTest, inspect

TIMES = 10_000 if "--full" in sys.argv else 600
# Of the samples: not each instruction of the dynamic linker is described.
MAX_UNKNOWN_SHARE = 0.001
MAX_GROWTH_KIB = 1024
NATIVES = os.path.join(BUILD, "art", "libpassing.so")
GUESTS = [os.path.join(BUILD, "guests", f"libsf_guest_{functions}.so") for functions in (1, 300)]


class PassingLibrariesTest(ProcessTest):
    release = "11"

    def test_their_code_is_known(self):
        done = self.run_app("PassingLibraries", NATIVES, TIMES, *GUESTS, timeout=1800, DUMP_AT_EXIT=1, TIMER="wall",
                            INTERVAL_US=1000)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = inspect(self.only_dump(done.stderr))
        counters = {counter["name"]: counter["value"] for counter in document["counters"]}
        samples, unknown = counters["samples_by_signal"], counters["cut_code_that_is_not_known"]
        resident = [int(kib) for kib in re.findall(r"resident (\d+)", done.stdout)]
        print(f"{samples} samples, {unknown} in unknown code, {resident} KiB")
        self.assertGreater(samples, TIMES / 2)
        self.assertLess(unknown, MAX_UNKNOWN_SHARE * samples)
        self.assertEqual(len(resident), 2)
        self.assertLess(resident[1] - resident[0], MAX_GROWTH_KIB)


class PassingLibrariesOn10Test(PassingLibrariesTest):
    release = "10"


class PassingLibrariesOn14Test(PassingLibrariesTest):
    release = "14"


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--full"]
    unittest.main()
