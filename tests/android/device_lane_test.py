# SPDX-License-Identifier: Apache-2.0
"""The steps of `tools/test --device`, on the scripted phone."""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest

import device_lane
from desk import WITHIN_S, DeskTest
from process import ART_RUN, BUILD, run_at_once

LANE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "device_lane.py")


class ResultsTest(unittest.TestCase):
    """Results of a unit test program on the device."""

    ALONE = {"Ring.Keeps": 0, "Ring.Dies": -11, "Walk/0.NeedsAProcess/1": 0, "Walk/0.Lost": 0}

    def run_program(self, arguments):
        out = ("Ring.\n  Keeps\n  Dies\n  Off\nWalk/0.  # TypeParam = int\n  NeedsAProcess/1  # GetParam() = 3\n  Lost\n")
        code = 0
        if arguments == "":
            code = -11
            out = ("[ RUN      ] Ring.Keeps\n[       OK ] Ring.Keeps (0 ms)\n[ RUN      ] Ring.Off\n[  SKIPPED ] Ring.Off (0 ms)\n"
                   "[ RUN      ] Walk/0.NeedsAProcess/1\n[  FAILED  ] Walk/0.NeedsAProcess/1, where GetParam() = 3 (1 ms)\n"
                   "[ RUN      ] Ring.Dies\n")
        elif "filter" in arguments:
            code, out = self.ALONE[arguments.removeprefix("--gtest_filter=")], ""
        return subprocess.CompletedProcess(arguments, code, out, "")

    def test_what_it_broke_off_before_runs_by_itself(self):
        results, told = device_lane.results_of(self.run_program)
        self.assertEqual(results, {"passed": {"Ring.Keeps", "Walk/0.NeedsAProcess/1", "Walk/0.Lost"}, "failed": {"Ring.Dies"},
                                   "skipped": {"Ring.Off"}})
        self.assertIn("Ring.Dies: exit code -11", told)

    def test_one_that_does_not_run_at_all_has_failed(self):
        results, told = device_lane.results_of(lambda _: subprocess.CompletedProcess("", 1, "", "CANNOT LINK EXECUTABLE"))
        self.assertEqual({kind: len(cases) for kind, cases in results.items()}, {"passed": 0, "skipped": 0, "failed": 1})
        self.assertIn("CANNOT LINK", told)


class JudgeTest(unittest.TestCase):
    def test_a_marked_frame_is_a_guess(self):
        mark = " or inlined into it (DeviceLane.java:41)"
        answers = {("DeviceLane.run", "DeviceLane.hang"), ("DeviceLane.run", "DeviceLane.hang", "DeviceLane.spin")}
        stacks = [(["DeviceLane.run", "DeviceLane.hang" + mark], 3), (["DeviceLane.run" + mark], 4),
                  (["DeviceLane.run", "DeviceLane.spin" + mark], 5), (["DeviceLane.run", "DeviceLane.hang"], 6)]
        self.assertEqual(device_lane.compare(answers, stacks), (18, 0, (3, 4), [(5, "DeviceLane.run;DeviceLane.spin")]))


class LaneTest(DeskTest):
    def own_build(self):
        """A build folder of its own, so that the table of real runs is not touched."""
        build = os.path.join(self.folder, "build")
        os.makedirs(build)
        for name in ("art", "bin", "lib"):
            os.symlink(os.path.join(BUILD, name), os.path.join(build, name))
        return build

    def rows(self):
        with open(os.path.join(self.folder, "build", "test", "frames.tsv"), encoding="utf-8") as table:
            return [line.rstrip("\n").split("\t") for line in table]


class DeviceLaneTest(LaneTest):
    def lane(self, art="11", **variables):
        self.phone.change(art=[ART_RUN, "--art", art])
        build = self.own_build()
        return subprocess.run(
            [sys.executable, LANE, "--device", self.device.serial],
            env={**self.server.environment, "STILLFRAME_BUILD": build, "STILLFRAME_LIBRARIES": self.libraries, **variables},
            capture_output=True, text=True, timeout=WITHIN_S, check=False)

    def test_samples_are_compared_with_what_art_told(self):
        done = self.lane()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        names, values = self.rows()
        row = dict(zip(names, values))
        self.assertEqual((row["cpu"], row["kind"], row["wrong"], row["ran"]), ("x86_64", "device Bed", "0", "device"))
        self.assertGreater(int(row["equal"]), 100)
        self.assertEqual(self.phone.files(), [])

    def test_a_wrong_stack_fails(self):
        """Some of ART's answers are dropped, so the samples of those stacks match none."""
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

    def test_a_folder_without_android_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, LANE, "--android-root", folder], capture_output=True, text=True,
                                  timeout=WITHIN_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds no Android system", done.stderr)


class AndroidRootTest(LaneTest):
    """`tools/test --android-root`, in a folder that has the names of an Android system and this machine's programs."""

    PROGRAMS = {
        "getprop": 'case $1 in *abi) echo x86_64;; *release) echo 11;; *) echo Folder;; esac',
        "app_process64": 'shift; library=$LD_PRELOAD; unset LD_PRELOAD; PATH=/usr/bin; export PATH\n'
                         f'exec {shlex.quote(ART_RUN)} --art 11 --preload "$library" -cp "$CLASSPATH" "$@"',
    }

    def make_root(self, root):
        programs = os.path.join(root, "system", "bin")
        os.makedirs(programs)
        for name in ("sh", "rm", "mkdir"):
            os.symlink(f"/usr/bin/{name}", os.path.join(programs, name))
        for name, text in self.PROGRAMS.items():
            with open(os.path.join(programs, name), "w", encoding="utf-8") as script:
                script.write(f"#!/system/bin/sh\n{text}\n")
            os.chmod(script.name, 0o755)
        source = os.path.realpath(os.path.join(os.path.dirname(LANE), "..", ".."))
        for folder in {"/usr", "/proc", source, os.path.realpath(BUILD)}:
            os.makedirs(root + folder, exist_ok=True)
            yield folder
        os.makedirs(os.path.join(root, "tmp"), exist_ok=True)  # a clone may lie below it
        for name in ("bin", "lib", "lib64"):
            os.symlink("usr/" + name, os.path.join(root, name))

    def test_the_lane_runs_in_a_chroot(self):
        mounts = ["unshare", "--mount", "--propagation", "private", "/bin/sh", "-ec"]
        if subprocess.run([*mounts, "mount --bind /usr /usr"], capture_output=True, check=False).returncode != 0:
            self.skipTest("nothing may be mounted here")
        root = os.path.join(self.folder, "root")
        binds = "".join(f"mount --rbind {shlex.quote(folder)} {shlex.quote(root + folder)}; " for folder in self.make_root(root))
        build = self.own_build()
        done = subprocess.run(
            [*mounts, f"{binds} exec {shlex.join([sys.executable, LANE, '--android-root', root])}"],
            env={**os.environ, "STILLFRAME_BUILD": build, "STILLFRAME_LIBRARIES": self.libraries}, capture_output=True,
            text=True, timeout=WITHIN_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        row = dict(zip(*self.rows()))
        self.assertEqual((row["kind"], row["wrong"], row["ran"]), ("device Folder", "0", "device"))
        self.assertFalse(os.path.exists(root + "/data/local/tmp/stillframe-test"))


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
