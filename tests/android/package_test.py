# SPDX-License-Identifier: Apache-2.0
"""The package for Gradle, made from four stand-in libraries: a few bytes that name the ABI."""

import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ABIS = ("arm64-v8a", "armeabi-v7a", "x86_64", "x86")
PACKAGE = ROOT / "tools/aar/package.py"


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for abi in ABIS:
            for kind, name in (("lib", "libstillframe.so"), ("symbols", "libstillframe.so.debug")):
                path = cls.folder / kind / abi / name
                path.parent.mkdir(parents=True)
                path.write_bytes(b"stand-in for " + abi.encode())
        cls.pack()
        cls.aar_path, = cls.folder.glob("stillframe-[0-9]*.aar")
        cls.aar = zipfile.ZipFile(cls.aar_path)
        cls.addClassCleanup(cls.aar.close)

    @classmethod
    def pack(cls, *options):
        subprocess.run([sys.executable, PACKAGE, "--lib", cls.folder / "lib", "--symbols", cls.folder / "symbols",
                        "--output", cls.folder, *options], check=True, capture_output=True)

    def test_each_abi_has_its_own_library_twice(self):
        module = "prefab/modules/stillframe/libs"
        for abi in ABIS:
            for name in (f"jni/{abi}/libstillframe.so", f"{module}/android.{abi}/libstillframe.so"):
                self.assertTrue(self.aar.read(name).endswith(abi.encode()), name)
            told = json.loads(self.aar.read(f"{module}/android.{abi}/abi.json"))
            self.assertEqual((told["abi"], told["api"], told["stl"]), (abi, 26, "none"))

    def test_c_programs_find_headers_that_compile(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in self.aar.namelist():
                if "/include/" in name:
                    self.aar.extract(name, folder)
            include = pathlib.Path(folder, "prefab/modules/stillframe/include")
            source = pathlib.Path(folder, "a.c")
            source.write_text("#include <stillframe/profiler.h>\n", encoding="ascii")
            subprocess.run(["cc", "-std=c11", "-fsyntax-only", "-I", include, source], check=True)

    def test_the_facade_is_in_it_where_there_is_one(self):
        classes = zipfile.ZipFile(io.BytesIO(self.aar.read("classes.jar"))).namelist()
        for source in (ROOT / "src/entry/java").rglob("*.java"):
            self.assertIn(source.relative_to(ROOT / "src/entry/java").with_suffix(".class").as_posix(), classes)
        self.assertIn("-keep class dev.stillframe.**", self.aar.read("proguard.txt").decode())

    def test_the_manifest_asks_for_the_lowest_api_level(self):
        sdk = xml.fromstring(self.aar.read("AndroidManifest.xml")).find("uses-sdk")
        self.assertEqual(sdk.get("{http://schemas.android.com/apk/res/android}minSdkVersion"), "26")

    def test_maven_finds_it(self):
        metadata = xml.parse(self.folder / "maven/dev/stillframe/stillframe/maven-metadata.xml")
        version = metadata.findtext("versioning/release")
        release = self.folder / "maven/dev/stillframe/stillframe" / version
        names = {path.name for path in release.iterdir()}
        for suffix in (".aar", ".pom", "-sources.jar", "-symbols.zip"):
            self.assertIn(f"stillframe-{version}{suffix}", names)
            self.assertIn(f"stillframe-{version}{suffix}.sha256", names)
        pom = xml.parse(release / f"stillframe-{version}.pom")
        tags = {each.tag.rpartition("}")[2]: each.text for each in pom.getroot()}
        self.assertEqual((tags["groupId"], tags["artifactId"], tags["packaging"]), ("dev.stillframe", "stillframe", "aar"))
        self.assertEqual((release / f"stillframe-{version}.aar").read_bytes(), self.aar_path.read_bytes())

    def test_the_variant_by_public_api_has_a_name_of_its_own(self):
        self.pack("--artifact", "stillframe-public")
        path, = self.folder.glob("stillframe-public-[0-9]*.aar")
        with zipfile.ZipFile(path) as variant:
            self.assertEqual(variant.namelist(), self.aar.namelist())
        self.assertTrue((self.folder / "maven/dev/stillframe/stillframe-public/maven-metadata.xml").exists())

    def test_equal_input_gives_equal_files(self):
        before = self.aar_path.read_bytes()
        self.pack()
        self.assertEqual(self.aar_path.read_bytes(), before)


class MissingTest(unittest.TestCase):
    """tools/android without what it needs."""

    def run_android(self, ndk, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "ANDROID_NDK_HOME"} | variables
        if ndk is not None:
            environment["ANDROID_NDK_HOME"] = str(ndk)
        done = subprocess.run([ROOT / "tools/android", *arguments], env=environment, capture_output=True, text=True)
        return done.returncode, done.stderr.splitlines()

    def made_up_ndk(self, revision):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        toolchain = pathlib.Path(folder.name, "build/cmake/android.toolchain.cmake")
        toolchain.parent.mkdir(parents=True)
        toolchain.touch()
        pathlib.Path(folder.name, "source.properties").write_text(f"Pkg.Revision = {revision}\n", encoding="ascii")
        return folder.name

    def assert_missing(self, ndk, *parts, **variables):
        status, lines = self.run_android(ndk, **variables)
        self.assertEqual((status, len(lines)), (1, 1), lines)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_without_an_ndk_it_says_how_to_get_one(self):
        self.assert_missing(None, "ANDROID_NDK_HOME is not set", "developer.android.com/ndk")

    def test_another_folder_is_no_ndk(self):
        self.assert_missing("/tmp", "/tmp is no NDK")

    def test_an_old_ndk_is_refused(self):
        self.assert_missing(self.made_up_ndk("25.2.9519653"), "is r25, r26 or later is needed")

    def test_an_old_cmake_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            cmake = pathlib.Path(folder, "cmake")
            cmake.write_text("#!/bin/sh\necho cmake version 3.18.1-g262b901\n", encoding="ascii")
            cmake.chmod(0o755)
            self.assert_missing(self.made_up_ndk("26.3.11579264"), "cmake is 3.18.1-g262b901, 3.21 or later is needed",
                                PATH=f"{folder}:{os.environ['PATH']}")

    def test_with_all_there_nothing_is_missing(self):
        self.assertEqual(self.run_android(self.made_up_ndk("26.3.11579264"), "--check")[0], 0)

    def test_other_words_are_wrong_usage(self):
        self.assertEqual(self.run_android(None, "--nonsense")[0], 2)


if __name__ == "__main__":
    unittest.main()
