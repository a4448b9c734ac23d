# SPDX-License-Identifier: Apache-2.0
"""commands.py fails on documents that disagree with a made-up tool, and on examples that fail."""

import unittest

import commands
import made_up_tree

TOOL = """#!/bin/sh
case "$1 $2" in
"--help ")
  echo "look      text      Print a dump"
  echo "          inspect   Print all"
  echo "phone     record    Record" ;;
"text --help")
  cat <<END
Usage: stillframe text [OPTIONS] DUMP

Positionals:
  DUMP                        The dump

Options:
  -h,--help                   Print this help message and exit
  --rows N                    How many
  -o,--output FILE            The text

Example:
  stillframe text EXAMPLE
END
  ;;
"inspect --help")
  cat <<END
Usage: stillframe inspect [OPTIONS] DUMP

Positionals:
  DUMP                        The dump

Options:
  -h,--help                   Print this help message and exit
  --rows N                    How many
  --json                      Write JSON

Example:
  stillframe inspect anr.sfdump --json
END
  ;;
"record --help")
  cat <<END
Usage: stillframe record [OPTIONS]

Options:
  -h,--help                   Print this help message and exit
  -p,--package PACKAGE        The package, which has
                              a long name (required)

Example:
  stillframe record -p PACKAGE
END
  ;;
text*) grep -q good "$2" || { echo "$2 is bad" >&2; exit 1; } ;;
inspect*) echo '{"kind": 1}' ;;
*) exit 9 ;;
esac
"""
TABLE = """# Commands

- Output goes to the file of `-o`. `stillframe VERB --help` lists all.

Options of all:

- `--rows N` is how many.

## Read

| verb | what |
|---|---|
| `stillframe text` | as text |
| `stillframe inspect` | all: `--json` |
| `stillframe record` | records: `-p PACKAGE` |
"""
SCRIPT = """#!/bin/sh
# Tests.
#   tools/test --quick    the short ones
cmake --build build
"""


class CommandsTest(made_up_tree.MadeUpTreeTest):
    def check(self, files, example="anr.sfdump", dump="good"):
        tree = self.tree({commands.CLI: TABLE, commands.DUMP: dump, "tools/test": SCRIPT,
                          "stillframe": TOOL.replace("EXAMPLE", example), **files})
        for name in ("stillframe", "tools/test"):
            (tree.root / name).chmod(0o755)
        return commands.check(tree, commands.Tool(tree.root / "stillframe"))

    def wrong(self, text, *parts):
        """The document, from its third line on, has one violation, which says all of this."""
        self.assert_one(self.check({"README.md": "# A\n\n" + text})[1], "README.md:3: ", *parts)

    def wrong_table(self, old, new, *parts):
        self.assertIn(old, TABLE)
        self.assert_one(self.check({commands.CLI: TABLE.replace(old, new)})[1], commands.CLI, *parts)

    def test_right_documents_pass_and_their_examples_run(self):
        right = """# A

Then `stillframe text anr.sfdump`, and `--rows 3` or `--quick`. `stillframe
inspect DUMP --json` prints all.

    FOO=1 stillframe text stillframe-*.sfdump --rows 3    # a remark
    stillframe record --package PACKAGE && stillframe inspect \\
      dumps/ --json | less > all

```
- run: build/bin/stillframe text DUMP
./tools/test --quick
```

| what | how |
|---|---|
| read | `stillframe text DUMP`, `sudo ./tools/test` in `tools/` |
"""
        self.assertEqual(self.check({"README.md": right}), (8, []))

    def test_the_table_has_all_verbs_and_no_other(self):
        self.wrong_table("| `stillframe text` | as text |\n", "", ":1: has no row `stillframe text`")
        self.wrong_table("## Read", "## Read\n\n| `stillframe txt` | as text |", ":11: ", "the verb txt is unknown")
        self.wrong_table("## Read", "## Read\n\n| `stillframe text` | as text |", ":15: text has two rows")

    def test_the_table_has_all_options_and_no_other(self):
        self.wrong_table("all: `--json`", "all", ":14: the row of `inspect` lacks --json")
        self.wrong_table("Output goes to the file of `-o`. ", "", ":13: the row of `text` lacks --output")
        self.wrong_table("| as text |", "| as text: `--json` |", ":13: `text` has no option --json")
        self.wrong_table("| records:", "| the same, and records:", ":15: `record` has no option --json")
        unshared = self.check({commands.CLI: TABLE.replace("- `--rows N` is", "- `--help` says")})[1]
        self.assertEqual([line.partition(": ")[2] for line in unshared],
                         ["the row of `text` lacks --rows", "the row of `inspect` lacks --rows"])

    def test_verbs_options_and_inputs_are_compared(self):
        self.wrong("`stillframe txt DUMP`", "the verb txt is unknown")
        self.wrong("    stillframe text DUMP --row 3", "`text` has no option --row")
        self.wrong("`stillframe text --row`", "`text` has no option --row")
        self.wrong("| `stillframe text -r DUMP` |", "`text` has no option -r")
        self.wrong("    stillframe text DUMP --rows", "--rows needs a value, N")
        self.wrong("    stillframe record -p a.b DUMP", "`record` takes no DUMP")
        self.wrong("    stillframe record", "`record` needs --package")
        self.wrong("    adb forward && stillframe record -p a.b -s 1", "`record` has no option -s")

    def test_examples_run(self):
        self.wrong("    stillframe text DUMP -o a.txt", "a.txt is not written")
        self.wrong("    stillframe text other.bin", "INPUTS of commands.py has nothing for other.bin")
        self.wrong("    stillframe text", "exit code 1")
        violations = self.check({}, dump="broken")[1]
        self.assert_one(violations, "`stillframe text --help`:12: ", "exit code 1: anr.sfdump is bad")
        self.assert_one(self.check({}, example="anr.sfdump --raw")[1], "has no option --raw")

    def test_commands_that_cannot_be_read_fail(self):
        self.wrong("    $(stillframe text DUMP)", "cannot read")
        self.wrong("    stillframe text 'DUMP", "cannot read")

    def test_scripts_exist_and_have_the_options(self):
        self.wrong("    ./tools/tset", "tools/tset does not exist")
        self.wrong("`tools/tset/all`", "tools/tset/all does not exist")
        self.wrong("    ./tools/test --build", "the usage of tools/test has no --build")
        self.wrong("    python3 tools/test --slow", "the usage of tools/test has no --slow")
        violations = self.check({"README.md": "`./tools/run`", "tools/run": ""})[1]
        self.assert_one(violations, "README.md:1: ", "tools/run is not executable")

    def test_options_in_sentences_belong_to_something(self):
        self.wrong("It has `--rows` and `--quick`.", "has --quick")
        self.assertEqual(self.check({"README.md": "It has `--rows`; `tools/test` has `--quick`."})[1], [])


if __name__ == "__main__":
    unittest.main()
