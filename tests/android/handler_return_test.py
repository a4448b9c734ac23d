# SPDX-License-Identifier: Apache-2.0
"""Under qemu-user, clang (as in the NDK) and g++ (as in the ARM presets) must give the same answers."""

import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
QEMU = os.path.join(HERE, "../../build/packages/qemu")
CPUS = {"aarch64": ("aarch64-linux-gnu", "qemu-aarch64", ()),
        "arm": ("arm-linux-gnueabihf", "qemu-arm", ("-marm",)),
        "thumb": ("arm-linux-gnueabihf", "qemu-arm", ("-mthumb",))}


class HandlerReturnTest(unittest.TestCase):
    def test_where_a_handler_returns_to(self):
        for compiler in ("clang++", "g++"):
            for name, (target, emulator, options) in CPUS.items():
                qemu = os.path.join(QEMU, emulator)
                with self.subTest(compiler=compiler, cpu=name):
                    command = ["clang++", f"--target={target}"] if compiler == "clang++" else [f"{target}-g++"]
                    for tool in (command[0], f"{target}-g++", qemu):  # clang uses the other's headers and libraries
                        if shutil.which(tool) is None:
                            self.skipTest(f"{tool} is missing")
                    self.run_on_cpu([*command, *options], qemu)

    def run_on_cpu(self, command, qemu):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "handler_return")
            subprocess.run([*command, "-std=c++20", "-O2", "-static", "-I", os.path.join(HERE, "../.."), "-o", program,
                            os.path.join(HERE, "handler_return.cc")], check=True)
            done = subprocess.run([qemu, program], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
