#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prepares the Java sources of frameworks-base for the compiler: writes what Android's build generates.

Writes into the output folder: Java of the AIDL interfaces, by Debian's aidl; android.R, com.android.internal.R and
android.Manifest with the members that the sources name (their numbers are arbitrary); classes of the event log's tags;
and sources.txt, a list of all.
Constants that the sources name of other source trees and protocol buffers get arbitrary numbers. The
rest of those is left out: the compiler makes a method that needs it throw an error that says so.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

ROOTS = [f"{name}/java" for name in
         "core graphics location lowpan media telecomm telephony keystore drm opengl rs sax wifi".split()]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
RESOURCE = re.compile(r"((?:com\.android\.internal\.|android\.)?)\bR\s*\.\s*(\w+)\s*\.\s*(\w+)")
# Debian's aidl is Android 10's: it knows neither these annotations nor type parameters, which Java does not need.
AIDL_ANNOTATION = re.compile(r"@\w+\s*(\((?:[^()\"]|\"[^\"]*\")*\))?")
AIDL_TYPE_PARAMETER = re.compile(r"\b(?!List\b|Map\b)(\w+)\s*<[\w\s.,]+>")
# Annotations that Android 14 has in another source package. They say nothing to a running program.
ANNOTATION_PACKAGES = r"(?:android\.(?:compat\.)?annotation|com\.android\.internal\.annotations)"
ANNOTATION_IMPORT = re.compile(rf"^import (?:static )?({ANNOTATION_PACKAGES})\.(\w+)[\w.]*;", re.MULTILINE)
ARGUMENT_PART = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL)
IMPORT = re.compile(r"^import ([a-z][\w]*(?:\.[a-z]\w*)*)\.([A-Z]\w*(?:\.[A-Z]\w*)*);", re.MULTILINE)
INTERNAL = "com.android.internal"
FIRST_NUMBER = 0x01010000


def files_of(root, suffix):
    for folder, _, names in os.walk(root):
        yield from (f"{folder}/{name}" for name in sorted(names) if name.endswith(suffix))


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return COMMENT.sub("", file.read())


def save(folder, class_name, text, suffix=".java"):
    path = f"{folder}/{class_name.replace('.', '/')}{suffix}"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def name_of(path):
    return re.sub(r".*/java/", "", path).removesuffix(".java").replace("/", ".")


def write_constants(sources, known, folder):
    """Writes classes of other source trees of which the sources use constants alone: numbers of fields in protocol
    buffers, codes of daemons. Each is in the package that it is imported from, or in that of its user.
    `known`: the names of all other classes."""
    found = collections.defaultdict(set)
    for path in sources:
        text = text_of(path)
        package = name_of(path).rpartition(".")[0]
        imported = {name.rpartition(".")[2]: name for name in re.findall(r"^import ([\w.]+);", text, re.MULTILINE)}
        declared = set(re.findall(r"\b(?:class|interface|enum)\s+(\w+)", text))
        for name, constant in re.findall(r"(?<![\w.])([A-Z]\w*)\s*\.\s*([A-Z][A-Z0-9_]*)\b(?!\s*[.(])", text):
            full = imported.get(name, f"{package}.{name}")
            is_left_out = name in imported or re.search(r"(Proto|Enums|Tags|Properties)$", name)
            is_android = re.match(r"(com\.)?android\.(?!icu\.)[a-z]", full)
            if is_android and is_left_out and full not in known and name not in declared:
                found[full].add(constant)
    for full, constants in found.items():
        package, _, name = full.rpartition(".")
        if package and package[package.rfind(".") + 1:][:1].islower():
            kind = "long" if name.endswith("Proto") else "int"
            lines = [f"  public static final {kind} {constant} = {number};\n"
                     for number, constant in enumerate(sorted(constants), 1)]
            save(folder, full, f"package {package};\npublic final class {name} {{\n{''.join(lines)}}}\n")


LOG_TYPES = {"1": "int", "2": "long", "3": "String"}  # in a description (system/core/logcat/event.logtags)


