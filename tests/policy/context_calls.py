# SPDX-License-Identifier: Apache-2.0
"""Who calls whom in the built objects: no folder of src/ a function that its context or its uses keep from it.

Usage: context_calls.py COMPILE_COMMANDS
The objects' own symbols are read, so that a function that is only declared where it is called is seen as well. A call
through a pointer is not; what a handler reaches that way is a matter of signal_safety.
"""

import collections
import json
import pathlib
import sys

import folders
import repository

DEFINED = set("TDBRGSC")  # weak ones are inline functions, which layering sees by their headers

# Single functions that any thread may call, in a folder that belongs to one: name with parameters: who calls it.
FOR_ANY_THREAD = {
    "stillframe::art::HasVm()": "src/jvm, on the collector's side, before it hands a job over",
}


# Calls that the compiler makes of the one place that an allocation of this library goes through.
OF_THE_LANGUAGE = {"_Znwm", "_Znam", "_Znwj", "_Znaj", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvj", "_ZdaPvj"}


def objects_of(compile_commands, root):
    """Folder of src/ -> the objects that its own targets are made of."""
    found = collections.defaultdict(list)
    for entry in json.loads(pathlib.Path(compile_commands).read_text(encoding="utf-8")):
        source, directory = pathlib.Path(entry["file"]), pathlib.Path(entry["directory"])
        words = entry["command"].split()
        made = pathlib.PurePath(words[words.index("-o") + 1])
        if source.is_relative_to(root / "src") and made.parts[0] == "src":
            found[folders.folder_of(source.relative_to(root))].append(directory / made)
    return found


def symbols_of(path):
    """What an object defines for others, what it needs, and its inline functions, which others may define too."""
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


def call_violations(all_folders, objects, for_any_thread=()):
    """`objects`: folder -> paths of its objects; `for_any_thread`: functions that the context is no matter for."""
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
                found.append((path, symbol, True, f"of {called.name}: a line of \"{caller.context}\" calls one of "
                                                  f"\"{called.context}\""))
            elif called.name not in caller.uses:
                found.append((path, symbol, False, f"of {called.name}, which {caller.name} does not use by its head"))
    names = readable(sorted({symbol for _, symbol, _, _ in found}))
    for path, symbol, is_by_context, what in found:
        if not (is_by_context and names[symbol] in for_any_thread):
            yield f"{path.name.removesuffix('.o')} calls {names[symbol]} {what}"
    for name in sorted(set(for_any_thread) - set(names.values())):
        yield f"{name} is listed for any thread, and nobody needs that"


def main():
    all_folders, violations = folders.read(repository.Tree())
    objects = objects_of(sys.argv[1], repository.ROOT)
    built = {name: [path for path in paths if path.exists()] for name, paths in objects.items()}
    violations += [f"{name}: nothing of it is built" for name, paths in sorted(built.items()) if not paths]
    violations += call_violations(all_folders, built, FOR_ANY_THREAD)
    repository.finish("context_calls", sum(map(len, built.values())), violations)


if __name__ == "__main__":
    main()
