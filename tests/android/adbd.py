# SPDX-License-Identifier: Apache-2.0
"""The device's end of adb over TCP, to which an unmodified adb server connects: packages/modules/adb (protocol.txt,
SERVICES.TXT, SYNC.TXT, shell_protocol.h) of AOSP 10.

What the services do is another's matter: `phone.run(command)` gives an exit code and what the command wrote,
`phone.path(name)` the file that stands for one of the phone's.
"""

import ctypes
import os
import queue
import socket
import struct
import threading

VERSION = 0x01000001  # from here on payloads have no checksum
MAX_PAYLOAD = 1 << 20
FEATURES = "shell_v2,cmd,stat_v2"
STDOUT, STDERR, EXIT = 1, 2, 3
TOKEN, PUBLIC_KEY = 1, 3
SHELL = 2000  # AID_SHELL


def words(*names):
    return [struct.unpack("<I", name)[0] for name in names]


CNXN, OPEN, OKAY, WRTE, CLSE, AUTH = words(b"CNXN", b"OPEN", b"OKAY", b"WRTE", b"CLSE", b"AUTH")


SYS_SETRESUID = 117  # of x86_64


def set_user_of_thread(user):
    """Sets the effective user of the calling thread only, by the kernel's call: the C library's would change all
    threads."""
    if ctypes.CDLL(None, use_errno=True).syscall(SYS_SETRESUID, ctypes.c_long(-1), ctypes.c_long(user), ctypes.c_long(-1)) != 0:
        raise OSError(ctypes.get_errno(), "setresuid")


class Closed(Exception):
    """The other end has closed the stream, or the cable is unplugged."""


