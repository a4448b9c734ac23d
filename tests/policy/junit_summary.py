# SPDX-License-Identifier: Apache-2.0
"""Adds up CTest's JUnit files: prints what failed, what was skipped and why, and what took longest.

Usage: junit_summary.py [--failed-step TEXT | --passed-step TEXT | --skipped-step TEXT]... [--tests FILE] [--steps FILE]
                        [--times FILE] FILE...
       junit_summary.py --to-run-again FILE...
Each case of a GoogleTest program counts as a test. A missing file, a test whose program is missing, and a program that
ended in the middle of a case count as failures. Where NAME-again.xml lies beside NAME.xml, its tests that passed count as
passed, and are listed with how they failed first. --times writes a table of name, kind and seconds: --tests has the
kinds (build/tests.tsv), --steps has lines of the same form for steps. The last line is "N passed, N failed, N
skipped"; the exit code is 0 only when nothing failed and something passed.
--to-run-again prints the names of the few tests that failed and that other work on the machine may have disturbed, as a
regular expression for ctest.
"""

import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree

SKIPPED_BY_ITSELF = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION")
NAMES_ERROR = re.compile(r"^(\w+\.)*\w*(Error|Exception): |: Failure$|^WRONG ")
# A failed test in the output of node's spec reporter; what is indented further below it says why.
FAILED_SUBTEST = re.compile(r"^( *)✖ (.*?)(?: \([\d.]+ms\))?$")
# These wait or measure, so that other work on the machine can disturb them.
MEASURES = re.compile(r"^(process\.|browser\.|android\.|art\.mode\.|bench\.smoke$)")
MAX_AGAIN = 6  # more failures are not an accident
# The lines of a GoogleTest program.
CASE = re.compile(r"^\[ +(RUN|OK|FAILED|SKIPPED) +\] ([\w/]+\.[\w/]+)", re.MULTILINE)
GOOGLE_TEST = re.compile(r"^\[==========\] ", re.MULTILINE)
MAX_SLOWEST = 15
MAX_LISTED = 60
MAX_SHOWN = 1000  # characters of a line


def reason(case, message):
    """Every reason that the test gives, since one test of CTest may be several of its own."""
    output = (case.findtext("system-out") or "").strip()
    for pattern in (r"^SKIPPED: (.*)$", r"\.\.\. skipped ['\"](.*)['\"]$", r"(?s): Skipped\n(.*?)\n*\[  SKIPPED \]"):
        if found := re.findall(pattern, output, re.MULTILINE):
            return "; ".join(dict.fromkeys(" ".join(each.split()) for each in found))
    return output.splitlines()[-1] if output else message


def failed_subtests(output):
    """A line for each failed test that node's spec reporter names, with its assertion; it names some twice."""
    named = {}
    for number, line in enumerate(output):
        found = FAILED_SUBTEST.match(line)
        why = []
        for below in output[number + 1:] if found else []:
            if below.lstrip().startswith("at ") or below.strip() and not below.startswith(found[1] + "  "):
                break
            why.append(below)
        if "".join(why).strip():  # a test around others says nothing of its own
            named[f"{found[2]}: {' '.join(' '.join(why).split())}"[:MAX_SHOWN]] = True
    return list(named)


def failure_text(case, skipped):
    """The message of a failure: node's failed tests, else the last line with an error, else the last line. If the test
    never ran, CTest's message."""
    output = (case.findtext("system-out") or "").strip().splitlines()
    if subtests := failed_subtests(output):
        return subtests[0] if len(subtests) == 1 else "\n    ".join(["", *subtests])
    output += [line for line in output if NAMES_ERROR.search(line)][-1:]
    failure = case.find("failure") if skipped is None else skipped
    message = failure.get("message") if failure is not None else ""
    return (output[-1][:MAX_SHOWN] if output else message) or "see its output"


def cases_of(name, output):
    """(name, verdict, text) of each case of a GoogleTest program, the last one failed if the program ended in it."""
    verdicts, texts, began = {}, {}, {}
    for line in CASE.finditer(output):
        word, case = line.groups()
        if word == "RUN":
            began[case] = line.end()
            verdicts[case] = "failed"
            texts[case] = "the program ended in this case"
        elif case in began:  # not the list at the end
            verdicts[case] = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}[word]
            said = " ".join(output[began.pop(case):line.start()].split())
            texts[case] = said.split(": Skipped ", 1)[-1][:MAX_SHOWN] if word != "OK" else ""
    for case, verdict in verdicts.items():
        yield f"{name}.{case}", verdict, texts[case]


