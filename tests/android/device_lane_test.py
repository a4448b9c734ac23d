# SPDX-License-Identifier: Apache-2.0
"""What `tools/test --device` runs, on the scripted phone."""

import os
import subprocess
import sys
import tempfile

from desk import WITHIN_S, DeskTest
from process import ART_RUN, BUILD, run_at_once

LANE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "device_lane.py")


class DeviceLaneTest(DeskTest):
    def lane(self, art="11", **variables):
        self.phone.change(art=[ART_RUN, "--art", art])
        # Its table is not that of the real runs.
        build = os.path.join(self.folder, "build")
        os.makedirs(build)
        for name in ("art", "bin", "lib"):
            os.symlink(os.path.join(BUILD, name), os.path.join(build, name))
        return subprocess.run(
            [sys.executable, LANE, "--device", self.device.serial],
            env={**self.server.environment, "STILLFRAME_BUILD": build, "STILLFRAME_LIBRARIES": self.libraries, **variables},
            capture_output=True, text=True, timeout=WITHIN_S, check=False)

    def rows(self):
        with open(os.path.join(self.folder, "build", "test", "frames.tsv"), encoding="utf-8") as table:
            return [line.rstrip("\n").split("\t") for line in table]

    def test_samples_are_compared_with_what_art_told(self):
        done = self.lane()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        names, values = self.rows()
        row = dict(zip(names, values))
        self.assertEqual((row["cpu"], row["kind"], row["wrong"], row["ran"]), ("x86_64", "device Bed", "0", "device"))
        self.assertGreater(int(row["equal"]), 100)
        self.assertEqual(self.phone.files(), [])

    def test_a_wrong_stack_fails(self):
        """Some of ART's answers are lost on their way: what the samples then have is none of them."""
        run = self.phone.run

        def forget(command):
            code, out, error = run(command)
            return code, b"".join(line for line in out.splitlines(True) if b"$Side.turn" not in line), error
        self.phone.run = forget
        done = self.lane()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("wrong: ", done.stdout)
        self.assertNotEqual(dict(zip(*self.rows()))["wrong"], "0")

    def test_without_a_vm_it_is_skipped_with_the_reason(self):
        os.unlink(os.path.join(self.phone.bin, "app_process64"))
        done = self.lane()
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]),
                         (77, "SKIPPED: there is neither app_process nor dalvikvm: nothing that needs a VM can run"))
        self.assertEqual(self.phone.files(), [])

    def test_a_phone_that_is_not_there_fails(self):
        self.device.unplug()
        self.server.adb("disconnect", self.device.serial)
        done = self.lane()
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"device {self.device.serial}: ", done.stderr)

    def test_a_folder_without_android_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, LANE, "--android-root", folder], capture_output=True, text=True,
                                  timeout=WITHIN_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds no Android system", done.stderr)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
