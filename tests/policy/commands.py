# SPDX-License-Identifier: Apache-2.0
"""Documents show commands as the host tool takes them: verbs and options are those of --help, and examples run.

`commands.py TOOL`. Commands that need a phone are only compared with --help.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import repository

CLI = "docs/cli.md"
SETTINGS = "docs/production.md"  # its first JSON block is a document of settings
PHONE = ("doctor", "record", "live", "pull")
# Options that the head of cli.md describes for all verbs.
EVERYWHERE = ("--help", "-o")
# Options in sentences that belong to another program.
ELSEWHERE = {"--cpu": "build/bin/art-run"}
PLACEHOLDERS = ("tests/policy/X.py",)
TIMEOUT_S = 60
SEEDS = "tests/fuzz/host/seeds"
DUMP, NATIVE_DUMP = "tests/golden/dump-v1.6-intervals.sfdump", "tests/golden/dump-v1.6-all.sfdump"
RECORD = f"{SEEDS}/janks/record.json"
# Names that documents give to inputs -> the file of this repository that replaces them.
INPUTS = (
    (r"(build/try/\*|stillframe-\*|[\w.-]+)\.sfdump|DUMP", DUMP),
    (r"traces\.txt", "tests/field/traces/art14-blocked-by-worker.txt"),
    (r"(DUMPS|dumps[\w.-]*|main|branch|BEFORE|AFTER)/|dumps", (DUMP, "anr.sfdump")),
    (r"records/|FOLDER", (RECORD, "stillframe-jank-1.json")),
    (r"RECORD", RECORD),
    (r"anr_[\d-]+", f"{SEEDS}/import/traces"),
    (r"issue\.json", "tests/golden/host/anr.matrix"),
    (r"old-stacks\.txt", f"{SEEDS}/import/collapsed"),
)
TEXTS = {
    "ids.txt": "c0ffee\ndecade\n",
    "methodMapping.txt": "12,1,com.shop.Cart load ()V\n",
    "app/build/outputs/mapping/release/mapping.txt": "com.shop.Cart -> com.example.Class8:\n",
}
SETTINGS_NAMES = ("settings.json", "FILE")
SYMBOLS = "app/build/intermediates/cmake"
STORE = "fleet.db"  # of these records, whose causes have these ids
STORED = (RECORD, f"{SEEDS}/janks/running")
CAUSES = ("445e5c05a8d4", "82c050446a30")

TOOL_WORD = r"(?:(?:\./)?build/bin/)?stillframe"
SHOWN_TOOL = re.compile(rf"(?<![\w./$-]){TOOL_WORD} [a-z]")
SCRIPT = re.compile(r"(?<![\w./-])(?:\./)?(?:tools|tests)/[\w./-]+")
OUTPUTS = {"--output", "--collapsed", "--svg", "--examples"}
INTERPRETERS = ("python3", "node", "bash", "source")


# The help of the tool.

class Verb:
    """Options and inputs, as `--help` lists them."""

    def __init__(self, text):
        self.value = {}  # name -> what follows it, or ""
        self.same = {}  # name -> all names of that option
        self.required = []
        for part in re.split(r"\n(?=  -)", text)[1:]:
            short, long, value = re.match(r"  (?:(-\w),)?(--[\w,-]+)(?: (\S+))?(?: {2,}|$)", part, re.MULTILINE).groups("")
            names = {name for name in (short, *long.split(",")) if name}
            if "(required)" in part:
                self.required.append(names)
            for name in names:
                self.value[name], self.same[name] = value, names
        listed = re.search(r"^Positionals:\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
        self.inputs = re.findall(r"^  ([A-Z]+) ", listed.group(1), re.MULTILINE) if listed else []
        first = text.find("\nExample:\n")
        self.examples = [(text.count("\n", 0, first) + 3 + number, line.strip())
                         for number, line in enumerate(text[first:].splitlines()[2:])] if first >= 0 else []


class Tool:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        names = re.findall(r"^[a-z ]{9} ([a-z]+) ", self.run("--help").stdout, re.MULTILINE)
        self.verbs = {}  # "janks", "store add"
        for name in names:
            text = self.run(name, "--help").stdout
            self.verbs[name] = Verb(text)
            for sub in re.findall(r"^ {10}([a-z]+) ", text, re.MULTILINE) if " SUBCOMMAND" in text else ():
                self.verbs[f"{name} {sub}"] = Verb(self.run(name, sub, "--help").stdout)

    def run(self, *arguments, **keywords):
        return subprocess.run([str(self.path), *arguments], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, timeout=TIMEOUT_S, check=False, **keywords)


# Commands in documents.

def codes(text):
    """(line, code, whether it is a line of a block) of a document."""
    fenced = in_block = False
    paragraph, first = [], 0
    held, held_line = "", 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        in_block = fenced or (line.startswith("    ") and (in_block or not paragraph))
        if in_block and not fence:
            held_line = held_line if held else number
            held += line.strip()
            if held.endswith("\\"):
                held = held[:-1]
            else:
                yield held_line, held.removeprefix("- run: "), True
                held = ""
        if in_block or fence or not line.strip() or line.startswith("|"):
            yield from inline_codes(first, paragraph)
            paragraph = []
        if line.startswith("|"):
            yield from inline_codes(number, [line.replace("\\|", "|")])
        elif line.strip() and not in_block and not fence:
            first = first if paragraph else number
            paragraph.append(line)


def inline_codes(first, lines):
    text = "\n".join(lines)
    for found in re.finditer(r"`([^`]+)`", text):
        yield first + text.count("\n", 0, found.start()), " ".join(found.group(1).split()), False


def commands_of(code):
    """Pairs of a command's words and the words of the command that reads its output."""
    lexer = shlex.shlex(code, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    commands, ends, is_redirected = [[]], [], False
    for word in lexer:
        if set(word) <= set("|&;"):
            ends.append(word)
            commands.append([])
            is_redirected = False
        elif set(word) <= set("<>"):
            is_redirected = True
        elif not is_redirected and (commands[-1] or not re.match(r"\w+=|sudo$", word)):
            commands[-1].append(word)
    return [(words, commands[number + 1] if ends[number:number + 1] == ["|"] else [])
            for number, words in enumerate(commands) if words]


class Shown:
    """A command of the tool as a document shows it. `wrong` is empty if the verb's --help agrees."""

    def __init__(self, place, code, words, reader, is_block):
        self.place, self.code, self.reader, self.is_block = place, code, reader, is_block
        self.verb, self.words = words[1], words[2:]
        self.inputs, self.values, self.wrong = [], {}, []

    def compare(self, tool):
        if self.words and f"{self.verb} {self.words[0]}" in tool.verbs:
            self.verb += " " + self.words.pop(0)
        verb = tool.verbs.get(self.verb)
        if verb is None:
            self.wrong.append(f"the verb {self.verb} is unknown")
            return
        words = iter(self.words)
        for word in words:
            name, _, value = word.partition("=")
            if not word.startswith("-") or word == "-":
                self.inputs.append(word)
            elif name not in verb.same:
                self.wrong.append(f"`{self.verb}` has no option {name}")
            elif verb.value[name]:
                value = value or next(words, "")
                if not value:
                    self.wrong.append(f"{name} needs a value, {verb.value[name]}")
                self.values[name] = value
        for names in verb.required if self.is_block or self.inputs else ():
            if not names & self.values.keys():
                self.wrong.append(f"`{self.verb}` needs {max(names, key=len)}")
        if self.inputs and not verb.inputs and not self.wrong:
            self.wrong.append(f"`{self.verb}` takes no {self.inputs[0]}")

    def is_to_run(self):
        """A command inside a sentence may leave its input out."""
        return (not self.wrong and self.verb not in PHONE and "--watch" not in self.words and  # which ends at a signal
                bool(self.is_block or self.inputs))


def shown_commands(place, code, is_block):
    """Commands of the tool in the code, and one error if some of them cannot be read."""
    wanted = len(SHOWN_TOOL.findall(code))
    found = []
    try:
        for words, reader in commands_of(code) if wanted else ():
            if re.fullmatch(TOOL_WORD, words[0]) and re.match(r"[a-z]", words[1] if len(words) > 1 else ""):
                found.append(Shown(place, code, words, reader, is_block))
    except ValueError:
        pass
    return found, [] if len(found) == wanted else [f"{place}: `{code}`: this test cannot read the command"]


# Runs of examples on files of this repository.

class Folder:
    """A folder that holds the inputs of a command."""

    def __init__(self, tree, tool, folder):
        self.tree, self.tool, self.folder = tree, tool, pathlib.Path(folder)

    def settings(self):
        lines = []
        for _, line, is_block in codes(self.tree.text(pathlib.PurePosixPath(SETTINGS)) or ""):
            if is_block and (lines or line == "{"):
                lines.append(line)
                if line == "}":
                    break
        return "\n".join(lines)

    def put(self, name, verb):
        """Creates the input `name`; False if this test does not know what it is."""
        path = self.folder / name.replace("*", "4711-1-sigquit")
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in TEXTS or name in SETTINGS_NAMES:
            path.write_text(TEXTS[name] if name in TEXTS else self.settings(), encoding="utf-8")
            return True
        if name == SYMBOLS:
            path.mkdir()
            (path / "libshop.so").symlink_to(self.tool.path)  # any ELF file
            return True
        if name == STORE:
            added = self.tool.run("store", "add", *(str(self.tree.root / each) for each in STORED), "--to", str(path))
            return added.returncode == 0
        if name in CAUSES or (verb == "store query" and " " in name):
            return True
        for pattern, source in INPUTS:
            if re.fullmatch(pattern, name):
                if isinstance(source, tuple):
                    source, inner = source
                    path.mkdir(exist_ok=True)
                    path = path / inner
                shutil.copy(self.tree.root / (NATIVE_DUMP if verb == "symbolize" else source), path)
                return True
        return False

    def prepare(self, shown):
        """Creates all inputs. Returns names that this test does not know."""
        verb = self.tool.verbs[shown.verb]
        names = shown.inputs[1:] if verb.inputs[:1] == ["WHAT"] else list(shown.inputs)
        names += [value for name, value in shown.values.items()
                  if not verb.same[name] & OUTPUTS and re.search(r"FILE|DIR|STORE", verb.value[name])]
        browser = self.folder / "bin/xdg-open"
        browser.parent.mkdir()
        browser.write_text('#!/bin/sh\nexec test -s "$1"\n', encoding="utf-8")
        browser.chmod(0o755)
        return [name for name in names if name != "-" and not self.put(name, shown.verb)]

    def run(self, shown):
        """Runs the command and yields its errors."""
        unknown = self.prepare(shown)
        if unknown:
            yield f"INPUTS of {pathlib.Path(__file__).name} has nothing for {', '.join(unknown)}"
            return
        words = []
        for word in shown.words:
            words += sorted(str(path.relative_to(self.folder)) for path in self.folder.glob(word)) if "*" in word else [word]
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        done = self.tool.run(*shown.verb.split(), *words, cwd=self.folder, env={**os.environ, "PATH": path})
        if done.returncode != 0:
            yield f"exit code {done.returncode}: {' '.join((done.stderr or done.stdout).split())[:300]}"
            return
        for name in ("-o", "--output"):
            output = shown.values.get(name, "-")
            if output != "-" and not (self.folder / output).exists():
                yield f"{output} is not written"
        if shown.reader[:1] == ["jq"] and shutil.which("jq"):
            read = subprocess.run(shown.reader, input=done.stdout, capture_output=True, text=True, check=False)
            if read.returncode != 0 or "null" in read.stdout.splitlines():
                yield f"jq says {' '.join((read.stderr or read.stdout).split())}"


# Scripts.

def usage_of(text):
    """The comment or docstring at a script's head, and its lines about usage."""
    text = re.sub(r"^#!.*\n", "", text)
    head = re.match(r'(?:(?:#|//).*\n)*(?:"""(?:.|\n)*?""")?', text)
    return "\n".join([head.group(0), *(line for line in text.splitlines() if "usage" in line.lower())])


def options_of(text):
    return re.findall(r"(?<![\w-])--[a-z][\w-]*", text)


def script_violations(tree, place, code):
    """Errors in calls and names of scripts."""
    names = {path.as_posix() for path in tree.files()}
    try:
        commands = commands_of(code) if SCRIPT.search(code) else []
    except ValueError:
        yield f"{place}: `{code}`: this test cannot read the command"
        return
    for words, _ in commands:
        runs_itself = words[0] not in INTERPRETERS
        if not runs_itself:
            words = words[1:]
        if not words or not SCRIPT.fullmatch(words[0]):
            continue
        name = words[0].removeprefix("./").rstrip("/")
        if name not in names:
            if name not in PLACEHOLDERS and not any(other.startswith(name + "/") for other in names):
                yield f"{place}: `{code}`: {name} does not exist"
            continue
        if runs_itself and (len(words) > 1 or words[0].startswith("./")) and not os.access(tree.root / name, os.X_OK):
            yield f"{place}: `{code}`: {name} is not executable"
        known = options_of(usage_of(tree.text(pathlib.PurePosixPath(name)) or ""))
        for option in words[1:]:
            if option.startswith("--") and option.partition("=")[0] not in known:
                yield f"{place}: `{code}`: the usage of {name} has no {option}"


# The table of commands.

def options_in(text):
    """Options that open an inline code."""
    return {code.split()[0] for code in re.findall(r"`(-[^`]*)`", text) if re.match(r"--?[a-z]", code)}


def cli_violations(text, tool):
    head = text.partition("\n## ")[0]
    shared = set().union(*(options_in(line) for line in head.splitlines() if line.startswith("- `--")))
    shared |= {name for name in EVERYWHERE if re.search(rf"[` ]{name}`", head)}
    rows, above = {}, set()
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"\| `stillframe ([^`]+)` \| (.*) \|$", line)
        if not found:
            continue
        name, cell = found.groups()
        stated = options_in(cell) | (above if re.search(r"\bthe same(?:,|$)", cell) else set())
        above = stated
        if name in rows:
            yield f"{CLI}:{number}: {name} has two rows"
        rows[name] = number
        verb = tool.verbs.get(name)
        if verb is None:  # as check says of any document
            continue
        for option in sorted(stated - set(verb.same)):
            yield f"{CLI}:{number}: `{name}` has no option {option}"
        for option in verb.same:
            if option.startswith("--") and not verb.same[option] & (stated | shared):
                yield f"{CLI}:{number}: the row of `{name}` lacks {option}"
    for name in tool.verbs:
        if name not in rows:
            yield f"{CLI}:1: has no row `stillframe {name}`"


