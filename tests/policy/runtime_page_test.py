# SPDX-License-Identifier: Apache-2.0
"""runtime_page.py fails on a page that differs from the sources."""

import unittest

import runtime_page
from made_up_tree import MadeUpTreeTest

HEADER = """struct Layout {
  const char* release;
  uint32_t oat_version_first;  // a comment; with int marks;
  model::ThreadState (*state_name)(uint8_t state);
  uint32_t
      far_away;
  CodeForm form;
};
"""
SOURCE = """constexpr uint32_t kWords = 3 + 1;
constexpr Layout Art11(uint32_t p) {
  return {
      .release = "11",
      .oat_version_first = 5,
      .state_name = NameBefore<9>,
      .far_away = kWords * p,  // of p words
      .form = CodeForm::kOld,
  };
}
constexpr Layout Art13(uint32_t p) {
  Layout layout = Art12(p);
  layout.release = "13";
  layout.oat_version_first = 7;
  layout.far_away = kNoField;
  layout.form =
      CodeForm::kNew;
  return layout;
}
constexpr Layout Art12(uint32_t p) {
  Layout layout = Art11(p);
  layout.release = "12";
  layout.oat_version_first = 6;
  layout.far_away = p == 8 ? 40U : 2 * layout.oat_version_first;
  return layout;
}
"""
ROWS = {"release": "12; 13: 13", "oat_version_first": "6; 13: 7", "state_name": "NameBefore<9>",
        "far_away": "40 (12); 13: none", "form": "kOld; 13: kNew"}
CONSTANT = "| `kTag` | `src/a.cc` | `1U << 2` | the tag | `b.h` 3 |"


def page(rows, constant=CONSTANT):
    lines = [f"| `{name}` | {value} | what it is |" for name, value in rows.items()]
    return "\n".join(["## The layout table", "", "| field |", "|---|", *lines, "", "## Other constants", "", constant, ""])


class RuntimePageTest(MadeUpTreeTest):
    def violations(self, text, header=HEADER, source=SOURCE, tag="constexpr uint32_t kTag =\n    1U << 2;\n"):
        return list(runtime_page.violations_of(self.tree({
            runtime_page.PAGE: text, runtime_page.STRUCT: header, runtime_page.ROWS: source, "src/a.cc": tag})))

    def test_a_page_like_the_sources_passes(self):
        self.assertEqual(self.violations(page(ROWS)), [])

    def test_a_field_without_a_row_is_found(self):
        for name in ROWS:
            self.assert_one(self.violations(page({field: ROWS[field] for field in ROWS if field != name})), "no row", name)

    def test_a_row_without_a_field_is_found(self):
        self.assert_one(self.violations(page({**ROWS, "gone": "1"})), "lacks the field gone")

    def test_two_rows_of_a_field_are_found(self):
        text = page(ROWS).replace("| `form` |", "| `form` | kOld; 13: kNew | again |\n| `form` |")
        self.assert_one(self.violations(text), "two rows for form")

    def test_another_value_is_found(self):
        for name, value in ROWS.items():
            self.assert_one(self.violations(page({**ROWS, name: "8"})), f"{name} is 8", value)

    def test_a_field_that_no_row_of_the_source_sets_is_found(self):
        header = HEADER.replace("  CodeForm form;", "  CodeForm form;\n  uint8_t other;")
        self.assert_one(self.violations(page({**ROWS, "other": "1"}), header=header), "sets no other")

    def test_an_expression_that_is_not_understood_is_an_error(self):
        with self.assertRaises(ValueError):
            self.violations(page(ROWS), source=SOURCE.replace("kWords * p", "Words(p)"))

    def test_sources_that_are_not_understood_are_a_violation(self):
        found = self.violations(page(ROWS), header="struct Other {};\n")
        self.assertIn("no longer understands", found[0])

    def test_a_constant_is_compared(self):
        for tag in ("constexpr uint32_t kTag = 8;", "constexpr uint32_t kTags = 1U << 2;"):
            self.assert_one(self.violations(page(ROWS), tag=tag), "kTag")
        self.assert_one(self.violations(page(ROWS, CONSTANT.replace("src/a.cc", "src/b.cc"))), "has no constant kTag")
        self.assert_one(self.violations(page(ROWS, "")), "names no other constants")

    def test_a_constant_of_each_cpu_is_compared(self):
        files = {f"arch/{cpu}/a.h": f"constexpr uint32_t kTag[2] = {{{bytes_}}};"
                 for cpu, bytes_ in (("aarch64", 1), ("arm", 2), ("x86", 2), ("x86_64", 2))}
        constant = "| `kTag` | `arch/*/a.h` | `{1} / {2} / {2} / {2}` | the tag |"

        def check(constant):
            return list(runtime_page.violations_of(self.tree({
                runtime_page.PAGE: page(ROWS, constant), runtime_page.STRUCT: HEADER, runtime_page.ROWS: SOURCE, **files})))
        self.assertEqual(check(constant), [])
        self.assert_one(check(constant.replace("{1}", "{2}")), "kTag")


if __name__ == "__main__":
    unittest.main()
