# SPDX-License-Identifier: Apache-2.0
"""The table build/test/frames.tsv, filled by several tests."""

import os

from process import BUILD

TABLE = os.path.join(BUILD, "test", "frames.tsv")
# Counts of the events by which compiled code appears and disappears.
EVENTS = ("osr", "collections", "deoptimized")
# A guess is a marked frame. It is right if it names the method that ran.
COLUMNS = ("art", "cpu", "kind", "samples", "equal", "truncated", "wrong", "guess_right", "guess_wrong", "ran",
           *EVENTS)


def row(release, cpu, kind, samples, truncated, wrong, ran, guesses=(0, 0), events=None):
    happened = [(events or {}).get(event, "") for event in EVENTS]
    return (release, cpu, kind, samples, samples - truncated - wrong - sum(guesses), truncated, wrong, *guesses, ran,
            *happened)


def replace_rows(is_replaced, rows):
    """Replaces the rows for which is_replaced(cpu, kind) is true."""
    os.makedirs(os.path.dirname(TABLE), exist_ok=True)
    others = []
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as table:
            lines = [tuple(line.rstrip("\n").split("\t")) for line in table]
        others = [line for line in lines[1:] if lines[0] == COLUMNS and not is_replaced(line[1], line[2])]
    with open(TABLE, "w", encoding="utf-8") as table:
        for line in [COLUMNS, *others, *rows]:
            table.write("\t".join(map(str, line)) + "\n")
    for line in [COLUMNS, *rows]:
        print("{:4} {:7} {:44} {:>8} {:>8} {:>9} {:>6} {:>11} {:>11} {:6} {:>5} {:>11} {:>11}".format(*line))
