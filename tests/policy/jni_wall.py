# SPDX-License-Identifier: Apache-2.0
"""JNI is named in whole folders: those of src/ whose CMakeLists.txt has "# JNI: yes" at its head, and nowhere else."""

import re

import cpp_source
import folders
import repository

CHECKED = ("src", "arch", "include", "tools")
JNI_HEADER = re.compile(r'^\s*#\s*include\s*[<"](?:[^>"]*/)?jni(?:_md)?\.h[>"]', re.MULTILINE)
JNI_WORD = re.compile(r"JNI(?:Env|NativeMethod|InvokeInterface|NativeInterface|EXPORT|IMPORT|CALL|_[A-Z]\w*)|JavaVM\w*"
                      r"|j(?:object|class|string|throwable|weak|value|methodID|fieldID|size|boolean|byte|char|short|int"
                      r"|long|float|double|(?:object|boolean|byte|char|short|int|long|float|double)?[aA]rray)")


def file_violations(path, text):
    if found := JNI_HEADER.search(text):
        yield f"{path}:{text.count(chr(10), 0, found.end()) + 1}: includes jni.h, which its folder may not"
    source = cpp_source.Source(text)
    told = set()
    for place, token in enumerate(source.tokens):
        if JNI_WORD.fullmatch(token) and token not in told:
            told.add(token)
            yield f"{path}:{source.lines[place]}: names {token}, which its folder may not"


def violations_of(tree):
    all_folders, violations = folders.read(tree)
    yield from violations
    inside = {name for name, folder in all_folders.items() if folder.names_jni}
    for path in tree.files(".h", ".cc", ".inc", under=CHECKED):
        if folders.folder_of(path) not in inside:
            yield from file_violations(path, tree.text(path))


def main():
    tree = repository.Tree()
    repository.finish("jni_wall", len(tree.files(".h", ".cc", ".inc", under=CHECKED)), list(violations_of(tree)))


if __name__ == "__main__":
    main()
