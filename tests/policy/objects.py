# SPDX-License-Identifier: Apache-2.0
"""No object is reached through another, and the collector's parts refer to each other in one direction only.

An accessor returns a value, plain data (a struct), or a dump's data, never a part with functions of its own. The
composition root, src/collector/collector.h, passes each part to those that need it.
"""

import re

import repository

CHECKED = ("src", "tools/stillframe", "include", "arch")
CLASS = re.compile(r"^\s*class (\w+)(?: final)?(?: : [^{;]*)? ?\{", re.MULTILINE)
ACCESSOR = re.compile(r"^\s*(?:static |virtual )*(?:const )?((?:\w+::)*)([A-Z]\w*)(?:<[^;(]*>)? ?[&*] ?([a-z]\w*)\(\)",
                      re.MULTILINE)
# Data of a dump, as the device writes it and as the host tool prepares it, with functions that read it.
SHARED = ("src/model/", "tools/stillframe/index/")


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def headers(tree):
    return {str(path): without_comments(tree.text(path)) for path in tree.files(".h", under=CHECKED)}


def accessor_violations(texts):
    classes = {name for path, text in texts.items() if not path.startswith(SHARED) for name in CLASS.findall(text)}
    for path, text in texts.items():
        for namespace, name, function in ACCESSOR.findall(text):
            if name in classes and namespace != "model::" and not path.startswith(SHARED):
                yield f"{path}: {function}() hands out a {name}: whoever needs it is to be given it"


def pointed_at(text, classes):
    return {name for name in re.findall(r"\b(\w+)(?:>)? ?[&*] ?\w+_?(?:;| = )", text) if name in classes}


def circle_violations(texts, folder="src/collector/"):
    parts = {path: set(CLASS.findall(text)) for path, text in texts.items() if path.startswith(folder)}
    classes = set().union(*parts.values()) if parts else set()
    uses = {name: pointed_at(texts[path], classes) - own for path, own in parts.items() for name in own}

    def reaches(start, goal, seen):
        for used in uses.get(start, ()):
            if used == goal or (used not in seen and reaches(used, goal, seen | {used})):
                return True
        return False

    for name in sorted(classes):
        if reaches(name, name, {name}):
            yield f"{folder}: {name} points at itself through other parts"
    for path in parts:
        for name in re.findall(r"^class (\w+);", texts[path], re.MULTILINE):
            yield f"{path}: declares {name} without its header, which hides a circle"


def violations_of(tree):
    texts = headers(tree)
    yield from accessor_violations(texts)
    yield from circle_violations(texts)


if __name__ == "__main__":
    whole = repository.Tree()
    repository.finish("objects", len(headers(whole)), list(violations_of(whole)))
