# SPDX-License-Identifier: Apache-2.0
"""Documents are short sentences, and neither they nor comments use the phrases that have to be read twice."""

import re

import repository

MEAN_WORDS, MOST_WORDS = 16, 32
# Name -> pattern, over one comment or paragraph at a time. What a table, code or a quotation says does not count.
PHRASES = {
    "begins with What": r"^(?:What|Who|Whoever)\b(?! (?:is|are|was|were|does|do|did)\b[^.:]*\?)(?![^.]*\?)",
    "begins with Of": r"(?:^|[.:] )Of\b",
    "is no X": r"(?<![Tt]here )\b(?:is|are|was|were|be) no\b(?! (?:longer|more|less|later|earlier|other|such)\b)",
    "nobody": r"\b(?:nobody|no one|whoever|who lives)\b",
    "stands": r"\b(?:stands?|stood)\b(?!-in| (?:for|out)\b)",
    "told": r"\b(?:is|are|was|were|be) told\b|\btold (?:by|from|of)\b|\btells? (?:of|it|them|from)\b",
    "goes on": r"\b(?:hand(?:s|ed)? on|go(?:es)? on|went on)\b",
    "that one": r"\b(?:that one|of those that|of then|theirs|likewise)\b",
    "shell": r"^(?:of them|of it|of these|as all (?:below|here)|the same)\.?$",
    "private word": r"\b(?:doorbell|never twice|from afar|bites?|bitten|deals? out|dealt out|ledger|lies to|a lie|evil)\b",
}
# What an outside name or format calls so.
EXCEPT = re.compile(r"evil[_ -]?(?:method|stack|trace)|Trace_EvilMethod|Evil(?:Method|Stack|Entry|Trace)|`[^`]*`", re.IGNORECASE)
FOLDERS = ("src", "arch", "include", "tools", "bench", "tests", "findings")
CODE = (".cc", ".h", ".java", ".ts", ".tsx", ".mjs", ".py")


def sentences(text):
    """Of a document, without code, tables, headings and quotations."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    kept = [re.sub(r"^(?:[-*]|\d+\.) ", "\n\n", line) for line in text.splitlines()
            if not re.match(r"(?: {4}|\||#|>|!\[)", line)]
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", "\n".join(kept))
    text = re.sub(r"`[^`]*`", "code", text)
    for paragraph in re.split(r"\n\s*\n", text):
        for sentence in re.split(r"(?<=[.!?])[\"*)]*\s+(?=[A-Z\"*(`])", " ".join(paragraph.split())):
            if re.search(r"\w", sentence):
                yield sentence


def length_violations(path, text):
    lengths = [(len(sentence.split()), sentence) for sentence in sentences(text)]
    if not lengths:
        return
    mean = sum(words for words, _ in lengths) / len(lengths)
    if mean > MEAN_WORDS:
        yield f"{path}: {mean:.1f} words in a sentence on average; {MEAN_WORDS} are allowed"
    for words, sentence in lengths:
        if words > MOST_WORDS:
            yield f"{path}: {words} words in one sentence; {MOST_WORDS} are allowed: {sentence[:60]}..."


def comments(path, text):
    """(line, text) of each comment; lines that follow each other are one."""
    if path.suffix == ".py":
        mark = r"^\s*# ?(?!!)(.*)$"
        for found in re.finditer(r'"""(.*?)"""', text, re.DOTALL):
            yield text.count("\n", 0, found.start()) + 1, " ".join(found.group(1).split())
    else:
        mark = r"^\s*(?://|\* |/\*\*? ) ?(.*?)(?:\*/)?$"
    block, first = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        found = re.match(mark, line)
        if found and "SPDX" not in line and found.group(1):
            block, first = [*block, found.group(1)], first if block else number
            continue
        if block:
            yield first, " ".join(block)
        block = []
        aside = re.search(r"\s// (.*)$" if path.suffix != ".py" else r"\s  # (.*)$", line)
        if aside and not found:
            yield number, aside.group(1)


def phrases_of(text):
    text = EXCEPT.sub("code", text)
    return [name for name, pattern in PHRASES.items() for _ in re.findall(pattern, text)]


def places(tree, under):
    """(phrase, path, line, text) of each."""
    for path in tree.files(*CODE, ".md", under=under):
        text = tree.text(path) or ""
        if path.is_relative_to("tests/golden") or path.is_relative_to("docs/reference") or path.name.startswith("prose"):
            continue
        blocks = comments(path, text) if path.suffix != ".md" else ((0, sentence) for sentence in sentences(text))
        for line, block in blocks:
            for phrase in phrases_of(block):
                yield phrase, path, line, block


def violations_of(tree):
    for path in tree.files(".md"):
        if not path.is_relative_to("docs/reference"):
            yield from length_violations(path, tree.text(path) or "")
    for phrase, path, line, text in places(tree, (*FOLDERS, "docs")):
        yield f"{path}:{line}: {phrase}: {text[:80]}"
    for path in tree.files(".md"):
        if len(path.parts) == 1:
            for sentence in sentences(tree.text(path) or ""):
                yield from (f"{path}: {phrase}: {sentence[:80]}" for phrase in phrases_of(sentence))


if __name__ == "__main__":
    whole = repository.Tree()
    repository.finish("prose", len(whole.files(*CODE, ".md")), list(violations_of(whole)))
