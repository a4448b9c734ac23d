# SPDX-License-Identifier: Apache-2.0
"""Reads the Android.bp files of ART's source package: as much of the language as these files use.

Context: write_build.py takes its lists of source files from them.
"""
import re

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|'
                   r'(?P<string>"(?:[^"\\]|\\.)*")|(?P<word>[\w.-]+)|(?P<sign>[{}\[\]:,+=])', re.DOTALL)


def tokens(text):
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"not a blueprint at {text[position:position + 40]!r}")
        position = match.end()
        if match.lastgroup:
            yield match.group()
    yield ""


class Reader:
    def __init__(self, text):
        self._tokens = tokens(text)
        self._next = next(self._tokens)

    def take(self, expected=None):
        token = self._next
        if expected is not None and token != expected:
            raise ValueError(f"{expected!r} expected, not {token!r}")
        self._next = next(self._tokens, "")
        return token

    def value(self):
        result = self.single()
        while self._next == "+":
            self.take()
            result = result + self.single()
        return result

    def single(self):
        token = self.take()
        if token == "{":
            return self.properties("}")
        if token == "[":
            items = []
            while self._next != "]":
                items.append(self.value())
                if self._next == ",":
                    self.take()
            self.take("]")
            return items
        return token[1:-1] if token.startswith('"') else token

    def properties(self, end):
        found = {}
        while self._next != end:
            name = self.take()
            self.take(":")
            found[name] = self.value()
            if self._next == ",":
                self.take()
        self.take(end)
        return found

    def modules(self):
        found = {}
        while self._next:
            kind = self.take()
            if self._next == "=":  # A variable of the file.
                self.take()
                self.value()
                continue
            self.take("{")
            properties = self.properties("}")
            properties["module type"] = kind
            if "name" in properties:
                found[properties["name"]] = properties
        return found


def read_modules(path):
    """The modules of a file by their names, each a dictionary of its properties."""
    with open(path, encoding="utf-8") as file:
        return Reader(file.read()).modules()
