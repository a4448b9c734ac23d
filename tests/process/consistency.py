# SPDX-License-Identifier: Apache-2.0
"""Checks for every verdict: limits of length, and equal figures wherever one is shown."""

import re

LONGEST_HEADLINE = 80
MOST_WORDS = 40
# Phrases of earlier releases, which no text may contain.
FORMER = (
    "of unknown target", "(from the stack)", "had not ended", "the ended message", "which had ended", "has been due for",
    "without a CPU", "nobody", "standing still", "outside messages (the loop's own code", "on a monitor", "input or output",
    "because of", "or inlined into it", "what the main thread did")


def percents(text):
    return [int(number) for number in re.findall(r"(\d+)%", text)]


def faults(document):
    """Describes the first violation in one line; empty: none."""
    verdict = document["verdict"]
    subject, contributors = verdict["subject"], verdict["contributors"]
    headline, sentence, step = verdict["headline"], verdict["sentence"], verdict["next_step"]
    if len(headline) > LONGEST_HEADLINE:
        return f"the headline has {len(headline)} characters"
    for text in (sentence, step):
        if len(text.split(" ")) > MOST_WORDS:
            return f"{len(text.split(' '))} words: {text}"
    if not step.endswith((".", ").")):
        return "the next step is missing"
    texts = [headline, sentence, step, *verdict["evidence"], *(c["text"] for c in contributors)]
    for text in texts:
        for phrase in FORMER:
            if phrase in text:
                return f"'{phrase}' is said: {text}"
    if len(verdict["facts"]) != len(verdict["evidence"]):
        return "evidence and facts are not one list"
    if sum(c["ns"] for c in contributors) != (verdict["window_ns"] if contributors else 0):
        return "the contributors do not add up"
    if any(a["ns"] < b["ns"] for a, b in zip(contributors, contributors[1:])):
        return "the largest contributor is not the first"
    spans = {span["name"]: span for span in verdict["spans"]}
    if spans["subject"]["ns"] > spans["subject"]["base_ns"] and contributors:
        return "the subject has more than all of the time"
    for span in spans.values():
        base = verdict["window_ns"] if span["base"] == "window" else spans["method"]["ns"]
        if span["base_ns"] != base or (span["name"] == "line" and span["ns"] > base):
            return f"a span's base is not what it says: {span}"
    # The sentence's first share is the headline's time, unless shares of callees or holders come first.
    share = re.search(r": (\d+)% of the ", sentence)
    if share and abs(int(share.group(1)) - 100 * spans["subject"]["ns"] / verdict["window_ns"]) > 0.51:
        return f"{share.group(1)} is not the subject's share"
    row = subject["row"]
    if row is None:
        return "" if verdict["kind"] in ("not-enough-data", "nothing-slow", "short-of-memory", "queue-flood") or not contributors else "no row leads"
    if row != 0 and subject["row_reason"] == "first-row":
        return "the headline is not about the first row, and no reason is given"
    lead = contributors[row]
    other = ("method", "blocked", "earlier-messages", "queue-flood", "leaked-barrier")  # tell less or more than one row
    if subject["row_reason"] == "first-row" and verdict["kind"] not in other and lead["ns"] < spans["subject"]["ns"] * 0.9:
        return f"the first row has {lead['ns']} ns, the headline {spans['subject']['ns']}"
    # A method in the headline has the row's time, or its own time, which is less.
    if subject["method"] and verdict["kind"] == "method" and spans["subject"]["ns"] > lead["ns"]:
        return "the method has more than its row"
    return ""
