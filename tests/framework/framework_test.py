# SPDX-License-Identifier: Apache-2.0
"""Each class and member that the library looks up is there, on each API level whose real classes are published.

Compares the rows of src/art/framework_members.h with class files, and keeps docs/reference/framework.md current:

    python3 tests/framework/framework_test.py --write   # writes the page
    python3 tests/framework/framework_test.py --pin     # after rows of new classes: pins the class files, writes the page

The first run fetches about 10 MB for each of the releases in releases.tsv, and keeps the classes in ~/.cache/stillframe.
Skips where Maven or its registry is not there.
"""

import collections
import concurrent.futures
import dataclasses
import os
import sys
import tempfile
import unittest
from unittest import mock

import releases
import rows as framework_rows

PAGE = framework_rows.ROOT / "docs/reference/framework.md"
THERE, ABSENT, UNKNOWN = "ok", "-", "?"
FETCHES = 4
# The core library: the artifact has few of its classes.
CORE = "java/"
HEAD = """# The framework that the library reads

The library looks up these classes and members of Android, or expects them. They are the rows of
[framework_members.h](../../src/art/framework_members.h). This page is generated, so do not edit it:

    python3 tests/framework/framework_test.py --write

Each cell was read from the class files of that release. The artifact `org.robolectric:android-all` has them.

- `ok`: the release has the class, or the member with this type. The member may come from a super class.
- `-`: the release does not have it. The last column says what the library does then.
- `?`: not known, because the artifact does not have this class of the core library.

A member that is there may be unused: from API level 36 on, `MessageQueue.mMessages` can stay null while messages wait.

The column "hidden API" is the annotation `@UnsupportedAppUsage` of the newest release that is named, from
API level 29 on. With "any target", each application may use the member. With "target N", only applications with a target
SDK up to N may. "hidden" has no annotation. An empty cell means a public member. The library's own threads have no Java
frames, and ART 10 to 14 lets such callers pass. A build with `-DSTILLFRAME_HIDDEN_API=OFF` uses public members alone.

What a dump then lacks was measured for each row, by refusing its look-up in a process of ART 11 and one of ART 14:
[refused_rows.tsv](../../tests/process/refused_rows.tsv).
"""


@dataclasses.dataclass
class Fact:
    """A row on one level."""
    cell: str
    usage: object = None


def classes_of(rows):
    return sorted({row.owner for row in rows})


def load(rows, is_pinned=True):
    """The frameworks by level. Raises Unavailable or Mismatch."""
    table = releases.read_table()
    with concurrent.futures.ThreadPoolExecutor(FETCHES) as pool:
        files = list(pool.map(lambda release: releases.files_of(release, classes_of(rows), is_pinned), table))
    return table, files


def fact_of(row, framework):
    found = framework.find(row.owner)
    if found is None:
        return Fact(UNKNOWN if row.owner.startswith(CORE) else ABSENT)
    if not row.name:
        return Fact(THERE)
    member = framework.member(row.owner, "Method" in row.kind, "Static" in row.kind, row.name, row.type)
    return Fact(ABSENT) if member is None else Fact(THERE, member.usage)


def violations_of(rows, frameworks):
    """Rows that contradict the classes of a level."""
    for row in rows:
        wrong = collections.defaultdict(list)
        for level, framework in frameworks.items():
            cell = fact_of(row, framework).cell
            if cell != UNKNOWN and (cell == THERE) != row.is_expected(level):
                wrong["is there" if cell == THERE else "is absent"].append(level)
        for what, levels in wrong.items():
            yield f"{row.label()} {row.type}: {what} on {', '.join(map(str, levels))}, against its row"


def usage_text(row, facts):
    """`facts`: by level. The annotation on the newest level that has the member."""
    if not row.is_hidden:
        return ""
    level, fact = max(((level, fact) for level, fact in facts.items() if fact.cell == THERE), default=(0, None),
                      key=lambda pair: pair[0])
    if fact is None or fact.usage is None:
        return "hidden"
    return f"{level}: " + ("any target" if fact.usage.max_target is None else f"target {fact.usage.max_target}")


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


class FrameworkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = framework_rows.read()
        try:
            cls.table, cls.files = load(cls.rows)
        except releases.Unavailable as reason:
            raise unittest.SkipTest(str(reason)) from None
        cls.frameworks = {release.level: releases.Framework(files) for release, files in zip(cls.table, cls.files)}

    def test_each_row_holds_on_each_level(self):
        self.assertEqual(list(violations_of(self.rows, self.frameworks)), [])

    def test_the_page_is_current(self):
        self.assertEqual(PAGE.read_text(encoding="utf-8"), page_of(self.rows, self.frameworks),
                         "run: python3 tests/framework/framework_test.py --write")

    def test_wrong_rows_are_seen(self):
        """A member that was renamed, has another type, is static or not, or is on too few levels."""
        right = next(row for row in self.rows if row.cpp_name == "kQueueMessages")
        for change in ({"name": "mMessagez"}, {"type": "I"}, {"kind": "StaticField"}, {"kind": "Method"},
                       {"owner": "android/os/Looper"}, {"since": 27}, {"until": 36}):
            row = dataclasses.replace(right, **change)
            self.assertNotEqual(list(violations_of([row], self.frameworks)), [], change)

    def test_annotations_are_read(self):
        row = next(row for row in self.rows if row.cpp_name == "kQueueMessages")
        self.assertIsNotNone(fact_of(row, self.frameworks[30]).usage)

    def test_other_classes_than_the_pinned_ones_are_refused(self):
        release, files = self.table[0], dict(self.files[0])
        files["android/os/Looper"] += b"\0"
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}), \
                mock.patch.object(releases, "_fetch", return_value=files):
            with self.assertRaises(releases.Mismatch):
                releases.files_of(release, classes_of(self.rows))
            self.assertFalse(releases.cache_folder(release.version).exists())

    def test_a_damaged_cache_is_fetched_again(self):
        release, files = self.table[0], self.files[0]
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"XDG_CACHE_HOME": cache}), \
                mock.patch.object(releases, "_fetch", return_value=files) as fetch:
            releases.files_of(release, classes_of(self.rows))
            (releases.cache_folder(release.version) / "android/os/Looper.class").write_bytes(b"")
            self.assertEqual(releases.files_of(release, classes_of(self.rows)), files)
            self.assertEqual(releases.files_of(release, classes_of(self.rows)), files)
            self.assertEqual(fetch.call_count, 2)


def write(is_pinned):
    rows = framework_rows.read()
    table, files = load(rows, is_pinned)
    if not is_pinned:
        for release, its_files in zip(table, files):
            release.sha256 = releases.digest(its_files)
        releases.write_table(table)
    frameworks = {release.level: releases.Framework(its_files) for release, its_files in zip(table, files)}
    PAGE.write_text(page_of(rows, frameworks), encoding="utf-8")
    print("\n".join(violations_of(rows, frameworks)))


if __name__ == "__main__":
    if sys.argv[1:] in (["--write"], ["--pin"]):
        write(is_pinned=sys.argv[1] == "--write")
    else:
        unittest.main()
