"""Every stack the walker takes in native code or at a safepoint equals ART's own."""

import os
import re
import subprocess
import unittest

from process import BUILD, art_command

COMPARISONS = 50_000


class OracleTest(unittest.TestCase):
    def test_mterp(self):
        self.compare("11", "mterp")

    def test_nterp(self):
        self.compare("11", "nterp")

    def compare(self, release, interpreter):
        library = os.path.join(BUILD, "art", "liboracle_check.so")
        done = subprocess.run(art_command("OracleCheck", COMPARISONS, library, release, preload=False,
                                          options=("--interpreter", interpreter)),
                              capture_output=True, text=True, timeout=300)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-3000:])
        native = re.search(r"native (\d+) different (\d+)", done.stdout)
        safepoint = re.search(r"safepoint (\d+) different (\d+) missed (\d+)", done.stdout)
        self.assertEqual(native.groups(), (str(COMPARISONS), "0"))
        self.assertEqual(safepoint.group(2), "0")
        self.assertGreater(int(safepoint.group(1)), COMPARISONS * 0.99)


if __name__ == "__main__":
    unittest.main()
