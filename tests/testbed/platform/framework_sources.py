#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prepares the Java sources of frameworks-base for the compiler: writes what Android's build generates.

Writes into the output folder: Java of the AIDL interfaces, by Debian's aidl; android.R, com.android.internal.R and
android.Manifest with the members that the sources name (their numbers are arbitrary); and sources.txt, a list of all.
What else the build generates (protocol buffers, sysprops, logtags) is left out: the compiler makes a method that needs
it throw an error that says so.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import zipfile

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
    """Empty classes in place of those that are imported and exist nowhere.

    The compiler makes every method of a file throw an error if an import is not resolved, but with these only the
    methods that use what the empty class lacks.
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
    parser.add_argument("folder")
    arguments = parser.parse_args()
    roots = [f"{arguments.package}/{root}" for root in ROOTS if os.path.isdir(f"{arguments.package}/{root}")]
    sources = [path for root in roots for path in files_of(root, ".java")]
    generated = f"{arguments.folder}/java"
    os.makedirs(generated, exist_ok=True)
    write_interfaces(arguments.aidl, roots, arguments.folder)
    write_resources(sources, generated)
    foreign = foreign_annotations(sources, roots)
    if foreign:
        sources = strip_annotations(arguments.package, sources, foreign, f"{arguments.folder}/stripped")
        others = [path for root in [generated, *arguments.own] for path in files_of(root, ".java")]
        write_stubs(sources, class_names([*sources, *others], arguments.classes), generated)
    with open(f"{arguments.folder}/sources.txt", "w", encoding="utf-8") as file:
        file.writelines(f'"{path}"\n' for path in sources)
        for root in [generated, *arguments.own]:
            file.writelines(f'"{path}"\n' for path in files_of(root, ".java"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
