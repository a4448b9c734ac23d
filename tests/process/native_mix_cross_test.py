# SPDX-License-Identifier: Apache-2.0
"""Stacks of native and managed frames in turns on another CPU, as native_mix_test.py has them on this machine's.

The emulator answers for threads that stand still with its own system calls, so that all messages run. Debian's ART 14
signs its return addresses there, which its libunwind 1.6 knows nothing of: that runs on ART 11.
"""

import os
import sys
import unittest

import native_mix_test as mix
from process import CPU, TARGET_BUILD, run_at_once

BEDS = {"arm64": [("11", "mterp", mix.OWN), ("11", "mterp", mix.LIBUNWIND), ("14", "nterp", mix.OWN), ("14", "switch", mix.OWN)]}[CPU]
# Of each way in which functions are compiled; under qemu a message of this time has some 30 samples.
MS = int(os.environ.get("STILLFRAME_MIX_MS", "400"))


def has_libunwind():
    """Whether this build found its headers."""
    with open(os.path.join(TARGET_BUILD, "CMakeCache.txt"), encoding="utf-8") as cache:
        return "STILLFRAME_HAS_LIBUNWIND:INTERNAL=1\n" in cache.read()


class NativeMixCrossTest(mix.MixCase):

    def test_stacks_are_as_constructed(self):
        for release, mode, unwinder in BEDS:
            if unwinder == mix.LIBUNWIND and not has_libunwind():
                print(f"no libunwind for {CPU} in this build: not run")
                continue
            with self.subTest(art=release, mode=mode, unwinder=unwinder):
                mix.ProcessTest.setUp(self)
                self.check(release, mode, unwinder=unwinder, ms=MS)


def tearDownModule():
    mix.tearDownModule()


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