def take(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise Closed
        data += part
    return data


class Stream:
    """One service that the host has opened; a thread of its own runs it."""

    def __init__(self, adbd, own, remote):
        self.adbd, self.own, self.remote = adbd, own, remote
        self.came = queue.Queue()  # bytes of the host's, None at the end
        self.room = threading.Semaphore(0)  # one write is on its way at a time
        self.is_open = False  # the host knows that it runs
        self.is_closed = False
        self.rest = b""

    def write(self, data):
        for at in range(0, len(data), 60_000):
            self.adbd.send(WRTE, self.own, self.remote, data[at:at + 60_000])
            self.room.acquire()
            if self.is_closed:
                raise Closed

    def read(self, size):
        while len(self.rest) < size:
            part = self.came.get()
            if part is None:
                raise Closed
            self.rest += part
        data, self.rest = self.rest[:size], self.rest[size:]
        return data

    def close(self):
        self.is_closed = True
        self.came.put(None)
        self.room.release()


class Adbd:
    """Listens on a port of this machine until it is stopped. `is_authorized` may change while it runs."""

    def __init__(self, phone, is_authorized=True):
        self.phone = phone
        self.is_authorized = is_authorized
        self.opened = []  # names of services, for tests
        self.connection = None
        self.sending = threading.Lock()
        self.listener = None
        self.port = 0
        self.plug_in()

    @property
    def serial(self):
        return f"127.0.0.1:{self.port}"

    def plug_in(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), reuse_port=True)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, args=(self.listener,), daemon=True).start()

    def unplug(self):
        """Breaks the connection and refuses new ones."""
        for end in (self.listener, self.connection):
            if end is not None:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()
        self.listener = None

    def serve(self, listener):
        while True:
            try:
                self.connection, _ = listener.accept()
            except OSError:
                return
            try:
                with self.connection:
                    self.talk(self.connection)
            except (Closed, OSError):
                pass

    def send(self, command, arg0, arg1, data=b""):
        header = struct.pack("<6I", command, arg0, arg1, len(data), 0, command ^ 0xFFFFFFFF)
        with self.sending:
            self.connection.sendall(header + data)

    def talk(self, connection):
        streams = {}
        last = 0
        try:
            while True:
                command, arg0, arg1, size, _, magic = struct.unpack("<6I", take(connection, 24))
                data = take(connection, size)
                if magic != command ^ 0xFFFFFFFF:
                    raise Closed
                if command == AUTH and arg0 == PUBLIC_KEY:
                    pass  # needs a confirmation on the screen
                elif command in (CNXN, AUTH):
                    self.greet()
                elif command == OPEN:
                    last += 1
                    streams[last] = Stream(self, last, arg0)
                    threading.Thread(target=self.open, args=(streams[last], data.rstrip(b"\0").decode()),
                                     daemon=True).start()
                elif arg1 in streams and command == WRTE:
                    streams[arg1].came.put(data)
                    self.send(OKAY, arg1, arg0)
                elif arg1 in streams and command == OKAY:
                    streams[arg1].room.release()
                elif arg1 in streams and command == CLSE:
                    streams.pop(arg1).close()
        finally:
            for stream in streams.values():
                stream.close()

    def greet(self):
        if not self.is_authorized:  # whatever key the host has
            self.send(AUTH, TOKEN, 0, b"\1" * 20)
            return
        banner = "device::ro.product.name=bed;ro.product.model=Bed;ro.product.device=bed;features=" + FEATURES
        self.send(CNXN, VERSION, MAX_PAYLOAD, banner.encode())

    def open(self, stream, service):
        self.opened.append(service)
        kind, _, argument = service.partition(":")
        options = kind.split(",")
        try:
            if options[0] in ("shell", "exec"):
                self.accept(stream)
                self.run(stream, argument, is_v2="v2" in options)
            elif options[0] == "sync":
                self.accept(stream)
                self.sync(stream)
            elif options[0] in ("localabstract", "tcp"):
                self.forward(stream, options[0], argument)
            self.send(CLSE, stream.own, stream.remote)
        except (Closed, OSError):
            try:
                # A refused service has no number yet.
                self.send(CLSE, stream.own if stream.is_open else 0, stream.remote)
            except OSError:
                pass

    def accept(self, stream):
        stream.is_open = True
        self.send(OKAY, stream.own, stream.remote)

    def run(self, stream, command, is_v2):
        code, out, error = self.phone.run(command)
        if not is_v2:
            stream.write(out + error)
            return
        for kind, data in ((STDOUT, out), (STDERR, error)):
            for at in range(0, len(data), 30_000):
                part = data[at:at + 30_000]
                stream.write(struct.pack("<BI", kind, len(part)) + part)
        stream.write(struct.pack("<BIB", EXIT, 1, code & 0xFF))

    def sync(self, stream):
        while True:
            request, size = struct.unpack("<4sI", stream.read(8))
            name = stream.read(size).decode()
            if request == b"QUIT":
                return
            if request == b"SEND":
                self.receive(stream, *name.rsplit(",", 1))
            elif request in (b"STAT", b"STA2", b"LST2"):
                stream.write(self.status(request, self.phone.path(name)))
            else:
                self.fail(stream, f"unknown request {request}")

    @staticmethod
    def fail(stream, why):
        stream.write(struct.pack("<4sI", b"FAIL", len(why)) + why.encode())

    @staticmethod
    def status(request, path):
        try:
            found, error = os.stat(path), 0
        except OSError as problem:
            found, error = os.stat_result((0,) * 10), problem.errno
        mode, size, when = found.st_mode, found.st_size, int(found.st_mtime)
        if request == b"STAT":
            return struct.pack("<4s3I", request, mode, size, when)
        return struct.pack("<4sI2Q4IQ3q", request, error, 0, found.st_ino, mode, found.st_nlink, 2000, 2000, size,
                           when, when, when)

    def receive(self, stream, name, mode):
        data = b""
        while True:
            kind, size = struct.unpack("<4sI", stream.read(8))
            if kind == b"DONE":
                break
            data += stream.read(size)
        try:
            with open(self.phone.path(name), "wb") as file:
                file.write(data)
            os.chmod(self.phone.path(name), int(mode) & 0o777)
        except OSError as problem:
            self.fail(stream, f"couldn't create file: {problem.strerror}")
            return
        stream.write(struct.pack("<4sI", b"OKAY", 0))

    @staticmethod
    def connect_as_shell(name):
        """A socket of an abstract name, with the credentials of adbd on a phone that is not rooted; as this user where
        that is not root."""
        end = socket.socket(socket.AF_UNIX)
        is_root = os.geteuid() == 0
        try:
            if is_root:
                set_user_of_thread(SHELL)
            end.connect("\0" + name)
        except OSError:
            end.close()
            raise
        finally:
            if is_root:
                set_user_of_thread(0)
        return end

    def forward(self, stream, kind, name):
        if kind == "tcp":
            end = socket.create_connection(("127.0.0.1", int(name)))
        else:
            end = self.connect_as_shell(name)
        self.accept(stream)

        def to_service():
            while (part := stream.came.get()) is not None:
                end.sendall(part)
            end.shutdown(socket.SHUT_RDWR)
        threading.Thread(target=to_service, daemon=True).start()
        while part := end.recv(60_000):
            stream.write(part)
