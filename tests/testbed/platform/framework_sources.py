#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prepares the Java sources of frameworks-base for the compiler: writes what Android's build generates.

Writes into the output folder: Java of the AIDL interfaces, by Debian's aidl; android.R, com.android.internal.R and
android.Manifest with the members that the sources name (their numbers are arbitrary); and sources.txt, a list of all.
Constants that the sources name of other source trees, protocol buffers, sysprops and logtags get arbitrary numbers. The
rest of those is left out: the compiler makes a method that needs it throw an error that says so.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys

ROOTS = [f"{name}/java" for name in
         "core graphics location lowpan media telecomm telephony keystore drm opengl rs sax wifi".split()]
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
RESOURCE = re.compile(r"((?:com\.android\.internal\.|android\.)?)\bR\s*\.\s*(\w+)\s*\.\s*(\w+)")
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


def write_constants(sources, generated, folder):
    """Classes of other source trees, of which the sources use constants alone: numbers of fields in protocol buffers, codes of
    daemons, tags of logs. Each is in the package that the sources import it from, or in their own."""
    known = {path.rpartition("/java/")[2].removesuffix(".java").replace("/", ".") for path in [*sources, *generated]}
    found = collections.defaultdict(set)
    for path in sources:
        text = text_of(path)
        package = path.rpartition("/java/")[2].rpartition("/")[0].replace("/", ".")
        imported = {name.rpartition(".")[2]: name for name in re.findall(r"^import ([\w.]+);", text, re.MULTILINE)}
        declared = set(re.findall(r"\b(?:class|interface|enum)\s+(\w+)", text))
        for name, constant in re.findall(r"(?<![\w.])([A-Z]\w*)\s*\.\s*([A-Z][A-Z0-9_]*)\b(?!\s*[.(])", text):
            full = imported.get(name, f"{package}.{name}")
            is_left_out = name in imported or re.search(r"(Proto|Enums|Tags|Properties)$", name)
            if full not in known and name not in declared and is_left_out and re.match(r"(com\.)?android\.[a-z]", full):
                found[full].add(constant)
    for full, constants in found.items():
        package, _, name = full.rpartition(".")
        if package and package[package.rfind(".") + 1:][:1].islower():
            kind = "long" if name.endswith("Proto") else "int"
            save(folder, full, f"package {package};\npublic final class {name} {{\n" + "".join(
                f"  public static final {kind} {constant} = {number};\n" for number, constant in enumerate(sorted(constants), 1)) + "}\n")


def write_resources(sources, folder):
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
        save(folder, f"{package}.R", resources_class(package, kinds))
    save(folder, "android.Manifest", "package android;\npublic final class Manifest {\n" + "".join(
        f"  public static final class {kind} {{\n" + "".join(
            f'    public static final String {name} = "android.permission.{name}";\n' for name in sorted(names)) +
        "  }\n" for kind, names in sorted(manifest.items())) + "}\n")


def resources_class(package, kinds):
    lines = [f"package {package};", "public final class R {"]
    number = FIRST_NUMBER
    for kind, names in sorted(kinds.items()):
        lines.append(f"  public static final class {kind} {{")
        for name in sorted(names):
            number += 1
            # A styleable is an array, its indices are named after it.
            is_array = kind == "styleable" and not any(name.startswith(other + "_") for other in names if other != name)
            lines.append(f"    public static final int{'[]' if is_array else ''} {name} = {'{}' if is_array else number};")
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


def write_interfaces(aidl, roots, folder):
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
    parser.add_argument("--own", required=True, help="a folder of classes that stand in for other packages'")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    roots = [f"{arguments.package}/{root}" for root in ROOTS if os.path.isdir(f"{arguments.package}/{root}")]
    sources = [path for root in roots for path in files_of(root, ".java")]
    generated = f"{arguments.folder}/java"
    os.makedirs(generated, exist_ok=True)
    write_interfaces(arguments.aidl, roots, arguments.folder)
    write_resources(sources, generated)
    own = list(files_of(arguments.own, ".java"))
    write_constants(sources, [*files_of(generated, ".java"), *(f"/java/{os.path.relpath(path, arguments.own)}" for path in own)],
                    generated)
    with open(f"{arguments.folder}/sources.txt", "w", encoding="utf-8") as file:
        file.writelines(f'"{path}"\n' for path in [*sources, *files_of(generated, ".java"), *own])
    return 0


if __name__ == "__main__":
    sys.exit(main())
