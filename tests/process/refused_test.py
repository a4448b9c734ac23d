# SPDX-License-Identifier: Apache-2.0
"""Members that ART hides from the profiler: each look-up of its JNIEnv may be refused. It says what it lacks, and gives
what is left: the Observer, the Printer, or a probe."""

import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from process import BUILD, LIBRARY, WITHIN_S, ProcessTest, art_command, has_core, inspect

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "framework"))
import rows as framework_rows  # noqa: E402

MS = 1_000_000
REFUSER = os.path.join(BUILD, "art", "librefused.so")
PUBLIC = os.path.join(BUILD, "public", "libstillframe.so")
ROWS = [row for row in framework_rows.read() if row.cpp_name]
HIDDEN = [row for row in ROWS if row.is_hidden]
RELEASES = [release for release in ("11", "14", "10 android", "14 android") if has_core(release)]
# Lengths in ms of the two messages in Refused.java.
LENGTHS = (300, 400)
# A probe finds a hang within this time.
PROBE_MS = 100
# Programs at a time. They mostly wait.
JOBS = 6

# `printed`: lines that the application's Printer got. `slow`: messages in order, without code before the loop.
Ran = collections.namedtuple("Ran", "code log printed dumps dump tap slow", defaults=((), None, None, ()))


def named(*names):
    found = [row for row in ROWS if row.cpp_name in names]
    assert len(found) == len(names), names
    return found


def text_of(row):
    """As refused.cc names a look-up."""
    return f"{row.name} {row.type}" if row.name else row.owner


def run_refused(release, rows, how="none", library=LIBRARY, **settings):
    with tempfile.TemporaryDirectory() as folder:
        case = ProcessTest()
        case.dump_dir = folder
        refused = "\n".join(map(text_of, rows))
        done = subprocess.run(
            art_command("Refused", how, options=("--preload", REFUSER), preload=library, release=release), capture_output=True, text=True,
            env={**case.environment(DUMP_AT_EXIT=1, TREE_MIN_MS=200, **settings), "REFUSED_LOOK_UPS": refused},
            timeout=WITHIN_S)
        printed = int((done.stdout.split() or [-1])[-1])
        if not case.dumps():
            return Ran(done.returncode, done.stderr, printed)
        dumps = list(map(inspect, case.dumps()))
        dump = dumps[-1]
        slow = [message for message in dump["history"] if message["segment"] != "before-loop"]
        return Ran(done.returncode, done.stderr, printed, dumps, dump, dump["identity"]["tap"], slow)


