# SPDX-License-Identifier: Apache-2.0
"""Each class and member that the library looks up is there, on each API level whose real classes are published.

Compares the rows of src/art/framework_members.h with class files, and those of the core library with what core_sources.tsv
says of public source text. Keeps docs/reference/framework.md current:

    python3 tests/framework/framework_test.py --write   # writes the page
    python3 tests/framework/framework_test.py --pin     # after rows of new classes: pins the class files, writes the page

The first run fetches about 10 MB for each of the releases in releases.tsv, and keeps the classes in ~/.cache/stillframe.
A level whose classes cannot be had here is named, and the others are checked. Skips where none can be had.
"""

import collections
import concurrent.futures
import dataclasses
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

import core_sources
import releases
import rows as framework_rows

PAGE = framework_rows.ROOT / "docs/reference/framework.md"
THERE, SOURCE, ABSENT, UNKNOWN = "ok", "source", "-", "?"
FETCHES = 4
# The core library, by source text: the artifact has few of its classes.
CORE = "java/"
HEAD = """# The framework that the library reads

The library looks up these classes and members of Android, or expects them. They are the rows of
[framework_members.h](../../src/art/framework_members.h). This page is generated, so do not edit it:

    python3 tests/framework/framework_test.py --write

Each cell was read from the class files of that release. The artifact `org.robolectric:android-all` has them. It lacks
the core library, the classes `java.*`. Their cells were read from [public source text](#source-text-of-the-core-library).

- `ok`: the class files have the class, or the member with this type. The member may come from a super class.
- `source`: the source text declares it so.
- `-`: the release does not have it. The last column says what the library does then.
- `?`: neither class files nor source text were found.

The core library is part of ART, and Android can update ART from API level 31 on. Such a device can have the core
library of a newer release than its own.

A member that is there may be unused: from API level 36 on, `MessageQueue.mMessages` can stay null while messages wait.

The column "hidden API" is the annotation `@UnsupportedAppUsage` of the newest release that is named, from
API level 29 on. With "any target", each application may use the member. With "target N", only applications with a target
SDK up to N may. "hidden" has no annotation. An empty cell means a public member. The library's own threads have no Java
frames, and ART 10 to 14 lets such callers pass. A build with `-DSTILLFRAME_HIDDEN_API=OFF` uses public members alone.

What a dump then lacks was measured for each row, by refusing its look-up in a process of ART 11 and one of ART 14:
[refused_rows.tsv](../../tests/process/refused_rows.tsv).
"""


CORE_HEAD = """
## Source text of the core library

Each row was compared with the declarations in these repositories. [core_sources.tsv](../../tests/framework/core_sources.tsv)
has the file of each row.

| level | repository | commit |
|---|---|---|"""


@dataclasses.dataclass
class Fact:
    """A row on one level."""
    cell: str
    usage: object = None
    is_usage_read: bool = True


def classes_of(rows):
    return sorted({row.owner for row in rows})


def load(rows, is_pinned=True):
    """The releases with their class files, and for those that cannot be had here the reason. Raises Mismatch."""
    def files_of(release):
        try:
            return releases.files_of(release, classes_of(rows), is_pinned)
        except releases.Unavailable as reason:
            return reason

    table = releases.read_table()
    with concurrent.futures.ThreadPoolExecutor(FETCHES) as pool:
        pairs = list(zip(table, pool.map(files_of, table)))
    found, missing = [], []
    for release, files in pairs:
        (missing if isinstance(files, releases.Unavailable) else found).append((release, files))
    return found, missing


def frameworks_of(found):
    """By level."""
    levels = core_sources.read()
    return {release.level: releases.Framework(files, levels.get(release.level)) for release, files in found}


def source_fact_of(row, framework):
    source = framework.sources.get(core_sources.key_of(row))
    if source is None:
        return Fact(UNKNOWN)
    return Fact(SOURCE, source.usage, source.is_usage_read) if source.is_there else Fact(ABSENT)


def fact_of(row, framework):
    found = framework.find(row.owner)
    if found is None:
        return source_fact_of(row, framework) if row.owner.startswith(CORE) else Fact(ABSENT)
    if not row.name:
        return Fact(THERE)
    member = framework.member(row.owner, "Method" in row.kind, "Static" in row.kind, row.name, row.type)
    return Fact(ABSENT) if member is None else Fact(THERE, member.usage)


