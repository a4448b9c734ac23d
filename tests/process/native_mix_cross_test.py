# SPDX-License-Identifier: Apache-2.0
"""Stacks of native and managed frames in turns on another CPU, as native_mix_test.py has them on this machine's.

There is no libunwind for it here: own steps are compared to the truth alone. The emulator answers for threads that
stand still with its own system calls, so that all messages run.
"""

import os
import unittest

import native_mix_test as mix
from process import CPU

BEDS = {"arm64": [("11", "mterp"), ("14", "nterp"), ("14", "switch")]}[CPU]
# Of each way in which functions are compiled; under qemu a message of this time has some 30 samples.
MS = int(os.environ.get("STILLFRAME_MIX_MS", "400"))


class NativeMixCrossTest(mix.MixCase):

    def test_stacks_are_as_constructed(self):
        for release, mode in BEDS:
            with self.subTest(art=release, mode=mode):
                mix.ProcessTest.setUp(self)
                self.check(release, mode, unwinder=mix.OWN, ms=MS)


def tearDownModule():
    mix.tearDownModule()


if __name__ == "__main__":
    unittest.main()
