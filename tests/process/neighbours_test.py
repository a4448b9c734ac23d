# SPDX-License-Identifier: Apache-2.0
"""Programs that use signals and threads in every permitted way. None may crash, and the dump must say what happened."""

import functools
import os
import sys
import unittest

from process import BUILD, ProcessTest, collapsed, inspect, run_at_once

LIBRARY = os.path.join(BUILD, "art", "libneighbours.so")
NO_SIGNAL = "no signal came"


class NeighboursTest(ProcessTest):
    def run_neighbour(self, what, options=(), ending="ended\n", is_measured=False):
        """(output, the only dump, written at the exit). A thread without a CPU counts as blocked."""
        run = functools.partial(self.run_app, "Neighbours", LIBRARY, what, options=options,
                                DUMP_AT_EXIT=1, TREE_MIN_MS=300)
        done = self.measure(run) if is_measured else run()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.endswith(ending), done.stdout)
        self.log = done.stderr
        self.path = self.only_dump(done.stderr)
        self.dump = inspect(self.path)
        self.counters = {c["name"]: c["value"] for c in self.dump["counters"]}
        return done.stdout

    def state(self):
        return self.dump["identity"]["sampler_state"]

    def ticks(self, output):
        return int(next(line.split()[1] for line in output.splitlines() if line.startswith("ticks ")))

    def samples(self, message):
        """(all samples of a message, those for time that no signal covered)"""
        stacks = collapsed(self.path, self.dump["history"][message]["token"])
        missed = sum(count for frames, count in stacks if any(NO_SIGNAL in frame for frame in frames))
        return sum(count for _, count in stacks), missed

    def check_sampled(self, *messages):
        """Samples cover the whole message."""
        for message in messages:
            samples, missed = self.samples(message)
            self.assertGreater(samples, 35, f"message {message}")
            self.assertLess(missed, samples / 10, f"message {message}")

    def check_missed(self, message):
        """CPU time without signals must not be attributed to a method."""
        samples, missed = self.samples(message)
        facts = self.dump["history"][message]
        on_cpu = samples * facts["cpu_ns"] / facts["wall_ns"]
        self.assertGreater(missed, on_cpu / 2, f"{samples} samples, message {facts}")

    def test_a_sigprof_user_before_us_gets_its_signals(self):
        output = self.run_neighbour("nothing", options=["--preload", LIBRARY])
        self.check_sampled(0, 1)
        # Its timer counts the CPU time of all threads. Our handler forwards its signals.
        self.assertGreater(self.counters["drops_foreign_signal"], 10)
        self.assertGreaterEqual(self.ticks(output), self.counters["drops_foreign_signal"])
        self.assertEqual(self.state(), "on")

    def test_a_sigprof_user_after_us_that_hands_signals_on_is_no_trouble(self):
        output = self.run_neighbour("chained", is_measured=True)
        self.check_sampled(0, 1)
        self.assertGreater(self.ticks(output), 10)
        self.assertEqual(self.state(), "on")

    def test_a_sigprof_user_after_us_that_keeps_signals_is_named(self):
        output = self.run_neighbour("handler", is_measured=True)
        self.check_sampled(0)
        self.check_missed(1)
        self.assertGreater(self.ticks(output), 10)
        self.assertIn("libneighbours.so installed its own handler", self.state())
        self.assertEqual(self.log.count("does not hand signals on"), 1, self.log)

    def test_the_default_action_does_not_kill(self):
        self.run_neighbour("reset")
        self.check_sampled(0, 1)
        self.assertIn("installed again", self.log)

    def test_a_blocked_signal_is_reported_and_taken_up_again(self):
        self.run_neighbour("block", is_measured=True)
        self.check_sampled(0, 2)
        self.check_missed(1)
        self.assertIn("the main thread blocks SIGPROF", self.log)
        self.assertIn("signals arrive again", self.log)
        self.assertEqual(self.state(), "on")

    def test_a_handler_for_faults_past_the_chain_stops_sampling(self):
        self.run_neighbour("faults")
        self.check_sampled(0)
        self.assertEqual(self.dump["history"][1]["samples"], 0)
        self.assertIn("libneighbours.so installed a handler for SIGSEGV", self.state())

    def test_a_fork_without_exec_leaves_both_alive(self):
        output = self.run_neighbour("fork")
        self.assertIn("child 7\n", output)
        self.check_sampled(0, 1)
        self.assertEqual(self.state(), "on")

    def test_a_main_thread_that_ends_first_is_reported(self):
        self.run_neighbour("die", ending="survived\n")
        self.assertIn("the main thread has ended", self.state())

    def test_a_vm_that_is_destroyed_leaves_a_dump(self):
        # Not loaded by the VM, which would unload the library.
        self.run_neighbour("destroy", options=["--library", LIBRARY], ending="destroyed\n")
        self.check_sampled(0, 1)
        self.assertIn("destroyed", self.dump["pending"]["absent"])


if __name__ == "__main__":
    run_at_once(sys.modules[__name__], jobs=1)