def bare_option_violations(tree, path, text, tool):
    """Options in sentences, without their command: some verb, or some script that the document names, has them."""
    known = {option for verb in tool.verbs.values() for option in verb.same} | ELSEWHERE.keys()
    for name in SCRIPT.findall(text):
        name = pathlib.PurePosixPath(name)
        if name in tree.files():
            known |= set(options_of(usage_of(tree.text(name) or "")))
    for number, code, is_block in codes(text):
        found = None if is_block else re.match(r"--[a-z][\w-]*", code)
        if found and found.group(0) not in known:
            yield f"{path}:{number}: `{code}`: no verb and no script named here has {found.group(0)}"


def documents(tree):
    return [path for path in tree.files(".md") if path.is_relative_to("docs") or
            str(path) in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")]


def check(tree, tool):
    """(how many commands were run, violations)."""
    violations, shown = [], []
    if not tool.verbs:
        violations.append(f"{tool.path}: --help lists no verb, or this test no longer understands it")
    for name, verb in tool.verbs.items():
        if not verb.examples:
            violations.append(f"`stillframe {name} --help`: has no example")
        for number, line in verb.examples:
            found, wrong = shown_commands(f"`stillframe {name} --help`:{number}", line, True)
            shown += found
            violations += wrong
    for path in documents(tree):
        text = tree.text(path) or ""
        violations += bare_option_violations(tree, path, text, tool)
        for number, code, is_block in codes(text):
            found, wrong = shown_commands(f"{path}:{number}", code, is_block)
            shown += found
            violations += wrong
            violations += script_violations(tree, f"{path}:{number}", code)
    violations += cli_violations(tree.text(pathlib.PurePosixPath(CLI)) or "", tool)
    ran = 0
    for command in shown:
        command.compare(tool)
        wrong = list(command.wrong)
        if command.is_to_run():
            ran += 1
            with tempfile.TemporaryDirectory() as folder:
                wrong += Folder(tree, tool, folder).run(command)
        violations += [f"{command.place}: `{command.code}`: {what}" for what in wrong]
    return ran, violations


if __name__ == "__main__":
    repository.finish("commands", *check(repository.Tree(), Tool(sys.argv[1])))
