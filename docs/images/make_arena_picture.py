"""Makes the pictures of the arena beside this file: the output of a command, and the page of a report.

arena.svg shows COMMAND and its output, as rich draws it. report.png is a screenshot of a page by Chromium; without
Chromium it is left unchanged.

usage: python docs/images/make_arena_picture.py, in an environment with the extra `pixels`
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

WIDTH = 72
COMMAND = """\
playout arena breakthrough mcts:simulations=400 mcts:simulations=100 \\
    --sprt 0,50 --opening-plies 2 --seed 1 --no-db"""
PAGE_COMMAND = """\
playout arena points_ttt random greedy mcts:simulations=50 mcts:simulations=200 mcts:simulations=800 \
    --games 120 --seed 1 --opening-plies 2 --db page.db"""
PAGE_SIZE = 1280, 1240
COLORS = 96
"""Colors of the screenshot: it takes a third of the bytes of one with all colors."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# By default, rich makes the picture load a font from another site, which browsers do not allow in pictures.
FONT_FACES = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def run(command, folder, **environment):
    """Run a command in a folder; return its standard output."""
    arguments = [sys.executable, "-P", "-m", "bots.cli", *shlex.split(command.replace("\\\n", ""))[1:]]
    settings = {**os.environ, **environment}
    return subprocess.run(arguments, env=settings, cwd=folder, capture_output=True, text=True, check=True).stdout


def draw_output(folder):
    """Return the output of COMMAND on a terminal of this width as SVG."""
    printed = run(COMMAND, folder, COLUMNS=str(WIDTH), FORCE_COLOR="1", TERM="xterm-256color")
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, highlight=False)
    console.print(Text.assemble(("$ ", "green"), COMMAND))
    console.print()
    console.print(Text.from_ansi("\n".join(line.rstrip() for line in printed.rstrip().splitlines())))
    picture = console.export_svg(title="playout", theme=DIMMED_MONOKAI, unique_id="arena")
    return FONT_FACES.sub("", picture).replace("Fira Code, monospace", FONT)


def draw_page(folder, target):
    """Save a screenshot of the page of PAGE_COMMAND."""
    run(PAGE_COMMAND, folder)
    run("playout report page.db -o page.html", folder)
    shot = Path(folder, "page.png")
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={folder}/profile",
    ]
    size = ",".join(map(str, PAGE_SIZE))
    page = Path(folder, "page.html").as_uri()
    shoot = [CHROMIUM, *options, f"--window-size={size}", f"--screenshot={shot}", page]
    subprocess.run(shoot, check=True, capture_output=True)
    with Image.open(shot) as picture:
        picture.convert("RGB").quantize(COLORS).save(target, optimize=True)


def main():
    """Make both pictures."""
    here = Path(__file__).parent
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (here / "arena.svg").write_text(draw_output(folder))
        if CHROMIUM:
            draw_page(folder, here / "report.png")


if __name__ == "__main__":
    main()
