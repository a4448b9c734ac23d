#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `stillframe store` on generated fleets: records a second, bytes, memory, and the time of a rank.

CPU time is the command's own. Limits are those of the project; a row beyond one is marked OVER and fails the run.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/host"))
import clickhouse  # pylint: disable=wrong-import-position

KIB = 1024
GIB = 1 << 30
SESSIONS = 200_000


def measured(command):
    """Seconds, CPU seconds and KiB of the command, and what it prints."""
    started = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"bench: {command} failed with {process.returncode}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, text


class Bench:
    def __init__(self, options):
        self.build = pathlib.Path(options.build)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet", dir=options.folder))
        self.rows = []
        self.is_over = False

    def tool(self, *args):
        return measured([self.build / "bin/stillframe", "store", *args])

    def row(self, name, value, unit, least=None, most=None):
        is_over = (least is not None and value < least) or (most is not None and value > most)
        self.is_over = self.is_over or is_over
        limit = f"at least {least:,}" if least is not None else f"at most {most:,}" if most is not None else ""
        print(f"{name:<44} {value:>14,.3g} {unit:<12} {limit}{'  OVER' if is_over else ''}" if value < 100
              else f"{name:<44} {value:>14,.0f} {unit:<12} {limit}{'  OVER' if is_over else ''}", flush=True)
        self.rows.append({"name": name, "value": value, "unit": unit, "over": is_over})

    def fleet(self, records):
        path = self.folder / f"{records}.tar"
        subprocess.run([self.build / "bin/make_fleet", path, "--records", str(records), "--installs", str(max(records // 30, 50)),
                        "--seed", "1"], check=True, stdout=subprocess.DEVNULL)
        return path

    def sessions(self, archive):
        """One session's file many times, with ids of its own."""
        with tarfile.open(archive) as tar:
            member = next(member for member in tar if "session" in member.name)
            session = json.load(tar.extractfile(member))
        path = self.folder / "sessions.json"
        with open(path, "w", encoding="ascii") as file:
            for number in range(SESSIONS):
                install = f"{number // 4:016x}"
                identity = {**session.get("identity", {}), "install": install, "id": f"{install}-{number}p1"}
                file.write(json.dumps({**session, "identity": identity, "id": f"{install}-{number}p1"}) + "\n")
        return path

    def engine(self, name, store, archive, records, is_gated):
        _, cpu_s, kib, text = self.tool("add", archive, "--to", store)
        count = int(text.split()[1].replace(",", ""))
        self.row(f"{name}: {records:,} records, added", count / cpu_s, "a CPU second", least=4_000 if is_gated else None)
        self.row(f"{name}: {records:,} records, memory of add", kib / KIB, "MiB", most=512)
        first_s, _, kib, first = self.tool("rank", "--in", store, "--by", "version")
        kept_s, _, _, kept = self.tool("rank", "--in", store, "--by", "version")
        if first != kept:
            sys.exit("bench: the kept answer differs")
        self.row(f"{name}: {records:,} records, rank", first_s, "s", most=10)
        self.row(f"{name}: {records:,} records, rank, memory", kib / KIB, "MiB", most=512)
        self.row(f"{name}: {records:,} records, rank, kept", kept_s, "s", most=1)

    def run(self, sizes):
        server = clickhouse.Server() if clickhouse.is_there() else None
        if server is None:
            print("ClickHouse is missing: run tools/setup/install-packages")
        for records in sizes:
            archive = self.fleet(records)
            store = self.folder / f"{records}.db"
            self.engine("SQLite", store, archive, records, True)
            size = store.stat().st_size
            self.row(f"SQLite: {records:,} records, bytes of each", size / records, "bytes")
            if records >= 1_000_000:
                self.row(f"SQLite: {records:,} records, size", size / GIB, "GiB", most=1.5)
            store.unlink()
            if server is not None:
                database = f"fleet_{records}"
                self.engine("ClickHouse", server.url(database), archive, records, False)
                size = int(server.ask(f"SELECT sum(bytes) FROM system.parts WHERE active AND database = '{database}'"))
                self.row(f"ClickHouse: {records:,} records, bytes of each", size / records, "bytes")
                server.ask(f"DROP DATABASE {database}")
            if records != sizes[-1]:
                archive.unlink()
        sessions = self.sessions(archive)
        _, cpu_s, _, _ = self.tool("add", sessions, "--to", self.folder / "sessions.db")
        self.row("SQLite: sessions, added", SESSIONS / cpu_s, "a CPU second", least=20_000)
        if server is not None:
            server.close()
        shutil.rmtree(self.folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True, help="the release build folder")
    parser.add_argument("--output", required=True, help="folder for fleet.json")
    parser.add_argument("--folder", help="where the fleets are made; 10 GB (default: the temporary folder)")
    parser.add_argument("--sizes", default="10000,100000,1000000", help="records of each fleet")
    options = parser.parse_args()
    bench = Bench(options)
    bench.run([int(size) for size in options.sizes.split(",")])
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    (output / "fleet.json").write_text(json.dumps(bench.rows, indent=1) + "\n", encoding="utf-8")
    sys.exit(1 if bench.is_over else 0)


if __name__ == "__main__":
    main()
