# SPDX-License-Identifier: Apache-2.0
"""docs/nginx.conf on Debian's nginx: what it stores, what it refuses, and that the host tool reads what it stored."""

import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NGINX = ROOT / "build/packages/nginx/usr/sbin/nginx"
TOOL = sys.argv.pop(1)
sys.path.insert(0, str(ROOT / "tests/process"))
import process  # pylint: disable=wrong-import-position
TOKEN = "c2VjcmV0LW9mLXRoZS10ZXN0"
NOBODY = 65534
WITHIN_S = 60
RECORD = (b'{"tag":"Trace_EvilMethod","cost":900,"scene":"Checkout","stack":"0,5,9,900\\n","stackKey":"5|",'
          b'"methods":{"5":"com.shop.Cart.total"},"callback":"com.shop.Pay","what":0,"count":3,"total_ms":2400,'
          b'"last_time":1790000000000,"histogram":{"512":3}}')
HANG_MS = 1000
NAME = "3f1c2a7e-9d55-4f0e-8a4b-6f2f5f0e7a11-stillframe-jank-1790000000-4711-1.json"

if not NGINX.exists():
    print(f"SKIPPED: {NGINX} is missing: run tools/setup/install-packages")
    sys.exit(77)


def become_nobody():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


class ReceiverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="receiver"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        for name in ("records", "incoming"):
            (cls.folder / name).mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"],
                       cwd=cls.folder, check=True, capture_output=True)
        with socket.create_server(("127.0.0.1", 0)) as server:
            cls.port = server.getsockname()[1]
        text = (ROOT / "docs/nginx.conf").read_text(encoding="utf-8")
        for word, value in (("PORT", f"127.0.0.1:{cls.port}"), ("CERTIFICATE", "cert.pem"), ("KEY", "key.pem"), ("TOKEN", TOKEN),
                            ("FOLDER", str(cls.folder))):
            text = "".join(line if line.startswith("#") else line.replace(word, value) for line in text.splitlines(True))
        (cls.folder / "nginx.conf").write_text(text, encoding="utf-8")
        if os.geteuid() == 0:
            for path in (cls.folder, *cls.folder.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        cls.nginx = subprocess.Popen([NGINX, "-p", cls.folder, "-c", "nginx.conf", "-e", "error.log", "-g", "daemon off;"],
                                     preexec_fn=become_nobody)
        cls.addClassCleanup(cls.nginx.wait)
        cls.addClassCleanup(cls.nginx.terminate)
        deadline = time.monotonic() + WITHIN_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", cls.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError((cls.folder / "error.log").read_text(encoding="utf-8"))

    def setUp(self):
        for path in (self.folder / "records").iterdir():
            path.unlink()

    def connection(self):
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=WITHIN_S, context=context)

    def ask(self, method, path, body=RECORD, token=TOKEN):
        """As the documented application sends: the status alone says what became of it."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection = self.connection()
        try:
            connection.request(method, path, body=body, headers=headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def stored(self):
        return {path.name: path.read_bytes() for path in (self.folder / "records").iterdir()}

    def test_a_record_is_stored_once_and_never_overwritten(self):
        self.assertEqual(self.ask("PUT", f"/records/{NAME}"), 201)
        self.assertEqual(self.ask("PUT", f"/records/{NAME}"), 409)
        self.assertEqual(self.ask("PUT", f"/records/{NAME}", b"{}"), 409)
        self.assertEqual(self.stored(), {NAME: RECORD})
        self.assertEqual((self.folder / "records" / NAME).stat().st_mode & 0o777, 0o600)

    def test_who_has_no_token_or_a_wrong_one_is_refused(self):
        for token in (None, "", "guess", TOKEN + "x", TOKEN[:-1]):
            self.assertEqual(self.ask("PUT", f"/records/{NAME}", token=token), 401, token)
        self.assertEqual(self.stored(), {})

    def test_too_large_a_record_is_refused(self):
        self.assertEqual(self.ask("PUT", f"/records/{NAME}", b"x" * (64 * 1024 + 1)), 413)
        self.assertEqual(self.ask("PUT", f"/records/{NAME}", b"x" * 64 * 1024), 201)
        self.assertEqual(len(self.stored()[NAME]), 64 * 1024)

    def test_a_connection_that_breaks_stores_nothing(self):
        connection = self.connection()
        connection.putrequest("PUT", f"/records/{NAME}")
        connection.putheader("Authorization", f"Bearer {TOKEN}")
        connection.putheader("Content-Length", str(len(RECORD)))
        connection.endheaders(RECORD[:100])
        time.sleep(0.2)
        connection.close()
        time.sleep(0.5)
        self.assertEqual(self.stored(), {})
        self.assertEqual(self.ask("PUT", f"/records/{NAME}"), 201)

    def test_nothing_is_given_back_listed_changed_or_removed(self):
        self.ask("PUT", f"/records/{NAME}")
        for method in ("GET", "HEAD", "DELETE", "POST", "OPTIONS", "MKCOL", "COPY", "MOVE", "PROPFIND"):
            self.assertIn(self.ask(method, f"/records/{NAME}", None), (403, 405), method)
        for path in ("/", "/records", "/records/", f"/{NAME}"):
            for method in ("GET", "PUT", "DELETE", "PROPFIND"):
                self.assertIn(self.ask(method, path), (404, 405), (method, path))
        self.assertEqual(self.stored(), {NAME: RECORD})

    def test_only_names_of_records_one_level_deep_are_taken(self):
        long_name = "x" * 40
        for path in (f"/records/../{NAME}", f"/records/%2e%2e/{NAME}", f"/records/a/{NAME}", f"/records/..%2f{NAME}",
                     f"/records/{long_name}", f"/records/{long_name}.txt", "/records/short.json", f"/records/.{long_name}.json",
                     f"/records/{long_name}%00.json", f"/records/{'x' * 200}.json"):
            self.assertIn(self.ask("PUT", path), (400, 404), path)
        self.assertEqual(self.stored(), {})
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.suffix == ".json"), [])

    def send(self, folder):
        """As docs/production.md says: each file that ends with .json is sent, and renamed to .sent. Returns their names."""
        sent = []
        for record in sorted(pathlib.Path(folder).glob("stillframe-*.json")):
            try:
                written = record.stat().st_mtime_ns
                body = record.read_bytes()
            except FileNotFoundError:  # a new revision replaced it
                continue
            self.assertEqual(self.ask("PUT", f"/records/{zlib.crc32(body):x}-{record.name}", body), 201, record)
            sent.append(record.name)
            if record.exists() and record.stat().st_mtime_ns == written:
                record.rename(record.with_suffix(".sent"))
        return sent

    def told(self, folder):
        """The sums that `janks` gives for the folder."""
        done = subprocess.run([TOOL, "janks", folder, "--json"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        return {**{name: told[name] for name in ("processes", "killed", "control", "hours", "unsampled", "frames")},
                "causes": [(row["method"], row["hangs"], row["lost_ms"]) for row in told["causes"]]}

    def test_each_copy_of_a_session_is_stored_and_the_newest_counts(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "STILLFRAME_JANKS": "1", "STILLFRAME_DUMP_DIR": folder}
            killed = subprocess.Popen(process.art_command("Janks", "sleeps", *[900] * 20), env=environment,
                                      stdout=subprocess.PIPE, text=True)
            self.addCleanup(killed.communicate)
            self.addCleanup(killed.kill)
            killed.stdout.readline()
            copies = 0
            deadline = time.monotonic() + WITHIN_S
            while copies < 8:
                self.assertLess(time.monotonic(), deadline)
                copies += sum("session" in name for name in self.send(folder))
                time.sleep(0.1)
            killed.kill()
            self.send(folder)
            self.assertEqual(self.told(self.folder / "records"), self.told(folder))
            self.assertGreater(sum(hangs for _, hangs, _ in self.told(folder)["causes"]), 2)
            # Not waited for: the next process closes what it left while the killed one is a zombie.
            subprocess.run(process.art_command("Janks", "lengths", 1), env=environment, check=True, capture_output=True,
                           timeout=WITHIN_S)
            self.send(folder)
            told = self.told(folder)
            self.assertEqual(self.told(self.folder / "records"), told)
            self.assertEqual((told["processes"], told["killed"]), (2, 1))

    def test_a_missing_folder_is_made(self):
        (self.folder / "records").rmdir()
        self.assertEqual(self.ask("PUT", f"/records/{NAME}"), 201)
        self.assertEqual(self.stored(), {NAME: RECORD})
        self.assertEqual((self.folder / "records").stat().st_mode & 0o777, 0o700)

    def test_what_a_process_leaves_is_sent_and_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "STILLFRAME_JANKS": "1", "STILLFRAME_DUMP_DIR": folder}
            subprocess.run(process.art_command("Janks", "lengths", 900, 2400, 700), env=environment, check=True,
                           capture_output=True, timeout=WITHIN_S)
            sent = self.send(folder)
            self.assertEqual(len(self.stored()), len(sent))
            for received in (self.folder / "records", folder):
                done = subprocess.run([TOOL, "janks", received, "--by", "model", "--json"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                (row,) = told["causes"]
                # A busy machine may leave the process without a CPU, which the kind rightly says.
                self.assertIn(row["kind"], ("work", "no-cpu"))
                self.assertEqual((row["method"], row["caller"], row["hangs"]), ("Janks.first", "Janks$Jank.run", 3))
                self.assertEqual([(each["value"], each["hangs"]) for each in row["by"]["model"]], [("ART test bed", 3)])
                self.assertEqual((told["processes"], told["hangs"]), (1, 3))

    def test_the_host_tool_reads_what_was_stored(self):
        self.ask("PUT", f"/records/{NAME}")
        done = subprocess.run([TOOL, "janks", self.folder / "records"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("com.shop.Cart.total", done.stdout)

    def watched(self, store):
        """`store add --watch` of the records, which are none yet."""
        watch = subprocess.Popen([TOOL, "store", "add", self.folder / "records", "--watch", "--to", store],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watch.communicate)
        self.addCleanup(watch.kill)
        self.assertEqual(watch.stdout.readline(), "following 1 folder; added 0 records, 0 sessions and 0 dumps\n")
        return watch

    def ask_store(self, store, *args):
        done = subprocess.run([TOOL, "store", *args, "--in", store], capture_output=True, text=True, timeout=WITHIN_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def use(self, version, installs):
        """A process of the version on each install, two at a time; then its records are sent. Returns their names."""
        def use_one(install):
            install.mkdir(exist_ok=True)
            environment = {**os.environ, "STILLFRAME_JANKS": "1", "STILLFRAME_DUMP_DIR": str(install)}
            subprocess.run(process.art_command("TwoVersions", version, process.LIBRARY, HANG_MS), env=environment, check=True,
                           capture_output=True, timeout=WITHIN_S)
            return self.send(install)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return sum(pool.map(use_one, installs), [])

    def test_the_store_names_the_method_and_the_version_that_brought_it(self):
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "fleet.db"
            installs = [pathlib.Path(folder) / f"install{number}" for number in range(6)]
            watch = self.watched(store)
            # Two of them update.
            sent = self.use("1.0", installs[:4]) + self.use("1.1", installs[2:])
            sessions = sum("session" in name for name in sent)
            self.assertEqual(sessions, 8, sent)
            records = len(sent) - sessions
            rows = f"hangs,sessions\n{records},{sessions}\n"
            count = "SELECT (SELECT count(*) FROM hangs) AS hangs, (SELECT count(*) FROM sessions) AS sessions"
            deadline = time.monotonic() + WITHIN_S
            while (stored := self.ask_store(store, "query", count)) != rows:
                self.assertLess(time.monotonic(), deadline, (stored, sent))
                time.sleep(0.1)
            watch.send_signal(signal.SIGTERM)
            said, complaints = watch.communicate(timeout=WITHIN_S)
            self.assertEqual((watch.returncode, complaints), (0, ""))
            self.assertEqual(said, f"added {records} records, {sessions} sessions and 0 dumps\n")

            told = json.loads(self.ask_store(store, "rank", "--by", "version", "--json"))
            self.assertEqual([told[name] for name in ("versions", "installs", "processes", "killed")], [["1.0", "1.1"], 6, 8, 0])
            # A busy machine may make other messages long. These hangs need no CPU.
            methods = {}
            for row in told["causes"]:
                methods.setdefault(row["method"], []).append(row)
            for method, caller, first, is_new, users, by_version in (
                    ("TwoVersions$LoadPrices.load", "TwoVersions$LoadPrices.run", "1.0", False, 6, {"1.0": 4, "1.1": 4}),
                    ("TwoVersions$OpenCart.total", "TwoVersions$OpenCart.run", "1.1", True, 4, {"1.1": 4})):
                with self.subTest(method):
                    (row,) = methods[method]
                    self.assertEqual([row[name] for name in ("caller", "first_version", "last_version", "new", "gone")],
                                     [caller, first, "1.1", is_new, False])
                    of_versions = {each["value"]: each for each in row["by"]["version"]}
                    self.assertEqual({version: each["hangs"] for version, each in of_versions.items()}, by_version)
                    self.assertEqual(row["hangs"], sum(by_version.values()))
                    for figures, hit in ((row, users), *((of_versions[version], hit) for version, hit in by_version.items())):
                        self.assertEqual((figures["installs"], figures["users"]["value"]), (hit, hit))
                        self.assertLess(figures["users"]["low"], hit)
                        self.assertGreaterEqual(figures["lost_ms"], figures["hangs"] * HANG_MS)
                        self.assertAlmostEqual(figures["lost_s"]["value"], figures["lost_ms"] / 1e3, 2)
                        self.assertGreater(figures["lost_s_per_hour"]["value"], 0)
            lines = self.ask_store(store, "rank", "--by", "version").splitlines()
            (at,) = (i for i, line in enumerate(lines) if line.endswith(" TwoVersions$OpenCart.total"))
            self.assertIn("Runnable TwoVersions$OpenCart, from TwoVersions$OpenCart.run", lines[at + 1])
            self.assertTrue(lines[at + 2].endswith(", version 1.1, new"), lines)
            self.assertTrue(lines[at + 3].endswith("  version 1.1"), lines)
            (at,) = (i for i, line in enumerate(lines) if line.endswith(" TwoVersions$LoadPrices.load"))
            self.assertTrue(lines[at + 2].endswith(", versions 1.0 to 1.1"), lines)


if __name__ == "__main__":
    unittest.main()