def violations_of(rows, frameworks):
    """Rows that contradict the classes or the source text of a level."""
    for row in rows:
        wrong = collections.defaultdict(list)
        for level, framework in frameworks.items():
            cell = fact_of(row, framework).cell
            if cell != UNKNOWN and (cell != ABSENT) != row.is_expected(level):
                wrong["is absent" if cell == ABSENT else "is there"].append(level)
        for what, levels in wrong.items():
            yield f"{row.label()} {row.type}: {what} on {', '.join(map(str, levels))}, against its row"


def usage_text(row, facts):
    """`facts`: by level. The annotation on the newest level that has the member, and where it was read."""
    if not row.is_hidden:
        return ""
    levels = [level for level, fact in facts.items() if fact.cell in (THERE, SOURCE)]
    read = [level for level in levels if facts[level].is_usage_read or not row.kind]
    if levels and not read:
        return UNKNOWN
    usage = facts[max(read)].usage if read else None
    if usage is None:
        return "hidden"
    return f"{max(read)}: " + ("any target" if usage.max_target is None else f"target {usage.max_target}")


def page_of(rows, frameworks):
    lines = [HEAD]
    names = [*map(str, frameworks), "hidden API", "for", "without it"]
    section = None
    for row in rows:
        if row.section != section:
            section = row.section
            lines += [f"\n## {section}\n", "| class or member | " + " | ".join(names) + " |",
                      "|---|" + "---|" * len(names)]
        facts = {level: fact_of(row, framework) for level, framework in frameworks.items()}
        what = f"`{row.label()}`" + (f" {framework_rows.KINDS[row.kind]} `{row.type}`" if row.kind else " class")
        cells = [what, *(fact.cell for fact in facts.values()), usage_text(row, facts), row.purpose, row.absence]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append(CORE_HEAD)
    lines += [f"| {level} | {repository} | `{commit}` |"
              for level, repository, commit in core_sources.places_of(core_sources.read())]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


class RowsTest(unittest.TestCase):
    def setUp(self):
        self.rows = framework_rows.read()

    def test_each_row_is_once(self):
        for key in ("cpp_name", None):
            names = [row.cpp_name for row in self.rows if row.cpp_name] if key else \
                [(row.owner, row.kind, row.name, row.type) for row in self.rows]
            self.assertEqual([name for name, count in collections.Counter(names).items() if count > 1], [])

    def test_each_row_is_used(self):
        self.assertEqual(list(framework_rows.unused(self.rows, framework_rows.sources())), [])
        made_up = framework_rows.Row("android/os/NoSuchClass", 26, 0, "", "", "kNoSuchClass")
        self.assertNotEqual(list(framework_rows.unused([made_up], framework_rows.sources())), [])

    def test_each_look_up_has_a_row(self):
        self.assertEqual(list(framework_rows.look_ups_past_rows(framework_rows.sources())), [])
        made_up = {"src/tap/x.cc": 'env->GetFieldID(type, "mField", "I")'}
        self.assertNotEqual(list(framework_rows.look_ups_past_rows(made_up)), [])

    def test_a_row_that_is_not_understood_is_refused(self):
        for text, reason in (('SF_CLASS(kA, "a/A", 26, 0, "x");', "5 arguments"), ('SF_CLASS(kA "a/A");x', "understood"),
                             ('SF_KLASS(kA, "a/A", 26, 0, "x", "y");', "SF_KLASS is not a macro"),
                             ('SF_CLASS(kA, "a/A", now, 0, "x", "y");', "now is not an API level"),
                             ('SF_MEMBER(kA, Kind, "a/A", "a", "I", 26, 0, "x", "y");', "Kind is not a kind"),
                             ('SF_MEMBER(kA, Field, kB, "a", "I", 26, 0, "x", "y");', "the name kB")):
            with self.assertRaisesRegex(ValueError, f"framework_members.h:3: .*{reason}"):
                framework_rows.read(f"// A.\n\n{text}\n")
        with self.assertRaisesRegex(ValueError, "no section"):
            framework_rows.read('SF_CLASS(kA, "a/A", 26, 0, "x", "y");\n')