def write_log_tags(root, folder):
    """A class of each file of tags for the event log: numbers of the tags, and a method that writes an event of each."""
    for path in files_of(root, ".logtags"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        package = re.search(r"^option java_package (.*)$", text, re.MULTILINE)[1].strip('"; ')
        name = os.path.basename(path).removesuffix(".logtags")
        lines = [f"package {package};", f"public final class {name} {{"]
        for number, tag, values in re.findall(r"^(\d+)\s+(\w+)(.*)$", text, re.MULTILINE):
            lines.append(f"  public static final int {tag.upper()} = {number};")
            types = [LOG_TYPES.get(kind, "String") for kind in re.findall(r"\([^|)]*\|(\d)", values)]
            parameters = ", ".join(f"{kind} value{i}" for i, kind in enumerate(types))
            arguments = "".join(f", value{i}" for i in range(len(types))) or ", 0"
            method = "write" + "".join(word.capitalize() for word in tag.split("_"))
            lines.append(f"  public static void {method}({parameters}) {{")
            lines.append(f"    android.util.EventLog.writeEvent({number}{arguments});\n  }}")
        save(folder, f"{package}.{name}", "\n".join(lines) + "\n}\n")


def read_styleables(package):
    """{name: its attributes, in order}"""
    found = {}
    for file in ("attrs.xml", "attrs_manifest.xml"):
        for group in ElementTree.parse(f"{package}/core/res/res/values/{file}").iter("declare-styleable"):
            found[group.get("name")] = [attribute.get("name").removeprefix("android:") for attribute in group.iter("attr")]
    return found


def write_resources(sources, styleables, folder):
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    manifest = collections.defaultdict(set)
    for path in sources:
        text = text_of(path)
        package = INTERNAL if f"import {INTERNAL}.R;" in text else "android"
        for prefix, kind, name in RESOURCE.findall(text):
            found[prefix.rstrip(".") or package][kind].add(name)
        for kind, name in re.findall(r"\bManifest\s*\.\s*(permission\w*)\s*\.\s*(\w+)", text):
            manifest[kind].add(name)
    for package, kinds in found.items():
        kinds["attr"].update(*(styleables[name] for name in kinds["styleable"] if name in styleables))
        save(folder, f"{package}.R", resources_class(package, kinds, styleables))
    save(folder, "android.Manifest", "package android;\npublic final class Manifest {\n" + "".join(
        f"  public static final class {kind} {{\n" + "".join(
            f'    public static final String {name} = "android.permission.{name}";\n' for name in sorted(names)) +
        "  }\n" for kind, names in sorted(manifest.items())) + "}\n")


def foreign_annotations(sources, roots):
    """Names of the annotations that the sources import and no root has."""
    names = set()
    for path in sources:
        for package, name in ANNOTATION_IMPORT.findall(text_of(path)):
            if not any(os.path.exists(f"{root}/{package.replace('.', '/')}/{name}.java") for root in roots):
                names.add(name)
    return names


def without_annotations(text, use):
    """The text with blanks for what `use` finds and its arguments; all lines stay where they are."""
    parts, position = [], 0
    for match in use.finditer(text):
        if match.start() < position:
            continue
        end = match.end()
        if text[end - 1] == "(":
            depth = 1
            for part in ARGUMENT_PART.finditer(text, end):
                depth += (part.group() == "(") - (part.group() == ")")
                end = part.end()
                if not depth:
                    break
        parts += [text[position:match.start()], re.sub(r"[^\n]", "", text[match.start():end]), " "]
        position = end
    return "".join([*parts, text[position:]])


def strip_annotations(package, sources, names, folder):
    """Copies of the sources without these annotations."""
    alternatives = "|".join(sorted(names))
    use = re.compile(rf"^import (?:static )?{ANNOTATION_PACKAGES}\.(?:{alternatives})\b[\w.]*;|"
                     rf"@(?:{ANNOTATION_PACKAGES}\.)?(?:{alternatives})\b(?!\.)(?:\s*\()?", re.MULTILINE)
    copies = []
    for path in sources:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        copies.append(f"{folder}/{os.path.relpath(path, package)}")
        os.makedirs(os.path.dirname(copies[-1]), exist_ok=True)
        with open(copies[-1], "w", encoding="utf-8") as file:
            file.write(without_annotations(text, use))
    return copies


def class_names(sources, classes):
    """Names of the top-level classes of source files, class folders and jars."""
    names = set()
    for path in sources:
        package = re.search(r"^package\s+([\w.]+)\s*;", text_of(path), re.MULTILINE)
        names.add(f"{package.group(1) if package else ''}.{os.path.basename(path)[:-5]}")
    for place in classes:
        if os.path.isdir(place):
            files = (os.path.relpath(path, place) for path in files_of(place, ".class"))
        else:
            with zipfile.ZipFile(place) as archive:
                files = archive.namelist()
        names.update(name[:-6].replace("/", ".") for name in files if name.endswith(".class") and "$" not in name)
    return names


def write_stubs(sources, known, folder):
    """Writes an empty class for each import that no source has.

    An import that is not resolved turns all methods of its file into errors; an empty class only those that use its
    members.
    """
    stubs = {}
    for path in sources:
        for package, name in IMPORT.findall(text_of(path)):
            outer, *inner = name.split(".")
            if f"{package}.{outer}" not in known:
                members = stubs.setdefault(f"{package}.{outer}", {})
                for part in inner:
                    members = members.setdefault(part, {})
    for name, members in stubs.items():
        save(folder, name, f"package {name.rpartition('.')[0]};\n{stub(name.rpartition('.')[2], members, '')}")


def stub(name, members, modifier):
    kind = "interface" if re.match("I[A-Z]", name) else "class"
    base = " extends RuntimeException" if name.endswith("Exception") else ""
    inner = "".join(stub(*member, "static ") for member in members.items())
    return f"public {modifier}{kind} {name}{base} {{\n{inner}}}\n"


def styleable(name, styleables):
    """The type and value of a styleable, which is an array of attributes, or of one of its indices."""
    if name in styleables:
        return "int[]", "{" + ", ".join(f"attr.{attribute}" for attribute in styleables[name]) + "}"
    group, _, attribute = name.partition("_")
    attributes = styleables.get(group, [])
    return "int", attributes.index(attribute) if attribute in attributes else 0


def resources_class(package, kinds, styleables):
    lines = [f"package {package};", "public final class R {"]
    number = FIRST_NUMBER
    for kind, names in sorted(kinds.items()):
        lines.append(f"  public static final class {kind} {{")
        for name in sorted(names):
            number += 1
            kind_of_value, value = styleable(name, styleables) if kind == "styleable" else ("int", number)
            lines.append(f"    public static final {kind_of_value} {name} = {value};")
        lines.append("  }")
    return "\n".join(lines) + "\n}\n"


def declare_parcelables(texts, roots, folder):
    """Declarations for aidl of the classes that are imported and declared nowhere: of other source trees."""
    for text in texts:
        for name in re.findall(r"^\s*import\s+([\w.]+);", text, re.MULTILINE):
            path = name.replace(".", "/") + ".aidl"
            if not any(os.path.exists(f"{root}/{path}") for root in roots):
                package, _, simple = name.rpartition(".")
                declaration = f"interface {simple} {{}}" if re.match("I[A-Z]", simple) else f"parcelable {simple};"
                save(folder, name, f"package {package};\n{declaration}\n", ".aidl")


def simplify(root, folder):
    """A copy of the tree's .aidl files that Android 10's aidl reads."""
    for path in files_of(root, ".aidl"):
        target = f"{folder}/{os.path.relpath(path, root)}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        text = AIDL_TYPE_PARAMETER.sub(r"\1", AIDL_ANNOTATION.sub("", text_of(path)))
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)


