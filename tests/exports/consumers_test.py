# SPDX-License-Identifier: Apache-2.0
"""Opens exports with the tools that they are made for, and compares counts and weights to the unit."""

import collections
import functools
import itertools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

BUILD = pathlib.Path(os.environ.get("STILLFRAME_BUILD") or sys.exit("set STILLFRAME_BUILD to the build folder"))
TOOL = BUILD / "bin" / "stillframe"
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROTOS = pathlib.Path(__file__).resolve().parent / "protos"
PPROF = BUILD / "packages" / "pprof" / "pprof"
SPEEDSCOPE = BUILD / "packages" / "speedscope" / "node_modules" / "speedscope" / "dist" / "release"
CHROMIUM = shutil.which("chromium")
EMPTY = "[empty stack]"


def unescaped(frame):
    return re.sub("%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), frame)


def text_message(lines):
    """A message in protobuf's text form as {field: [values]}."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            message[line[:-2]].append(text_message(lines))
            continue
        field, value = line.split(": ", 1)
        if value.startswith('"'):
            value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode("utf-8")
        message[field].append(int(value) if re.fullmatch(r"-?\d+", value) else value)
    return message


class Totals:
    """Samples and microseconds, by the name of the innermost frame and in all."""

    def __init__(self):
        self.samples = collections.Counter()
        self.weight_us = collections.Counter()

    def add(self, leaf, samples, weight_us):
        self.samples[leaf] += samples
        self.weight_us[leaf] += weight_us

    def sums(self):
        return sum(self.samples.values()), sum(self.weight_us.values())


class Exports(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="stillframe-exports-"))
        subprocess.run([BUILD / "bin" / "write_samples", cls.folder], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @functools.lru_cache(maxsize=None)
    def export(self, dump, form, *options):
        command = [TOOL, "export", self.folder / f"{dump}.sfdump", "--format", form, *options]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def export_json(self, dump, form):
        return json.loads(self.export(dump, form))

    def decode(self, content, message, proto):
        done = subprocess.run(["protoc", f"--decode={message}", "-I", PROTOS, PROTOS / proto], input=content,
                              capture_output=True, check=True)
        return text_message(iter(done.stdout.decode().splitlines()))

    def expected(self, dump):
        """All fields of the dump, as JSON."""
        document = self.export_json(dump, "json")
        totals = Totals()
        for tree in document["trees"]:
            leaf_of, depth_of = [EMPTY] * len(tree["samples"]), [0] * len(tree["samples"])
            for frame, depth, count, offset in tree["nodes"]:
                entry = document["frames"][frame]
                name = f"[cut: {entry['method']}]" if entry["kind"] == "cut" else \
                    f"{entry['class']}.{entry['method']}".lstrip(".")
                for i in range(offset, offset + count):
                    if depth > depth_of[i]:
                        leaf_of[i], depth_of[i] = name, depth
            for leaf, sample in zip(leaf_of, tree["samples"]):
                totals.add(leaf, 1, sample[1])
        return totals

    def compare(self, dump, totals):
        expected = self.expected(dump)
        self.assertEqual(expected.sums(), totals.sums())
        if dump != "hostile":  # each format cleans its names by its own rules
            self.assertEqual(expected.samples, totals.samples)
            self.assertEqual(expected.weight_us, totals.weight_us)

    def test_collapsed_folds_to_the_same_sums(self):
        for dump in ("anr", "many", "hostile"):
            totals = Totals()
            for options in ((), ("--unit", "us")):
                # Splits as flamegraph.pl does: the last blank ends the stack, and ; separates frames.
                for line in self.export(dump, "collapsed", *options).decode("latin-1").splitlines():
                    stack, count = re.fullmatch(r"(.*) (\d+)", line).groups()
                    leaf = unescaped(stack.split(";")[-1])
                    totals.add(leaf, 0 if options else int(count), int(count) if options else 0)
            self.compare(dump, totals)

    def test_speedscope_has_one_frame_a_method(self):
        frames = self.export_json("anr", "speedscope")["shared"]["frames"]
        multiply = [frame for frame in frames if frame["name"] == "fixture.Decimal.multiply"]
        self.assertEqual([{"name": "fixture.Decimal.multiply", "file": "Decimal.java"}], multiply)
        by_line = json.loads(self.export("anr", "speedscope", "--lines"))["shared"]["frames"]
        lines = [frame["line"] for frame in by_line if frame["name"] == "fixture.Decimal.multiply"]
        self.assertEqual([23, 27], sorted(lines))

    def test_speedscope_has_the_same_totals(self):
        for dump, options in itertools.product(("anr", "many", "hostile"), ((), ("--lines",))):
            profile = json.loads(self.export(dump, "speedscope", *options))
            names = [frame["name"] for frame in profile["shared"]["frames"]]
            totals = Totals()
            for entry in profile["profiles"]:
                self.assertEqual(len(entry["samples"]), len(entry["weights"]))
                self.assertEqual(entry["endValue"], sum(entry["weights"]))
                for stack, weight in zip(entry["samples"], entry["weights"]):
                    totals.add(names[stack[-1]] if stack else EMPTY, 1, weight)
            self.compare(dump, totals)

    def rows_shown(self, url):
        """Own and total time of each method in the sandwich table of the first profile. A starved browser's virtual
        time can run out before the table is filled."""
        rows = []
        for budget_ms in (20_000, 60_000, 180_000):
            page = subprocess.run(
                [CHROMIUM, "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
                 "--disable-background-networking", "--disable-component-update", "--use-gl=angle",
                 "--use-angle=swiftshader", "--enable-unsafe-swiftshader", f"--virtual-time-budget={budget_ms}",
                 f"--user-data-dir={self.folder / 'chromium'}", "--dump-dom", url],
                capture_output=True, timeout=200, check=True).stdout.decode()
            rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page)
            if rows and "Symbol Name" not in rows[-1]:  # more than its head
                break
        return rows

    @unittest.skipUnless(CHROMIUM and SPEEDSCOPE.is_dir(), "needs chromium and speedscope (tools/setup/install-packages)")
    def test_speedscope_renders_it(self):
        site = self.folder / "speedscope"
        shutil.copytree(SPEEDSCOPE, site)
        (site / "anr.json").write_bytes(self.export("anr", "speedscope"))
        handler = functools.partial(QuietHandler, directory=site)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}"
            rows = self.rows_shown(f"{url}/index.html#profileURL={url}/anr.json&view=sandwich")
            server.shutdown()
        shown = [re.sub("<[^>]+>", " ", row) for row in rows]
        profile = self.export_json("anr", "speedscope")
        hottest = profile["profiles"][profile["activeProfileIndex"]]
        own = collections.Counter()
        for stack, weight in zip(hottest["samples"], hottest["weights"]):
            own[stack[-1]] += weight
        frame, weight = own.most_common(1)[0]
        name = profile["shared"]["frames"][frame]["name"]
        self.assertTrue(any(name in row and f"{weight / 1e6:.2f}s" in row for row in shown), (name, weight, shown))

    def test_pprof_decodes_by_the_public_numbers(self):
        for dump in ("anr", "many", "hostile"):
            content = subprocess.run(["gzip", "-dc"], input=self.export(dump, "pprof"), capture_output=True,
                                     check=True).stdout
            profile = self.decode(content, "Profile", "profile.proto")
            texts = profile["string_table"]
            self.assertEqual(texts[0], "")
            self.assertEqual([(texts[t["type"][0]], texts[t["unit"][0]]) for t in profile["sample_type"]],
                             [("samples", "count"), ("wall", "microseconds")])
            functions = {f["id"][0]: texts[f["name"][0]] for f in profile["function"]}
            leaves = {entry["id"][0]: functions[entry["line"][0]["function_id"][0]] for entry in profile["location"]}
            totals = Totals()
            for sample in profile["sample"]:
                leaf = leaves[sample["location_id"][0]] if sample["location_id"] else EMPTY
                totals.add(leaf, *sample["value"])
            self.compare(dump, totals)
            self.assertEqual(profile["duration_nanos"], [sum(totals.weight_us.values()) * 1000])

    @unittest.skipUnless(PPROF.exists(), "needs Go's pprof (tools/setup/install-packages)")
    def test_go_tool_pprof_prints_the_same_totals(self):
        path = self.folder / "anr.pb.gz"
        path.write_bytes(self.export("anr", "pprof"))
        expected = self.expected("anr")
        for index, unit, want in (("samples", "count", expected.samples), ("wall", "us", expected.weight_us)):
            out = subprocess.run([PPROF, "-top", "-nodefraction=0", "-nodecount=10000", f"-sample_index={index}",
                                  f"-unit={unit}", path], capture_output=True, check=True,
                                 env={**os.environ, "PPROF_TMPDIR": str(self.folder)}).stdout.decode()
            rows = re.findall(r"^\s*([\d.]+)(?:us)?\s+[\d.]+%\s+[\d.]+%\s+[\d.]+(?:us)?\s+[\d.]+%\s+(.+)$", out, re.M)
            flat = {name.removesuffix(" (inline)"): round(float(value)) for value, name in rows}
            self.assertEqual({name: value for name, value in flat.items() if value}, dict(want), out)

    def test_perfetto_decodes_by_the_public_numbers(self):
        for dump in ("anr", "many"):
            packets = self.decode(self.export(dump, "perfetto"), "Trace", "perfetto.proto")["packet"]
            names, frames, stacks, tracks = {}, {}, {}, set()
            open_slices, last_ns, begun = collections.Counter(), collections.Counter(), collections.Counter()
            totals, covered_us = Totals(), 0
            for packet in packets:
                for interned in packet["interned_data"]:
                    names |= {s["iid"][0]: s["str"][0] for s in interned["function_names"]}
                    frames |= {f["iid"][0]: f["function_name_id"][0] for f in interned["frames"]}
                    stacks |= {c["iid"][0]: c["frame_ids"] for c in interned["callstacks"]}
                tracks |= {track["uuid"][0] for track in packet["track_descriptor"]}
                for sample in packet["perf_sample"]:
                    stack = stacks[sample["callstack_iid"][0]]
                    leaf = names[frames[stack[-1]]] if stack else EMPTY
                    totals.add(leaf, 1, sample["timebase_count"][0] - covered_us)
                    covered_us = sample["timebase_count"][0]
                for event in packet["track_event"]:
                    self.assertIn(event["track_uuid"][0], tracks)
                    if event["type"][0] == "TYPE_COUNTER":
                        self.assertEqual(len(event["counter_value"]), 1)
                        continue
                    track = event["track_uuid"][0]
                    self.assertGreaterEqual(packet["timestamp"][0], last_ns[track])
                    last_ns[track] = packet["timestamp"][0]
                    is_begin = event["type"][0] == "TYPE_SLICE_BEGIN"
                    begun.update(event["categories"] if is_begin else [])
                    open_slices[track] += 1 if is_begin else -1
                    self.assertGreaterEqual(open_slices[track], 0)
            self.assertFalse(any(open_slices.values()))
            document = self.export_json(dump, "json")
            self.assertEqual(begun["message"], len(document["history"]) + (document["running"] is not None))
            self.assertEqual(begun["section"], self.sections_of(document))
            self.compare(dump, totals)

    def test_firefox_profile_keeps_the_rules_of_its_format(self):
        for dump in ("anr", "many", "hostile"):
            profile = self.export_json(dump, "firefox")
            self.assertEqual(profile["meta"]["preprocessedProfileVersion"], 48)
            categories = profile["meta"]["categories"]
            self.assertIn("grey", [category["color"] for category in categories])
            thread = profile["threads"][0]
            self.assertIsInstance(thread["pid"], str)
            texts = thread["stringArray"]
            self.assertEqual(len(texts), len(set(texts)))
            for table in ("samples", "markers", "stackTable", "frameTable", "funcTable", "resourceTable",
                          "nativeSymbols"):
                for column, values in thread[table].items():
                    if isinstance(values, list):
                        self.assertEqual(len(values), thread[table]["length"], (table, column))
            stacks, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]
            self.in_range(stacks["frame"], frames["length"])
            self.in_range(stacks["category"], len(categories))
            self.in_range(frames["func"], functions["length"])
            self.in_range(functions["name"], len(texts))
            self.in_range([file for file in functions["fileName"] if file is not None], len(texts))
            for row, prefix in enumerate(stacks["prefix"]):
                self.assertTrue(prefix is None or 0 <= prefix < row)
            samples, markers = thread["samples"], thread["markers"]
            self.assertEqual(samples["time"], sorted(samples["time"]))
            self.assertEqual(samples["weightType"], "tracing-ms")
            self.in_range(markers["name"], len(texts))
            self.assertEqual(profile["meta"]["sampleUnits"]["threadCPUDelta"], "µs")
            self.assertTrue(all(a <= b for a, b in zip(markers["startTime"], markers["endTime"])))
            totals = Totals()
            for stack, weight in zip(samples["stack"], samples["weight"]):
                leaf = EMPTY if stack is None else texts[functions["name"][frames["func"][stacks["frame"][stack]]]]
                totals.add(leaf, 1, round(weight * 1000))
            self.compare(dump, totals)

    def sections_of(self, document):
        return len((document["trace_sections"] or {"sections": []})["sections"])

    def in_range(self, values, end):
        self.assertTrue(all(0 <= value < end for value in values))

    def test_json_keeps_its_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema (tools/setup/install-packages)")
        schema = json.loads(subprocess.run([TOOL, "inspect", "--schema"], capture_output=True, check=True).stdout)
        for dump in ("anr", "quiet", "hostile", "many"):
            jsonschema.validate(self.export_json(dump, "json"), schema)
        (self.folder / "stillframe-jank-1.json").write_text(
            '{"cost":900,"count":3,"total_ms":2400,"last_time":1790000000000,"histogram":{"512":3}}')
        tables = json.loads((ROOT / "tools" / "stillframe" / "render" / "tables.schema.json").read_text())
        for verb, inputs, definition, rows in (("top", ["anr", "many", "hostile"], "top", "methods"), ("diff", ["quiet", "anr"], "diff", "methods"),
                                   ("janks", ["stillframe-jank-1"], "rank", "causes")):
            suffix = ".json" if verb == "janks" else ".sfdump"
            command = [TOOL, verb, "--json", *(self.folder / (name + suffix) for name in inputs)]
            document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            jsonschema.validate(document, {**tables, "allOf": [{"$ref": f"#/definitions/{definition}"}]})
            self.assertTrue(document[rows])


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    unittest.main()
