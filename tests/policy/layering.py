# SPDX-License-Identifier: Apache-2.0
"""A folder includes and links only what it declares as used, through other headers too.

Each folder of src/ has its row at the head of its CMakeLists.txt (folders.py). Folders in the contexts "signal" and
"any thread" use only folders in these contexts. JNI is named only in folders whose row has "# JNI: yes". The policy
`context_calls` checks the calls in the built objects.
Rooms of the host tool include the rooms that the table of tools/stillframe/CMakeLists.txt gives them.
"""

import pathlib
import re

import folders
import includes
import repository

# Allowed includes for folders outside src/. Targets and tests may use all.
OTHER_USES = {
    "include": {"include"},
    "arch": {"arch"},
    "tools": {"include", "src/model", "src/dump", "src/settings", "tools"},
}
CHECKED = ("src", "arch", "include", "tools")
# Contexts whose folders may not even see inline functions of others.
STRICT = ("signal", "any thread")
# Targets that are not named for their folder, and those that only carry compiler flags.
TARGET_FOLDERS = {"stillframe_dump_reader": "src/dump", "stillframe_runtime": "src/entry"}
SETTINGS = {"stillframe_warnings", "stillframe_device"}
# Compiler options that include a file or a folder past the sources.
HIDDEN_INCLUDES = re.compile(r"-(?:include|imacros|isystem|iquote|idirafter|I)\b\S*|-I\S+")
JNI_WORD = re.compile(r"\b(?:_?(?:JNI\w+|JavaVM\w*)|jni(?:_md)?\.h"
                      r"|_?j(?:object|class|string|throwable|weak|value|methodID|fieldID|size|boolean|byte|char|short|int"
                      r"|long|float|double|(?:object|boolean|byte|char|short|int|long|float|double)?[aA]rray))\b")
ROOMS_TABLE = pathlib.PurePosixPath("tools/stillframe/CMakeLists.txt")
ROOM = re.compile(r"^#   (\w+) -> (.+?)(?:  |$)", re.M)
LINKS = re.compile(r"\b(?:target_link_libraries|link_libraries)\(([^)]*)\)")


def uses_of(all_folders):
    return {**OTHER_USES, **{name: folder.uses for name, folder in all_folders.items()}}


def table_violations(all_folders):
    for name, folder in sorted(all_folders.items()):
        for used in sorted(folder.uses - {name, *OTHER_USES}):
            if used not in all_folders:
                yield f"{name}: uses {used}, which is no folder of src/"
            elif folder.context in STRICT and not folder.may_call(all_folders[used]):
                yield (f"{name}: what {describe(folder)} may run uses {used}, "
                       f"which {describe(all_folders[used])} runs")


def describe(folder):
    return {"signal": "a signal", "collector": "the collector"}.get(folder.context, folder.context)


def own_violations(tree, path, uses):
    """Violations in the file's own includes."""
    folder = folders.folder_of(path)
    if folder not in uses:
        yield f"{path}: folder {folder} says nowhere what it may use"
        return
    for what in includes.obscure(tree.text(path)):
        yield f"{path}: {what}"
    for include in includes.plain(tree.text(path)):
        included = include.name
        if ".." in included.split("/"):
            continue  # told already
        if include.bracket == "<":
            if included.startswith(("src/", "arch/", "tests/", "tools/", "bench/")):
                yield f"{path}: <{included}> belongs in quotes, so that layers can be seen"
        elif not (tree.root / included).exists() and (tree.root / path.parent / included).exists():
            yield f'{path}: "{included}" must be named from the repository root'
        elif folders.folder_of(included) not in uses[folder]:
            yield f"{path}: includes {included}; {folder} may use {', '.join(sorted(uses[folder]))}"


def jni_violations(path, text):
    """JNI's header and types, which the file's folder may not name."""
    text = includes.DROPPED.sub("", text)
    for word in sorted(set(JNI_WORD.findall(text))):
        yield f"{path}: names {word}, which its folder may not"


def chain_violations(path, included_by, uses):
    """One chain of includes to each folder that the file sees through other folders' headers and may not use."""
    folder = folders.folder_of(path)
    chains, rest = {str(path): (str(path),)}, [str(path)]
    told = set()
    while rest:
        header = rest.pop(0)
        for included in included_by.get(header, ()):
            if included in chains:
                continue
            chains[included] = (*chains[header], included)
            used = folders.folder_of(included)
            if used == folder:  # speaks for itself
                continue
            if used in uses.get(folder, (used,)):
                rest.append(included)
            elif folders.folder_of(header) != folder and used not in told:
                told.add(used)
                yield f"{' > '.join(chains[included])}: {folder} may not use {used}, not through others either"


