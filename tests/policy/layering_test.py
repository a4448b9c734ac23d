# SPDX-License-Identifier: Apache-2.0
"""layering.py fails on includes and links against the heads of the folders."""

import unittest

import layering
from made_up_tree import MadeUpTreeTest, head

HEADS = {
    "src/core/CMakeLists.txt": head("signal"),
    "src/model/CMakeLists.txt": head("any thread"),
    "src/dump/CMakeLists.txt": head("any thread", "src/model"),
    "src/anr/CMakeLists.txt": head("collector", "src/dump"),
}


class LayeringTest(MadeUpTreeTest):
    def violations(self, files):
        return layering.violations_of(self.tree({**HEADS, **files}))

    def test_includes_of_used_folders_are_fine(self):
        self.assertEqual(list(self.violations({
            "src/model/dump.h": "#pragma once\n",
            "src/dump/writer.h": '#include "src/model/dump.h"\n',
            "src/dump/writer.cc": '#include "src/dump/writer.h"\n',
        })), [])

    def test_an_include_against_the_head_is_refused(self):
        self.assert_one(self.violations({
            "src/model/dump.h": '#include "src/dump/writer.h"\n',
            "src/dump/writer.h": "#pragma once\n",
        }), "src/model/dump.h: includes src/dump/writer.h")

    def test_a_room_of_the_host_tool_includes_rooms_of_its_row_only(self):
        table = "#   index -> (nothing)   made ready\n#   judge -> index       the verdict\n#   verbs -> all of these\n"
        files = {"tools/stillframe/CMakeLists.txt": table,
                 "tools/stillframe/index/call_tree.h": "#pragma once\n",
                 "tools/stillframe/judge/judge.h": '#include "tools/stillframe/index/call_tree.h"\n',
                 "tools/stillframe/verbs/report.cc": '#include "tools/stillframe/judge/judge.h"\n'}
        self.assertEqual(list(self.violations(files)), [])
        self.assert_one(self.violations({**files, "tools/stillframe/index/window.cc": '#include "tools/stillframe/judge/judge.h"\n'}),
                        "tools/stillframe/index/window.cc: includes tools/stillframe/judge/judge.h")
        self.assert_one(self.violations({**files, "tools/stillframe/phone/adb.h": "#pragma once\n"}), "phone is no row")
        circle = table.replace("index -> (nothing)", "index -> judge")
        self.assert_one(self.violations({**files, "tools/stillframe/CMakeLists.txt": circle}), "which is not above it")

    def test_an_include_through_a_third_header_is_refused(self):
        self.assert_one(self.violations({
            "src/anr/trigger.cc": '#include "src/dump/writer.h"\n',
            "src/dump/writer.h": '#include "src/dump/document.h"\n',
            "src/dump/document.h": '#include "src/model/dump.h"\n',
            "src/model/dump.h": "#pragma once\n",
        }), "src/anr/trigger.cc > src/dump/writer.h > src/dump/document.h > src/model/dump.h",
            "src/anr may not use src/model")

    def test_a_chain_is_told_where_it_leaves_the_folder(self):
        self.assert_one(self.violations({
            "src/anr/trigger.cc": '#include "src/anr/trigger.h"\n',
            "src/anr/trigger.h": '#include "src/dump/writer.h"\n',
            "src/dump/writer.h": '#include "src/model/dump.h"\n',
            "src/model/dump.h": "#pragma once\n",
        }), "src/anr/trigger.h > src/dump/writer.h")

    def test_a_signal_safe_folder_may_use_no_other(self):
        self.assert_one(self.violations({
            "src/core/CMakeLists.txt": head("signal", "include src/model"),
            "src/core/sampler.cc": "int x;\n",
            "src/model/dump.h": "#pragma once\n",
        }), "src/core", "a signal", "src/model")

    def test_what_any_thread_may_run_may_use_nothing_of_the_collector(self):
        self.assert_one(self.violations({
            "src/model/CMakeLists.txt": head("any thread", "src/anr"),
            "src/model/dump.h": "#pragma once\n",
            "src/anr/trigger.h": "#pragma once\n",
        }), "src/model", "src/anr", "the collector")

    def test_a_folder_without_a_context_is_named(self):
        self.assert_one(self.violations({
            "src/core/CMakeLists.txt": "# Uses: include\nadd_library(x a.cc)\n",
            "src/core/a.cc": "int x;\n",
        }), "src/core/CMakeLists.txt", "Context")

    def test_a_context_that_nobody_knows_is_named(self):
        self.assert_one(self.violations({
            "src/core/CMakeLists.txt": head("main thread"),
            "src/core/a.cc": "int x;\n",
        }), "src/core/CMakeLists.txt", "Context")

    def test_a_link_against_the_head_is_refused(self):
        self.assert_one(self.violations({
            "src/model/a.cc": "int x;\n",
            "src/dump/a.cc": "int y;\n",
            "src/model/CMakeLists.txt": head("any thread")
            + "target_link_libraries(stillframe_model stillframe_dump)\n",
        }), "stillframe_model links stillframe_dump")

    def test_a_host_tool_that_sees_the_walk_is_refused(self):
        self.assert_one(self.violations({
            "tools/stillframe/render/a.cc": '#include "src/core/sampler.h"\n',
            "src/core/sampler.h": "#pragma once\n",
        }), "tools/stillframe/render/a.cc", "src/core/sampler.h")

    def test_an_include_that_hides_its_layer_is_refused(self):
        self.assert_one(self.violations({
            "src/core/a.cc": "#include <src/core/sampler.h>\n",
            "src/core/sampler.h": "#pragma once\n",
        }), "belongs in quotes")
        self.assert_one(self.violations({
            "src/core/a.cc": '#include "sampler.h"\n',
            "src/core/sampler.h": "#pragma once\n",
        }), "from the repository root")

    def test_an_include_through_other_folders_is_refused(self):
        for name in ("src/core/../model/dump.h", "arch/../src/model/dump.h", "src/./model/dump.h", "src//model/dump.h"):
            found = list(self.violations({"src/core/a.cc": f'#include "{name}"\n', "src/model/dump.h": ""}))
            self.assertTrue(any("no plain path" in violation for violation in found), found)

    def test_an_include_that_is_no_plain_line_is_refused(self):
        for text in ('#include /*x*/ "src/model/dump.h"\n', '#define H "src/model/dump.h"\n#include H\n',
                     '#import "src/model/dump.h"\n', '#include \\\n"src/model/dump.h"\n', '#inc\\\nlude "a.h"\n',
                     '/* x */ #include "src/model/dump.h"\n', '%:include "src/model/dump.h"\n',
                     '#/*x*/include "src/model/dump.h"\n', '#include_next <dump.h>\n'):
            self.assert_one(self.violations({"src/core/a.cc": text, "src/model/dump.h": ""}), "no one line")

    def test_what_speaks_of_an_include_is_none(self):
        text = '#include <a.h>  // why\nconst char* kHelp = "#include x";\n// #include x\n'
        self.assertEqual(list(self.violations({"src/core/a.cc": text})), [])

    def test_jni_outside_its_folders_is_refused(self):
        jni = "#include <jni.h>\njobject Read(JNIEnv* env);\n"
        lists = {"src/jvm/CMakeLists.txt": head("stillframe-q", "src/core", "# JNI: yes")}
        self.assertEqual(list(self.violations({**lists, "src/jvm/a.cc": jni})), [])
        self.assertEqual(len(list(self.violations({"src/core/a.cc": jni}))), 3)
        for word in ("JavaVM", "jclass", "jmethodID", "jlongArray", "jarray", "JNI_OK", "_jobject", "<jni.h>"):
            self.assert_one(self.violations({"arch/a.h": f"using x = {word};\n"}), word.strip("<>"))
        fine = '// Not a JNIEnv.\nconst char* name = "jobject";\nint jank, jitter, jobjects;\n'
        self.assertEqual(list(self.violations({"src/core/a.h": fine})), [])

    def test_links_of_the_list_above_the_folders_are_seen(self):
        sources = {"src/model/a.cc": "int x;\n", "src/dump/a.cc": "int y;\n"}
        self.assert_one(self.violations({**sources, "src/CMakeLists.txt":
                                         "target_link_libraries(stillframe_model PUBLIC stillframe_dump)\n"}),
                        "src/CMakeLists.txt: stillframe_model links stillframe_dump")
        right = "target_link_libraries(stillframe_dump PUBLIC stillframe_model)\n"
        self.assertEqual(list(self.violations({**sources, "src/CMakeLists.txt": right})), [])

    def test_ways_past_the_links_are_refused(self):
        for line, said in (("target_sources(stillframe_core PRIVATE ../os/log.cc)", "../"),
                           ("set_property(TARGET stillframe_core PROPERTY LINK_LIBRARIES stillframe_dump)", "property"),
                           ("add_library(one ALIAS stillframe_dump)", "second name"),
                           ("target_include_directories(stillframe_core PRIVATE ${PROJECT_SOURCE_DIR}/src/art)", "root only"),
                           ("target_compile_options(stillframe_core PRIVATE -include src/os/log.h)", "-include"),
                           ("target_compile_options(stillframe_core PRIVATE -Isrc/os)", "-Isrc/os")):
            for lists in ("src/CMakeLists.txt", "src/core/CMakeLists.txt"):
                text = HEADS.get(lists, "") + line + "\n"
                self.assert_one(self.violations({"src/core/a.cc": "int x;\n", lists: text}), lists, said)


if __name__ == "__main__":
    unittest.main()
