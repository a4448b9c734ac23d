# SPDX-License-Identifier: Apache-2.0
"""final_fields.py fails on fields that JNI must not set."""

import unittest

import final_fields
from made_up_tree import MadeUpTreeTest

JAVA = """class Marks {
  /* static final int shut; */
  %sint open;
  static void put(int value) {
    final int open = value;
    Marks.open = open;
  }
}
"""
CODE = """void Other(JNIEnv* env) {
  const jfieldID field = env->GetFieldID(type, "shut", "I");
}
void Put(JNIEnv* env, jclass type) {
  const jfieldID field =
      type == nullptr ? nullptr : env->GetStaticFieldID(type, "%s", "%s");
  if (field != nullptr)
    env->SetStatic%sField(type, field, 3);
}
"""


class FinalFieldsTest(MadeUpTreeTest):
    def violations(self, modifiers="static ", name="open", signature="I", kind="Int", code=CODE):
        return list(final_fields.violations_of(self.tree({
            "src/tap/java/stillframe/Marks.java": JAVA % modifiers, "src/tap/marks.cc": code % (name, signature, kind)})))

    def test_a_field_that_is_not_final_passes(self):
        for modifiers in ("static ", "", "private static volatile ", "protected transient "):
            self.assertEqual(self.violations(modifiers), [])

    def test_a_final_field_is_found(self):
        for modifiers in ("static final ", "final static ", "private final "):
            self.assert_one(self.violations(modifiers), "src/tap/marks.cc:8", "open is final", "Marks.java:3")

    def test_a_field_that_a_row_names_is_found(self):
        row = 'SF_MEMBER(kOpen, StaticField, kMarks, "open", "I", 26, 0, "marks", "no marks");\n'
        code = CODE.replace('env->GetStaticFieldID(type, "%s", "%s")', "IdOf(env, type, framework::kOpen)")
        for modifiers, wanted in (("static ", []), ("static final ", ["src/tap/marks.cc:8: open is final at "])):
            found = list(final_fields.violations_of(self.tree({
                "src/tap/java/stillframe/Marks.java": JAVA % modifiers, "src/tap/marks.cc": code % "Int",
                "src/art/framework_members.h": row})))
            self.assertEqual(len(found), len(wanted), found)
            self.assertTrue(all(text.startswith(start) for text, start in zip(found, wanted)), found)

    def test_a_field_of_the_framework_has_its_row(self):
        self.assertEqual(self.violations(name="sObserver", signature="Landroid/os/Looper$Observer;", kind="Object"), [])
        self.assert_one(self.violations(name="SDK_INT"), "SDK_INT is not declared in our sources")
        # The same name in another class has another signature.
        self.assert_one(self.violations(name="sObserver", signature="Landroid/os/Binder$Observer;"), "sObserver is not declared in our sources")

    def test_a_final_row_is_found(self):
        final_fields.FRAMEWORK["SDK_INT", "I"] = "public static final"
        self.addCleanup(final_fields.FRAMEWORK.pop, ("SDK_INT", "I"))
        self.assert_one(self.violations(name="SDK_INT"), "SDK_INT is final in the framework")

    def test_a_field_of_unknown_origin_is_found(self):
        self.assert_one(self.violations(code=CODE.replace("field, 3", "other, 3")), "src/tap/marks.cc:8", "cannot tell")

    def test_a_set_without_its_function_is_found(self):
        self.assert_one(self.violations(code=CODE.replace("field =\n", "field = 0;\n  jfieldID id =")), "cannot tell")


if __name__ == "__main__":
    unittest.main()
