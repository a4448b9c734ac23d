# SPDX-License-Identifier: Apache-2.0
"""A receiver and what is pushed to it, for tests; sys.argv[1] is the tool."""

import glob
import hashlib
import http.client
import json
import os
import resource
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)
TOKEN = "a-token-of-32-visible-characters"
MOST_KIB = 64 * 1024  # of the receiver's memory, at its largest
RECORDS = 40


def record(number):
    return json.dumps({"tag": "Trace_EvilMethod", "cost": 900 + number, "stackKey": "5|", "methods": {"5": "a.B.c"},
                       "count": 1, "total_ms": 900 + number, "histogram": {"512": 1}}) + "\n"


class Uploads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keys = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.keys)
        for name, subject in (("good", "IP:127.0.0.1,IP:::1"), ("other", "DNS:elsewhere.example")):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                            "-addext", f"subjectAltName={subject}", "-keyout", f"{cls.keys}/{name}.key",
                            "-out", f"{cls.keys}/{name}.pem"], check=True, capture_output=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = os.path.join(self.folder, "store")
        self.spool = os.path.join(self.folder, "spool")
        self.token = os.path.join(self.folder, "token")
        os.mkdir(self.spool)
        with open(self.token, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")

    def serve(self, *options, cert="good", limit=None, store=None):
        def prepare():
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        self.server = subprocess.Popen(
            [TOOL, "serve", store or self.store, "--token-file", self.token, "--port", "0", "--cert", f"{self.keys}/{cert}.pem",
             "--key", f"{self.keys}/{cert}.key", *options], stdout=subprocess.PIPE, text=True, preexec_fn=prepare)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        line = self.server.stdout.readline()
        self.assertTrue(line.startswith("takes records at port "), line)
        return int(line.split()[-1])

    def end(self):
        """The most memory that the receiver ever had, in KiB; it ends well."""
        with open(f"/proc/{self.server.pid}/status", encoding="ascii", errors="replace") as status:
            peak = int(dict(line.split(":", 1) for line in status)["VmHWM"].split()[0])
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(timeout=30), 0)
        self.assertLess(peak, MOST_KIB)
        return peak

    def write(self, count=RECORDS, first=0):
        for number in range(first, first + count):
            with open(f"{self.spool}/stillframe-jank-1-2-{number}.json", "w", encoding="ascii") as file:
                file.write(record(number))

    def push_command(self, port, *options, ca="good", token=None, scheme="https"):
        return [TOOL, "push", self.spool, "--to", f"{scheme}://127.0.0.1:{port}/records", "--token-file", token or self.token,
                "--ca", f"{self.keys}/{ca}.pem", *options]

    def push(self, port, *options, **how):
        done = subprocess.run(self.push_command(port, *options, **how), capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout.strip(), done.stderr

    def check_stored(self, numbers, store=None):
        """Exactly these, whole and private."""
        store = store or self.store
        wanted = {hashlib.sha256(record(number).encode()).hexdigest() + ".json": record(number) for number in numbers}
        self.assertEqual(sorted(os.listdir(store)), sorted(wanted))
        for name, text in wanted.items():
            path = os.path.join(store, name)
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            with open(path, encoding="ascii") as file:
                self.assertEqual(file.read(), text)

    def unsent(self):
        return len(glob.glob(f"{self.spool}/*.json"))

    def context(self):
        return ssl.create_default_context(cafile=f"{self.keys}/good.pem")

    def ask(self, port, method, path, body=None, token=TOKEN, kind="application/json", host="127.0.0.1", source=None, **headers):
        connection = http.client.HTTPSConnection(host, port, context=self.context(), timeout=30,
                                                 source_address=source and (source, 0))
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {token}", "Content-Type": kind, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()