class CoreSourcesTest(unittest.TestCase):
    LINE = ["30", "java/lang/Thread", "Field", "lock", "Ljava/lang/Object;", "yes", "any", "a/b", "0" * 40, "c/Thread.java"]

    def read(self, *lines, columns=core_sources.COLUMNS):
        return core_sources.read("".join("\t".join(words) + "\n" for words in (columns, *lines)))

    def changed(self, **words):
        return [words.get(column, word) for column, word in zip(core_sources.COLUMNS, self.LINE)]

    def test_each_line_has_a_row(self):
        keys = {core_sources.key_of(row) for row in framework_rows.read()}
        for level, sources in core_sources.read().items():
            self.assertEqual(set(sources) - keys, set(), level)

    def test_a_line_that_is_not_understood_is_refused(self):
        self.assertEqual(list(self.read(self.LINE)), [30])
        for words in ({"api": "O"}, {"class": "android/os/Looper"}, {"kind": "field"}, {"is_there": "maybe"}, {"is_there": ""},
                      {"usage": "all"}, {"repository": "a"}, {"commit": "main"}, {"path": ""}):
            with self.assertRaisesRegex(ValueError, "core_sources.tsv:3: "):
                self.read(self.changed(api="29"), self.changed(**words))
        for lines, reason in (([self.LINE, self.LINE], ":3: .*twice on 30"), ([self.LINE[1:]], ":2: 9 words")):
            with self.assertRaisesRegex(ValueError, reason):
                self.read(*lines)
        for columns in (core_sources.COLUMNS[1:], [*core_sources.COLUMNS[1:], "level"], ["note", *core_sources.COLUMNS]):
            with self.assertRaisesRegex(ValueError, "columns"):
                self.read(self.LINE, columns=columns)

    def cells_and_violations(self, row, *lines):
        frameworks = {level: releases.Framework({}, sources) for level, sources in self.read(*lines).items()}
        return [fact_of(row, framework).cell for framework in frameworks.values()], list(violations_of([row], frameworks))

    def test_source_text_that_contradicts_a_row_is_seen(self):
        row = framework_rows.Row("java/lang/Thread", 30, 0, "", "", "kA", "Field", "lock", "Ljava/lang/Object;")
        old = self.changed(api="29", is_there="no", usage="")
        self.assertEqual(self.cells_and_violations(row, old, self.LINE), (["-", "source"], []))
        self.assertEqual(self.cells_and_violations(row, self.changed(member="lick"))[0], ["?"])
        for lines, what in (([old, self.changed(is_there="no")], "is absent on 30"),
                            ([self.changed(api="29"), self.LINE], "is there on 29")):
            violations = self.cells_and_violations(row, *lines)[1]
            self.assertEqual(len(violations), 1)
            self.assertIn(what, violations[0])
        wrong = dataclasses.replace(row, until=29)
        self.assertEqual(len(self.cells_and_violations(wrong, self.LINE)[1]), 1)

    def test_the_usage_is_of_the_newest_level_that_was_read(self):
        row = framework_rows.Row("java/lang/Thread", 26, 0, "", "", "kA", "Field", "lock", "Ljava/lang/Object;", is_hidden=True)
        for lines, expected in (([], "hidden"), ([self.changed(usage="")], "?"), ([self.changed(usage="none")], "hidden"),
                                ([self.LINE, self.changed(api="31", usage="")], "30: any target"),
                                ([self.LINE, self.changed(api="31", usage="30")], "31: target 30")):
            facts = {level: fact_of(row, releases.Framework({}, sources)) for level, sources in self.read(*lines).items()}
            self.assertEqual(usage_text(row, facts), expected)


