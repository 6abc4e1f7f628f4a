"""Counts the rulesheets of a folder whose positions are drawn as boards, and writes pictures of them.

python -m bench.boards FOLDER [--pictures FOLDER] [--plies 12]
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

from mcts import pictures
from mcts.errors import RulesheetError
from mcts.gdl.game import RulesheetGame
from mcts.gdl.rulesheets import read_file
from mcts.random_steps import random_game


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--plies", type=int, default=12)
    given = parser.parse_args()
    drawn = refused = 0
    sheets = sorted(given.folder.glob("*.kif"))
    for path in sheets:
        try:
            state = RulesheetGame(read_file(path), path.name).new_initial_state()
        except RulesheetError as error:
            print(f"{path.stem}: refused: {error}")
            refused += 1
            continue
        for _ in islice(random_game(state, 1), given.plies):
            pass
        picture = pictures.picture_of(state)
        clicks, legal = pictures.clicks_of(state), pictures.legal_texts(state)
        drawn += bool(picture.boards)
        sizes = " ".join(f"{board.columns}x{board.rows}" for row in picture.boards for board in row)
        print(f"{path.stem}: {sizes or '-'}; {len(clicks)} of {len(legal)} moves by clicks", flush=True)
        if given.pictures:
            given.pictures.mkdir(parents=True, exist_ok=True)
            (given.pictures / f"{path.stem}.svg").write_text(state.to_svg(theme="light"), encoding="utf-8")
    print(f"{drawn} of {len(sheets) - refused} rulesheets draw a board; {refused} are refused")


if __name__ == "__main__":
    main()