def write_interfaces(aidl, trees, folder):
    roots = [f"{folder}/aidl/{number}" for number in range(len(trees))]
    for tree, root in zip(trees, roots):
        simplify(tree, root)
    texts = {path: text_of(path) for root in roots for path in files_of(root, ".aidl")}
    declared = f"{folder}/declared"
    declare_parcelables(texts.values(), roots, declared)
    interfaces = [path for path, text in texts.items() if re.search(r"\binterface\s+\w+", text)]
    command = [aidl, *(f"-I{root}" for root in [*roots, declared]), f"-o{folder}/java"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda path: subprocess.run(
            [*command, path], capture_output=True, text=True, check=False), interfaces))
    failed = [f"{path}: {result.stderr.strip()}" for path, result in zip(interfaces, done) if result.returncode]
    print(f"framework_sources: {len(interfaces) - len(failed)} interfaces by aidl, {len(failed)} left out")
    print("\n".join(failed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", required=True, help="the unpacked source package of frameworks-base")
    parser.add_argument("--aidl", required=True)
    parser.add_argument("--own", required=True, action="append",
                        help="a folder of classes that stand in for other packages'")
    parser.add_argument("--classes", nargs="+", required=True, help="folders or jars of the class library")
    parser.add_argument("--core", required=True, help="a list of libcore's sources")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    roots = [f"{arguments.package}/{root}" for root in ROOTS if os.path.isdir(f"{arguments.package}/{root}")]
    sources = [path for root in roots for path in files_of(root, ".java")]
    generated = f"{arguments.folder}/java"
    os.makedirs(generated, exist_ok=True)
    write_interfaces(arguments.aidl, roots, arguments.folder)
    write_resources(sources, read_styleables(arguments.package), generated)
    for root in roots:
        write_log_tags(root, generated)
    own = [(folder, path) for folder in arguments.own for path in files_of(folder, ".java")]
    with open(arguments.core, encoding="utf-8") as file:
        core = [line.strip().strip('"') for line in file]
    known = {name_of(path) for path in [*sources, *files_of(generated, ".java"), *core]}
    write_constants(sources, known | {name_of(path.replace(folder, "/java")) for folder, path in own}, generated)
    foreign = foreign_annotations(sources, roots)
    if foreign:
        sources = strip_annotations(arguments.package, sources, foreign, f"{arguments.folder}/stripped")
        others = [*files_of(generated, ".java"), *(path for _, path in own)]
        write_stubs(sources, class_names([*sources, *others], arguments.classes), generated)
    with open(f"{arguments.folder}/sources.txt", "w", encoding="utf-8") as file:
        file.writelines(f'"{path}"\n' for path in [*sources, *files_of(generated, ".java"), *(path for _, path in own)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
