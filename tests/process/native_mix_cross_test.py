# SPDX-License-Identifier: Apache-2.0
"""Stacks of alternating native and managed frames on another CPU; native_mix_test.py tests this machine's.

The emulator answers with its own system calls for blocked threads, so all messages run here. Debian's ART 14 signs
return addresses on that CPU, which libunwind 1.6 does not support. Its cases run on ART 11.
"""

import os
import sys
import unittest

import native_mix_test as mix
from process import CPU, TARGET_BUILD, run_at_once

BEDS = {"arm64": [("11", "mterp", mix.OWN), ("11", "mterp", mix.LIBUNWIND), ("14", "nterp", mix.OWN), ("14", "switch", mix.OWN)]}[CPU]
# For each way to compile the functions. Under qemu a message of this length has some 30 samples.
MS = int(os.environ.get("STILLFRAME_MIX_MS", "400"))


def has_libunwind():
    """True if this build found libunwind's headers."""
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
