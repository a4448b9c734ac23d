# SPDX-License-Identifier: Apache-2.0
"""signal_safety.py fails on calls that a handler must not make."""

import json
import subprocess
import unittest

import signal_safety
from made_up_tree import MadeUpTreeTest

HANDLERS = {"OnSignal": {"write"}}
POINTERS = {("a.cc", "made_up::g_walk"): "made_up::Walk", ("a.cc", "g_before"): None}
WALK = "namespace made_up { using W = int (*)(int); W g_walk; __attribute__((noipa)) int Walk(int x) { return x; } }\n"


class SignalSafetyTest(MadeUpTreeTest):
    def compiled(self, source):
        """The object of a source, and the file that says how it was made."""
        tree = self.tree({"a.cc": source})
        words = ["c++", "-O1", "-c", str(tree.root / "a.cc"), "-o", "a.cc.o"]
        subprocess.run(words, check=True, cwd=tree.root)
        commands = tree.root / "compile_commands.json"
        commands.write_text(json.dumps([{"command": " ".join(words), "directory": str(tree.root)}]), encoding="utf-8")
        return [tree.root / "a.cc.o"], commands

    def handler_violations(self, source):
        graph = signal_safety.compile_graph(*self.compiled(WALK + source))
        return signal_safety.handler_violations(graph, HANDLERS, POINTERS)

    def test_a_handler_as_it_should_be_passes(self):
        self.assertEqual(list(self.handler_violations(
            "#include <unistd.h>\nvoid OnSignal(int n) { made_up::g_walk(n); write(1, &n, 4); }\n")), [])

    def test_a_call_that_is_not_on_the_list_is_refused(self):
        self.assert_one(self.handler_violations(
            "#include <stdlib.h>\n__attribute__((noipa)) void* Get(int n) { return malloc(n); }\n"
            "void* g;\nvoid OnSignal(int n) { g = Get(n); }\n"), "OnSignal: reaches", "malloc")

    def test_a_call_behind_the_pointer_to_the_walk_is_seen(self):
        walk = "#include <stdlib.h>\n" + WALK.replace("return x;", "return abs(rand());")
        graph = signal_safety.compile_graph(*self.compiled(walk + "void OnSignal(int n) { made_up::g_walk(n); }\n"))
        self.assert_one(signal_safety.handler_violations(graph, HANDLERS, POINTERS), "rand")

    def test_what_was_there_before_may_be_called(self):
        source = "void (*g_before)(int);\nvoid OnSignal(int n) { g_before(n); }\n"
        self.assertEqual(list(self.handler_violations(source)), [])

    def test_a_pointer_that_is_not_on_the_list_is_refused(self):
        table = "#include <stdlib.h>\nstatic void* (*volatile g_table[])(size_t) = {&malloc};\n"
        self.assert_one(self.handler_violations(table + "void OnSignal(int n) { g_table[0](n); }\n"),
                        "OnSignal: reaches what g_table[0] points to", "a.cc:4:")
        walk = table + WALK.replace("return x;", "g_table[0](8); return x;")
        graph = signal_safety.compile_graph(*self.compiled(walk + "void OnSignal(int n) { made_up::g_walk(n); }\n"))
        self.assert_one(signal_safety.handler_violations(graph, HANDLERS, POINTERS), "what g_table[0] points to")

    def test_a_virtual_function_is_refused(self):
        self.assert_one(self.handler_violations(
            "struct A { virtual void Do(); } *g_a;\nvoid OnSignal(int) { g_a->Do(); }\n"), "what g_a->Do points to")

    def test_a_function_behind_a_listed_pointer_that_is_gone_is_named(self):
        walk = WALK.replace("int Walk(", "int Run(")
        graph = signal_safety.compile_graph(*self.compiled(walk + "void OnSignal(int n) { made_up::g_walk(n); }\n"))
        self.assert_one(signal_safety.handler_violations(graph, HANDLERS, POINTERS), "not in the call graph")

    def test_too_much_stack_is_refused(self):
        self.assert_one(self.handler_violations(
            "#include <unistd.h>\nvoid OnSignal(int) { char bytes[3000]; write(1, bytes, sizeof bytes); }\n"),
            "bytes of stack")

    def test_a_stack_frame_of_no_fixed_size_is_refused(self):
        self.assert_one(self.handler_violations(
            "#include <unistd.h>\nvoid OnSignal(int n) { char* b = (char*)__builtin_alloca(n); write(1, b, n); }\n"),
            "no fixed size")

    def test_a_recursion_is_refused(self):
        self.assert_one(self.handler_violations(
            "__attribute__((noipa)) int Down(int n) { return n == 0 ? 0 : Down(n - 1) * n + 1; }\n"
            "int g;\nvoid OnSignal(int n) { g = Down(n); }\n"), "circle")

    def test_a_handler_that_is_gone_is_named(self):
        self.assert_one(self.handler_violations("void OnOther(int) {}\n"), "OnSignal: not found")

    def test_an_object_that_needs_an_unlisted_symbol_is_refused(self):
        objects, _ = self.compiled("#include <stdio.h>\n#include <unistd.h>\nvoid Say() { puts(\"\"); usleep(1); }\n"
                                   "extern \"C\" int usleep(useconds_t) { return 0; }\n")
        self.assert_one(signal_safety.symbol_violations(objects), "a.cc: needs puts")

    def test_a_handler_that_is_no_root_is_named(self):
        self.assert_one(signal_safety.unlisted_handlers(self.tree({
            "src/a/a.cc": "void F() {\n  action.sa_sigaction = OnSomething;\n  other.sa_handler = SIG_DFL;\n}\n",
            "src/core/sampler.cc": "  action.sa_sigaction = &Sampler::OnSigprof;\n",
        })), "src/a/a.cc: OnSomething handles a signal")


if __name__ == "__main__":
    unittest.main()
