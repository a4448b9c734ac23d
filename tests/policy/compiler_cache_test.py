# SPDX-License-Identifier: Apache-2.0
"""tools/setup/build-art-compiler rejects a cache entry that is damaged or that another user can change.

Each test runs a copy of the script against a cache entry made of short text files.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("tools/setup", "tests/testbed/compiler", "tests/testbed/launcher/repairs")
FILES = ("libart-compiler.so", "dex2oat", "version", "stamp")
RELEASE = "11"


@unittest.skipUnless(pathlib.Path("/usr/lib/x86_64-linux-gnu/android/libart.so.0").exists(), "ART 11 is not installed")
class CompilerCacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = pathlib.Path(folder.name, "clone")
        self.home = pathlib.Path(folder.name, "cache")
        self.home.mkdir(mode=0o700)
        for name in COPIED:
            shutil.copytree(ROOT / name, self.clone / name)
        (self.clone / "build/packages").mkdir(parents=True)
        traced = self.run_script("bash", "-x")
        name = re.search(r"art-compiler-11-amd64-[0-9a-f]{64}", traced.stderr)[0]
        self.cache = self.home / "stillframe"
        self.entry = self.cache / name
        self.entry.mkdir(mode=0o700)
        for file in FILES:
            (self.entry / file).write_text(file, encoding="ascii")
        (self.entry / "stamp").write_text(name.rsplit("-", 1)[1] + "\n", encoding="ascii")
        self.write_sums()

    def write_sums(self):
        sums = [f"{hashlib.sha256((self.entry / file).read_bytes()).hexdigest()}  {file}\n" for file in FILES]
        (self.entry / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
        for path in self.entry.iterdir():
            path.chmod(0o600)

    def run_script(self, *before, options=()):
        return subprocess.run(
            [*before, str(self.clone / "tools/setup/build-art-compiler"), *options, "--no-build", RELEASE],
            env=os.environ | {"XDG_CACHE_HOME": str(self.home)}, capture_output=True, text=True)

    def is_taken(self, *options):
        folder = self.clone / "build/packages/art-compiler-11-amd64"
        shutil.rmtree(folder, ignore_errors=True)
        done = self.run_script(options=options)
        self.assertEqual(done.returncode == 0, folder.exists(), done.stdout + done.stderr)
        return folder.exists()

    def test_a_whole_entry_of_ours_is_taken(self):
        self.assertTrue(self.is_taken())
        self.assertFalse(self.is_taken("--no-cache"))

    def test_a_damaged_entry_is_removed(self):
        (self.entry / "dex2oat").write_text("another", encoding="ascii")
        self.assertFalse(self.is_taken())
        self.assertFalse(self.entry.exists())

    def test_sums_that_leave_a_file_out_do_not_count(self):
        (self.entry / "SHA256SUMS").write_text("", encoding="ascii")
        self.assertFalse(self.is_taken())

    def test_what_others_can_write_to_is_refused(self):
        for path, mode in ((self.entry / "dex2oat", 0o602), (self.entry, 0o770), (self.cache, 0o777), (self.home, 0o777)):
            before = path.stat().st_mode
            path.chmod(mode)
            self.assertFalse(self.is_taken(), path)
            path.chmod(before)
        self.assertTrue(self.is_taken())

    def test_a_link_is_refused(self):
        (self.entry / "dex2oat").rename(self.home / "elsewhere")
        (self.entry / "dex2oat").symlink_to(self.home / "elsewhere")
        self.assertFalse(self.is_taken())

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_what_another_user_owns_is_refused(self):
        os.chown(self.entry / "dex2oat", 65534, 65534)
        self.assertFalse(self.is_taken())


if __name__ == "__main__":
    unittest.main()