class LevelsTest(unittest.TestCase):
    """Some levels, or all, cannot be had."""

    def run_without(self, levels):
        """The result of FrameworkTest, and what it wrote."""
        def files_of(release, *_):
            if release.level in levels:
                raise releases.Unavailable("no registry")
            return {"android/os/Looper": b""}

        with mock.patch.object(releases, "files_of", files_of), mock.patch.object(sys, "stderr", io.StringIO()) as written:
            result = unittest.TestResult()
            unittest.TestSuite([FrameworkTest("test_the_page_is_current")]).run(result)
        return result, written.getvalue()

    def test_the_other_levels_are_checked(self):
        result, written = self.run_without({28, 37})
        self.assertEqual((result.skipped, result.failures, result.errors), ([], [], []))
        self.assertIn("not checked: API level 28: no registry", written)
        self.assertIn("not checked: API level 37: no registry", written)

    def test_without_any_level_the_test_skips(self):
        result, _ = self.run_without(set(range(26, 100)))
        self.assertEqual(len(result.skipped), 1)
        self.assertIn("no registry", result.skipped[0][1])


class FrameworkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = framework_rows.read()
        cls.found, cls.missing = load(cls.rows)
        if not cls.found:
            raise unittest.SkipTest("; ".join(sorted({str(reason) for _, reason in cls.missing})))
        for release, reason in cls.missing:
            print(f"not checked: API level {release.level}: {reason}", file=sys.stderr, flush=True)
        cls.frameworks = frameworks_of(cls.found)

    def test_each_row_holds_on_each_level(self):
        self.assertEqual(list(violations_of(self.rows, self.frameworks)), [])

    def test_the_page_is_current(self):
        if self.missing:  # the page has all levels, and a skip here would count for the whole test
            print("not checked: the page", file=sys.stderr, flush=True)
            return
        self.assertEqual(PAGE.read_text(encoding="utf-8"), page_of(self.rows, self.frameworks),
                         "run: python3 tests/framework/framework_test.py --write")

    def test_wrong_rows_are_seen(self):
        """A member that was renamed, has another type, is static or not, or is on too few levels."""
        first, last = min(self.frameworks), max(self.frameworks)
        right = next(row for row in self.rows if row.cpp_name == "kQueueMessages")
        for change in ({"name": "mMessagez"}, {"type": "I"}, {"kind": "StaticField"}, {"kind": "Method"},
                       {"owner": "android/os/Looper"}, {"since": first + 1}, {"until": last - 1}):
            row = dataclasses.replace(right, **change)
            self.assertNotEqual(list(violations_of([row], self.frameworks)), [], change)

    def test_annotations_are_read(self):
        row = next(row for row in self.rows if row.cpp_name == "kQueueMessages")
        for level, framework in self.frameworks.items():
            self.assertEqual(fact_of(row, framework).usage is None, level < 29, level)

    def test_other_classes_than_the_pinned_ones_are_refused(self):
        release, files = self.found[0][0], dict(self.found[0][1])
        files["android/os/Looper"] += b"\0"
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}), \
                mock.patch.object(releases, "_fetch", return_value=files):
            with self.assertRaises(releases.Mismatch):
                releases.files_of(release, classes_of(self.rows))
            self.assertFalse(releases.cache_folder(release.version).exists())

    def test_a_damaged_cache_is_fetched_again(self):
        release, files = self.found[0]
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}), \
                mock.patch.object(releases, "_fetch", return_value=files) as fetch:
            releases.files_of(release, classes_of(self.rows))
            (releases.cache_folder(release.version) / "android/os/Looper.class").write_bytes(b"")
            self.assertEqual(releases.files_of(release, classes_of(self.rows)), files)
            self.assertEqual(releases.files_of(release, classes_of(self.rows)), files)
            self.assertEqual(fetch.call_count, 2)


def write(is_pinned):
    rows = framework_rows.read()
    found, missing = load(rows, is_pinned)
    if missing:
        sys.exit("\n".join(f"API level {release.level}: {reason}" for release, reason in missing))
    if not is_pinned:
        for release, files in found:
            release.sha256 = releases.digest(files)
        releases.write_table([release for release, _ in found])
    frameworks = frameworks_of(found)
    PAGE.write_text(page_of(rows, frameworks), encoding="utf-8")
    print("\n".join(violations_of(rows, frameworks)))


if __name__ == "__main__":
    if sys.argv[1:] in (["--write"], ["--pin"]):
        write(is_pinned=sys.argv[1] == "--write")
    else:
        unittest.main()
