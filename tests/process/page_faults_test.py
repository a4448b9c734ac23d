# SPDX-License-Identifier: Apache-2.0
"""Waits for pages of a mapped file, in a group whose memory limit the file exceeds, against the kernel's count."""

import os
import subprocess
import sys
import tempfile
import unittest

import consistency
from memory_shortage import MemoryShortage, NotToBeHad, join, write_large
from process import BUILD, MEASUREMENTS, ProcessTest, inspect, on_each_release, rise, run_at_once

NATIVES = os.path.join(BUILD, "art", "libpage_faults.so")
ACCOUNTING = "/proc/sys/kernel/task_delayacct"
TICK_NS = 1e9 / os.sysconf("SC_CLK_TCK")
MOST_OFF = 0.2
LEAST_FAULTS = 1_000
LEAST_SHARE = 0.1  # of the message; below it no share can be judged


def switch_accounting(to):
    """Returns the earlier setting. Tasks that began without it have no count."""
    with open(ACCOUNTING, "r+") as file:
        before = file.read().strip()
        file.seek(0)
        file.write(to)
    return before


@on_each_release
class PageFaultsOn11Test(ProcessTest):
    release = "11"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = os.path.join(folder.name, "large")
        try:
            cls.group = MemoryShortage.make_group()
            cls.addClassCleanup(os.rmdir, cls.group)
            cls.addClassCleanup(switch_accounting, switch_accounting("1"))
        except (NotToBeHad, OSError) as why:
            raise unittest.SkipTest(f"the kernel's count, or a limit of memory, cannot be had: {why}")
        write_large(cls.file)

    def settle_in(self):
        rise()
        join(self.group)

    def test_in_managed_code(self):
        self.check("managed", "PageFaults.readManaged")

    def test_in_native_code(self):
        self.check("native", "PageFaults.read")

    def check(self, where, method):
        for _ in range(MEASUREMENTS):
            kernel_ns, wall_ns = self.check_once(where, method)
            if kernel_ns <= wall_ns:
                return
            # The kernel ended a wait without its begin, and counted the time since the machine's start.
            ProcessTest.setUp(self)
        self.skipTest("the kernel's count was longer than the message in each run")

    def check_once(self, where, method):
        done = subprocess.run(self.command("PageFaults", NATIVES, self.file, where),
                              env=self.environment(DUMP_AT_EXIT=1, TREES=100, TREE_MIN_MS=200), capture_output=True,
                              text=True, timeout=120, preexec_fn=self.settle_in)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-3000:])
        counts = next(line for line in done.stdout.splitlines() if line.startswith("counts ")).split()[1:]
        before, after, wall_ns = list(map(int, counts[:4])), list(map(int, counts[4:8])), int(counts[8])
        ticks, faults, cpu_ns, ready_ns = (b - a for a, b in zip(before, after))
        kernel_ns = ticks * TICK_NS
        document = inspect(self.only_dump(done.stderr))
        verdict = document["verdict"]
        rows = {c["cause"]: c["ns"] for c in verdict["contributors"]}
        said = (f"{where} on {self.release}: the kernel counted {kernel_ns / 1e6:.0f} of {wall_ns / 1e6:.0f} ms in {faults} "
                f"faults, CPU {cpu_ns / 1e6:.0f} ms, ready {ready_ns / 1e6:.0f} ms; reported "
                + ", ".join(f"{cause} {ns / 1e6:.0f} ms" for cause, ns in rows.items())
                + f"; {verdict['headline']}; {verdict['sentence']}; {' '.join(verdict['evidence'])}")
        print(said)
        if keep := os.environ.get("STILLFRAME_KEEP_DUMPS"):
            os.replace(self.only_dump(""), os.path.join(keep, f"page-faults-{where}-{self.release}.sfdump"))
        if kernel_ns > wall_ns:
            return kernel_ns, wall_ns
        self.assertGreater(faults, LEAST_FAULTS, said)
        if kernel_ns < LEAST_SHARE * wall_ns:
            self.skipTest(f"storage is too fast: {said}")
        self.assertLessEqual(abs(rows.get("memory", 0) - kernel_ns), MOST_OFF * kernel_ns, said)
        self.assertEqual(consistency.faults(document), "", said)
        if rows["memory"] == max(rows.values()):
            self.assertEqual(verdict["kind"], "page-faults", said)
            self.assertIn(method, verdict["headline"] + verdict["sentence"], said)
        return kernel_ns, wall_ns


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
