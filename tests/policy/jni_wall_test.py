# SPDX-License-Identifier: Apache-2.0
"""jni_wall.py fails on JNI outside the folders that may name it."""

import unittest

import jni_wall
from made_up_tree import MadeUpTreeTest, head

VM = """
class AttachedThread { public: JNIEnv* env() const { return env_; } };
class Vm { public: JavaVM* get() const { return vm_; } bool exists() const; };
jclass self_check();
"""
HEADS = {
    "src/jvm/CMakeLists.txt": head("stillframe-q", "src/os", "# JNI: yes"),
    "src/os/CMakeLists.txt": head("any thread", "src/jvm"),
}


class JniWallTest(MadeUpTreeTest):
    def violations(self, files):
        return jni_wall.violations_of(self.tree({**HEADS, "src/jvm/a.h": VM, **files}))

    def test_jni_in_its_folder_passes(self):
        self.assertEqual(list(self.violations({"src/jvm/a.cc": "#include <jni.h>\njobject Read(JNIEnv* env);\n"})), [])

    def test_the_header_outside_is_refused(self):
        self.assert_one(self.violations({"src/os/a.cc": "\n#include <jni.h>\n"}), "src/os/a.cc:2: includes jni.h")

    def test_a_type_that_is_only_declared_is_refused(self):
        self.assert_one(self.violations({"src/os/a.h": "\nusing X = JNIEnv;\n"}), "src/os/a.h:2: names JNIEnv")

    def test_each_kind_of_word_is_refused(self):
        for word in ("JavaVM", "jobject", "jclass", "jmethodID", "jfieldID", "jstring", "jlongArray", "jarray",
                     "JNI_OK", "JNINativeMethod", "JNICALL", "_JNIEnv", "_JavaVM", "_jobject",
                     "JNINativeInterface_", "JNINativeInterface", "JavaVMAttachArgs"):
            self.assert_one(self.violations({"arch/a.h": f"{word} x;\n"}), word)

    def test_the_header_by_a_macro_is_refused(self):
        self.assert_one(self.violations({"src/os/a.cc": "#define H <jni.h>\n#include H\n"}), "names jni.h")

    def test_what_is_only_passed_on_passes(self):
        for line in ("Read(thread.env());", "if (Read(1, thread_->env(), F(2), &x)) {}", "a.b().Read(vm_.get(), y);",
                     "X x = F(self_check(), {1, 2});", "char* t = texts.get(); t = trees_.get() + 1;"):
            self.assertEqual(list(self.violations({"src/os/a.cc": f"void F() {{ {line} }}\n"})), [], line)

    def test_what_is_used_further_is_refused(self):
        for line in ('thread_.env()->FindClass("x");', "auto* e = thread.env();", "auto c = (*thread.env()).x;",
                     "(thread.env())->GetVersion();", "X x{thread.env()};", "return thread.env();",
                     "vm_.get()->DetachCurrentThread();", "auto* v = this->vm_.get();", "auto c = a::self_check();",
                     "reinterpret_cast<X*>(thread.env())->a();", "Read(thread.env()->GetVersion());"):
            self.assert_one(self.violations({"src/os/a.cc": f"void F() {{ {line} }}\n"}), "may only pass on")

    def test_a_comment_may_speak_of_it(self):
        self.assertEqual(list(self.violations({"src/os/a.h": '// Not a JNIEnv.\nconst char* name = "jobject";\n'})), [])

    def test_a_name_that_only_begins_alike(self):
        self.assertEqual(list(self.violations({"src/os/a.h": "int jank, jitter, jobjects;\n"})), [])


if __name__ == "__main__":
    unittest.main()
