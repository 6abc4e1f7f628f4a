"""What commands print, as it is recorded in tests/data/command_texts.txt.

A case is a sequence of commands in one folder; each line of a command begins with `$ `, and its output follows. Lines
of standard error begin with `! `. Words that differ from run to run, such as seconds, are #.

usage: python tests/helpers/recorded_texts.py

Writes the file again. Look at the difference before you commit it.
"""

import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "data" / "command_texts.txt"
BETWEEN = "\n" + "=" * 100 + "\n"
COLUMNS = 100
CHANGING = {
    r"[\d.,]+(?= ?(ms|µs|s|kB|MB|seconds|simulations/s|games/s)\b)": "#",
    r"[\d,]+(?= a second\b)": "#",
    r"\d+ of (at most )?\d+ games(?=, # a second)": "#",
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?": "#",
    r"[ \t]+(?=\n)": "",
}
"""Pattern -> what stands in place of it, in this order."""


def cases():
    """Return the cases as text, each a list of (command, output)."""
    return [case_of(text) for text in FILE.read_text(encoding="utf-8").split(BETWEEN)]


def case_of(text):
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return [(command, "\n".join(lines).strip("\n")) for command, lines in found]


def words_of(command):
    """Return the words of a command after `playout`, and its standard input."""
    command, _, stdin = command.partition(" <<< ")
    return shlex.split(command)[1:], stdin.replace("|", "\n")


def plain(out, err, status):
    """Return the output of a command without what differs from run to run."""
    lines = [*out.splitlines(), *(f"! {line}" for line in err.splitlines())]
    lines += [f"! status {status}"] if status else []
    text = "\n".join(lines) + "\n"
    for pattern, word in CHANGING.items():
        text = re.sub(pattern, word, text)
    return text.strip("\n")


def record():
    texts = []
    for case in cases():
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for command, _ in case:
                words, stdin = words_of(command)
                done = subprocess.run(
                    ["playout", *words], input=stdin, text=True, capture_output=True, cwd=folder,
                    env={**os.environ, "COLUMNS": str(COLUMNS)}, check=False,
                )  # fmt: skip
                rows.append(f"$ {command}\n{plain(done.stdout, done.stderr, done.returncode)}".rstrip())
            texts.append("\n".join(rows))
    FILE.write_text(BETWEEN.join(texts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
