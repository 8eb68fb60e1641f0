"""Reads what `kasc --help` and `kasc COMMAND --help` print, so that man pages and completion say what the command says.

The layout is CLI11's: a description, "Usage:", then sections "NAME:" of entries, then a text of ours. An entry begins with
two blanks; its text stands from column 30 on, in the same line where what comes before is shorter, else in the next ones:

  --seed N                    what a strategy draws or breaks ties with
  --max-fusion INT:INT in [1 - 128]=128
                              calls in one kernel, at most
"""
import re
import subprocess
from dataclasses import dataclass, field

COLUMN = 30
# Values with a sign that no default follows.
FORMS = ("name=value", "NAME=FILE.png")
# Behind the names of an entry; CLI11 writes them in this order.
CONDITION = re.compile(r" (Needs|Excludes): ((?:--?[\w-]+ ?)+)")
SET = re.compile(r":?\{([^}]*)\}")
RANGE = re.compile(r":?\(?(?:INT|FLOAT|NUMBER) in \[([^ ]+) - ([^ ]+)\]\)?")


@dataclass
class Entry:
    """An option, an argument or a command."""

    names: list  # ["-o", "--output"], or the one word of an argument or command
    value: str = ""  # what follows an option, as help writes it: "DIR"; empty: nothing does
    words: list = field(default_factory=list)  # the values that there are; empty: any
    bounds: tuple = ()  # the least and the largest number
    default: str = ""
    optional_value: bool = False  # --timing, --timing=json
    required: bool = False
    repeated: bool = False
    needs: str = ""
    excludes: str = ""
    text: list = field(default_factory=list)  # lines

    @property
    def is_option(self):
        return self.names[0].startswith("-")


@dataclass
class Help:
    name: str  # "kasc", "kasc run"
    description: str
    usage: str
    sections: list  # of (title, [Entry])
    footer: list  # lines before "Example:"
    examples: list  # lines

    def entries(self, options):
        return [e for _, entries in self.sections for e in entries if e.is_option == options]


def parse_head(head):
    """What stands before an entry's text."""
    entry = Entry([])
    for kind, names in CONDITION.findall(head):
        setattr(entry, kind.lower(), names.strip())
    head = CONDITION.sub("", head)
    if head.endswith(" ..."):
        entry.repeated, head = True, head[:-4]
    if " REQUIRED" in head:
        entry.required, head = True, head.replace(" REQUIRED", "")
    names, _, rest = head.strip().partition(" ")
    if "{" in names:  # a flag with a value that may be left out
        names = names[: names.index("{")]
        entry.optional_value = True
    entry.names = names.split(",")
    found = RANGE.search(rest)
    if found:
        entry.bounds = found.groups()
        rest = rest.replace(found.group(0), "")
    found = SET.search(rest)
    if found:
        entry.words = found.group(1).split(",")
        rest = rest.replace(found.group(0), "")
    rest = rest.replace(":() OR ", "").strip()
    entry.value, _, entry.default = (rest, "", "") if rest in FORMS else rest.partition("=")
    return entry


def heads_entry(line):
    """Whether the whole line stands before a text: it is as long, and what would be the text goes on with it."""
    if len(line) < COLUMN or line[COLUMN - 1] != " ":
        return True
    left, right = line[:COLUMN], line[COLUMN:]
    open_brackets = sum(left.count(c) for c in "[({") - sum(left.count(c) for c in "])}")
    goes_on = re.match(r"(in \[|OR |Needs:|Excludes:|REQUIRED|\.\.\.|--?\w[\w-]*$)", right)
    return open_brackets > 0 or bool(goes_on)


def parse(name, text):
    lines = text.rstrip().split("\n")
    usage_at = next(k for k, line in enumerate(lines) if line.startswith("Usage:"))
    usage = re.sub(r"^Usage: \S+", "kasc", lines[usage_at])
    result = Help(name, " ".join(lines[:usage_at]).strip(), usage, [], [], [])
    entries, examples = None, False
    for line in lines[usage_at + 1 :]:
        if examples:
            result.examples.append(line.strip())
        elif line.startswith("Example:"):
            examples = True
        elif re.match(r"\S.*:$", line):
            entries = []
            result.sections.append((line[:-1], entries))
        elif not line.strip():
            entries = None if result.footer else entries
        elif line.startswith(" " * COLUMN) and entries:
            entries[-1].text.append(line.strip())
        elif line.startswith("  ") and entries is not None:
            if heads_entry(line):
                entries.append(parse_head(line))
            else:
                entries.append(parse_head(line[:COLUMN].rstrip()))
                entries[-1].text.append(line[COLUMN:])
        else:
            result.footer.append(line)
    for entry in result.entries(options=True):  # choices that are explained one by one: "exact: the best of all …"
        choices = [re.match(r"(\w+): ", line) for line in entry.text[1:]]
        if choices and all(choices) and not entry.words:
            entry.words = [choice.group(1) for choice in choices]
    return result


def read(command):
    """The help of the command and of its commands, by name: {"": …, "run": …}."""

    def ask(*words):
        return parse(" ".join(("kasc", *words)), said(command, *words, "--help"))

    result = {"": ask()}
    for entry in dict(result[""].sections)["Subcommands"]:
        result[entry.names[0]] = ask(entry.names[0])
    return result


def version(command):
    return said(command, "--version").split()[-1]


def said(*call):
    return subprocess.run(call, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
