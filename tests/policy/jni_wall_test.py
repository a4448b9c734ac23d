# SPDX-License-Identifier: Apache-2.0
"""jni_wall.py fails on JNI outside the folders that may name it."""

import unittest

import jni_wall
from made_up_tree import MadeUpTreeTest, head

HEADS = {
    "src/jvm/CMakeLists.txt": head("stillframe-q", "src/os", "# JNI: yes"),
    "src/os/CMakeLists.txt": head("any thread"),
}


class JniWallTest(MadeUpTreeTest):
    def violations(self, files):
        return jni_wall.violations_of(self.tree({**HEADS, "src/jvm/a.h": "", **files}))

    def test_jni_in_its_folder(self):
        self.assertEqual(list(self.violations({"src/jvm/a.cc": "#include <jni.h>\njobject Read(JNIEnv* env);\n"})), [])

    def test_the_header_outside(self):
        self.assert_one(self.violations({"src/os/a.cc": "\n#include <jni.h>\n"}), "src/os/a.cc:2: includes jni.h")

    def test_a_type_that_is_only_declared(self):
        self.assert_one(self.violations({"src/os/a.h": "struct _JNIEnv;\nusing JNIEnv = _JNIEnv;\n"}),
                        "src/os/a.h:2: names JNIEnv")

    def test_each_kind_of_word(self):
        for word in ("JavaVM", "jobject", "jclass", "jmethodID", "jfieldID", "jstring", "jlongArray", "jarray",
                     "JNI_OK", "JNINativeMethod", "JNICALL"):
            self.assert_one(self.violations({"arch/a.h": f"{word} x;\n"}), word)

    def test_a_comment_may_speak_of_it(self):
        self.assertEqual(list(self.violations({"src/os/a.h": '// Not a JNIEnv.\nconst char* name = "jobject";\n'})), [])

    def test_a_name_that_only_begins_alike(self):
        self.assertEqual(list(self.violations({"src/os/a.h": "int jank, jitter, jobjects;\n"})), [])


if __name__ == "__main__":
    unittest.main()
