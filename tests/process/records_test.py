# SPDX-License-Identifier: Apache-2.0
"""Records of hangs that are read, or that end with the process, before they end; sessions; identity."""

import base64
import concurrent.futures
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import process
from process import HOST_TOOL, ProcessTest, lasts, on_each_release, run_at_once

# The long form has 100.
KILLS = int(os.environ.get("STILLFRAME_RECORDS_KILLS", "20"))
SESSIONS = 50
KILLED_SESSIONS = 10
AT_ONCE = 5
# A hang that lasted this long is on disk.
SURE_MS = 2_300
WRITES_MS = (2_000, 5_000, 10_000, 20_000)  # of a running hang


def newest(paths, member):
    """The files with `member` by id, each in its highest revision."""
    found = {}
    for path in paths:
        with open(path, encoding="ascii") as file:
            parsed = json.load(file)
        if member in parsed and parsed["revision"] > found.get(parsed["id"], {"revision": 0})["revision"]:
            found[parsed["id"]] = parsed
    return found


def all_json(folder):
    return glob.glob(os.path.join(folder, "**", "stillframe-*.json"), recursive=True)


@on_each_release
class RecordsOn11Test(ProcessTest):
    release = "11"

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def environment_in(self, folder, **variables):
        return {**self.environment(JANKS=1, **variables), "STILLFRAME_DUMP_DIR": folder}

    def start_in(self, folder, *args, **variables):
        running = subprocess.Popen(self.command("Janks", *args), env=self.environment_in(folder, **variables),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        return running

    @lasts
    def test_a_hang_that_is_read_while_it_goes_on_counts_once(self):
        lengths = (800, 2_500, 5_400, 900)
        running = self.start_in(self.dump_dir, "sleeps", *lengths)
        copies = self.folder()
        while running.poll() is None:
            number = len(os.listdir(copies))
            shutil.copytree(self.dump_dir, os.path.join(copies, str(number)), ignore=shutil.ignore_patterns("*.part"),
                            ignore_dangling_symlinks=True, copy_function=self.copy_if_there)
            time.sleep(0.3)
        shutil.copytree(self.dump_dir, os.path.join(copies, "last"))
        self.assertGreater(len(os.listdir(copies)), 10)
        hangs = newest(all_json(copies), "cost")
        # The two below two seconds may share a record.
        self.assertEqual(sum(hang["count"] for hang in hangs.values()), len(lengths), hangs)
        self.assertLessEqual(abs(sum(hang["total_ms"] for hang in hangs.values()) / sum(lengths) - 1), 0.01, hangs)
        self.assertFalse(any("running" in hang for hang in hangs.values()))
        table = subprocess.run([HOST_TOOL, "janks", "--json", copies], capture_output=True, text=True, check=True)
        rows = json.loads(table.stdout)["causes"]
        self.assertEqual(sum(row["hangs"] for row in rows), len(lengths), table.stdout)
        self.assertLessEqual(abs(sum(row["lost_ms"] for row in rows) / sum(lengths) - 1), 0.01)

    @staticmethod
    def copy_if_there(source, target):
        try:
            shutil.copy2(source, target)
        except FileNotFoundError:  # a new revision replaced it
            pass

    def kill_once(self, seed):
        """(hangs on disk after the next process closed them; lengths in ms of the hangs that had begun)"""
        chance = random.Random(seed)
        folder = self.folder()
        lengths = [chance.choice((900, 2_400, 3_000, 6_000)) for _ in range(6)]
        running = self.start_in(folder, "sleeps", *lengths)
        first = running.stdout.readline()
        time.sleep(chance.uniform(0.5, 9))
        running.send_signal(signal.SIGKILL)
        killed_ms = time.time() * 1e3
        said = (first + running.communicate(timeout=process.WITHIN_S)[0]).splitlines()
        times = [int(line.split()[1]) for line in said if re.fullmatch(r"(begin|end) \d+", line)]
        lasted = [(end or killed_ms) - begin for begin, end in zip(times[::2], times[1::2] + [None] * (len(times) % 2))]
        subprocess.run(self.command("Janks", "lengths", 1), env=self.environment_in(folder), capture_output=True,
                       timeout=process.WITHIN_S, check=True)
        return list(newest(all_json(folder), "cost").values()), lasted, len(times) % 2 == 1

    @lasts
    def test_a_kill_loses_no_hang_that_was_on_disk(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for seed, (hangs, lasted, has_running) in enumerate(pool.map(self.kill_once, range(KILLS))):
                with self.subTest(seed=seed, lasted=lasted):
                    sure = [ms for ms in lasted if ms >= SURE_MS]
                    long = [hang for hang in hangs if hang["cost"] >= WRITES_MS[0]]
                    maybe = [ms for ms in lasted if ms >= WRITES_MS[0]]
                    self.assertTrue(len(sure) <= len(long) <= len(maybe), hangs)
                    self.assertLessEqual(sum(hang["count"] for hang in hangs), len(lasted), hangs)
                    killed = [hang for hang in hangs if hang.get("ended") == "killed"]
                    self.assertLessEqual(len(killed), 1 if has_running else 0, hangs)
                    if has_running and lasted[-1] >= SURE_MS:
                        (hang,) = killed
                        written = max(ms for ms in WRITES_MS if ms <= lasted[-1])
                        self.assertGreaterEqual(hang["cost"], written if lasted[-1] - written > 300 else 2_000)
                        self.assertLessEqual(hang["cost"], lasted[-1] + 50)
                        self.assertEqual((hang["running"], hang["count"]), (True, 1))

    def session_once(self, number):
        """(time in ms that it was watched, its session, whether it was killed)"""
        folder = self.folder()
        is_killed = number < KILLED_SESSIONS
        chance = random.Random(number)
        begun = time.monotonic()
        running = self.start_in(folder, "sleeps", *[chance.choice((800, 1_500)) for _ in range(4)])
        running.stdout.readline()
        begun = time.monotonic()
        if is_killed:
            time.sleep(chance.uniform(1, 4))
            running.kill()
        running.communicate(timeout=process.WITHIN_S)
        watched_ms = (time.monotonic() - begun) * 1e3
        subprocess.run(self.command("Janks", "lengths", 1), env=self.environment_in(folder), capture_output=True,
                       timeout=process.WITHIN_S, check=True)
        sessions = newest(all_json(folder), "alive_ms")
        (session,) = [one for one in sessions.values() if one["id"].endswith(f"p{running.pid}")]
        hangs = [one for one in newest(all_json(folder), "cost").values() if f"p{running.pid}-" in one["id"]]
        return watched_ms, session, is_killed, sum(hang["count"] for hang in hangs)

    @lasts
    def test_sessions_add_up_to_the_time_watched(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            runs = list(pool.map(self.session_once, range(SESSIONS)))
        watched_ms = sum(ms for ms, _, _, _ in runs)
        told_ms = sum(session["watched_ms"] for _, session, _, _ in runs)
        self.assertLessEqual(abs(told_ms / watched_ms - 1), 0.02, (told_ms, watched_ms))
        print(f"ART {self.release}, {SESSIONS} sessions, {KILLED_SESSIONS} killed: {told_ms} ms of {watched_ms:.0f} ms")
        for _, session, is_killed, hangs in runs:
            self.assertEqual(session["ended"], "killed" if is_killed else "exit", session)
            self.assertEqual(session["sampler"], "on")
            if not is_killed:
                self.assertEqual(session["janks"], hangs)
        rate = sum(session["janks"] for _, session, _, _ in runs) / sum(session["foreground_ms"] for _, session, _, _ in runs)
        real = sum(hangs for _, _, _, hangs in runs) / watched_ms
        self.assertLessEqual(abs(rate / real - 1), 0.1)

    def test_processes_that_share_a_folder_lose_nothing(self):
        folder = self.folder()
        pids = set()
        for _ in range(3):
            pair = [self.start_in(folder, "sleeps", 2_400) for _ in range(2)]
            pids |= {one.pid for one in pair}
            for one in pair:
                one.communicate(timeout=process.WITHIN_S)
        hangs = newest(all_json(folder), "cost").values()
        sessions = newest(all_json(folder), "alive_ms").values()
        self.assertEqual(sorted(int(hang["id"].split("p")[1].split("-")[0]) for hang in hangs), sorted(pids))
        self.assertEqual([(one["ended"], one["janks"]) for one in sessions], [("exit", 1)] * len(pids), sessions)
        self.assertFalse(any("running" in hang for hang in hangs), hangs)
        self.assertEqual(len({hang["identity"]["install"] for hang in hangs}), 1)

    def identity_of(self, **variables):
        folder = variables.pop("folder", None) or self.folder()
        self.assertEqual(self.start_in(folder, "lengths", 900, **variables).wait(timeout=process.WITHIN_S), 0)
        (record,) = newest(all_json(folder), "cost").values()
        (session,) = [one for one in newest(all_json(folder), "alive_ms").values()
                      if record["id"].startswith(one["id"] + "-")]
        self.assertEqual((record["identity"].keys(), record["identity_absent"].keys()),
                         (session["identity"].keys(), session["identity_absent"].keys()))
        return record, folder

    def test_each_fact_of_identity_is_there_or_absent_with_a_reason(self):
        record, folder = self.identity_of()
        known, absent = record["identity"], record["identity_absent"]
        self.assertRegex(known["install"], r"^[0-9a-f]{16}$")
        self.assertRegex(record["id"], rf"^{known['install']}-\d{{13}}p\d+-\d+$")
        start_ms = int(record["id"].split("-")[1].split("p")[0])
        self.assertLess(abs(time.time() * 1e3 - start_ms), process.WITHIN_S * 1e3)
        self.assertEqual({name: known[name] for name in ("model", "api_level", "emulator", "abi", "oom_score_adj")},
                         {"model": "ART test bed", "api_level": {"10": "29", "11": "30", "14": "34"}[self.release],
                          "emulator": "0", "abi": "x86_64", "oom_score_adj": known["oom_score_adj"]})
        self.assertIn("security_patch", known)
        for name in ("art_build_id", "library_build_id"):
            self.assertRegex(known[name], r"^[0-9a-f]{16,40}$")
        self.assertEqual(known["cohort"], "sampled, control_percent 0")
        for name in ("version_name", "map_id", "battery", "thermal", "network"):
            self.assertEqual(absent[name], "the application did not annotate it")
        for name in ("package", "version_code"):
            self.assertEqual(absent[name], "this process has no application yet")
        # The id of the install stays.
        for file in glob.glob(os.path.join(folder, "stillframe-[js]*")):
            os.remove(file)
        again, _ = self.identity_of(folder=folder)
        self.assertEqual(again["identity"]["install"], known["install"])

    def test_each_word_leaves_its_facts_out(self):
        record, folder = self.identity_of(OMIT="install")
        self.assertNotIn("install", record["identity"])
        self.assertTrue(record["id"].startswith("x-"))
        with open(os.path.join(folder, "stillframe-install"), encoding="ascii") as file:
            install = file.read()
        for path in all_json(folder):
            with open(path, encoding="ascii") as file:
                self.assertNotIn(install, path + file.read())
        record, _ = self.identity_of(OMIT="context")
        self.assertEqual(set(record["identity"]), {"install"})
        self.assertEqual(record["identity_absent"]["model"], "left out by STILLFRAME_OMIT")

    def test_the_facts_of_a_record_are_a_dump_that_the_tool_reads(self):
        record, folder = self.identity_of(OMIT="")
        dump = os.path.join(folder, "facts.sfdump")
        with open(dump, "wb") as file:
            file.write(base64.b64decode(record["facts"]))
        done = subprocess.run([HOST_TOOL, "text", dump], capture_output=True, text=True, check=True)
        self.assertIn("Janks.first", done.stdout)


if __name__ == "__main__":
    run_at_once(sys.modules[__name__])
