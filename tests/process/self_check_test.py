# SPDX-License-Identifier: Apache-2.0
"""A disturbed self-check must not keep the sampler off. Disturbances: a collection that moves what the check is
reading, one under way, a suspended VM. shifted_layout_test.py tests that a wrong layout does keep it off."""

import os
import sys
import unittest

from process import BUILD, LIBRARY, ToldTest, on_each_release, art_command, run_at_once

DISTURBER = os.path.join(BUILD, "art", "libcheck_disturber.so")
FAILURES = 10
# Places of the check at which a collection moves the object it has just loaded. Most of them make it fail.
PLACES = range(5, 30)
FOR_GOOD = 1000


class SelfCheckCase(ToldTest):
    def start(self, disturb="", place=0, times=1):
        """(log until the process decides, number of checks, number of checks that were disturbed)"""
        command = art_command("Rests", 0, self.told, 0, 0, options=("--preload", DISTURBER, "--preload", LIBRARY),
                              preload=False, release=self.release)
        settings = [f"DISTURB={disturb}", f"DISTURB_PLACE={place}", f"DISTURB_TIMES={times}"]
        process = self.begin(["env", *settings, *command], "ready\n")
        self.wait_until("no decision", lambda: "stillframe: on: " in self.log() or "stays off: " in self.log())
        log = self.finish(process)
        os.remove(self.told)
        return log, log.count("disturber: check "), log.count("disturber: moved")


@on_each_release
class SelfCheckOn11Test(SelfCheckCase):
    release = "11"

    def test_ten_checks_that_fail_for_a_moment_leave_it_on(self):
        self.start()  # from here on it is known which layout was the right one last time
        _, undisturbed, _ = self.start()
        failed = 0
        for place in PLACES:
            log, checks, moved = self.start("move", place)
            self.assertIn("stillframe: on: ", log)
            failed += moved == 1 and checks > undisturbed
            if failed == FAILURES:
                return
        self.fail(f"{failed} of {len(PLACES)} checks failed for a moment")

    def test_a_collection_under_way_and_a_suspended_vm_leave_it_on(self):
        for disturb in ("collect", "suspend"):
            log, _, _ = self.start(disturb)
            self.assertIn("disturber: began", log)
            self.assertIn("stillframe: on: ", log)


class FailingProcessTest(SelfCheckCase):
    """The disturbance outlasts all attempts of a process."""

    def test_two_processes_that_fail_do_not_keep_the_third_off(self):
        def fails(place):
            log, _, moved = self.start("move", place, FOR_GOOD)
            return moved > 1 and "stillframe: the profiler stays off: this build of ART" in log
        place = next(place for place in PLACES if fails(place))
        self.assertTrue(fails(place), "and it is checked again")
        self.assertIn("stillframe: on: ", self.start()[0])


# Start-up checks depend on the release, so each run tests all of them.
SelfCheckOn11Test.is_on_each_release = False


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
