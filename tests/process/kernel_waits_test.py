# SPDX-License-Identifier: Apache-2.0
"""The reason why the main thread is blocked in native code: samples name each wait in the kernel."""

import os
import subprocess
import sys
import unittest

from process import BUILD, ProcessTest, collapsed, on_each_release, run_at_once

NATIVES = os.path.join(BUILD, "art", "libkernel_waits.so")
WAITS = {"futex": "futex", "sleep": "nanosleep", "poll": "poll", "epoll": "epoll_wait", "pipe": "read pipe",
         "socket": "recv socket", "peer": "recv socket", "fileLock": "flock file", "open": "open", "child": "waitpid", "signal": "sigwait",
         "device": "ioctl /dev/pts/", "binder": "ioctl /dev/binder", "pageFault": "page fault"}
MIN_SAMPLES = 20
MIN_RIGHT = 0.95
# A private /dev with a file in place of the missing driver.
OWN_DEVICES = """set -e
was=$(mktemp -d)
mount --rbind /dev "$was"
mount -t tmpfs none /dev
for node in null zero full random urandom tty; do touch /dev/$node; mount --bind "$was/$node" /dev/$node; done
mkdir /dev/pts /dev/shm
mount --rbind "$was/pts" /dev/pts
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd
touch /dev/binder
umount -l "$was"
rmdir "$was"
exec "$@"
"""


def may_have_own_devices():
    own = subprocess.run(["unshare", "-m", "sh", "-c", OWN_DEVICES, "sh", "true"], capture_output=True)
    return own.returncode == 0


@on_each_release
class KernelWaitsOn11Test(ProcessTest):
    release = "11"

    def test_each_wait_is_named(self):
        self.check(WAITS)

    def test_with_names_of_files_it_is_reported_which(self):
        self.check({"fileLock": "flock file /tmp/kernel_waits_", "peer": "recv socket @kernel_waits_", "socket": "recv socket",
                    "pipe": "read pipe"}, FILE_NAMES=1)

    def check(self, waits, **settings):
        prefix = ["unshare", "-m", "sh", "-c", OWN_DEVICES, "sh"] if may_have_own_devices() else []
        done = subprocess.run([*prefix, *self.command("KernelWaits", NATIVES)],
                              env=self.environment(DUMP_AT_EXIT=1, TREES=100, TREE_MIN_MS=200, **settings),
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[-3000:])
        impossible = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("without ")]
        stacks = collapsed(self.only_dump(done.stderr))
        for method, call in waits.items():
            with self.subTest(method=method):
                if method in impossible:
                    self.skipTest(f"this machine does not let a process wait in {call}")
                inside = [(stack, count) for stack, count in stacks if f"KernelWaits.{method}" in stack]
                total = sum(count for _, count in inside)
                right = sum(count for stack, count in inside if stack[-1].startswith(call) and stack[-1].endswith(" [kernel]"))
                self.assertGreaterEqual(total, MIN_SAMPLES, inside)
                self.assertGreaterEqual(right, MIN_RIGHT * total, inside)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
