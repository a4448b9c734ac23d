# SPDX-License-Identifier: Apache-2.0
"""What records meet between `push` and a receiver, and receivers that are none."""

import http.server
import random
import socket
import threading


class Cutter:
    """Between both ends: hands on some bytes, then cuts, `cuts` times; later it hands on everything."""

    def __init__(self, port, cuts):
        self.port, self.cuts = port, cuts
        self.random = random.Random(1)
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        left = None
        if self.cuts > 0:
            self.cuts -= 1
            left = [self.random.choice((0, 100, 700, 1500, 2500, 3500, 4500))]
        with socket.create_connection(("127.0.0.1", self.port)) as server, client:
            one = threading.Thread(target=self.hand_on, args=(server, client, left), daemon=True)
            one.start()
            self.hand_on(client, server, left)
            one.join()

    @staticmethod
    def hand_on(source, target, left):
        try:
            while data := source.recv(512):
                if left is not None:
                    left[0] -= len(data)
                    if left[0] < 0:
                        break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Answers(http.server.BaseHTTPRequestHandler):
    """Whatever is posted, one answer: of the server's (status, headers, body)."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        status, headers, body = self.server.answer
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
