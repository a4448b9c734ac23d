# SPDX-License-Identifier: Apache-2.0
"""Adds up CTest's JUnit files and prints what failed and what was skipped and why.

Usage: junit_summary.py [--failed-step TEXT | --passed-step TEXT | --skipped-step TEXT]... FILE...
       junit_summary.py --to-run-again FILE
A missing file and a test whose program is missing count as failures. Where NAME-again.xml lies beside NAME.xml, its
tests that passed count as passed, and are listed with what they said first. The last line is "N passed, N failed, N
skipped"; the exit code is 0 only when nothing failed and something passed.
--to-run-again prints the names of the few measurements that failed, as a regular expression for ctest.
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
# What these wait for takes time that other work on the machine may have taken away.
MEASURES = re.compile(r"^(process\.|browser\.|art\.mode\.|bench\.smoke$)")
MAX_AGAIN = 3  # more of them are no accident
MAX_LISTED = 60
MAX_SHOWN = 300  # characters of a line


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
    """Each failed test of node's; else the last line that names an error, else the last; of one that never ran, what
    CTest says."""
    output = (case.findtext("system-out") or "").strip().splitlines()
    if subtests := failed_subtests(output):
        return subtests[0] if len(subtests) == 1 else "\n    ".join(["", *subtests])
    output += [line for line in output if NAMES_ERROR.search(line)][-1:]
    failure = case.find("failure") if skipped is None else skipped
    message = failure.get("message") if failure is not None else ""
    return (output[-1][:MAX_SHOWN] if output else message) or "see its output"


def results(path):
    """(name, "passed" | "failed" | "skipped", text) of each case."""
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{path.stem}: {case.get('name')}"
        skipped = case.find("skipped")
        if case.get("status") == "run" and skipped is None and case.find("failure") is None:
            yield name, "passed", ""
        elif skipped is not None and (skipped.get("message") or "").startswith(SKIPPED_BY_ITSELF):
            yield name, "skipped", reason(case, skipped.get("message"))
        elif case.get("status") == "disabled":
            yield name, "skipped", "disabled"
        else:
            yield name, "failed", failure_text(case, skipped)


def to_run_again(path):
    """A regular expression, or "" when something else failed too, or too much did, or all."""
    if not path.exists():
        return ""
    failed = [name.split(": ", 1)[1] for name, verdict, _ in results(path) if verdict == "failed"]
    if len(failed) > MAX_AGAIN or not all(map(MEASURES.match, failed)):
        return ""
    return "|".join(f"^{re.escape(name)}$" for name in failed)


def with_second_run(path):
    """As results(); "again" is what failed first and passed then."""
    second = path.with_name(f"{path.stem}-again.xml")
    passed = {case.get("name") for case in xml.etree.ElementTree.parse(second).getroot().iter("testcase")
              if case.get("status") == "run" and case.find("failure") is None} if second.exists() else set()
    for name, verdict, text in results(path):
        yield name, "again" if verdict == "failed" and name.split(": ", 1)[1] in passed else verdict, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--to-run-again", type=pathlib.Path)
    for verdict in ("passed", "failed", "skipped"):
        parser.add_argument(f"--{verdict}-step", action="append", default=[])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.to_run_again:
        print(to_run_again(arguments.to_run_again))
        return
    found = [(step, "passed", "") for step in arguments.passed_step]
    found += [(step, "skipped", "see its log") for step in arguments.skipped_step]
    found += [(step, "failed", "see above") for step in arguments.failed_step]
    for path in arguments.files:
        try:
            found += with_second_run(path)
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            found.append((path.stem, "failed", f"no results: {error}"))
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
