# SPDX-License-Identifier: Apache-2.0
"""Runs the fixture application and the test harness on ART and checks what they print.

usage: fixture_test.py ART_RUN RELEASE INTERPRETER FIXTURE_JAR LIBFIXTURE TEST_JAR
"""

import re
import subprocess
import sys
import time
import unittest

ART_RUN = []
FIXTURE_JAR = LIBFIXTURE = TEST_JAR = ""
LIMIT_S = 60
TIMES = re.compile(r"^(\w+) (\d+) wall_ms=(\d+) cpu_ms=(\d+)$")


def fixture_command(*args):
    return ART_RUN + ["--library", LIBFIXTURE, "-cp", FIXTURE_JAR, "fixture.App", *args]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)


class FixtureTest(unittest.TestCase):

    def run_scenarios(self, *args):
        """Returns [(class, amount, wall ms, CPU ms)] in the order of printing, and stderr."""
        result = run(fixture_command(*args))
        self.assertEqual(0, result.returncode, result.stdout + result.stderr)
        lines = [TIMES.match(line) for line in result.stdout.splitlines()]
        rows = [(m[1], int(m[2]), int(m[3]), int(m[4])) for m in lines if m]
        return rows, result.stderr

    def test_busy_scenarios_burn_cpu(self):
        rows, _ = self.run_scenarios("busy:200", "callback:200", "throwing:200", "recurse:200")
        self.assertEqual(["Busy", "Callback", "Throwing", "Recurse"], [row[0] for row in rows])
        for name, amount, wall_ms, cpu_ms in rows:
            self.assertGreaterEqual(wall_ms, amount, name)
            self.assertGreater(cpu_ms, amount // 8, name)  # others may want the CPU too

    def test_waiting_scenarios_leave_the_cpu_alone(self):
        rows, _ = self.run_scenarios("lock:300", "waitTimeout:300", "javaSleep:300",
                                     "nativeSleep:300")
        self.assertEqual(["Lock", "WaitTimeout", "JavaSleep", "NativeSleep"],
                         [row[0] for row in rows])
        for name, amount, wall_ms, cpu_ms in rows:
            self.assertGreaterEqual(wall_ms, amount, name)
            self.assertLess(cpu_ms, amount // 4, name)

    def test_mixed_waits_about_half_of_its_time(self):
        rows, _ = self.run_scenarios("mixed:800")
        ((_, amount, wall_ms, cpu_ms),) = rows
        self.assertGreaterEqual(wall_ms, amount)
        self.assertLess(cpu_ms, wall_ms * 3 // 4)

    def test_allocate_sees_the_collector(self):
        rows, _ = self.run_scenarios("allocate:3")
        self.assertEqual([("Allocate", 3)], [row[:2] for row in rows])

    def test_an_exception_leaves_the_loop_and_the_rest_runs(self):
        rows, stderr = self.run_scenarios("threw:20", "quick:2000", "busy:10")
        self.assertIn("I/fixture: caught outside the loop: after 20 ms", stderr)
        self.assertEqual(["Threw", "Quick", "Busy"], [row[0] for row in rows])

    def test_a_nested_loop_runs_its_message_inside(self):
        rows, stderr = self.run_scenarios("nested:50", "busy:10")
        self.assertEqual([("Busy", 50), ("Nested", 50), ("Busy", 10)], [row[:2] for row in rows])
        self.assertGreaterEqual(rows[1][2], 50)
        self.assertIn("W/Looper: Loop again", stderr)

    def test_a_barrier_holds_the_rest_back(self):
        start = time.monotonic()
        rows, _ = self.run_scenarios("barrier:400", "busy:1")
        self.assertGreaterEqual(time.monotonic() - start, 0.4)
        self.assertEqual(["Barrier", "Busy"], [row[0] for row in rows])
        self.assertLess(rows[0][2], 200, "the barrier's own message does not wait")

    def test_the_checkout_gets_stuck_and_recovers(self):
        start = time.monotonic()
        result = run(fixture_command("stuck:1"))
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(["stuck: Pay clicked", "stuck: receipt shown"], result.stdout.splitlines())
        self.assertGreaterEqual(time.monotonic() - start, 3)

    def test_forever_does_not_end(self):
        process = subprocess.Popen(fixture_command("forever:20"))
        try:
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=1.5)
        finally:
            process.kill()
            process.wait()

    def test_wrong_usage_is_explained(self):
        result = run(fixture_command("--help"))
        self.assertEqual(0, result.returncode)
        self.assertIn("stuck:SECONDS", result.stdout)
        for args, message in (
            ((), "no scenario given"),
            (("dance:1",), "no scenario is called dance"),
            (("busy",), "busy needs a whole number"),
            (("busy:-1",), "busy:-1 needs a whole number"),
            (("busy:99999999999",), "busy:99999999999 needs a whole number"),
        ):
            result = run(fixture_command(*args))
            self.assertEqual(2, result.returncode, args)
            self.assertIn("fixture: " + message, result.stderr)


class HarnessTest(unittest.TestCase):

    def test_a_failing_case_fails_its_process(self):
        result = run(ART_RUN + ["-cp", TEST_JAR, "android_tests.FailingTest"])
        self.assertEqual(1, result.returncode, result.stderr)
        self.assertIn("FAILED  does not hold", result.stdout)
        self.assertIn("expected 1, got 2", result.stdout)
        self.assertIn("1 passed, 1 failed", result.stdout)

    def test_an_activity_thread_starts_an_application(self):
        result = run(ART_RUN + ["-cp", TEST_JAR, "android.app.ActivityThread",
                                "android_tests.GreetingApplication"])
        self.assertEqual(7, result.returncode, result.stderr)
        self.assertEqual("created, on main true, bound true\n", result.stdout)


if __name__ == "__main__":
    program, release, interpreter, FIXTURE_JAR, LIBFIXTURE, TEST_JAR = sys.argv[1:7]
    ART_RUN = [program, "--art", release, "--interpreter", interpreter]
    unittest.main(argv=sys.argv[:1] + sys.argv[7:], verbosity=2)
