# SPDX-License-Identifier: Apache-2.0
"""Each function that a header offers is used by the product, not by tests alone.

A use is the function's name in a file that sees the header, through others too, outside of functions or in one that is
itself in use; in a template also where the header comes before it in some .cc only. A variable or parameter of that
name is no use, nor is what comes after it in its function. Functions of one name in one file's sight stand for each
other: what overloads another is not told apart.
"""

import bisect
import collections

import cpp_source
import repository

OFFERED = ("src", "arch", "tools/stillframe")
USING = ("src", "arch", "include", "tools/stillframe")
# Kept for a test that needs what only the product knows: (header, function): why.
HOOKS = {}
# Called by the language.
CALLED_BY_LANGUAGE = {"operator", "main", "begin", "end"}
# Behind the name of a variable; in front of a name that is no variable's.
ENDS_NAME = {"=", ";", ",", ")", "(", "{", "[", ":"}
NO_TYPES = {"return", "else", "case", "throw", "new", "delete", "goto", "do", "not", "and", "or", "if", "while",
            "sizeof", "co_return", "co_yield", "co_await", "typename", "operator", "using", "namespace", "class",
            "struct", "enum"}


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


def closes_template(tokens, place):
    """Whether the ">" there closes template arguments, and compares nothing."""
    depth = 0
    while place > 0 and tokens[place] not in (";", "{", "}", "=", "(", ")"):
        depth += (tokens[place] == ">") - (tokens[place] == "<")
        if depth == 0:
            return True
        place -= 1
    return False


def is_declared(tokens, place):
    """Whether a variable or parameter begins there, as far as a type in front of the name shows it."""
    if tokens[place + 1] not in ENDS_NAME:
        return False
    before = place - 1
    while tokens[before] in ("*", "&"):
        before -= 1
    if before < place - 1 and tokens[place + 1] == "(":
        return False  # a product, or what is behind a pointer
    word = tokens[before]
    if word == ">":
        return closes_template(tokens, before)
    return (word[0].isalpha() or word[0] == "_") and word not in NO_TYPES


class Uses:
    """Where names stand in a file, but for declarations and for what only has the same name."""

    def __init__(self, source):
        self.source = source
        declared = {function.place for function in source.functions}
        self.bodies = sorted((function.place, function.end, function) for function in source.functions
                             if function.is_definition)
        self.begins = [first for first, _, _ in self.bodies]
        self.places = collections.defaultdict(list)
        variables = collections.defaultdict(list)  # name -> (first, end): where it is a variable's
        for place, token in enumerate(source.tokens[:-1]):
            if place in declared or not (token[0].isalpha() or token[0] == "_"):
                continue
            if place > 0 and is_declared(source.tokens, place):
                function = self.around(place)
                variables[token].append((place, function.end if function else place + 1))
            else:
                self.places[token].append(place)
        for name, ranges in variables.items():
            self.places[name] = [place for place in self.places[name]
                                 if source.tokens[place - 1] in ("::", ".", "->")
                                 or not any(first <= place < end for first, end in ranges)]

    def around(self, place):
        """The function in whose body the place is."""
        at = bisect.bisect_right(self.begins, place) - 1
        return self.bodies[at][2] if at >= 0 and place < self.bodies[at][1] else None

    def of(self, function):
        """The places that may use this function."""
        is_member = function.scope and "static" not in function.head
        for place in self.places.get(function.name, ()):
            before, after = self.source.tokens[place - 1], self.source.tokens[place + 1]
            if is_member and after not in ("(", "<") and before != "::":
                continue  # a data member may have the name
            if not function.scope and before in (".", "->"):
                continue  # somebody else's member
            yield place


def templates(source):
    return [(function.place, function.end) for function in source.functions if function.is_template]


class Graph:
    """Which function uses which. Nodes: (path, scope, name), of a header's function with the header's path."""

    def __init__(self, sources):
        self.sources, self.seen = sources, seen_by(sources)
        self.uses = {path: Uses(source) for path, source in sources.items()}
        self.offered = collections.defaultdict(list)  # (scope, name) -> headers
        for path, source in sources.items():
            for function in source.functions if path.suffix == ".h" else ():
                self.offered[function.scope, function.name].append(path)

    def node_of(self, path, function):
        for header in self.offered[function.scope, function.name]:
            if path in self.seen[header]:
                return header, function.scope, function.name
        return path, function.scope, function.name

    def users_of(self, path, function):
        """The nodes in which the function is used; None for a use outside of functions."""
        if path.suffix == ".h":
            yield from self._users_in(self.seen[path], function)
            yield from self._users_in(met_by(path, self.seen), function, templates)
        else:
            yield from self._users_in([path], function)

    def _users_in(self, files, function, only_in=None):
        for path in files:
            within = None if only_in is None else only_in(self.sources[path])
            for place in self.uses[path].of(function):
                if within is None or any(first <= place < end for first, end in within):
                    user = self.uses[path].around(place)
                    yield self.node_of(path, user) if user else None

    def live(self):
        """Nodes that something uses which is itself in use; what the language calls and entries are."""
        users, live = collections.defaultdict(set), set()
        for path, source in self.sources.items():
            for function in source.functions:
                node = self.node_of(path, function)
                found = set(self.users_of(node[0], function)) - {node} if node[0] == path else set()
                for user in found:
                    users[user].add(node)
                # A function of one file that nobody names there is called from outside, or by a name made by a macro.
                is_entry = not found and node[0].suffix != ".h"
                if is_entry or is_called_by_language(function) or node[0].parts[0] == "include":
                    live.add(node)
        rest = [None, *live]
        while rest:
            fresh = users[rest.pop()] - live
            live |= fresh
            rest += fresh
        return live


def is_called_by_language(function):
    return function.is_override or function.name in CALLED_BY_LANGUAGE or function.name in function.scope


def violations_of(tree, hooks=None):
    hooks = HOOKS if hooks is None else hooks
    sources = {path: cpp_source.Source(tree.text(path)) for path in tree.files(".h", ".cc", ".inc", under=USING)}
    live, unused = Graph(sources).live(), set()
    for path in tree.files(".h", under=OFFERED):
        for function in sources[path].functions:
            if (path, function.scope, function.name) in live:
                continue
            unused.add((str(path), function.name))
            if (str(path), function.name) not in hooks:
                name = "::".join((*function.scope, function.name))
                yield f"{path}:{function.line}: nothing of the product uses {name}"
    for path, name in sorted(hooks.keys() - unused):
        yield f"{path}: {name} is listed as a hook of tests, but is used or gone"


def main():
    tree = repository.Tree()
    repository.finish("unused_functions", len(tree.files(".h", under=OFFERED)), list(violations_of(tree)))


if __name__ == "__main__":
    main()
