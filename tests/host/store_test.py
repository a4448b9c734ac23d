# SPDX-License-Identifier: Apache-2.0
"""stillframe store, on SQLite and on Debian's ClickHouse: equal answers, kills, bad input, forgetting, and a real fleet."""

import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

TOOL, MAKE_FLEET = sys.argv[1:3]
del sys.argv[1:3]
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import clickhouse  # pylint: disable=wrong-import-position

if not clickhouse.is_there():
    print(f"SKIPPED: {clickhouse.UNPACKED} is missing: run tools/setup/install-packages")
    sys.exit(77)

# The long form has 100.
KILLS = int(os.environ.get("STILLFRAME_STORE_KILLS", "20"))
WITHIN_S = 300
RANKS = (["--json"], ["--by", "version,api,model,memory"], ["--where", "version=1.2", "--json"],
         ["--by", "scene,network,emulator", "--rows", "5"], ["--percent", "model=Pixel 6:10", "--percent", "50", "--json"])
QUERIES = ("SELECT * FROM hangs ORDER BY id", "SELECT * FROM sessions ORDER BY id", "SELECT * FROM signatures ORDER BY signature",
           "SELECT * FROM examples ORDER BY id", "SELECT cause, target FROM decisions ORDER BY cause",
           "SELECT model, count(*), sum(total_ms), avg(total_ms) FROM hangs GROUP BY model ORDER BY model")


def run(*args, code=0, **options):
    done = subprocess.run([TOOL, "store", *map(str, args)], capture_output=True, text=True, timeout=WITHIN_S, **options)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{args}: exit {done.returncode}\n{done.stderr}\n{done.stdout[-2000:]}")
    return done


def fleet(path, *args):
    truth = path.parent / (path.name + ".truth")
    subprocess.run([MAKE_FLEET, path, "--truth", truth, *map(str, args)], check=True, capture_output=True, timeout=WITHIN_S)
    return json.loads(truth.read_text(encoding="utf-8"))


def ranked(store, *args):
    return json.loads(run("rank", "--in", store, "--json", *args).stdout)


