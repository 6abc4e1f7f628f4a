"""Plays the tournament shown in README.md and draws what the command prints, as arena.svg beside this file.

usage: python docs/images/make_arena_picture.py, in an environment where playout is installed
"""

import os
import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

WIDTH = 80
COMMAND = """\
playout arena three_player_ttt \\
    random greedy mcts:simulations=100 mcts:simulations=2000 --games 60 --seed 1"""
# rich would have the picture fetch a font from another site, which pages that show pictures do not let it do
FONT_FACES = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def main():
    """Run the command as it would look on a terminal of this width, and draw it."""
    terminal = {**os.environ, "COLUMNS": str(WIDTH), "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    arguments = [sys.executable, "-P", "-m", "bots.cli", *shlex.split(COMMAND.replace("\\\n", ""))[1:]]
    printed = subprocess.run(arguments, env=terminal, capture_output=True, text=True, check=True).stdout
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, highlight=False)
    console.print(Text.assemble(("$ ", "green"), COMMAND))
    console.print()
    console.print(Text.from_ansi("\n".join(line.rstrip() for line in printed.rstrip().splitlines())))
    picture = console.export_svg(title="playout", theme=DIMMED_MONOKAI, unique_id="arena")
    picture = FONT_FACES.sub("", picture).replace("Fira Code, monospace", FONT)
    Path(__file__).with_name("arena.svg").write_text(picture)


if __name__ == "__main__":
    main()
