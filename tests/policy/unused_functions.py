# SPDX-License-Identifier: Apache-2.0
"""Each function that a header offers is used by the product, not by tests alone.

A use is the function's name in a file that sees the header, through others too, beyond the function's own declaration
and body; in a template also where the header comes before it in some .cc only. Functions of one name in one file's
sight stand for each other: what overloads another is not told apart.
"""

import collections

import cpp_source
import repository

OFFERED = ("src", "arch", "tools/stillframe")
USING = ("src", "arch", "include", "tools/stillframe")
# Kept for a test that needs what only the product knows: (header, function): why.
HOOKS = {}
# Called by the language.
CALLED_BY_LANGUAGE = {"operator", "main", "begin", "end"}


def seen_by(sources):
    """Header -> files that include it, through other headers too, and itself."""
    includers = collections.defaultdict(set)
    for path, source in sources.items():
        for included in source.includes:
            includers[included].add(path)
    seen = {}
    for path in sources:
        found, rest = {path}, [path]
        while rest:
            fresh = includers[str(rest.pop())] - found
            found |= fresh
            rest += fresh
        seen[path] = found
    return seen


def met_by(path, seen):
    """Files that are compiled together with a header, but do not see it themselves."""
    together = {header for header in seen if any(other.suffix == ".cc" for other in seen[header] & seen[path])}
    return together - seen[path]


def uses(sources):
    """Path -> name -> places of the name among the file's tokens that are no declaration of a function."""
    found = {}
    for path, source in sources.items():
        declared = {function.place for function in source.functions}
        found[path] = collections.defaultdict(list)
        for place, token in enumerate(source.tokens):
            if place not in declared and (token[0].isalpha() or token[0] == "_"):
                found[path][token].append(place)
    return found


def bodies(source, function):
    """Where the file defines this function: a call of itself is no use."""
    return [(found.place, found.end) for found in source.functions
            if found.name == function.name and found.scope == function.scope and found.is_definition]


def is_called(source, place):
    """Whether the name there is called or, with its class, pointed to: a data member may have it too."""
    return source.tokens[place + 1] in ("(", "<") or source.tokens[place - 1] == "::"


def templates(source):
    return [(function.place, function.end) for function in source.functions if function.is_template]


def is_used(function, files, sources, places, only_in=None):
    """Whether one of the files uses the function; with `only_in`, within the places that it gives for a source."""
    for path in files:
        if not places[path][function.name]:
            continue
        own = bodies(sources[path], function)
        within = [(0, len(sources[path].tokens))] if only_in is None else only_in(sources[path])
        for place in places[path][function.name]:
            if function.scope and "static" not in function.head and not is_called(sources[path], place):
                continue
            is_in = any(first <= place < end for first, end in within)
            if is_in and not any(first <= place < end for first, end in own):
                return True
    return False


def violations_of(tree, hooks=None):
    hooks = HOOKS if hooks is None else hooks
    sources = {path: cpp_source.Source(tree.text(path)) for path in tree.files(".h", ".cc", ".inc", under=USING)}
    seen, places = seen_by(sources), uses(sources)
    unused = set()
    for path in tree.files(".h", under=OFFERED):
        for function in sources[path].functions:
            name = function.name
            if function.is_override or name in CALLED_BY_LANGUAGE or name in function.scope:
                continue
            if is_used(function, seen[path], sources, places):
                continue
            if is_used(function, met_by(path, seen), sources, places, templates):
                continue
            unused.add((str(path), name))
            if (str(path), name) not in hooks:
                yield f"{path}:{function.line}: nothing of the product uses {'::'.join((*function.scope, name))}"
    for path, name in sorted(hooks.keys() - unused):
        yield f"{path}: {name} is listed as a hook of tests, but is used or gone"


def main():
    tree = repository.Tree()
    repository.finish("unused_functions", len(tree.files(".h", under=OFFERED)), list(violations_of(tree)))


if __name__ == "__main__":
    main()