class RefusedTest(unittest.TestCase):
    def on_all(self, *arguments, **settings):
        """That program's runs, one on each release."""
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            runs = list(pool.map(lambda release: run_refused(release, *arguments, **settings), RELEASES))
        for ran in runs:
            self.assertEqual(ran.code, 0, ran.log)
            self.assertIn("refused: in place", ran.log)
        return runs

    def check_lengths(self, ran, within_ms=30):
        took = [message["wall_ns"] / MS for message in ran.slow]
        self.assertEqual(len(took), len(LENGTHS), ran.log)
        for each, length in zip(took, LENGTHS):
            self.assertGreater(each, length - within_ms, took)
            self.assertLess(each, length + within_ms + 200, took)  # a busy machine
        trees = {tree["token"] for tree in ran.dump["trees"]}
        self.assertTrue(all(message["token"] in trees for message in ran.slow), ran.slow)

    def check_probe(self, ran):
        self.assertEqual(ran.tap, "probe", ran.log)
        self.assertIn("the tap is a probe: hangs are found by a look every 100 ms", ran.log)
        self.assertIn("on, with a probe as the tap", ran.dump["identity"]["sampler_state"])
        self.check_lengths(ran, within_ms=PROBE_MS + 20)
        self.assertEqual([message["segment"] for message in ran.slow], ["unseen-message"] * 2)
        # Probes ran between them. They are not recorded.
        self.assertGreater(ran.dump["loopers"][0]["messages"], 0)
        self.assertEqual({record["kind"] for record in ran.dump["history_records"]["records"]} - {"idle", "outside"}, set())
        self.assertTrue(all(message["callback"].startswith("Refused") for message in ran.slow), ran.slow)

    def test_with_all_members_it_is_an_observer(self):
        for ran in self.on_all([]):
            self.assertEqual(ran.tap, "observer", ran.log)
            self.check_lengths(ran)
            self.assertEqual({message["segment"] for message in ran.slow}, {""})

    def test_without_the_observers_place_it_is_a_printer(self):
        for ran in self.on_all(named("kObserver")):
            self.assertEqual(ran.tap, "printer", ran.log)
            self.assertIn("the tap is a printer: Loopers beside the main one are not seen", ran.log)
            self.check_lengths(ran)

    def test_whether_there_is_a_printer_is_found_without_a_look_up(self):
        for ran in self.on_all(named("kObserver", "kLogging")):
            self.assertEqual(ran.tap, "printer", ran.log)
            self.check_lengths(ran)
            self.assertTrue(all(message["callback"].startswith("Refused$$") for message in ran.slow), ran.slow)

    def test_an_applications_printer_stays_if_ours_cannot_call_it(self):
        for ran in self.on_all(named("kObserver", "kLogging"), "theirs"):
            self.check_probe(ran)
            self.assertGreater(ran.printed, 4)

    def test_so_does_one_that_comes_later(self):
        for ran in self.on_all(named("kObserver", "kLogging"), "later"):
            self.assertEqual(ran.tap, "probe", ran.log)
            self.assertGreater(ran.printed, 2)
            self.assertIn("ours does not fight for the place: the tap is a probe now", ran.log)
            self.assertEqual((ran.slow[-1]["segment"], ran.slow[-1]["callback"][:9]), ("unseen-message", "Refused$$"))
            self.assertAlmostEqual(ran.slow[-1]["wall_ns"] / MS, LENGTHS[1], delta=PROBE_MS + 20)

    def test_the_first_message_is_seen_before_the_probe_has_answered(self):
        for ran in self.on_all(named("kObserver", "kLogging"), "first"):
            self.assertEqual(ran.tap, "printer", ran.log)
            self.check_lengths(ran, within_ms=60)
            self.assertEqual([message["segment"] for message in ran.slow], ["unseen-message", ""])

    def test_without_hidden_members_the_printer_sees_messages(self):
        for ran in self.on_all(HIDDEN):
            self.assertEqual(ran.tap, "printer", ran.log)
            self.check_lengths(ran)

    def test_without_hidden_members_a_probe_sees_hangs(self):
        for ran in self.on_all(HIDDEN, TAP="probe"):
            self.check_probe(ran)

    def test_a_probe_is_not_listed_among_pending_messages(self):
        for ran in self.on_all([], TAP="probe", LONG_MS=250):
            during = ran.dumps[0]
            self.assertEqual(during["trigger"], "long-message", ran.log)
            # The end, and the message that sleeps if it does not run yet.
            targets = [message["target"] for message in during["pending"]["messages"]]
            self.assertIn(targets, (["android.os.Handler"], ["android.os.Handler"] * 2), ran.log)
            self.assertEqual(during["pending"]["total"], len(targets))

    def test_a_build_by_public_api_alone_looks_nothing_else_up(self):
        for ran in self.on_all([], library=PUBLIC):
            self.check_probe(ran)
            self.assertEqual([line for line in ran.log.splitlines() if line.startswith("looked up: ") and
                              line.removeprefix("looked up: ") in map(text_of, HIDDEN)], [])

    def test_such_a_build_names_no_hidden_member(self):
        with open(PUBLIC, "rb") as file:
            library = file.read()
        shared = {text_of(row) for row in ROWS if not row.is_hidden}
        for row in HIDDEN:
            look_up = f"{row.name}\0{row.type}\0" if row.name else f"\0{row.owner}\0"
            self.assertFalse(text_of(row) not in shared and look_up.encode() in library, row.label())
        self.assertIn(b"getMainLooper\0()Landroid/os/Looper;\0", library)

    def test_without_any_member_the_process_lives_and_says_why(self):
        for ran in self.on_all(ROWS):
            self.assertEqual(ran.printed, 0)
            self.assertIn("stays off: ", ran.log)



if __name__ == "__main__":
    unittest.main()