def pairs(store, truth):
    """Precision and recall of clusters by pairs of hangs."""
    part_of = {part["part"]: row["cause"] for row in ranked(store, "--rows", 1000000)["causes"] for part in row["parts"]}
    both, by_cluster, by_cause = {}, {}, {}
    for line in run("query", "SELECT id, signature FROM hangs", "--in", store, "--format", "jsonl").stdout.splitlines():
        row = json.loads(line)
        cause = truth["records"][row["id"]]
        cluster = part_of[f"{row['signature'] % (1 << 64):016x}"]
        for counts, key in ((both, (cluster, cause)), (by_cluster, cluster), (by_cause, cause)):
            counts[key] = counts.get(key, 0) + 1
    two = lambda counts: sum(count * (count - 1) // 2 for count in counts.values())
    return two(both) / max(two(by_cluster), 1), two(both) / max(two(by_cause), 1)


class StoreTest(unittest.TestCase):
    number = 0

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="store"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.archive = cls.folder / "fleet.tar"
        cls.truth = fleet(cls.archive, "--records", 3000, "--installs", 120, "--causes", 60, "--seed", 5)

    def new(self):
        StoreTest.number += 1
        return self.folder / f"{StoreTest.number}.db"

    def answers(self, store):
        return [run("rank", "--in", store, *args).stdout for args in RANKS] + \
               [run("query", sql, "--in", store, "--format", form).stdout for sql in QUERIES for form in ("csv", "jsonl")]

    def assert_equal_stores(self, one, other):
        for left, right in zip(self.answers(one), self.answers(other)):
            self.assertEqual(left, right)


class SqliteTest(StoreTest):
    def test_causes_are_found_again_in_all_versions(self):
        # Seeds with a method below the cause that is often slow, callers shared by causes, and inlined methods.
        for seed, records, causes in ((5, 3000, 60), (3, 5000, 20), (16, 10000, 30), (103, 5000, 20)):
            archive, store = self.folder / f"causes{seed}.tar", self.new()
            truth = fleet(archive, "--records", records, "--installs", 500, "--causes", causes, "--seed", seed)
            run("add", archive, "--to", store)
            precision, recall = pairs(store, truth)
            with self.subTest(seed=seed):
                self.assertGreaterEqual(precision, 0.98)
                self.assertGreaterEqual(recall, 0.98)

    def test_a_fleet_without_a_cause_has_none(self):
        archive = self.folder / "none.tar"
        fleet(archive, "--records", 1000, "--installs", 100, "--no-cause")
        store = self.new()
        run("add", archive, "--to", store)
        told = ranked(store, "--rows", 1000000)
        self.assertGreater(told["cause_count"], 0.98 * sum(row["hangs"] > 0 for row in told["causes"]))
        self.assertLess(max(row["installs"] for row in told["causes"]), 5)

    def test_files_in_any_form_and_order_give_the_same_store(self):
        one, other = self.new(), self.new()
        run("add", self.archive, "--to", one)
        with tarfile.open(self.archive) as archive:
            files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        names = sorted(files)
        random.Random(1).shuffle(names)
        loose, lines = self.folder / "loose", self.folder / "lines.json"
        loose.mkdir()
        (loose / ".hidden.json").write_text("{}")
        (loose / "stillframe-install").write_text("1234567890abcdef")
        for name in names[:200]:
            (loose / name).write_bytes(files[name])
        for name in names[200:400]:
            (loose / (name + ".gz")).write_bytes(gzip.compress(files[name]))
        lines.write_bytes(b"\n".join(json.dumps(json.loads(files[name])).encode() for name in names[400:600]) + b"\n")
        packed = self.folder / "rest.tar.gz"
        with tarfile.open(packed, "w:gz") as archive:
            for name in names[600:]:
                path = self.folder / name
                path.write_bytes(files[name])
                archive.add(path, name)
                path.unlink()
        run("add", lines, loose, "--to", other)
        with open(packed, "rb") as file:
            run("add", "-", "--to", other, stdin=file)
        run("add", packed, lines, "--to", other)
        columns = "id, install, session, signature, total_ms, model, facts"
        for sql in (f"SELECT {columns} FROM hangs ORDER BY id", "SELECT id, rated_ms FROM sessions ORDER BY id",
                    "SELECT * FROM signatures ORDER BY signature"):
            self.assertEqual(run("query", sql, "--in", one).stdout, run("query", sql, "--in", other).stdout)
        self.assertEqual(run("rank", "--in", one, "--by", "version").stdout, run("rank", "--in", other, "--by", "version").stdout)

    def test_a_later_revision_replaces_an_earlier_one(self):
        with tarfile.open(self.archive) as archive:
            member = next(member for member in archive if "jank" in member.name)
            record = json.load(archive.extractfile(member))
        store, paths = self.new(), []
        for revision in (3, 1, 2):
            path = self.folder / f"revision{revision}.json"
            path.write_text(json.dumps({**record, "revision": revision, "count": revision, "total_ms": 1000 * revision}))
            paths.append(path)
        run("add", *paths, "--to", store)
        run("add", paths[1], "--to", store)
        self.assertEqual(run("query", "SELECT count, total_ms FROM hangs", "--in", store).stdout, "count,total_ms\n3,3000\n")

    def test_a_hang_in_a_record_and_in_dumps_counts_once(self):
        with tarfile.open(self.archive) as archive:
            member = next(member for member in archive if "jank" in member.name)
            record = archive.extractfile(member).read()
        path, store = self.folder / "one.json", self.new()
        path.write_bytes(record)
        run("add", path, "--to", store)
        before = ranked(store)
        # The record's own dump, with the identity that a process's dumps have, is the same hang.
        dump = self.folder / "one.sfdump"
        subprocess.run([TOOL, "inspect", path, "--json"], check=True, capture_output=True)
        import base64  # pylint: disable=import-outside-toplevel
        dump.write_bytes(base64.b64decode(json.loads(record)["facts"]))
        run("add", dump, dump, "--to", store)
        after = ranked(store)
        self.assertLessEqual(after["hangs"], before["hangs"] + 1)
        run("add", dump, "--to", store)
        self.assertEqual(ranked(store)["hangs"], after["hangs"])

    def test_bad_files_are_complained_about_and_the_others_are_added(self):
        folder, store = self.folder / "bad", self.new()
        folder.mkdir()
        with tarfile.open(self.archive) as archive:
            good = [archive.extractfile(member).read() for member in archive if "jank" in member.name][:6]
        record = json.loads(good[0])
        bad = {"half.json": good[1][:len(good[1]) // 2], "empty.json": b"", "list.json": b"[1,2", "zeros.json": bytes(5000),
               "deep.json": b"[" * 100000, "text.txt": b"hello\n", "cut.tar": b"", "cut.json.gz": gzip.compress(good[2])[:-20],
               "huge.json": b'{"a":"' + b"x" * 2_000_000 + b'"}', "facts.json": json.dumps({**record, "facts": "AAAA", "id": "a-1p1-1"}).encode()}
        for name, content in bad.items():
            (folder / name).write_bytes(content)
        whole = self.archive.read_bytes()
        (folder / "cut.tar").write_bytes(whole[:100_000])
        for number, content in enumerate(good):
            (folder / f"good{number}.json").write_bytes(content)
            (folder / f"again{number}.json").write_bytes(content)
        for name, time_ms in (("old.json", 0), ("new.json", 4_070_908_800_000)):
            (folder / name).write_text(json.dumps({**record, "id": f"clock-1p1-{time_ms}", "first_time": time_ms, "last_time": time_ms}))
        done = run("add", folder, "--to", store, code=1)
        lines = done.stderr.splitlines()
        self.assertTrue(all(line.startswith("stillframe: ") for line in lines), lines)
        for name in bad:
            if name not in ("empty.json",):
                self.assertTrue(any(name in line for line in lines), (name, lines))
        ids = run("query", "SELECT id FROM hangs", "--in", store).stdout
        for content in good:
            self.assertIn(json.loads(content)["id"], ids)
        times = run("query", "SELECT time_ms FROM hangs WHERE id LIKE 'clock%'", "--in", store).stdout
        self.assertEqual(times, "time_ms\n0\n0\n")
        run("check", "--in", store)

    def test_a_store_that_cannot_be_used_is_said_in_one_line(self):
        def complaint(*args):
            done = run(*args, code=1)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            return done.stderr
        store = self.new()
        self.assertIn("is not there", complaint("rank", "--in", store))
        self.assertIn("is a folder", complaint("rank", "--in", self.folder))
        self.assertIn("is a folder", run("add", self.archive, "--to", self.folder, code=1).stderr)
        store.write_text("This is a text, and no database at all. " * 20)
        self.assertIn("is not a store", complaint("rank", "--in", store))
        self.assertIn("is not a store", run("add", self.archive, "--to", store, code=1).stderr)
        other = self.new()
        with sqlite3.connect(other) as database:
            database.execute("CREATE TABLE mine (x)")
        self.assertIn("is not a store", run("add", self.archive, "--to", other, code=1).stderr)
        newer = self.new()
        run("add", self.archive, "--to", newer)
        with sqlite3.connect(newer) as database:
            database.execute("PRAGMA user_version = 99")
        self.assertIn("newer stillframe", complaint("rank", "--in", newer))
        self.assertIn("no ClickHouse answers", complaint("rank", "--in", f"clickhouse://127.0.0.1:{clickhouse.free_port()}/fleet"))
        self.assertIn("expected clickhouse://", complaint("rank", "--in", "clickhouse://127.0.0.1/"))

    def test_a_full_disk_loses_nothing_that_was_committed(self):
        store = self.new()
        run("add", self.archive, "--to", store, code=1, preexec_fn=lambda: __import__("resource").setrlimit(
            __import__("resource").RLIMIT_FSIZE, (2_000_000, 2_000_000)))
        run("add", self.archive, "--to", store)
        whole = self.new()
        run("add", self.archive, "--to", whole)
        self.assert_equal_stores(store, whole)

    def test_a_locked_store_is_waited_for_and_then_said(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        database = sqlite3.connect(store, isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        self.assertIn("locked by another process", run("add", self.archive, "--to", store, code=1).stderr)
        # An answer that cannot be kept is given at once.
        started = time.monotonic()
        run("rank", "--in", store)
        self.assertLess(time.monotonic() - started, 5)
        database.execute("ROLLBACK")
        database.close()
        run("rank", "--in", store)

    def test_an_answer_is_kept_until_the_store_changes(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        first = run("rank", "--in", store).stdout
        self.assertEqual(run("query", "SELECT count(*) AS kept FROM kept", "--in", store).stdout, "kept\n1\n")
        with sqlite3.connect(store) as database:
            database.execute("UPDATE kept SET answer = 'kept'")
        self.assertEqual(run("rank", "--in", store).stdout, "kept")
        run("add", self.archive, "--to", store)
        self.assertEqual(run("rank", "--in", store).stdout, first)

    def test_json_keeps_its_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema (tools/setup/install-packages)")
        store = self.new()
        run("add", self.archive, "--to", store)
        schema = json.loads((pathlib.Path(__file__).parents[2] / "tools/stillframe/render/tables.schema.json").read_text(encoding="utf-8"))
        answer = ranked(store, "--by", "version,scene")
        self.assertTrue(answer["causes"][0]["by"]["scene"])
        shown = json.loads(run("show", answer["causes"][0]["cause"], "--in", store, "--json").stdout)
        for document in (answer, shown):
            jsonschema.validate(document, {**schema, "allOf": [{"$ref": "#/definitions/rank"}]})

    def test_a_fact_of_no_record_is_refused(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        for args in (("--by", "modle"), ("--where", "modle=Pixel 6"), ("--percent", "modle=Pixel 6:50")):
            self.assertIn("modle: no record has this fact", run("rank", "--in", store, *args, code=2).stderr)
        run("rank", "--in", store, "--by", "scene,memory")

    def test_texts_with_several_lines_are_queried_as_text(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        self.assertIn("\n", json.loads(run("query", "SELECT facts FROM hangs ORDER BY id LIMIT 1", "--in", store, "--format", "jsonl").stdout)["facts"])

    def test_no_output_replaces_the_store(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        cause = ranked(store)["causes"][0]["cause"]
        for args in (("rank", "-o", store), ("query", "SELECT 1", "-o", store), ("show", cause, "--svg", store)):
            self.assertIn("is the store itself", run(*args, "--in", store, code=1).stderr)
        run("check", "--in", store)

    def test_records_without_a_dump_are_named_by_their_stack(self):
        store, lines = self.new(), self.folder / "plain.jsonl"
        record = {"tag": "Trace_EvilMethod", "process": "com.shop", "cost": 900, "scene": "", "callback": "com.shop.Pay", "what": 0,
                  "count": 1, "total_ms": 900, "first_time": 1789999000000, "last_time": 1790000000000, "histogram": {"512": 1}}
        with open(lines, "w", encoding="utf-8") as file:
            for number, method in enumerate(("com.shop.A.load", "com.shop.B.save") * 3):
                file.write(json.dumps({**record, "stackKey": "3|", "stack": "0,1,9,900\n1,2,9,880\n2,3,8,850\n", "revision": 1,
                                       "methods": {"1": "com.shop.Pay.run", "2": method, "3": "java.lang.Thread.sleep"},
                                       "id": f"i{number}-1p1-1"}) + "\n")
            file.write(json.dumps({**record, "count": -3, "id": "i9-1p1-1", "revision": 1}, separators=(",", ":")) + "\n")
        self.assertIn("plain.jsonl:7: is a jank record with a missing or wrong field",
                      run("add", lines, "--to", store, code=1).stderr)
        self.assertEqual(sorted((row["method"], row["hangs"]) for row in ranked(store)["causes"]),
                         [("com.shop.A.load", 3), ("com.shop.B.save", 3)])

    def test_lines_are_read_in_any_form(self):
        record = {"tag": "Trace_EvilMethod", "process": "com.shop", "cost": 900, "callback": "com.shop.Pay", "what": 0, "count": 1,
                  "total_ms": 900, "first_time": 1789999000000, "last_time": 1790000000000, "revision": 1}
        lines = [json.dumps({**record, "id": f"i{number}-1p1-1"}, separators=(",", ":")) for number in range(3000)]
        for name, text in (("plain", "\n".join(lines)), ("crlf", "\r\n".join(lines)), ("blank", "\n" + "\n\n".join(lines)),
                           ("mark", "\ufeff" + "\n".join(lines)), ("indented", "  " + "\n  ".join(lines))):
            with self.subTest(name=name):
                store = self.new()
                self.assertGreater(len(text), 1 << 19)
                path = self.folder / f"{name}.jsonl"
                path.write_text(text, encoding="utf-8", newline="")
                run("add", path, "--to", store)
                self.assertEqual(ranked(store)["hangs"], 3000)
        store, path = self.new(), self.folder / "log.jsonl"
        path.write_text("uploaded today:\n" + "\n".join(lines), encoding="utf-8")
        self.assertIn("log.jsonl:1: ", run("add", path, "--to", store, code=1).stderr)
        self.assertEqual(ranked(store)["hangs"], 3000)
        path.write_text("[" + ",\n".join(lines) + "]", encoding="utf-8")
        self.assertIn("is a JSON array", run("add", path, "--to", store, code=1).stderr)
        with open(self.folder / "plain.jsonl", "rb") as file:
            self.assertIn("added 3,000 records", run("add", "-", "--to", self.new(), stdin=file).stdout)

    def test_a_query_may_only_read(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        for sql in ("DELETE FROM hangs", "DROP TABLE hangs", "SELECT 1; DELETE FROM hangs", "nonsense", ""):
            done = run("query", sql, "--in", store, code=1)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertNotEqual(run("query", "SELECT count(*) FROM hangs", "--in", store).stdout.split()[1], "0")

    def test_causes_merged_and_split_by_hand_stay_so(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        first, second, third = (row["cause"] for row in ranked(store)["causes"][:3])
        hangs = {row["cause"]: row["hangs"] for row in ranked(store)["causes"]}
        run("merge", first, second, third, "--in", store)
        run("add", self.archive, "--to", store)
        merged = {row["cause"]: row["hangs"] for row in ranked(store)["causes"]}
        self.assertEqual(merged[first], hangs[first] + hangs[second] + hangs[third])
        self.assertNotIn(second, merged)
        self.assertIn(first, run("show", second, "--in", store).stdout)
        run("split", second, "--in", store)
        split = {row["cause"]: row["hangs"] for row in ranked(store)["causes"]}
        self.assertEqual((split[second], split[first]), (hangs[second], hangs[first] + hangs[third]))
        part = next(row for row in ranked(store)["causes"] if len(row["parts"]) > 1)["parts"][-1]
        run("split", part["part"], "--in", store)
        self.assertEqual(ranked(store, "--rows", 1000)["hangs"], sum(row["hangs"] for row in ranked(store, "--rows", 1000)["causes"]))
        self.assertIn(part["part"], [row["cause"] for row in ranked(store, "--rows", 1000)["causes"]])
        exported = run("query", "SELECT cause, target FROM decisions", "--in", store, "--format", "jsonl").stdout
        self.assertGreaterEqual(len(exported.splitlines()), 4)
        # Groups are merged as wholes.
        one, two, three, four = (row["cause"] for row in ranked(store)["causes"][3:7])
        count = ranked(store)["cause_count"]
        for pair in ((one, two), (three, four), (two, three)):
            run("merge", *pair, "--in", store)
            count -= 1
            self.assertEqual(ranked(store)["cause_count"], count)
        self.assertIn("has no cause 'nothing'", run("merge", first, "nothing", "--in", store, code=1).stderr)

    def test_a_cause_is_shown_with_stacks_and_examples_that_open(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        row = ranked(store)["causes"][0]
        out = self.folder / "shown"
        shown = run("show", row["cause"], "--in", store, "--collapsed", out.with_suffix(".txt"), "--svg", out.with_suffix(".svg"),
                    "--examples", out)
        self.assertIn(row["method"], shown.stdout)
        self.assertIn(row["method"], out.with_suffix(".txt").read_text(encoding="utf-8"))
        self.assertIn("<svg", out.with_suffix(".svg").read_text(encoding="utf-8"))
        examples = list(out.iterdir())
        self.assertEqual(len(examples), 20)
        text = subprocess.run([TOOL, "text", examples[0]], capture_output=True, text=True, check=True).stdout
        self.assertIn("VERDICT", text)
        self.assertIn("has no cause", run("show", "ffffffffffff", "--in", store, code=1).stderr)
        refused = run("show", row["cause"], "--in", store, "--examples", out.with_suffix(".txt") / "within", code=1)
        self.assertEqual(len(refused.stderr.splitlines()), 1, refused.stderr)

    def test_old_records_are_removed_by_the_day_they_were_added(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        with sqlite3.connect(store) as database:
            database.execute("UPDATE hangs SET added_day = added_day - 40 WHERE model LIKE '%1%'")
            old, = database.execute("SELECT count(*) FROM hangs WHERE model LIKE '%1%'").fetchone()
            count, = database.execute("SELECT count(*) FROM hangs").fetchone()
        self.assertGreater(old, 0)
        run("compact", "--in", store, "--keep", 30)
        self.assertEqual(run("query", "SELECT count(*) AS left FROM hangs", "--in", store).stdout, f"left\n{count - old}\n")

    def test_a_store_of_another_version_is_refused(self):
        store = self.new()
        run("add", self.archive, "--to", store)
        for version, said in ((2, "was made by a stillframe before the first release"), (4, "was made by a newer stillframe")):
            with sqlite3.connect(store) as database:
                database.execute(f"PRAGMA user_version = {version}")
            for verb in (("rank", "--in"), ("check", "--in"), ("add", self.archive, "--to")):
                done = subprocess.run([TOOL, "store", *verb, store], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(said, done.stderr)

    def test_kills_lose_nothing_and_count_nothing_twice(self):
        whole = self.new()
        started = time.monotonic()
        run("add", self.archive, "--to", whole)
        lasted = time.monotonic() - started
        store, rng = self.new(), random.Random(3)
        for _ in range(KILLS):
            running = subprocess.Popen([TOOL, "store", "add", self.archive, "--to", store], stdout=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, 1.1 * lasted))
            running.kill()
            running.wait()
        run("add", self.archive, "--to", store)
        self.assert_equal_stores(store, whole)

    def test_a_folder_is_followed(self):
        store, folder = self.new(), self.folder / "watched"
        folder.mkdir()
        with tarfile.open(self.archive) as archive:
            files = [(member.name, archive.extractfile(member).read()) for member in archive if member.isfile()][:60]
        for name, content in files[:20]:
            (folder / name).write_bytes(content)
        watching = subprocess.Popen([TOOL, "store", "add", folder, "--watch", "--to", store], stdout=subprocess.PIPE, text=True)
        self.addCleanup(watching.kill)
        watching.stdout.readline()
        for name, content in files[20:]:
            part = folder / f".{name}.part"
            part.write_bytes(content)
            part.rename(folder / name)
        deadline = time.monotonic() + 60
        count = "SELECT (SELECT count(*) FROM hangs) + (SELECT count(*) FROM sessions) AS all_rows"
        while time.monotonic() < deadline and run("query", count, "--in", store).stdout != "all_rows\n60\n":
            time.sleep(0.2)
        watching.send_signal(signal.SIGTERM)
        self.assertEqual(watching.wait(WITHIN_S), 0)
        self.assertEqual(run("query", count, "--in", store).stdout, "all_rows\n60\n")


class ForgettingTest(StoreTest):
    def check_forgetting(self, store):
        run("add", self.archive, "--to", store)
        install = json.loads(json.dumps(self.truth))["loud_install"]
        before = ranked(store)
        run("forget", "--install", install, "--in", store)
        after = ranked(store)
        self.assertLess(after["hangs"], before["hangs"])
        self.assertEqual(after["installs"], before["installs"] - 1)
        self.assertIn("left out", run("add", self.archive, "--to", store).stdout)
        self.assertEqual(ranked(store), after)
        self.assertNotIn(install, run("query", "SELECT id FROM hangs", "--in", store).stdout)
        self.assertNotIn(install, run("query", "SELECT id FROM examples", "--in", store).stdout)

    def test_an_install_is_forgotten_for_good(self):
        store = self.new()
        self.check_forgetting(store)
        run("compact", "--in", store)
        install = self.truth["loud_install"].encode()
        self.assertNotIn(install, store.read_bytes())

    def test_and_so_in_clickhouse(self):
        server = clickhouse.Server()
        self.addCleanup(server.close)
        self.check_forgetting(server.url("forgetting"))


class ClickHouseTest(StoreTest):
    def setUp(self):
        self.server = clickhouse.Server()
        self.addCleanup(self.server.close)

    def test_both_engines_give_equal_bytes(self):
        one, other = self.new(), self.server.url("fleet")
        self.assertEqual(run("add", self.archive, "--to", one).stdout, run("add", self.archive, "--to", other).stdout)
        self.assert_equal_stores(one, other)
        cause = ranked(one)["causes"][0]["cause"]
        self.assertEqual(run("show", cause, "--in", one, "--by", "version").stdout, run("show", cause, "--in", other, "--by", "version").stdout)
        second = ranked(one)["causes"][1]["cause"]
        for store in (one, other):
            run("merge", cause, second, "--in", store)
            run("compact", "--in", store)
        self.assertEqual(run("check", "--in", one).stdout, run("check", "--in", other).stdout)
        self.assertEqual(run("rank", "--in", one).stdout, run("rank", "--in", other).stdout)

    def test_kills_lose_nothing_and_count_nothing_twice(self):
        whole = self.new()
        run("add", self.archive, "--to", whole)
        started = time.monotonic()
        run("add", self.archive, "--to", self.server.url("first"))
        lasted = time.monotonic() - started
        store, rng = self.server.url("killed"), random.Random(4)
        for _ in range(KILLS):
            running = subprocess.Popen([TOOL, "store", "add", self.archive, "--to", store], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, 1.1 * lasted))
            running.kill()
            running.wait()
        run("add", self.archive, "--to", store)
        self.assert_equal_stores(store, whole)

    def test_a_server_that_restarts_is_waited_for(self):
        store = self.server.url("restarted")
        running = subprocess.Popen([TOOL, "store", "add", self.archive, "--to", store], stdout=subprocess.PIPE, text=True)
        self.addCleanup(running.kill)
        time.sleep(0.5)
        self.server.stop()
        time.sleep(1)
        self.server.start()
        running.communicate(timeout=WITHIN_S)
        self.assertIn(running.returncode, (0, 1))
        run("add", self.archive, "--to", store)
        whole = self.new()
        run("add", self.archive, "--to", whole)
        self.assert_equal_stores(store, whole)

    def test_a_refusal_is_said_in_one_line(self):
        store = self.server.url("refused")
        run("add", self.archive, "--to", store)
        for args in (("query", "SELECT nothing FROM hangs"), ("query", "DROP TABLE hangs_all"), ("query", "INSERT INTO hangs_all VALUES (1)")):
            done = run(*args, "--in", store, code=1)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("ClickHouse refuses", done.stderr)


if __name__ == "__main__":
    unittest.main()
