# SPDX-License-Identifier: Apache-2.0
"""A class of the device side has its functions in one .cc, and no more data members than one can keep in mind.

The members of a plain struct that only this class uses count as the class's own, and so do those of its bases: moving
members there makes no class smaller. Such a struct is the type of one member, and no file names it but the class's.
"""

import collections

import cpp_source
import folders
import repository

DEVICE = ("src", "arch", "include")
MOST_MEMBERS = 20
# Around a member that is there once or not at all.
HOLDERS = {"optional", "unique_ptr", "atomic"}
PLAIN_WORDS = {"std", "::", "const", "mutable", "&", "*", "<", ">", "struct"}


def held_type(member):
    """The last name of the member's type if the member is one value of it, else an empty text."""
    names = [word for word in member.type if word not in PLAIN_WORDS and word not in HOLDERS]
    if "&" in member.type or "*" in member.type or len(names) == 0:
        return ""
    holders = [word for word in member.type if word in HOLDERS]
    if "<" in member.type and not holders:
        return ""
    return names[-1]


def is_plain(found):
    return not found.has_functions and found.kind != "class"


class Sizes:
    """How many data members each class has."""

    def __init__(self, sources):
        self.sources = sources
        self.classes = [(path, found) for path, source in sources.items() for found in source.classes]
        self.uses = collections.Counter(held_type(member) for _, found in self.classes for member in found.members)
        self.by_name = collections.defaultdict(list)
        for path, found in self.classes:
            self.by_name[found.name].append((path, found))
        self.names = {path: set(source.tokens) for path, source in sources.items()}

    def files_of(self, path, found):
        """The header of the class, and the .cc with its functions."""
        return {path} | {other for other, source in self.sources.items() if other.parent == path.parent and any(
            found.name in function.scope for function in source.functions)}

    def is_for_one(self, name, owner_path, owner):
        """Whether a plain struct of this name is there for this class alone."""
        if self.uses[name] != 1 or len(self.by_name[name]) != 1 or not is_plain(self.by_name[name][0][1]):
            return False
        naming = {path for path, names in self.names.items() if name in names}
        return naming <= self.files_of(owner_path, owner) | {self.by_name[name][0][0]}

    def members(self, path, found, within=()):
        """Names of all that count."""
        names = []
        for base in found.bases:
            if len(self.by_name[base]) == 1 and base not in within:
                names += self.members(*self.by_name[base][0], (*within, base))
        for member in found.members:
            type_ = held_type(member)
            if member.fields is not None:  # struct {...} name;
                names += [field.name for field in member.fields]
            elif type_ and type_ not in within and self.is_for_one(type_, path, found):
                names += self.members(*self.by_name[type_][0], (*within, type_))
            else:
                names.append(member.name)
        return names


def size_violations(sources):
    sizes = Sizes(sources)
    for path, found in sizes.classes:
        members = sizes.members(path, found)
        if not is_plain(found) and len(members) > MOST_MEMBERS:
            yield (f"{path}:{found.line}: {found.name} has {len(members)} data members, {MOST_MEMBERS} are allowed "
                   f"({len(found.members)} of its own)")


def file_violations(sources):
    """Classes whose member functions are defined in more than one .cc."""
    places = collections.defaultdict(set)
    for path, source in sources.items():
        for function in source.functions if path.suffix == ".cc" else ():
            is_definition = function.is_definition or source.tokens[function.end - 1] == "default"
            if is_definition and function.scope:
                folder = folders.folder_of(path)  # with what is below it
                places[folder, function.scope[0]].add(path.relative_to(folder).as_posix())
    for (folder, name), files in sorted(places.items()):
        if len(files) > 1:
            yield f"{folder}: {name} is defined in {', '.join(sorted(files))}; a class has one .cc"


def violations_of(tree):
    sources = {path: cpp_source.Source(tree.text(path)) for path in tree.files(".h", ".cc", under=DEVICE)}
    yield from file_violations(sources)
    yield from size_violations(sources)


def main():
    tree = repository.Tree()
    repository.finish("classes", len(tree.files(".h", ".cc", under=DEVICE)), list(violations_of(tree)))


if __name__ == "__main__":
    main()
