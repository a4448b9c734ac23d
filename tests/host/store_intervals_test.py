# SPDX-License-Identifier: Apache-2.0
"""95 % intervals of `stillframe store rank` on 100 small generated fleets: they hold the truth in 90 to 99 of them."""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL, MAKE_FLEET = sys.argv[1:3]
del sys.argv[1:3]
FLEETS = 100
SMALL = ("--records", "600", "--installs", "150", "--causes", "20", "--sessions", "2")


def measured(folder, seed):
    """Whether the interval holds the true rate of the costliest and of a rarer cause."""
    archive, truth, store = (folder / f"{seed}.{ending}" for ending in ("tar", "json", "db"))
    subprocess.run([MAKE_FLEET, archive, *SMALL, "--seed", str(seed), "--truth", truth, "--jobs", "1"], check=True, capture_output=True)
    subprocess.run([TOOL, "store", "add", archive, "--to", store], check=True, capture_output=True)
    answer = subprocess.run([TOOL, "store", "rank", "--in", store, "--json", "--rows", "100"], check=True, capture_output=True)
    rows = {row["method"]: row for row in json.loads(answer.stdout)["causes"]}
    causes = json.loads(truth.read_text(encoding="utf-8"))["causes"]
    held = []
    for cause in (causes[0], causes[4]):
        rate = cause["without_loud"]["ms_per_hour"] / 1000
        row = rows.get(cause["method"])
        held.append(row is not None and row["lost_s_per_hour"]["low"] <= rate <= row["lost_s_per_hour"]["high"])
    for path in (archive, truth, store):
        path.unlink()
    return held


class IntervalsTest(unittest.TestCase):
    def test_they_hold_the_truth_as_often_as_they_say(self):
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
            held = list(pool.map(lambda seed: measured(pathlib.Path(folder), seed), range(1, FLEETS + 1)))
        for name, of in (("the costliest cause", [each[0] for each in held]), ("a rarer cause", [each[1] for each in held])):
            print(f"{name}: {sum(of)} of {FLEETS}")
            self.assertTrue(90 <= sum(of) <= 99, f"{name}: {sum(of)} of {FLEETS}")


if __name__ == "__main__":
    unittest.main()
