# SPDX-License-Identifier: Apache-2.0
"""`stillframe push` to `stillframe serve` over loopback, with what goes wrong on a network and on a disk.

What must hold each time: each record that was taken is stored once, nothing else is, and the receiver stays small.
"""

import glob
import hashlib
import http.server
import json
import os
import socket
import ssl
import subprocess
import threading
import time
import unittest

from upload_peers import Answers, Cutter
from uploads import RECORDS, TOKEN, TOOL, Uploads, record


class UploadTest(Uploads):
    def test_each_record_is_stored_once_and_marked(self):
        self.write()
        port = self.serve()
        self.assertEqual(self.push(port), (0, f"{RECORDS} sent, 0 refused, 0 left", ""))
        self.assertEqual((self.unsent(), len(glob.glob(f"{self.spool}/*.sent"))), (0, RECORDS))
        self.assertEqual(self.push(port), (0, "0 sent, 0 refused, 0 left", ""))
        self.write(RECORDS + 1)  # all of them again, and one more
        self.assertEqual(self.push(port)[:2], (0, f"{RECORDS + 1} sent, 0 refused, 0 left"))
        self.check_stored(range(RECORDS + 1))
        status, listed = self.ask(port, "GET", "/records")
        self.assertEqual((status, json.loads(listed)["records"]), (200, RECORDS + 1))
        newest = json.loads(listed)["newest"][0]["hash"]
        self.assertEqual(self.ask(port, "GET", "/records/" + newest)[0], 200)
        status, page = self.ask(port, "GET", "/")
        self.assertEqual(status, 200)
        self.assertIn("a.B.c", page)
        print(f"{self.end()} KiB after {2 * RECORDS + 1} records")
        self.serve()  # what is there counts
        self.check_stored(range(RECORDS + 1))

    def test_wrong_certificates_end_it_at_once(self):
        self.write(3)
        port = self.serve()
        start = time.monotonic()
        code, out, err = self.push(port, ca="other")  # nobody we trust
        self.assertEqual((code, out), (1, "0 sent, 0 refused, 3 left"), err)
        self.assertIn("certificate", err)
        self.end()
        port = self.serve(cert="other")  # somebody else
        code, out, err = self.push(port, ca="other")
        self.assertEqual((code, out), (1, "0 sent, 0 refused, 3 left"), err)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual(self.push(port, scheme="http")[0], 2)
        self.check_stored([])
        plain = subprocess.run([TOOL, "serve", self.store, "--token-file", self.token, "--address", "0.0.0.0"],
                               capture_output=True, text=True, timeout=30)
        self.assertEqual(plain.returncode, 1)
        self.assertIn("give --cert and --key", plain.stderr)

    def test_broken_connections_lose_and_double_nothing(self):
        self.write()
        cutter = Cutter(self.serve(), 30)
        self.addCleanup(cutter.listener.close)
        code, out, err = self.push(cutter.listener.getsockname()[1], "--tries", "40")
        self.assertEqual((code, out), (0, f"{RECORDS} sent, 0 refused, 0 left"), err)
        self.assertEqual(cutter.cuts, 0)
        self.check_stored(range(RECORDS))
        self.end()

    def test_a_push_that_is_killed_goes_on_where_it_was(self):
        self.write()
        port = self.serve()
        for delay in (0.02, 0.05, 0.08, 0.1):
            process = subprocess.Popen(self.push_command(port), stdout=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
        self.assertEqual(self.push(port)[0], 0)
        self.assertEqual(self.unsent(), 0)
        self.check_stored(range(RECORDS))

    def test_several_at_once_send_all_and_complain_of_nothing(self):
        self.write(150)
        port = self.serve()
        senders = [subprocess.Popen(self.push_command(port), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for _ in range(3)]
        for sender in senders:
            out, err = sender.communicate(timeout=300)
            self.assertEqual((sender.returncode, err), (0, ""), out)
            self.assertRegex(out, "sent, 0 refused, 0 left")
        self.assertEqual(self.unsent(), 0)
        self.check_stored(range(150))

    def test_hostile_bodies_and_slow_readers_cost_nothing(self):
        port = self.serve()
        deep = "[" * 60_000
        buckets = json.dumps({"cost": 9, "count": 1, "histogram": {str(i): 1 for i in range(5000)}})
        for status, body in ((422, "{}"), (422, buckets), (422, "x" * 1000), (422, deep), (422, ""), (413, "x" * 65_537), (413, "x" * 900_000)):
            try:
                self.assertEqual(self.ask(port, "POST", "/records", body)[0], status, body[:20])
            except (BrokenPipeError, ConnectionResetError, ssl.SSLError):  # not read to its end
                self.assertEqual(status, 413)
        self.assertEqual(self.ask(port, "POST", "/records", record(0), kind="text/plain")[0], 415)
        self.assertEqual(self.ask(port, "POST", "/other", record(0))[0], 404)
        self.assertEqual(self.ask(port, "PUT", "/records", record(0))[0], 405)
        self.assertEqual(self.ask(port, "GET", "/records/..%2f..%2ftoken")[0], 404)
        head = f"POST /records HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
        floods = [head + "Content-Length: 99999999999999999999\r\n\r\n" + "x" * 100_000,
                  head + "Content-Length: -1\r\n\r\n" + "x" * 1000,
                  head + "Transfer-Encoding: chunked\r\n\r\n" + "ffff\r\n" + "x" * 500_000,
                  head + "X: " + "x" * 2_000_000, head + "X: y\r\n" * 300_000, "\0" * 500_000, "GET " + "/" * 500_000]
        for flood in floods:
            self.assertFalse(self.flood(port, flood.encode()).startswith(b"HTTP/1.1 2"), flood[:200])
        waiting = [self.open(port) for _ in range(20)]
        for connection in waiting:  # begin, and say no more; or ask, and read nothing
            connection.sendall((head + "Content-Length: 500\r\n\r\n{").encode())
        self.write(5)
        self.assertEqual(self.push(port, "--tries", "20")[:2], (0, "5 sent, 0 refused, 0 left"))
        for connection in waiting:
            connection.close()
        self.check_stored(range(5))
        print(f"{self.end()} KiB after hostile bodies")

    def open(self, port):
        raw = socket.create_connection(("127.0.0.1", port), timeout=30)
        return self.context().wrap_socket(raw, server_hostname="127.0.0.1")

    def flood(self, port, data):
        with self.open(port) as connection:
            connection.settimeout(20)
            try:
                connection.sendall(data)
                return connection.recv(1000)
            except (OSError, ssl.SSLError):
                return b""

    def test_what_the_receiver_refuses_is_named_and_the_rest_is_sent(self):
        self.write(3)
        with open(f"{self.spool}/stillframe-jank-1-2-x.json", "w", encoding="ascii") as file:
            file.write("{}")
        with open(f"{self.spool}/stillframe-jank-1-2-y.json", "w", encoding="ascii") as file:
            file.write(" " * 70_000)
        code, out, err = self.push(self.serve())
        self.assertEqual((code, out), (1, "3 sent, 2 refused, 0 left"), err)
        self.assertEqual(err.count("is refused"), 2)
        self.check_stored(range(3))

    def test_a_full_disk_takes_nothing_and_later_all(self):
        self.write(3)
        port = self.serve(limit=20)  # bytes of a file
        code, out, err = self.push(port, "--tries", "2")
        self.assertEqual((code, out), (1, "0 sent, 0 refused, 3 left"), err)
        self.assertIn("answers 507", err)
        self.check_stored([])
        self.end()
        self.assertEqual(self.push(self.serve())[0], 0)
        self.check_stored(range(3))

    def test_a_small_file_system_fills_up_with_whole_records(self):
        small = os.path.join(self.folder, "small")
        os.mkdir(small)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "none", small], capture_output=True).returncode != 0:
            self.skipTest("no file system may be mounted here")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        self.write()
        store = os.path.join(small, "store")
        code, out, err = self.push(self.serve(store=store), "--tries", "2")
        self.assertEqual(code, 1, err)
        sent = int(out.split()[0])
        self.assertTrue(0 < sent < RECORDS, out)
        self.assertEqual(len(os.listdir(store)), sent)
        self.assertEqual(self.unsent(), RECORDS - sent)
        for name in os.listdir(store):
            with open(os.path.join(store, name), "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).hexdigest() + ".json", name)
        self.end()

    def test_rate_and_number_are_bounded(self):
        self.write(6)
        port = self.serve("--per-minute", "4")
        code, out, err = self.push(port, "--tries", "1")
        self.assertEqual((code, out), (1, "4 sent, 0 refused, 2 left"), err)
        self.assertIn("answers 429", err)
        self.end()
        port = self.serve("--most", "5")
        code, out, err = self.push(port, "--tries", "1")
        self.assertEqual((code, out), (1, "1 sent, 0 refused, 1 left"), err)
        self.assertEqual(len(os.listdir(self.store)), 5)

    def answer_with(self, status, headers=None, body=b"welcome"):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{self.keys}/good.pem", f"{self.keys}/good.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.answer = (status, headers or {}, body)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        return server.server_address[1]

    def test_only_who_names_the_record_has_taken_it(self):
        self.write(2)
        for status, body in ((200, b"<html>log in</html>"), (200, b""), (201, b"0" * 64), (204, b"")):
            *told, err = self.push(self.answer_with(status, body=body))
            self.assertEqual(told, [1, "0 sent, 0 refused, 2 left"], err)
            self.assertIn("does not say that it has the record", err)
        self.assertEqual(self.push(self.answer_with(204), "--trust-status")[:2], (0, "2 sent, 0 refused, 0 left"))

    def test_a_receiver_that_wants_an_hour_gets_it_without_anybody_waiting(self):
        self.write(2)
        begun = time.monotonic()
        code, out, err = self.push(self.answer_with(503, {"Retry-After": "3000"}))
        self.assertEqual((code, out), (1, "0 sent, 0 refused, 2 left"), err)
        self.assertIn("wants to be left alone for 3000 s", err)
        self.assertLess(time.monotonic() - begun, 30)

    def test_links_and_pipes_are_no_records(self):
        self.write(2)
        secret = f"{self.keys}/good.key"
        os.symlink(secret, f"{self.spool}/stillframe-jank-1-2-link.json")
        os.mkfifo(f"{self.spool}/stillframe-jank-1-2-pipe.json")
        os.mkdir(f"{self.spool}/stillframe-jank-1-2-0.sent")  # what is sent cannot be marked
        port = self.serve()
        code, out, err = self.push(port)
        self.assertEqual((code, out), (1, "2 sent, 0 refused, 0 left"), err)
        self.assertIn("cannot be marked", err)
        self.check_stored(range(2))
        os.mkfifo(os.path.join(self.store, "a" * 64 + ".json"))
        os.symlink(secret, os.path.join(self.store, "b" * 64 + ".json"))
        self.assertEqual([self.ask(port, "GET", f"/records/{name * 64}")[0] for name in "ab"], [404, 404])
        self.assertEqual(self.ask(port, "GET", "/")[0], 200)
        self.end()

    def test_who_sends_a_byte_now_and_then_is_cut_off(self):
        port = self.serve()
        slow = [self.open(port) for _ in range(30)]
        begun = time.monotonic()
        while slow and time.monotonic() - begun < 60:
            for connection in list(slow):
                try:
                    connection.sendall(b"GET / HTTP/1.1\r\n" if time.monotonic() - begun < 1 else b"X: y\r\n")
                except OSError:
                    slow.remove(connection)
                    connection.close()
            time.sleep(2)
        self.assertEqual(slow, [])
        self.assertEqual(self.ask(port, "GET", "/")[0], 200)
        self.end()


if __name__ == "__main__":
    unittest.main()
