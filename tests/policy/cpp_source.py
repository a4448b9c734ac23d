# SPDX-License-Identifier: Apache-2.0
"""What a C++ file declares, as far as policies ask: tokens, functions, classes and their data members.

Reads text as this repository's clang-format leaves it, not all of C++: no preprocessor runs, so the branches of an
#if are all there but for "#if 0", and a macro is a word like any other.
"""

import bisect
import dataclasses
import re

_LEXEMES = re.compile(
    r"""(?P<dropped>//[^\n]*|/\*.*?\*/
                    |^[ \t]*\#[ \t]*(?:include|pragma|if|ifdef|ifndef|elif|else|endif|error)\b(?:\\\n|[^\n])*)
      |(?P<text>R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      |(?P<number>\d[\w'.]*)
      |(?P<word>[A-Za-z_]\w*)
      |(?P<sign>::|->|[^\s\w])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)
_CLASS_WORDS = ("class", "struct", "union")
_NOT_FUNCTIONS = {"alignas", "decltype", "noexcept", "static_assert", "__attribute__", "defined", "sizeof", "requires",
                  "if", "for", "while", "switch", "return", "catch", "new", "asm"}
_OPENS, _CLOSES = {"(", "{", "["}, {")", "}", "]"}


def _without_disabled(text):
    """The text with what "#if 0" leaves out blank, line for line."""
    kept, stack = [], []  # of each #if around: whether it is a "#if 0", and whether its branch is left out
    for line in text.split("\n"):
        word = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*(\w*)", line)
        if word and word[1] in ("if", "ifdef", "ifndef"):
            is_never = word[1] == "if" and word[2] in ("0", "false")
            stack.append((is_never, is_never))
        elif word and stack:
            is_never, _ = stack.pop()
            if word[1] != "endif":
                stack.append((is_never, is_never and word[1] == "elif" and word[2] in ("0", "false")))
        kept.append("" if any(is_out for _, is_out in stack) else line)
    return "\n".join(kept)


@dataclasses.dataclass
class Function:
    name: str
    scope: tuple  # names of its classes; namespaces are left out
    place: int  # of its name among the file's tokens
    line: int
    end: int  # one past its last token; a body is included
    is_definition: bool
    head: tuple  # tokens up to the parameters, its name left out
    is_override: bool = False
    is_template: bool = False


@dataclasses.dataclass
class Member:
    name: str
    type: tuple  # tokens
    fields: list | None = None  # of a type without a name


@dataclasses.dataclass
class Class:
    name: str
    kind: str
    scope: tuple
    line: int
    members: list
    bases: tuple = ()
    has_functions: bool = False


class Source:
    """The tokens of a file with what they declare."""

    def __init__(self, text):
        text = _without_disabled(text)
        self.includes = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
        self.tokens, offsets = [], []
        for found in _LEXEMES.finditer(text):
            if found.lastgroup == "dropped" or found.group("dropped"):
                continue
            self.tokens.append('""' if found.group("text") else found.group())
            offsets.append(found.start())
        breaks = [place for place, letter in enumerate(text) if letter == "\n"]
        self.lines = [bisect.bisect_left(breaks, offset) + 1 for offset in offsets]
        self.functions, self.classes = [], []
        self.variables = []  # (scope, name) of each static member's definition
        self.aliases = {}  # name -> name of the type, its scopes and template arguments left out
        self._read_scope(0, (), None)

    def close(self, place):
        """One past the bracket that closes the one at `place`."""
        depth = 0
        for here in range(place, len(self.tokens)):
            if self.tokens[here] in _OPENS:
                depth += 1
            elif self.tokens[here] in _CLOSES:
                depth -= 1
                if depth == 0:
                    return here + 1
        return len(self.tokens)

    def _read_scope(self, place, scope, owner):
        """Declarations up to the brace that ends the scope; returns the place after it. `owner`: its class."""
        start = place
        while place < len(self.tokens):
            token = self.tokens[place]
            if token == "}":
                return place + 1
            if token == ";":
                self._declare(start, place, scope, owner, None)
                place = start = place + 1
            elif token == ":" and place == start + 1 and self.tokens[start] in ("public", "private", "protected"):
                place = start = place + 1
            elif token == "#":  # a #define: its body stays among the tokens
                line = self.lines[place]
                while place < len(self.tokens) and self.lines[place] == line:
                    place += 1
                start = place
            elif token == "{":
                place, ended = self._open(start, place, scope, owner)
                start = place if ended else start
            elif token in _OPENS:
                place = self.close(place)
            else:
                place += 1
        return place

    def _open(self, start, brace, scope, owner):
        """What a brace begins; returns the place after it and whether the declaration ends there."""
        words = self._plain_words(start, brace)
        if not words or words == ["extern", '""'] or "namespace" in words[:2]:
            return self._read_scope(brace + 1, scope, owner), True
        if words[0] == "enum":
            return self.close(brace), False
        kind = next((word for word in words if word in _CLASS_WORDS), None)
        if kind and "(" not in words and "=" not in words:
            *around, name = self._class_name(words, kind)
            around = (*scope, *around)
            bases = tuple(words[words.index(":") + 1:]) if ":" in words else ()
            found = Class(name, kind, around, self.lines[brace], [], bases)
            self.classes.append(found)
            after = self._read_scope(brace + 1, (*around, *filter(None, [name])), found)
            if owner is not None and (not name or self.tokens[after] != ";"):
                self._declare_members(after, scope, owner, found)
            while after < len(self.tokens) and self.tokens[after] != ";":
                after += 1
            return after + 1, True
        if self._begins_body(start, brace, words):
            after = self.close(brace)
            self._declare(start, brace, scope, owner, after)
            return after, True
        return self.close(brace), False

    def _declare_members(self, place, scope, owner, type_):
        """`struct {...} name;` inside a class."""
        if self.tokens[place] == ";":
            owner.members += type_.members  # an anonymous struct or union
        else:
            owner.members.append(Member(self.tokens[place], (type_.name,), None if type_.name else type_.members))

    def _plain_words(self, start, end):
        """Tokens with attributes, template arguments and what is in brackets left out; a "(" stays alone."""
        words, place = [], start
        while place < end:
            token = self.tokens[place]
            if token == "template" and self.tokens[place + 1] == "<":
                place = self._after_angle(place + 1, end)
                continue
            if token == "alignas" or self._is_attribute(place):
                place = self.close(place + (token == "alignas"))
                continue
            if token == "<" and "=" not in words and self._is_template(place):
                place = self._after_angle(place, end)
                continue
            words.append(token)
            place = self.close(place) if token in _OPENS else place + 1
        return words

    def _is_attribute(self, place):
        return self.tokens[place:place + 2] == ["[", "["]

    def _after_angle(self, place, end):
        depth = 0
        while place < end:
            token = self.tokens[place]
            depth += (token == "<") - (token == ">")
            place = self.close(place) if token in _OPENS else place + 1
            if depth == 0:
                return place
        return end

    @staticmethod
    def _class_name(words, kind):
        head = words[words.index(kind) + 1:]
        if ":" in head:
            head = head[:head.index(":")]
        names = [word for word in head if re.fullmatch(r"[A-Za-z_]\w*|::", word) and word != "final"]
        return re.findall(r"(?:\w+::)*\w+$", " ".join(names).replace(" :: ", "::"))[0].split("::") if names else [""]

    def _begins_body(self, start, brace, words):
        if "(" not in words:
            return False
        before = words[:words.index("(")]
        if "=" in before and "operator" not in before:
            return False
        last = self.tokens[brace - 1]
        if ":" in words[words.index("("):] and re.fullmatch(r"[A-Za-z_]\w*|>", last):  # a member's initialiser
            return last in ("const", "noexcept", "override", "final")
        return True

    def _declare(self, start, end, scope, owner, body_end):
        """The declaration in tokens start..end; with a body up to body_end."""
        is_template = self.tokens[start] == "template"
        while start < end and (self.tokens[start] == "template" or self._is_attribute(start)):
            start = self.close(start) if self._is_attribute(start) else self._after_angle(start + 1, end)
        if start >= end or self.tokens[start] in ("using", "typedef", "friend", "static_assert", "enum"):
            self._note_alias(start, end)
            return
        place = self._function_name(start, end)
        if place is not None:
            self._add_function(start, place, end, scope, owner, body_end)
            self.functions[-1].is_template = is_template
        elif owner is not None and body_end is None:
            self._add_members(start, end, owner)
        elif owner is None and (names := self._qualified_name(start, end)):
            self.variables.append(((*scope, *names[:-1]), names[-1]))

    def _note_alias(self, start, end):
        """`using Name = type;` and `typedef type Name;`."""
        words = [word for word in self._plain_words(start, end) if re.fullmatch(r"[A-Za-z_]\w*|=", word)]
        if words[:1] == ["using"] and words[2:3] == ["="] and words[-1] != "=":
            self.aliases[words[1]] = words[-1]
        elif words[:1] == ["typedef"] and len(words) > 2:
            self.aliases[words[-1]] = words[-2]

    def _qualified_name(self, start, end):
        """["Class", "name"] of a variable that is defined with its class; else nothing."""
        words = self._plain_words(start, end)
        stop = next((place for place, word in enumerate(words) if word in ("=", "{", "[")), len(words))
        names = words[stop - 1:stop]
        while stop >= 3 and words[stop - 2] == "::":
            stop -= 2
            names.insert(0, words[stop - 1])
        return names if len(names) > 1 else []

    def _function_name(self, start, end):
        """Where the name of a function is in a declaration; None if it declares something else."""
        place, angle = start, 0
        while place < end:
            token = self.tokens[place]
            if token == "operator":
                return None if "=" in self.tokens[start:place] else place
            if token == "=" and angle == 0:
                return None
            if token == "<" and self._is_template(place):
                place = self._after_angle(place, end)
                continue
            if token == "(":
                name = self.tokens[place - 1] if place > start else ""
                if name in _NOT_FUNCTIONS:
                    place = self.close(place)
                    continue
                if not re.fullmatch(r"[A-Za-z_]\w*", name) or self.tokens[place + 1] == "*":
                    return None
                return place - 1
            place = self.close(place) if token in _OPENS else place + 1
        return None

    def _is_template(self, place):
        return (place > 0 and self.tokens[place - 1] != "operator"
                and re.fullmatch(r"[A-Za-z_]\w*", self.tokens[place - 1]))

    def _add_function(self, start, place, end, scope, owner, body_end):
        name, head_end, names = self.tokens[place], place, []
        if place > start and self.tokens[place - 1] == "~":
            head_end -= 1
        while head_end >= start + 2 and self.tokens[head_end - 1] == "::":
            head_end -= 2
            if self.tokens[head_end] == ">":  # a member of a template
                while head_end > start and self.tokens[head_end] != "<":
                    head_end -= 1
                head_end -= 1
            names.insert(0, self.tokens[head_end])
        if owner is not None:
            owner.has_functions = True
        parameters = next(here for here in range(place, end) if self.tokens[here] == "(")
        tail = self.tokens[self.close(parameters):end]
        if tail[:1] == ["("]:  # operator()(...)
            tail = tail[2:]
        self.functions.append(Function(
            name, (*scope, *names), place, self.lines[place], body_end if body_end is not None else end,
            body_end is not None, tuple(self.tokens[start:head_end]),
            "override" in tail or "final" in tail))

    def _add_members(self, start, end, owner):
        words = self.tokens[start:end]
        if words[0] in _CLASS_WORDS and len(words) == 2:  # declared only
            return
        if "static" in words or words[0] == "constexpr":
            return
        # Names: at depth 0, before an initialiser, a bit field's width, an array's bound, a comma or the end.
        place, type_, expects = start, None, True
        before = None
        while place <= end:
            token = self.tokens[place] if place < end else ";"
            if token == "(" and place + 1 < end and self.tokens[place + 1] == "*" and type_ is None:
                before = place + 2  # a pointer to a function
            if expects and token in ("=", "{", "[", ":", ",", ";"):
                name_place = before if before is not None else place - 1
                type_ = type_ or tuple(self.tokens[start:name_place])
                owner.members.append(Member(self.tokens[name_place], type_))
                expects = False
            if token == "," :
                expects, before = True, None
            if token == "<" and self._is_template(place):
                place = self._after_angle(place, end)
            else:
                place = self.close(place) if place < end and token in _OPENS else place + 1