def tests_of(path):
    """(name, verdict, text, output) of each test of CTest."""
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        output = case.findtext("system-out") or ""
        skipped = case.find("skipped")
        if case.get("status") == "run" and skipped is None and case.find("failure") is None:
            yield case.get("name"), "passed", "", output
        elif skipped is not None and (skipped.get("message") or "").startswith(SKIPPED_BY_ITSELF):
            yield case.get("name"), "skipped", reason(case, skipped.get("message")), output
        elif case.get("status") == "disabled":
            yield case.get("name"), "skipped", "disabled", output
        else:
            yield case.get("name"), "failed", failure_text(case, skipped), output


def results(path):
    """(name, "passed" | "failed" | "skipped", text) of each case."""
    for name, verdict, text, output in tests_of(path):
        cases = list(cases_of(f"{path.stem}: {name}", output)) if GOOGLE_TEST.search(output) else []
        yield from cases
        # A program that fails outside its cases, or runs none, is a failure of its own.
        if not cases or verdict == "failed" and all(case[1] != "failed" for case in cases):
            yield f"{path.stem}: {name}", verdict if verdict != "passed" or not GOOGLE_TEST.search(output) else "failed", text


def to_run_again(paths):
    """A regular expression, or "" when something else failed too, or too much did."""
    failed = [name for path in paths if path.exists() for name, verdict, _, _ in tests_of(path) if verdict == "failed"]
    if len(failed) > MAX_AGAIN or not all(map(MEASURES.match, failed)):
        return ""
    return "|".join(f"^{re.escape(name)}$" for name in failed)


def with_second_run(path):
    """As results(); "again" is what failed first and passed then."""
    second = path.with_name(f"{path.stem}-again.xml")
    passed = {name for name, verdict, _, _ in tests_of(second) if verdict == "passed"} if second.exists() else set()
    for name, verdict, text in results(path):
        yield name, "again" if verdict == "failed" and name.split(": ", 1)[1] in passed else verdict, text


def read_table(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path and path.exists() else []


def write_times(arguments):
    """Writes the table of times, and prints the slowest of it."""
    kinds = {row[0]: row[1] for row in read_table(arguments.tests)}
    times = [(name, kind, float(seconds)) for name, kind, seconds in read_table(arguments.steps)]
    for path in arguments.files:
        if path.exists():
            for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
                times.append((f"{path.stem}: {case.get('name')}", kinds.get(case.get("name"), "other"),
                              float(case.get("time") or 0)))
    times.sort(key=lambda row: -row[2])
    arguments.times.write_text("".join(f"{name}\t{kind}\t{seconds:.1f}\n" for name, kind, seconds in times), encoding="utf-8")
    for title, is_step in (("steps", True), ("tests", False)):
        print(f"slowest {title}, seconds:")
        for name, kind, seconds in [row for row in times if (row[1] == "step") == is_step][:MAX_SLOWEST]:
            print(f"  {seconds:7.1f}  {name}" + ("" if is_step else f"  ({kind})"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--to-run-again", action="store_true")
    for option in ("--tests", "--steps", "--times"):
        parser.add_argument(option, type=pathlib.Path)
    for verdict in ("passed", "failed", "skipped"):
        parser.add_argument(f"--{verdict}-step", action="append", default=[])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.to_run_again:
        print(to_run_again(arguments.files))
        return
    found = [(step, "passed", "") for step in arguments.passed_step]
    found += [(step, "skipped", "see its log") for step in arguments.skipped_step]
    found += [(step, "failed", "see above") for step in arguments.failed_step]
    for path in arguments.files:
        try:
            found += with_second_run(path)
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            found.append((path.stem, "failed", f"no results: {error}"))
    if arguments.times:
        write_times(arguments)
    counts = {}
    for verdict in ("passed", "skipped", "again", "failed"):
        chosen = [(name, text) for name, got, text in found if got == verdict]
        counts[verdict] = len(chosen)
        if verdict != "passed" and chosen:
            print("failed, and passed with the machine to themselves:" if verdict == "again" else f"{verdict}:")
            for name, text in chosen[:MAX_LISTED]:
                print(f"  {name}: {text}")
            if len(chosen) > MAX_LISTED:
                print(f"  and {len(chosen) - MAX_LISTED} more")
    print(f"{counts['passed'] + counts['again']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(0 if counts["failed"] == 0 and counts["passed"] > 0 else 1)


if __name__ == "__main__":
    main()
