# SPDX-License-Identifier: Apache-2.0
"""Who may send to `stillframe serve`, and from where: tokens, guesses, addresses."""

import concurrent.futures
import http.client
import os
import socket
import subprocess
import time
import unittest

from uploads import TOOL, Uploads, record


class AccessTest(Uploads):
    def test_who_is_not_known_gets_and_stores_nothing(self):
        self.write(3)
        port = self.serve()
        wrong = os.path.join(self.folder, "wrong")
        with open(wrong, "w", encoding="ascii") as file:
            file.write("x" * 32)
        code, out, err = self.push(port, token=wrong)
        self.assertEqual((code, out), (1, "0 sent, 0 refused, 3 left"))
        self.assertIn("answers 401", err)
        for path in ("/", "/records", "/records/" + "0" * 64):
            self.assertEqual(self.ask(port, "GET", path, token="")[0], 401)
        self.assertEqual(self.unsent(), 3)
        self.check_stored([])

    def took(self, status, port, **how):
        begun = time.monotonic()
        self.assertEqual(self.ask(port, "GET", "/records", **how)[0], status)
        return time.monotonic() - begun

    def test_who_guesses_is_answered_ever_later_and_nobody_else(self):
        port = self.serve()
        for _ in range(20):  # a browser that has not been told the token yet
            self.assertEqual(self.ask_without_token(port), 401)
        self.assertLess(max(self.took(401, port, token="guess") for _ in range(5)), 0.9)
        self.assertGreater(self.took(401, port, token="guess"), 0.9)
        self.assertGreater(self.took(401, port, token="guess"), 1.9)
        pool = concurrent.futures.ThreadPoolExecutor(5)
        self.addCleanup(pool.shutdown)
        waiting = [pool.submit(self.took, 401, port, token=f"guess-{i}") for i in range(4)]
        time.sleep(0.3)
        self.assertLess(self.took(200, port), 0.9, "the right one, from the same address")
        self.assertLess(self.took(401, port, token="guess", source="127.0.0.2"), 0.9, "another address")
        body = record(1)
        self.assertEqual(self.ask(port, "POST", "/records", body, token="guess")[0], 401, "with a body")
        self.assertEqual(self.ask(port, "POST", "/records", body)[0], 201)
        self.assertGreater(min(guess.result() for guess in waiting), 3.9)
        late = pool.submit(self.took, 401, port, token="guess")
        time.sleep(0.5)
        begun = time.monotonic()
        self.end()  # with one that waits
        self.assertLess(time.monotonic() - begun, 5)
        late.exception(timeout=30)  # it may have had an answer
        self.check_stored([1])

    def ask_without_token(self, port):
        connection = http.client.HTTPSConnection("127.0.0.1", port, context=self.context(), timeout=30)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status
        finally:
            connection.close()

    def test_addresses_of_six_are_served(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError as error:
            self.skipTest(f"no IPv6 here: {error}")
        self.write(3)
        port = self.serve("--address", "::1")
        self.assertEqual(self.ask(port, "GET", "/records", host="::1")[0], 200)
        self.assertRaises(OSError, socket.create_connection, ("127.0.0.1", port), 5)
        command = [part.replace("127.0.0.1", "[::1]") for part in self.push_command(port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "3 sent, 0 refused, 0 left"), done.stderr)
        self.check_stored(range(3))
        self.assertLess(max(self.took(401, port, token="guess", host="::1") for _ in range(5)), 0.9)
        self.assertGreater(self.took(401, port, token="guess", host="::1"), 0.9)
        self.end()
        port = self.serve("--address", "::")
        self.assertEqual([self.ask(port, "GET", "/records", host=host)[0] for host in ("::1", "127.0.0.1")], [200, 200])
        self.end()
        plain = [TOOL, "serve", self.store, "--token-file", self.token, "--port", "0", "--address"]
        for address, error in (("::", "give --cert and --key"), ("::1%", "is no address"), ("1::2::3", "is no address")):
            done = subprocess.run(plain + [address], capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 1)
            self.assertIn(error, done.stderr)
            self.assertIn(f"[{address}]:0", done.stderr)


if __name__ == "__main__":
    unittest.main()
