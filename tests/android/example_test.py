# SPDX-License-Identifier: Apache-2.0
"""The example application of the documents: it compiles against Android 14's own classes, and its upload runs.

WorkManager is a stub (tests/android/example); the server is one of this test."""

import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

sys.path.append(str(ROOT / "tests" / "framework"))
from releases import Unavailable, files_matching  # pylint: disable=wrong-import-position

VERSION = "14-robolectric-10818077"
CLASSES = (r"android/(annotation/SystemApi|app/(Activity|Application)|content/(ComponentCallbacks2?|Context|ContextWrapper"
           r"|IntentSender|SharedPreferences|pm/PackageManager)|os/Bundle|util/AndroidException|view/(ContextThemeWrapper"
           r"|KeyEvent|LayoutInflater|View|Window|contentcapture/ContentCaptureManager))(\$[A-Z].*)?")
SHA256 = "f55f90b581f0e76a13794059f75213da9fcfdf858d8f4acd14366c7aad9e4ce0"
SOURCES = ("docs/example", "tests/android/example", "src/entry/java")


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps each file once, as docs/nginx.conf does."""

    def do_PUT(self):  # pylint: disable=invalid-name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.rsplit("/", 1)[1]
        status = self.server.refusal or (409 if name in self.server.kept else 201)
        if status == 201:
            self.server.kept[name] = body
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class ExampleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            framework = files_matching(VERSION, CLASSES, SHA256)
        except Unavailable as why:
            raise unittest.SkipTest(str(why)) from None
        output = tempfile.TemporaryDirectory()
        cls.addClassCleanup(output.cleanup)
        cls.classes = output.name
        sources = [str(path) for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.java"))]
        # Class files of the framework name annotations that are not in the artifact's part.
        done = subprocess.run(["javac", "-Xlint:all,-options,-classfile", "-Werror", "--release", "8", "-cp", str(framework),
                               "-d", cls.classes, *sources], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.server.kept, self.server.refusal = {}, 0
        threading.Thread(target=self.server.serve_forever).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def send(self):
        """Runs the example's upload. Returns its answer."""
        server = f"http://127.0.0.1:{self.server.server_port}/records/"
        done = subprocess.run(["java", "-cp", self.classes, "com.example.shop.SendsAll", str(self.folder), server],
                              capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.strip()

    def write(self, **files):
        for name, text in files.items():
            (self.folder / f"stillframe-{name}.json").write_text(text, encoding="ascii")

    def names(self):
        return sorted(os.listdir(self.folder))

    def test_each_version_of_a_file_is_sent_once(self):
        self.write(jank_a="1", session_b="2")
        (self.folder / "stillframe-dump.sfdump").write_bytes(b"3")
        self.assertEqual(self.send(), "true")
        self.assertEqual(sorted(self.server.kept.values()), [b"1", b"2"])
        self.assertEqual(self.names(), ["stillframe-dump.sfdump", "stillframe-jank_a.sent", "stillframe-session_b.sent"])
        self.write(session_b="22")
        self.assertEqual(self.send(), "true")
        self.assertEqual(sorted(self.server.kept.values()), [b"1", b"2", b"22"])
        self.write(session_b="22")  # as if the process had died before it renamed the file
        self.assertEqual(self.send(), "true")
        self.assertEqual(len(self.server.kept), 3)

    def test_a_refusal_keeps_the_files(self):
        self.write(jank_a="1")
        self.server.refusal = 503
        self.assertEqual(self.send(), "false")
        self.assertEqual(self.names(), ["stillframe-jank_a.json"])

    def test_an_empty_folder_and_none_are_no_error(self):
        self.assertEqual(self.send(), "true")
        self.folder = self.folder / "none"
        self.assertEqual(self.send(), "true")


if __name__ == "__main__":
    unittest.main()
