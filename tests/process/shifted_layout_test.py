# SPDX-License-Identifier: Apache-2.0
"""A layout with one wrong constant must keep the profiler off, with a reason, unless stacks are still right."""

import os
import subprocess
import sys
import unittest

from process import BUILD, ProcessTest, art, art_command, inspect, run_at_once

# Constants that may be slightly wrong -> why stacks are still right.
HARMLESS = {
    "env_search_from": "where a search begins; what it finds is checked",
    "env_search_to": "where a search ends; what it finds is checked",
    "mterp_base_after_env": "checked on its own; without it the innermost line is that of the last call",
    "mterp_code_bytes": "the last handlers; a dex pc outside of the method is not believed",
    "instrumentation_map_after_env": "of threads whose methods are traced; what is found there has to fit the frame",
    "instrumentation_deque_after_env": "of threads whose methods are traced; what is found there has to fit the frame",
    "quick_frame_tag_mask": "frames are aligned to more than the bits it takes too many",
    "generic_jni_tag": "nothing depends on it",
    "dex_file_size": "a bound for reads that are guarded",
    "method_alignment": "half of it asks less of a pointer that is checked in other ways as well",
    "method_header": "of compiled methods, which this process does not run",
    "code_info": "of compiled methods, which this process does not run",
    "jni_handle_count": "of frames that ART 10 and older build",
    "jni_handles": "of frames that ART 10 and older build",
    "evidence": "where the row comes from",
    "oat_version_first": "chooses among rows; the chosen one is checked",
    "oat_version_last": "chooses among rows; the chosen one is checked",
}
# Constants of frames that a process with this interpreter does not have, so that it cannot check them.
SHADOW_FRAMES = {"shadow_link", "shadow_method", "shadow_dex_pc_ptr", "shadow_dex_instructions", "shadow_dex_pc",
                 "shadow_instructions_bias"}
WITHOUT = {
    ("11", "mterp"): {"shadow_dex_pc", "method_entry_point", "nterp_outs_alignment"},
    ("11", "nterp"): SHADOW_FRAMES | {"nterp_outs_alignment"},
    ("14", "nterp"): SHADOW_FRAMES,
    ("14", "switch"): {"shadow_dex_pc_ptr", "shadow_dex_instructions", "shadow_instructions_bias", "method_entry_point",
                     "nterp_outs_alignment"},
}
LIBRARY = os.path.join(BUILD, "art", "libshifted_layout.so")
RUNTIME = os.path.join(BUILD, "art", "shifted", "libstillframe.so")


class ShiftedLayoutTest(ProcessTest):
    def check_constants(self, release, interpreter, shift):
        done = subprocess.run(
            art_command("ShiftedLayout", LIBRARY, shift, preload=False,
                        options=[*art(release), "--interpreter", interpreter]),
            capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = [line.split(" ", 3)[1:] for line in done.stdout.splitlines() if line.startswith("shifted ")]
        self.assertGreater(len(lines), 25, done.stdout)
        for constant, verdict, what in lines:
            with self.subTest(constant, shift=shift, release=release, interpreter=interpreter):
                if verdict == "off":
                    self.assertNotEqual(what, "")
                else:
                    self.assertEqual(what, "right")
                    self.assertIn(constant, HARMLESS.keys() | WITHOUT[release, interpreter])
        off = sum(verdict == "off" for _, verdict, _ in lines)
        print(f"ART {release} {interpreter}, shift {shift}: of {len(lines)} constants {off} keep the profiler off")

    def test_each_wrong_constant_is_noticed(self):
        for release, interpreter in WITHOUT:
            for shift in (4, 8):
                self.check_constants(release, interpreter, shift)

    def test_whole_process_stays_off_and_says_why(self):
        reasons = {
            "shadow_method": "not a method",
            "managed_stack_before_env": "the walk was truncated",
            "thread_state": "the state of a thread in native code",
        }
        for constant, reason in reasons.items():
            with self.subTest(constant):
                self.setUp()
                command = art_command("NeverLoops", 100, preload=False, options=["--preload", RUNTIME])
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=300,
                    env=self.environment(DUMP_AT_EXIT=1) | {"SHIFTED_CONSTANT": constant})
                self.assertEqual((done.returncode, done.stdout), (0, "done\n"), done.stderr)
                off = [line for line in done.stderr.splitlines() if "stays off" in line]
                self.assertEqual(len(off), 1, done.stderr)
                self.assertIn(reason, off[0])
                state = inspect(self.only_dump(done.stderr))["identity"]["sampler_state"]
                self.assertTrue(state.startswith("off: "), state)
                self.assertIn(reason, state)

    def test_the_result_is_kept(self):
        def state(constant="jni_handles"):
            """State of a new process. ART 11 does not depend on the default constant."""
            for dump in self.dumps():
                os.remove(dump)
            command = art_command("NeverLoops", 100, preload=False, options=["--preload", RUNTIME])
            done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                                  env=self.environment(DUMP_AT_EXIT=1) | {"SHIFTED_CONSTANT": constant})
            return inspect(self.only_dump(done.stderr))["identity"]["sampler_state"]

        cache = os.path.join(self.dump_dir, "stillframe-verdict")
        for _ in range(2):
            self.assertIn("not a method", state("shadow_method"))
        self.assertEqual(state(), "on", "two processes in a row may have been unlucky")
        for _ in range(3):
            self.assertIn("not a method", state("shadow_method"))
        self.assertIn("found by earlier processes", state())
        with open(cache, "r+b") as file:
            file.seek(30)
            file.write(b"?")
        self.assertEqual(state(), "on", "a damaged file does not count")
        with open(cache, encoding="ascii") as file:
            self.assertIn("\ngood 11\n", file.read())
        self.assertTrue(state("shadow_method").startswith("off: "), "a good verdict is checked")


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
