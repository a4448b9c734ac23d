# SPDX-License-Identifier: Apache-2.0
"""In the built objects, no folder of src/ calls a function that its context or its uses forbid.

Usage: context_calls.py COMPILE_COMMANDS
Reads the objects' own symbols, so a call of a function declared by hand is found too. Calls through pointers are not
found; signal_safety checks those that a handler reaches.
"""

import collections
import json
import pathlib
import shlex
import sys

import folders
import repository

DEFINED = set("TDBRGSC")  # weak ones are inline functions, which layering sees by their headers

# Single functions that a folder may call in one of another context: (the caller's folder, name with parameters): why.
SINGLE_CALLS = {
    ("src/jvm", "stillframe::art::HasVm()"): "on the collector's side, before it hands a job over",
}


# Calls that the compiler makes of the one place that an allocation of this library goes through.
OF_THE_LANGUAGE = {"_Znwm", "_Znam", "_Znwj", "_Znaj", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvj", "_ZdaPvj"}


def objects_of(compile_commands, root):
    """Folder of src/ -> the objects that its own targets are made of."""
    root = root.resolve()
    found = collections.defaultdict(list)
    for entry in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        source, directory = pathlib.Path(entry["file"]).resolve(), pathlib.Path(entry["directory"])
        words = shlex.split(entry["command"])
        made = pathlib.PurePath(words[words.index("-o") + 1])
        if source.is_relative_to(root / "src") and made.parts[0] == "src":
            found[folders.folder_of(source.relative_to(root))].append(directory / made)
    return found


def symbols_of(path):
    """An object's strong definitions, the symbols it needs, and its inline functions, which others may define too."""
    defined, needed, inline = set(), set(), set()
    for line in repository.run("nm", "--format=posix", path).splitlines():
        words = line.split()
        if len(words) >= 2 and words[1] in DEFINED:
            defined.add(words[0])
        elif len(words) >= 2 and words[1] in "Uwv":
            needed.add(words[0])
        elif len(words) >= 2 and words[1] in "WVu":
            inline.add(words[0])
    return defined, needed, inline


def readable(symbols):
    names = repository.run("c++filt", *symbols).splitlines() if symbols else []
    return dict(zip(symbols, names))


def call_violations(all_folders, objects, single_calls=()):
    """`objects`: folder -> paths of its objects; `single_calls`: (folder, function) that no context keeps apart."""
    owners, needs = {}, []
    for name, paths in objects.items():
        for path in paths:
            defined, needed, _ = symbols_of(path)
            owners.update({symbol: name for symbol in defined})
            needs.append((name, path, needed))
    found = []
    for name, path, needed in needs:
        for symbol in sorted(needed & owners.keys()):
            caller, called = all_folders[name], all_folders[owners[symbol]]
            if called is caller or symbol in OF_THE_LANGUAGE:
                continue
            if not caller.may_call(called):
                found.append((name, path, symbol, True, f"of {called.name}: a line of \"{caller.context}\" calls one "
                                                        f"of \"{called.context}\""))
            elif called.name not in caller.uses:
                found.append((name, path, symbol, False,
                              f"of {called.name}, which {name} does not use by its head"))
    names = readable(sorted({symbol for _, _, symbol, _, _ in found}))
    for name, path, symbol, is_by_context, what in found:
        if not (is_by_context and (name, names[symbol]) in single_calls):
            yield f"{path.name.removesuffix('.o')} calls {names[symbol]} {what}"
    needed = {(name, names[symbol]) for name, _, symbol, is_by_context, _ in found if is_by_context}
    for name, function in sorted(set(single_calls) - needed):
        yield f"{name} may call {function} by the list, and does not need that"


def main():
    all_folders, violations = folders.read(repository.Tree())
    objects = objects_of(sys.argv[1], repository.ROOT)
    built = {name: [path for path in paths if path.exists()] for name, paths in objects.items()}
    violations += [f"{name}: nothing of it is built" for name, paths in sorted(built.items()) if not paths]
    violations += call_violations(all_folders, built, SINGLE_CALLS)
    repository.finish("context_calls", sum(map(len, built.values())), violations)


if __name__ == "__main__":
    main()
