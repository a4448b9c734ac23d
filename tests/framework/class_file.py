# SPDX-License-Identifier: Apache-2.0
"""Declarations of a Java class file: super classes, fields and methods, and their @UnsupportedAppUsage.

By the Java Virtual Machine Specification, chapter 4.
"""

import dataclasses
import struct

MAGIC = 0xCAFEBABE
STATIC = 0x0008
# Bytes after the tag of each constant; Utf8 (1) has its own length. Long and Double take two places.
CONSTANT_BYTES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
UTF8, INTEGER, WIDE = 1, 3, (5, 6)
USAGE = "/UnsupportedAppUsage;"


@dataclasses.dataclass
class Usage:
    """The annotation @UnsupportedAppUsage: access works up to this target SDK, or (None) for all."""
    max_target: int | None = None


@dataclasses.dataclass
class Member:
    name: str
    type: str
    is_static: bool
    usage: Usage | None = None


@dataclasses.dataclass
class ClassFile:
    name: str
    super_name: str | None
    interfaces: list
    fields: list
    methods: list


class _Reader:
    def __init__(self, data):
        self._data, self._at = data, 0

    def take(self, count):
        if self._at + count > len(self._data):
            raise ValueError("the class file ends too early")
        self._at += count
        return self._data[self._at - count:self._at]

    def u1(self):
        return self.take(1)[0]

    def u2(self):
        return struct.unpack(">H", self.take(2))[0]

    def u4(self):
        return struct.unpack(">I", self.take(4))[0]


def _constants(reader):
    constants, places = {}, reader.u2()
    place = 1
    while place < places:
        tag = reader.u1()
        if tag == UTF8:
            constants[place] = reader.take(reader.u2()).decode("utf-8", "replace")
        elif tag == INTEGER:
            constants[place] = struct.unpack(">i", reader.take(4))[0]
        elif tag in CONSTANT_BYTES:
            constants[place] = int.from_bytes(reader.take(CONSTANT_BYTES[tag])[:2], "big")  # of a class: its name's place
        else:
            raise ValueError(f"constant {place} has the unknown tag {tag}")
        place += 2 if tag in WIDE else 1
    return constants


def _value(reader, constants):
    """An annotation's value: a number or text, None for the other kinds."""
    tag = chr(reader.u1())
    if tag in "BCDFIJSZs":
        return constants.get(reader.u2())
    if tag == "e":
        reader.take(4)
    elif tag == "c":
        reader.take(2)
    elif tag == "@":
        _annotation(reader, constants)
    elif tag == "[":
        for _ in range(reader.u2()):
            _value(reader, constants)
    else:
        raise ValueError(f"an annotation's value has the unknown tag {tag!r}")
    return None


def _annotation(reader, constants):
    type_ = constants[reader.u2()]
    return type_, {constants[reader.u2()]: _value(reader, constants) for _ in range(reader.u2())}


def _usage(data, constants):
    reader = _Reader(data)
    for _ in range(reader.u2()):
        type_, values = _annotation(reader, constants)
        if type_.endswith(USAGE):
            return Usage(values.get("maxTargetSdk"))
    return None


def _members(reader, constants):
    members = []
    for _ in range(reader.u2()):
        flags, name, type_ = reader.u2(), constants[reader.u2()], constants[reader.u2()]
        member = Member(name, type_, bool(flags & STATIC))
        for _ in range(reader.u2()):
            attribute, data = constants[reader.u2()], reader.take(reader.u4())
            if attribute in ("RuntimeInvisibleAnnotations", "RuntimeVisibleAnnotations"):
                member.usage = member.usage or _usage(data, constants)
        members.append(member)
    return members


def parse(data):
    reader = _Reader(data)
    if reader.u4() != MAGIC:
        raise ValueError("not a class file")
    reader.take(4)  # versions
    constants = _constants(reader)
    reader.take(2)  # flags
    name, super_place = constants[constants[reader.u2()]], reader.u2()
    super_name = constants[constants[super_place]] if super_place else None
    interfaces = [constants[constants[reader.u2()]] for _ in range(reader.u2())]
    return ClassFile(name, super_name, interfaces, _members(reader, constants), _members(reader, constants))
