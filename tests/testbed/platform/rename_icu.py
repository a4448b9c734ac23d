#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes icu4j.jar with Android's names of packages, com.ibm.icu becomes android.icu: a jar of classes, and one of data.

A class file has its names as text among its constants, each after its length.
"""
import re
import struct
import sys
import zipfile

# Bytes after the tag of a constant (Java Virtual Machine Specification, 4.4); text has its own length.
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 18: 4}
TEXT = 1
TAKES_TWO_NUMBERS = {5, 6}


def renamed(text):
    return text.replace(b"com/ibm/icu", b"android/icu").replace(b"com.ibm.icu", b"android.icu")


def rename_class(data):
    result = [data[:10]]
    count, = struct.unpack(">H", data[8:10])
    at, number = 10, 1
    while number < count:
        tag = data[at]
        if tag == TEXT:
            length, = struct.unpack(">H", data[at + 1:at + 3])
            text = renamed(data[at + 3:at + 3 + length])
            result.append(struct.pack(">BH", TEXT, len(text)) + text)
            at += 3 + length
        else:
            result.append(data[at:at + 1 + SIZES[tag]])
            at += 1 + SIZES[tag]
        number += 2 if tag in TAKES_TWO_NUMBERS else 1
    return b"".join(result) + data[at:]


def is_wanted(name):
    """Classes, and data but of other languages than English."""
    language = re.search(r"/([a-z]{2,3})(_\w+)?\.res$", name)
    return name.endswith(".class") or "/data/" in name and (language is None or language[1] == "en")


def main():
    source, classes, data = sys.argv[1:]
    with zipfile.ZipFile(source) as jar, zipfile.ZipFile(classes, "w") as of_classes, zipfile.ZipFile(
            data, "w", zipfile.ZIP_DEFLATED) as of_data:
        for name in filter(is_wanted, jar.namelist()):
            renamed_file = name.replace("com/ibm/icu", "android/icu")
            if name.endswith(".class"):
                of_classes.writestr(renamed_file, rename_class(jar.read(name)))
            else:
                of_data.writestr(renamed_file, jar.read(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
