"""The documentation pages, their code blocks, and the examples in the help of the commands."""

import re
import shlex

from page_runner import blocks
from support import ROOT

from bots.commands.application import COMMANDS, load_command

README = ROOT / "README.md"
DOCS = ROOT / "docs"
COMMAND_LINE = DOCS / "command_line.md"
SCRIPTS = (README, DOCS / "python.md")
"""Pages whose Python blocks form one program, in the order shown."""

EXAMPLE_NEEDS = {
    "cluster.py": "distributed",
    "onnx_net.py": "onnx",
    "openspiel_both_ways.py": "pyspiel",
    "pettingzoo_training.py": "pettingzoo",
}
"""Example -> the module that it needs beside the package. Where it is missing, an error names it."""


def all_pages():
    """Return the paths of all documentation pages."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / ".github").rglob("*.md")), *sorted(DOCS.rglob("*.md"))]


def living_figures():
    """Return the name of each figure that runs in the reader's browser, and its definition."""
    text = (DOCS / "_static" / "figures.js").read_text()
    return dict(re.findall(r"^  (\w+): \{\n(.*?)^  \},$", text, re.MULTILINE | re.DOTALL))


def code_blocks(page, language):
    """Return (number of lines before the block, code) of each code block of a page in a language."""
    return [(before, code) for before, found, code in blocks(page) if found == language]


def script_of(page):
    """Return the Python blocks of a page as one module. Each line keeps its line number in the page."""
    module = [""] * len(page.read_text().splitlines())
    for before, code in code_blocks(page, "python"):
        for number, line in enumerate(code.splitlines()):
            module[before + number] = line
    return "\n".join(module) + "\n"


def command_lines():
    """Return the `playout` commands of the README and of the page about the command line, in order."""
    return [
        line
        for page in (README, COMMAND_LINE)
        for _, code in code_blocks(page, "sh")
        for line in code.splitlines()
        if line.startswith("playout ")
    ]


def help_examples():
    """Yield (folder, command, lines) of the examples at the end of the help of each command.

    Commands about stored games come after one that plays them, in the same folder.
    """
    for entry in sorted(COMMANDS, key=lambda entry: entry.name != "arena"):
        yield "help", entry.name, [line.strip() for line in load_command(entry).examples.splitlines()]


SMALLER = {
    r"--games \d\d+": "--games 20",
    r"--positions \d+": "--positions 12",
    r"--minutes \d+": "--generations 1 --positions 64 --simulations 20 --hidden 8,8",
    r"--seconds [1-9]\d*": "--seconds 0.5",
}
"""Part of a command -> less work: the commands are tested, not the bots."""


def shortened(line):
    """Return a line of a shell with less work."""
    for long, short in SMALLER.items():
        line = re.sub(long, short, line)
    return line


def shell_commands(line):
    """Return the commands of one line of a shell as lists of words, without the comment."""
    commands = [[]]
    for word in shlex.split(line.replace(";", " ; "), comments=True):
        if word in (";", "|", "&&"):
            commands.append([])
        else:
            commands[-1].append(word)
    return commands
