# SPDX-License-Identifier: Apache-2.0
"""JNI is named in whole folders: those of src/ whose CMakeLists.txt has "# JNI: yes" at its head, and nowhere else.

What a header of these folders gives away as a JNI type, like env(), others pass on as an argument and use no further.
"""

import re

import cpp_source
import folders
import repository

CHECKED = ("src", "arch", "include", "tools")
JNI_HEADER = re.compile(r'^\s*#\s*include\s*[<"](?:[^>"]*/)?jni(?:_md)?\.h[>"]', re.MULTILINE)
JNI_WORD = re.compile(r"_?(?:JNI\w+|JavaVM\w*"
                      r"|j(?:object|class|string|throwable|weak|value|methodID|fieldID|size|boolean|byte|char|short|int"
                      r"|long|float|double|(?:object|boolean|byte|char|short|int|long|float|double)?[aA]rray))")
WORD = re.compile(r"[A-Za-z_]\w*")
NO_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "decltype"}


def given_away(sources):
    """Names of the functions whose result is of a JNI type."""
    return {function.name for source in sources for function in source.functions
            if any(JNI_WORD.fullmatch(token) for token in function.head)}


def is_passed_on(tokens, place):
    """Whether the call of the name there is a whole argument of a call."""
    first = place
    while first >= 2 and tokens[first - 1] in (".", "->", "::") and WORD.fullmatch(tokens[first - 2]):
        first -= 2
    if tokens[place + 1:place + 3] != ["(", ")"] or tokens[place + 3] not in (",", ")"):
        return False
    if tokens[first - 1] not in ("(", ","):
        return False
    depth, before = 0, first - 1
    while before > 0 and (depth or tokens[before] not in ("(", "{", "[")):
        depth += (tokens[before] in (")", "}", "]")) - (tokens[before] in ("(", "{", "["))
        before -= 1
    return tokens[before] == "(" and WORD.fullmatch(tokens[before - 1]) and tokens[before - 1] not in NO_CALLS


def is_of_vm(tokens, place):
    """Vm::get() has a name that others have too: it is told by what it is called on."""
    return tokens[place] != "get" or "vm" in tokens[place - 2].lower() or tokens[place - 2] == ")"


def file_violations(path, text, given=()):
    if found := JNI_HEADER.search(text):
        yield f"{path}:{text.count(chr(10), 0, found.end()) + 1}: includes jni.h, which its folder may not"
    source = cpp_source.Source(text)
    told = set()
    for place, token in enumerate(source.tokens):
        if JNI_WORD.fullmatch(token) and token not in told:
            told.add(token)
            yield f"{path}:{source.lines[place]}: names {token}, which its folder may not"
        if source.tokens[place:place + 3] == ["jni", ".", "h"]:
            yield f"{path}:{source.lines[place]}: names jni.h, which its folder may not"
        is_call = token in given and source.tokens[place + 1:place + 2] == ["("] and place >= 2
        if is_call and is_of_vm(source.tokens, place) and not is_passed_on(source.tokens, place):
            yield f"{path}:{source.lines[place]}: uses {token}(), which its folder may only pass on"


def violations_of(tree):
    all_folders, violations = folders.read(tree)
    yield from violations
    inside = {name for name, folder in all_folders.items() if folder.names_jni}
    given = given_away(cpp_source.Source(tree.text(path)) for path in tree.files(".h", under=sorted(inside)))
    for path in tree.files(".h", ".cc", ".inc", under=CHECKED):
        folder = folders.folder_of(path)
        if folder not in inside:
            sees = folder in all_folders and all_folders[folder].uses & inside
            yield from file_violations(path, tree.text(path), given if sees else ())


def main():
    tree = repository.Tree()
    repository.finish("jni_wall", len(tree.files(".h", ".cc", ".inc", under=CHECKED)), list(violations_of(tree)))


if __name__ == "__main__":
    main()
