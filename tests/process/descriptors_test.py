# SPDX-License-Identifier: Apache-2.0
"""The application closes or takes over our descriptors, or leaves none free for a while."""

import glob
import json
import os
import resource
import signal
import subprocess
import sys
import time

from process import BUILD, OUR_THREADS, WITHIN_S, ProcessTest, art_command, inspect, on_each_release, rise, run_at_once, thread_names

NATIVES = os.path.join(BUILD, "art", "libneighbours.so")
WAYS = ("close", "file", "pipe", "socket")
MESSAGES = 8
REST_S = 2
# tools/test --full takes each descriptor in each way.
IS_FULL = "STILLFRAME_RELEASES" in os.environ
MOST_SHARE = 0.01
SHORT_S = 4
GAP_S = 2.5  # a SIGQUIT sooner after another makes no dump of its own


def cpu_s(pid):
    """CPU time of our threads."""
    used_ns = 0
    for tid, name in thread_names(pid).items():
        if name in OUR_THREADS:
            with open(f"/proc/{pid}/task/{tid}/schedstat", encoding="ascii") as schedstat:
                used_ns += int(schedstat.read().split()[0])
    return used_ns / 1e9


@on_each_release
class DescriptorsOn11Test(ProcessTest):
    release = "11"

    def start(self, folder):
        os.makedirs(folder)
        settings = os.path.join(folder, "settings.json")
        with open(settings, "w", encoding="utf-8") as file:
            json.dump({"trees": 7}, file)
        os.chmod(settings, 0o600)
        environment = {**os.environ, **{"STILLFRAME_" + key: str(value) for key, value in {
            "DUMP_DIR": folder, "DUMP_AT_EXIT": 1, "LIVE": 1, "CONFIG": settings, "TREE_MIN_MS": 60}.items()}}
        process = subprocess.Popen(art_command("Descriptors", NATIVES, release=self.release), env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(os.path.join(folder, "log"), "w"), preexec_fn=rise)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n", self.log(folder))
        self.ask(process, f"work {MESSAGES}", "worked")
        return process

    @staticmethod
    def log(folder):
        with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as log:
            return log.read()

    def ask(self, process, what, answer):
        process.stdin.write(what + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        self.assertEqual(line, answer + "\n", what)

    def end(self, process, folder):
        process.stdin.write("exit\n")
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=60), 0, self.log(folder))
        (dump,) = glob.glob(os.path.join(folder, "*.sfdump"))
        return inspect(dump)

    def ours(self, process):
        """{descriptor: target}. Our log is a copy of standard error; the others are found by name."""
        links = {int(os.path.basename(link)): os.readlink(link) for link in glob.glob(f"/proc/{process.pid}/fd/*")}
        found = {fd: target for fd, target in links.items()
                 if "/schedstat" in target or "stillframe" in target or "inotify" in target
                 or fd > 2 and target == links[2]}
        with open("/proc/net/unix", encoding="ascii", errors="replace") as sockets:
            live = [f"socket:[{line.split()[6]}]" for line in sockets
                    if line.rstrip().endswith(f"@stillframe-live-{process.pid}")]
        found |= {fd: target for fd, target in links.items() if target in live}
        return found

    def check(self, taken, way, title):
        """Takes our descriptor number `taken` in sorted order (None: all) away."""
        folder = os.path.join(self.dump_dir, title)
        process = self.start(folder)
        ours = self.ours(process)
        for fd in [fd for i, fd in enumerate(sorted(ours)) if taken is None or i == taken]:
            self.ask(process, f"take {fd} {way}", "taken")
        self.ask(process, f"work {MESSAGES}", "worked")
        with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as file:
            json.dump({"trees": 8}, file)
        before = cpu_s(process.pid)
        time.sleep(REST_S)
        share = (cpu_s(process.pid) - before) / REST_S
        self.ask(process, f"work {MESSAGES}", "worked")
        self.ask(process, "changed", "changed 0")
        document = self.end(process, folder)
        log = self.log(folder)
        self.assertLessEqual(share, MOST_SHARE, title + log)
        self.assertEqual(document["identity"]["sampler_state"], "on", title + log)
        sampled = [message["samples"] for message in document["history"] if message["wall_ns"] > 100e6]
        self.assertGreaterEqual(len(sampled), 3 * MESSAGES, title)  # others may have waited for a CPU
        self.assertGreater(sum(sampled[-MESSAGES:]), 2 * MESSAGES, (title, sampled, log))
        said = [line for line in log.splitlines() if "was closed" in line]
        self.assertLessEqual(len(said), len(ours), log)
        # Between close and reuse, one of our own descriptors may get the number and lose it too.
        self.assertTrue(all(said.count(line) <= 2 for line in said), log)

    def test_one_by_one(self):
        folder = os.path.join(self.dump_dir, "which")
        process = self.start(folder)
        ours = self.ours(process)
        print(f"ART {self.release}: ours are {sorted(ours.values())}", flush=True)
        self.end(process, folder)
        self.assertGreaterEqual(len(ours), 4, ours)
        for i in range(len(ours)):
            for way in WAYS if IS_FULL else (WAYS[i % len(WAYS)],):
                with self.subTest(what=ours[sorted(ours)[i]], way=way):
                    self.check(i, way, f"{i}-{way}")

    def test_all_at_once(self):
        for way in WAYS:
            with self.subTest(way=way):
                self.check(None, way, f"all-{way}")

    def test_none_is_free_for_a_while(self):
        folder = os.path.join(self.dump_dir, "none")
        process = self.start(folder)
        limits = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (3, limits[1]))
        self.ask(process, f"work {int(SHORT_S / 0.12)}", "worked")
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, limits)
        time.sleep(2)
        self.ask(process, f"work {MESSAGES}", "worked")
        document = self.end(process, folder)
        log = self.log(folder)
        self.assertNotIn("has ended", log)
        self.assertEqual(document["identity"]["sampler_state"], "on", log)
        sampled = [message["samples"] for message in document["history"] if message["wall_ns"] > 100e6]
        before, after = sampled[:MESSAGES], sampled[-MESSAGES:]
        self.assertGreater(sum(after), 0.8 * sum(before), sampled)

    def test_a_leak_of_all_does_not_prevent_dumps(self):
        folder = os.path.join(self.dump_dir, "leak")
        process = self.start(folder)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (200, resource.prlimit(process.pid, resource.RLIMIT_NOFILE)[1]))
        self.ask(process, "leak", "leaked")
        for count in (1, 2):  # the descriptor is taken back after each
            process.send_signal(signal.SIGQUIT)
            deadline = time.monotonic() + WITHIN_S
            while len(dumps := glob.glob(os.path.join(folder, "*-sigquit.sfdump"))) < count:
                self.assertLess(time.monotonic(), deadline, self.log(folder))
                time.sleep(0.1)
            time.sleep(GAP_S)
        for dump in dumps:
            self.assertEqual(inspect(dump)["trigger"], "sigquit")
        process.stdin.write("exit\n")
        process.stdin.flush()
        self.assertEqual(process.wait(timeout=60), 0, self.log(folder))
        self.assertEqual(len(glob.glob(os.path.join(folder, "*-exit.sfdump"))), 1, self.log(folder))
        self.assertNotIn("cannot create", self.log(folder))


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