def link_violations(tree, path, uses):
    """Violations in a CMakeLists.txt of a folder, or in the one above, which may link for each folder."""
    folder = folders.folder_of(path)
    text = re.sub(r"#.*", "", tree.text(path))
    is_above = len(path.parts) == 2
    if not is_above and not re.search(r"add_library\(|add_executable\(", text):
        yield f"{path}: has no target of its own"
    if "../" in text:
        yield f"{path}: names a file of another folder by \"../\""
    if "LINK_LIBRARIES" in text:
        yield f"{path}: links by a property; target_link_libraries is what is read"
    if " ALIAS " in text:
        yield f"{path}: gives a target a second name, which hides what is linked"
    if path.parts[0] == "src" and re.search(r"target_include_directories\(\s*\w+\s+(?!SYSTEM\b)", text):
        yield f"{path}: headers are included from the repository root only"
    if found := HIDDEN_INCLUDES.search(text):
        yield f"{path}: includes by an option: {found.group()}"
    for body in LINKS.findall(text):
        target, *libraries = body.split() or [""]
        linking = folder_of_target(target) if folder == "src" or is_above else folder
        for library in libraries:
            used = folder_of_target(library)
            if library in SETTINGS or used not in uses or linking not in uses:
                continue
            if used not in uses[linking]:
                yield f"{path}: {target} links {library}; it may use {', '.join(sorted(uses[linking]))}"


def folder_of_target(target):
    return TARGET_FOLDERS.get(target, "src/" + target.removeprefix("stillframe_"))


def rooms_of(text):
    """(Room of the host tool -> the rooms that it may include, violations), by the table in tools/stillframe/CMakeLists.txt.
    A room uses rooms above it only, so that there is no circle."""
    rooms, violations = {}, []
    for name, used in ROOM.findall(text):
        named = set(rooms) if used.startswith("all") else set(re.findall(r"\w+", used)) - {"nothing"}
        violations += [f"{ROOMS_TABLE}: {name} uses {each}, which is not above it" for each in sorted(named - set(rooms))]
        rooms[name] = {name}.union(*(rooms[each] for each in named & set(rooms)))
    return rooms, violations


def room_violations(tree, sources):
    if not (tree.root / ROOMS_TABLE).exists():
        return
    rooms, violations = rooms_of(tree.text(ROOMS_TABLE))
    yield from violations
    for path in sources:
        if path.parts[:2] != ("tools", "stillframe") or len(path.parts) != 4:
            continue
        room = path.parts[2]
        if room not in rooms:
            yield f"{path}: {room} is no row of {ROOMS_TABLE}"
            continue
        for include in includes.plain(tree.text(path)):
            parts = pathlib.PurePosixPath(include.name).parts
            if parts[:2] == ("tools", "stillframe") and len(parts) == 4 and parts[2] not in rooms[room]:
                yield f"{path}: includes {include.name}; {room} may use {', '.join(sorted(rooms[room]))}"


def lists_of(tree):
    return [path for path in tree.files(".txt", under=["src", "tools/stillframe"])
            if path.name == "CMakeLists.txt" and path.as_posix() != "tools/stillframe/CMakeLists.txt"]


def violations_of(tree):
    all_folders, violations = folders.read(tree)
    yield from violations
    yield from table_violations(all_folders)
    uses = uses_of(all_folders)
    sources = tree.files(".h", ".cc", ".inc", under=CHECKED)
    included_by = {str(path): [include.name for include in includes.plain(tree.text(path)) if include.bracket == '"']
                   for path in sources}
    for path in sources:
        yield from own_violations(tree, path, uses)
        yield from chain_violations(path, included_by, uses)
        folder = all_folders.get(folders.folder_of(path))
        if not (folder and folder.names_jni):
            yield from jni_violations(path, tree.text(path))
    for path in lists_of(tree):
        yield from link_violations(tree, path, uses)
    yield from room_violations(tree, sources)


def main():
    tree = repository.Tree()
    checked = len(tree.files(".h", ".cc", ".inc", under=CHECKED)) + len(lists_of(tree))
    repository.finish("layering", checked, list(violations_of(tree)))


if __name__ == "__main__":
    main()
