# SPDX-License-Identifier: Apache-2.0
"""junit_summary.py says of each kind of test what failed in it."""

import pathlib
import tempfile
import unittest
import xml.sax.saxutils

import junit_summary

NODE = """▶ the report page
  ✔ shows the tree (4.1ms)
  ✖ counts (two) boxes (1.31ms)
    AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

    1 !== 2

        at TestContext.<anonymous> (file:///page_test.mjs:4:82)
        at Test.run (node:internal/test_runner/test:796:25) {
      code: 'ERR_ASSERTION',
    }

✖ the report page (55.9ms)
ℹ fail 1

✖ failing tests:

test at page_test.mjs:4:36
✖ counts (two) boxes (1.31ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  1 !== 2

      at TestContext.<anonymous> (file:///page_test.mjs:4:82)
      at Test.run (node:internal/test_runner/test:796:25) {
    code: 'ERR_ASSERTION',
  }
"""
NODE_WITHOUT_BROWSER = """▶ the report page
  ✖ counts boxes
    'test did not finish before its parent and was cancelled'

✖ the report page (5.2ms)

  Error: no browser
      at SuiteContext.<anonymous> (file:///page_test.mjs:3:51)
"""
PYTHON = """Traceback (most recent call last):
  File "frames_test.py", line 3, in test_stacks
AssertionError: 1 != 2

FAILED (failures=1)
"""


class JunitSummaryTest(unittest.TestCase):
    def results(self, output, status="fail", inner='<failure message=""/>'):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "release.xml")
            text = xml.sax.saxutils.escape(output)
            path.write_text(f'<testsuite><testcase name="a.test" status="{status}">{inner}'
                            f"<system-out>{text}</system-out></testcase></testsuite>", encoding="utf-8")
            return list(junit_summary.results(path))

    def failure(self, output):
        (name, verdict, text), = self.results(output)
        self.assertEqual((name, verdict), ("release: a.test", "failed"))
        return text

    def test_a_failed_test_of_node_is_named_once_with_its_assertion(self):
        self.assertEqual(self.failure(NODE), "counts (two) boxes: AssertionError [ERR_ASSERTION]: Expected values to be"
                                             " strictly equal: 1 !== 2")

    def test_all_failed_tests_of_node_are_named(self):
        self.assertEqual(self.failure(NODE_WITHOUT_BROWSER).split("\n    "), [
            "", "counts boxes: 'test did not finish before its parent and was cancelled'",
            "the report page: Error: no browser"])

    def test_a_failed_test_of_python_is_told_by_its_last_error(self):
        self.assertEqual(self.failure(PYTHON), "AssertionError: 1 != 2")

    def test_a_failure_without_an_error_is_told_by_its_last_line(self):
        self.assertEqual(self.failure("one\ntwo\n"), "two")

    def test_a_skipped_test_gives_its_reason(self):
        skipped = '<skipped message="SKIP_RETURN_CODE=77"/>'
        self.assertEqual(self.results("SKIPPED: no ART here\n", "notrun", skipped),
                         [("release: a.test", "skipped", "no ART here")])

    def test_each_reason_of_several_is_given(self):
        skipped = '<skipped message="SKIP_REGULAR_EXPRESSION"/>'
        output = "test_a (T) ... skipped 'no CPU'\ntest_b (T) ... skipped 'no CPU'\ntest_c (T) ... skipped 'no mount'\n"
        self.assertEqual(self.results(output, "notrun", skipped), [("release: a.test", "skipped", "no CPU; no mount")])

    def write(self, folder, name, cases):
        text = "".join(f'<testcase name="{case}" status="{status}">{"<failure/>" if status == "fail" else ""}</testcase>'
                       for case, status in cases.items())
        path = pathlib.Path(folder, name)
        path.write_text(f"<testsuite>{text}</testsuite>", encoding="utf-8")
        return path

    def test_a_few_failed_measurements_run_again_and_nothing_else_does(self):
        with tempfile.TemporaryDirectory() as folder:
            def again(*failed):
                cases = dict.fromkeys(failed, "fail") | {"process.rest": "run"}
                return junit_summary.to_run_again([self.write(folder, "release.xml", cases),
                                                   self.write(folder, "measures.xml", {"process.sleepers": "run"})])
            self.assertEqual(again(), "")
            self.assertEqual(again("process.live", "bench.smoke"), r"^process\.live$|^bench\.smoke$")
            self.assertEqual(again("process.live", "unit.walk.A"), "")
            self.assertEqual(again(*(f"process.{i}" for i in range(junit_summary.MAX_AGAIN + 1))), "")

    def test_what_passed_in_its_second_run_is_told_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.write(folder, "release.xml", {"process.a": "fail", "process.b": "fail", "process.c": "run"})
            self.write(folder, "release-again.xml", {"process.a": "run", "process.b": "fail"})
            self.assertEqual([verdict for _, verdict, _ in junit_summary.with_second_run(path)], ["again", "failed", "passed"])

    def test_the_cases_of_a_google_test_program_count_one_by_one(self):
        output = ("[==========] Running 3 tests from 1 test suite.\n[ RUN      ] A.Good\n[       OK ] A.Good (1 ms)\n"
                  "[ RUN      ] A.Left\na.cc:3: Skipped\nno CPU\n\n[  SKIPPED ] A.Left (0 ms)\n"
                  "[ RUN      ] B/A.Bad/1\na.cc:9: Failure\nis 2\n[  FAILED  ] B/A.Bad/1, where GetParam() = 2 (0 ms)\n"
                  "[==========] 3 tests from 1 test suite ran.\n[  FAILED  ] B/A.Bad/1, where GetParam() = 2\n")
        self.assertEqual(self.results(output), [
            ("release: a.test.A.Good", "passed", ""), ("release: a.test.A.Left", "skipped", "no CPU"),
            ("release: a.test.B/A.Bad/1", "failed", "a.cc:9: Failure is 2")])

    def test_a_google_test_program_that_ends_in_a_case_or_has_none_fails(self):
        self.assertEqual(self.results("[==========] Running 2 tests\n[ RUN      ] A.Crashes\n"),
                         [("release: a.test.A.Crashes", "failed", "the program ended in this case")])
        self.assertEqual(self.results("[==========] Running 0 tests\n", "run", "")[0][1], "failed")
        self.assertEqual([verdict for _, verdict, _ in self.results(
            "[==========] Running 1 test\n[ RUN      ] A.Good\n[       OK ] A.Good (0 ms)\nleak\n")], ["passed", "failed"])

    def test_a_passed_test_says_nothing(self):
        self.assertEqual(self.results("fine\n", "run", ""), [("release: a.test", "passed", "")])


if __name__ == "__main__":
    unittest.main()
