# SPDX-License-Identifier: Apache-2.0
"""A class of the device side has its functions in one .cc, and no more data members than one can keep in mind.

The members of a plain struct that only this class uses count as the class's own, and so do those of its bases and of
a nested class behind a unique_ptr: moving members there makes no class smaller. Such a struct is the type of one member
and nested, or no file names it but the class's. Names of types are followed through aliases.
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


def aliases_of(sources):
    """Name -> the name of the class that it stands for, through other aliases."""
    classes = {found.name for source in sources.values() for found in source.classes}
    aliases = {name: type_ for source in sources.values() for name, type_ in source.aliases.items()
               if name not in classes}
    for name in aliases:
        chain = [name]
        while chain[-1] in aliases and aliases[chain[-1]] not in chain:
            chain.append(aliases[chain[-1]])
        aliases[name] = chain[-1]
    return aliases


def is_plain(found):
    return not found.has_functions and found.kind != "class"


class Sizes:
    """How many data members each class has."""

    def __init__(self, sources):
        self.sources = sources
        self.aliases = aliases_of(sources)
        self.classes = [(path, found) for path, source in sources.items() for found in source.classes]
        self.by_name = collections.defaultdict(list)
        for path, found in self.classes:
            self.by_name[found.name].append((path, found))
        self.uses = collections.Counter(
            id(type_[1]) for path, found in self.classes for member in found.members
            if (type_ := self.type_of(member, path, found)))
        self.names = {path: set(source.tokens) for path, source in sources.items()}

    def class_of(self, name, path, scope):
        """The class that the name means within the scope: the innermost one, else the file's, else the only one."""
        found = self.by_name[self.aliases.get(name, name)]
        for depth in range(len(scope), 0, -1):
            if nested := [each for each in found if each[1].scope == scope[:depth]]:
                return nested[0]
        outer = [each for each in found if not each[1].scope or each[1].scope == scope]
        own = [each for each in outer if each[0] == path]
        return (own or outer or found)[0] if len(own or outer or found) == 1 else None

    def type_of(self, member, path, owner):
        """Path and class of the member's type if the member is one value of it."""
        name = held_type(member)
        return self.class_of(name, path, (*owner.scope, owner.name)) if name else None

    def files_of(self, path, found):
        """The header of the class, and the .cc with its functions."""
        return {path} | {other for other, source in self.sources.items() if other.parent == path.parent and any(
            found.name in function.scope for function in source.functions)}

    def is_for_one(self, type_, member, owner_path, owner):
        """Whether this class is there for the owner alone: a plain struct, or what its pointer hides in the .cc."""
        path, found = type_
        is_nested = found.scope == (*owner.scope, owner.name)
        if self.uses[id(found)] != 1 or not (is_plain(found) or is_nested and "unique_ptr" in member.type):
            return False
        if is_nested:
            return True
        words = {found.name} | {alias for alias, name in self.aliases.items() if name == found.name}
        naming = {other for other, names in self.names.items() if words & names}
        return naming <= self.files_of(owner_path, owner) | {path}

    def members(self, path, found, within=()):
        """Names of all that count."""
        names = []
        within = (*within, id(found))
        for base in found.bases:
            type_ = self.class_of(base, path, found.scope)
            if type_ and id(type_[1]) not in within:
                names += self.members(*type_, within)
        for member in found.members:
            type_ = self.type_of(member, path, found)
            if member.fields is not None:  # struct {...} name;
                names += [field.name for field in member.fields]
            elif type_ and id(type_[1]) not in within and self.is_for_one(type_, member, path, found):
                names += self.members(*type_, within)
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
    """Classes whose functions and static members are defined in more than one .cc."""
    aliases = aliases_of(sources)
    places = collections.defaultdict(set)
    for path, source in sources.items():
        if path.suffix != ".cc":
            continue
        folder = folders.folder_of(path)  # with what is below it
        scopes = [function.scope for function in source.functions
                  if function.is_definition or source.tokens[function.end - 1] == "default"]
        for scope in [*scopes, *(scope for scope, _ in source.variables)]:
            if scope:
                name = aliases.get(scope[0], scope[0])
                places[folder, name].add(path.relative_to(folder).as_posix())
    for (folder, name), files in sorted(places.items()):
        # Of x.cc and no_x.cc a build has one.
        if len({file.replace("no_", "", 1) if file.startswith("no_") else file for file in files}) > 1:
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
