# SPDX-License-Identifier: Apache-2.0
"""Through JNI the library sets only fields that are not final. Android 17 aborts a process of an app for API level 37
that sets a static final field so.

The field of each Set...Field is the GetFieldID, GetStaticFieldID or row that the same function assigned to the variable.
Our own classes are read. For the framework's, FRAMEWORK names the declaration's source.
"""

import re

import repository

CODE = ("src",)
OWN_JAVA = ("src/tap/java/stillframe", "src/entry/java")
KINDS = "Object|Boolean|Byte|Char|Short|Int|Long|Float|Double"
SET = re.compile(rf"\bSet(?:Static)?(?:{KINDS})Field\s*\(\s*([^;]*?)\)\s*;", re.DOTALL)
FIELD = re.compile(r"\b(\w+)\s*=(?!=)[^;]*?\bGet(?:Static)?FieldID\s*\([^;]*?\"(\w+)\"\s*,\s*\"([^\"]+)\"\s*\)", re.DOTALL)
# The same by a row of framework_members.h.
BY_ROW = re.compile(r"\b(\w+)\s*=(?!=)[^;]*?\bIdOf\s*\([^;]*?\bframework::(\w+)\s*\)", re.DOTALL)
ROWS = "src/art/framework_members.h"
ROW = re.compile(r"\bSF_(?:HIDDEN_)?MEMBER\(\s*(\w+)\s*,[^\"]*\"([^\"]+)\"\s*,\s*\"([^\"]+)\"", re.DOTALL)
FUNCTION_END = re.compile(r"^}", re.MULTILINE)
COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# A declaration at a class's indentation. Fields of inner classes are not found, so setting one is a violation.
DECLARED = re.compile(r"^  (?! )((?:(?:public|protected|private|static|final|volatile|transient)\s+)*)"
                      r"[\w.]+(?:<[^;=()]*>)?(?:\[\])*\s+(\w+)\s*(?:=[^;]*)?;", re.MULTILINE)

# (name, JNI signature): the declaration's modifiers and its source, the same in each release that has it.
FRAMEWORK = {
    # frameworks/base/core/java/android/os/Looper.java, of Android 10, which is the first with this field, to 16.
    ("sObserver", "Landroid/os/Looper$Observer;"): "private static",
}


def own_fields(tree):
    """{name: [(place, modifiers)]} of our classes."""
    found = {}
    for path in tree.files(".java", under=OWN_JAVA):
        text = COMMENTS.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), tree.text(path))
        for declared in DECLARED.finditer(text):
            line = text.count("\n", 0, declared.start(1)) + 1
            found.setdefault(declared[2], []).append((f"{path}:{line}", declared[1]))
    return found


def fields_set(tree):
    """(place, name, signature) of each field that is set; name is None where this test cannot tell."""
    rows = {row[1]: (row[2], row[3]) for path in tree.files(".h", under=CODE) if str(path) == ROWS
            for row in ROW.finditer(tree.text(path))}
    for path in tree.files(".cc", ".h", under=CODE):
        text = COMMENTS.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), tree.text(path))
        begin = 0
        for end in [found.start() for found in FUNCTION_END.finditer(text)] + [len(text)]:
            for used in SET.finditer(text, begin, end):
                _, variable, *_ = [word.strip() for word in used[1].split(",")] + ["", ""]
                known = {found.start(): (found[2], found[3]) for found in FIELD.finditer(text, begin, used.start())
                         if found[1] == variable}
                known |= {found.start(): rows[found[2]] for found in BY_ROW.finditer(text, begin, used.start())
                          if found[1] == variable and found[2] in rows}
                name, signature = known[max(known)] if known else (None, variable)
                yield f"{path}:{text.count(chr(10), 0, used.start()) + 1}", name, signature
            begin = end


def violations_of(tree):
    own = own_fields(tree)
    for place, name, signature in fields_set(tree):
        if name is None:
            yield f"{place}: no GetFieldID for {signature or 'the field'} in the same function: this test cannot tell which it is"
        elif (name, signature) in FRAMEWORK:
            if "final" in FRAMEWORK[name, signature].split():
                yield f"{place}: {name} is final in the framework"
        elif name not in own:
            yield f"{place}: {name} is not declared in our sources: read its declaration in all releases, and add it to FRAMEWORK"
        else:
            yield from (f"{place}: {name} is final at {declared}" for declared, modifiers in own[name]
                        if "final" in modifiers.split())


if __name__ == "__main__":
    repository.finish("final_fields", len(list(fields_set(repository.Tree()))), list(violations_of(repository.Tree())))
