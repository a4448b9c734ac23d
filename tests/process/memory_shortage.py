# SPDX-License-Identifier: Apache-2.0
"""A memory cgroup with too little memory: twelve processes read a mapped file in it, and others join.

Usage: memory_shortage.py GROUP FILE: joins the group and reads the file until killed.
"""

import mmap
import os
import random
import subprocess
import sys
import time

CONTROLLERS = (  # folder, file of the limit: version 1, version 2
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
    ("/sys/fs/cgroup", "memory.max"),
)
LIMIT_BYTES = 64 << 20
FILE_BYTES = 240 << 20
READERS = 12
PRESSURE = "/proc/pressure/memory"
IS_SHORT = {"some": 40.0, "full": 15.0}  # percent of the last 10 s in which a task waited, in which all did
IS_CALM = 1.0
WITHIN_S = 35
CALM_WITHIN_S = 90


def pressure():
    """{"some": percent, "full": percent} of the last 10 s, for the whole machine; {}: the kernel does not report it."""
    try:
        with open(PRESSURE) as file:
            lines = [line.split() for line in file]
        return {words[0]: float(words[1].removeprefix("avg10=")) for words in lines}
    except (OSError, IndexError, ValueError):
        return {}


class NotToBeHad(Exception):
    """Memory cannot be made short on this machine. The text says why."""


class MemoryShortage:
    def __init__(self, folder):
        self.file = os.path.join(folder, "large")
        self.readers = []
        if not pressure():
            raise NotToBeHad(f"{PRESSURE} cannot be read")
        self.group = self.make_group()

    @staticmethod
    def make_group():
        why = "no memory controller of cgroups"
        for controller, limit in CONTROLLERS:
            group = os.path.join(controller, f"stillframe-{os.getpid()}")
            if not os.path.exists(os.path.join(controller, "cgroup.procs")):
                continue
            try:
                os.makedirs(group, exist_ok=True)
                with open(os.path.join(group, limit), "w") as file:
                    file.write(str(LIMIT_BYTES))
                return group
            except OSError as error:
                why = str(error)
                if os.path.isdir(group):
                    os.rmdir(group)
        raise NotToBeHad(why)

    def start(self):
        write_large(self.file)
        self.readers = [subprocess.Popen([sys.executable, __file__, self.group, self.file])
                        for _ in range(READERS)]

    def wait_until_short(self):
        deadline = time.monotonic() + WITHIN_S
        while not any(percent >= IS_SHORT[what] for what, percent in pressure().items()):
            if time.monotonic() > deadline:
                raise NotToBeHad(f"tasks waited for memory only so many percent of 10 s: {pressure()}")
            time.sleep(0.5)

    def end(self):
        """Call after all that joined have ended. Returns when the pressure is gone."""
        for reader in self.readers:
            reader.kill()
            reader.wait()
        os.rmdir(self.group)
        deadline = time.monotonic() + CALM_WITHIN_S
        while max(pressure().values(), default=0) > IS_CALM and time.monotonic() < deadline:
            time.sleep(1)


def write_large(path):
    """Writes a file that the group's memory cannot hold."""
    with open(path, "wb") as file:
        for _ in range(FILE_BYTES >> 20):
            file.write(os.urandom(1 << 20))
        file.flush()
        os.fsync(file.fileno())
        # Pages that are already cached would not be charged to the group.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def join(group):
    """Moves the calling process into the group. Memory that it already has stays charged elsewhere."""
    with open(os.path.join(group, "cgroup.procs"), "w") as file:
        file.write(str(os.getpid()))


def read_for_ever(path):
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as pages:
        while True:
            pages[random.randrange(len(pages))]


if __name__ == "__main__":
    join(sys.argv[1])
    read_for_ever(sys.argv[2])
