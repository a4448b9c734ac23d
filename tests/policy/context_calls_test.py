# SPDX-License-Identifier: Apache-2.0
"""context_calls.py fails on calls in built objects that the callers' context or their uses forbid."""

import subprocess
import unittest

import context_calls
import folders
from made_up_tree import MadeUpTreeTest, head

HEADS = {
    "src/core/CMakeLists.txt": head("signal"),
    "src/os/CMakeLists.txt": head("any thread", "src/core"),
    "src/tap/CMakeLists.txt": head("watched thread", "src/core src/os src/anr"),
    "src/anr/CMakeLists.txt": head("collector", "src/os src/tap src/jvm"),
    "src/jvm/CMakeLists.txt": head("stillframe-q", "src/os"),
    "src/collector/CMakeLists.txt": head("collector", "src/os src/anr src/jvm"),
    "src/entry/CMakeLists.txt": head("any thread", "src/collector"),
}


class ContextCallsTest(MadeUpTreeTest):
    def violations(self, sources, single_calls=()):
        """Violations of a compiled tree with these sources, path -> text."""
        tree = self.tree({**HEADS, **sources, **{f"{folder}/a.h": "" for folder in map(folders.folder_of, HEADS)}})
        objects = {}
        for name in sources:
            made = tree.root / f"{name}.o"
            subprocess.run(["c++", "-c", "-o", made, tree.root / name], check=True)
            objects.setdefault(folders.folder_of(name), []).append(made)
        all_folders, lacking = folders.read(tree)
        self.assertEqual(lacking, [])
        return list(context_calls.call_violations(all_folders, objects, single_calls))

    def calls(self, caller, called):
        """Violations of a call without an include: the function is declared where it is called."""
        return self.violations({
            f"{caller}/caller.cc": "namespace made_up { void Do(); void Caller() { Do(); } }\n",
            f"{called}/called.cc": "namespace made_up { void Do() {} }\n",
        })

    def test_a_signal_safe_folder_may_not_call_one_that_is_not(self):
        self.assert_one(self.calls("src/core", "src/os"), "caller.cc calls made_up::Do()", "src/os", '"signal"')

    def test_any_thread_may_call_what_a_signal_may_run(self):
        self.assertEqual(self.calls("src/os", "src/core"), [])

    def test_the_watched_thread_may_not_call_the_collector(self):
        self.assert_one(self.calls("src/tap", "src/anr"), '"watched thread"', '"collector"')

    def test_the_collector_may_call_the_watched_threads_folder(self):
        self.assertEqual(self.calls("src/anr", "src/tap"), [])

    def test_only_the_collectors_own_folder_gives_jobs_to_the_runtimes_thread(self):
        self.assert_one(self.calls("src/anr", "src/jvm"), '"stillframe-q"')
        self.assertEqual(self.calls("src/collector", "src/jvm"), [])

    def test_the_c_api_asks_the_collectors_own_folder(self):
        self.assertEqual(self.calls("src/entry", "src/collector"), [])
        self.assert_one(self.calls("src/entry", "src/anr"), '"any thread"', '"collector"')

    def test_a_single_call_is_allowed_to_one_folder(self):
        called = {"src/tap/called.cc": "namespace made_up { bool Has() { return true; } }\n"}
        caller = "namespace made_up { bool Has(); bool Caller() { return Has(); } }\n"
        sources = {"src/jvm/caller.cc": caller, **called}
        allowed = {("src/jvm", "made_up::Has()")}
        self.assert_one(self.violations(sources), '"watched thread"')
        self.assertEqual(self.violations(sources, allowed), [])
        self.assert_one(self.violations(sources, {*allowed, ("src/jvm", "made_up::Had()")}), "Had", "not need that")
        self.assert_one(self.violations({"src/core/other.cc": caller, **sources}, allowed),
                        "other.cc calls made_up::Has()", '"signal"')

    def test_a_call_of_a_folder_that_the_head_does_not_name_is_refused(self):
        self.assert_one(self.calls("src/jvm", "src/core"), "src/jvm does not use")

    def test_a_call_by_a_c_name_is_seen(self):
        self.assert_one(self.violations({
            "src/core/caller.cc": 'extern "C" void Do(); void Caller() { Do(); }\n',
            "src/os/called.cc": 'extern "C" void Do() {}\n',
        }), "caller.cc calls Do")


if __name__ == "__main__":
    unittest.main()
