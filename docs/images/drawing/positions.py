"""Pictures of positions. A position comes from the page of its game, as text, and is read by the library."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import mcts
from mcts.gdl.secret_game import rulesheet_game
from mcts.registry import native_games

from .svg import GOLD, GRID, INK, MUTED, PAPER, Picture

GAMES = Path(__file__).parent.parent.parent / "games"
CELL = 46.0
ONE_EACH = json.dumps(
    {
        "step": 1,
        "facts": [
            *(f"hand({player},{card})" for player in ("first", "second") for card in range(2, 6)),
            *("prize(2)", "score(first,0)", "score(second,0)"),
        ],
    }
)
"""A position of goofspiel: both have bid the card 1."""
PENNIES = "xox/xxo/oxo_25,25_xooo/xoxo/xoox/..xo_-"
"""A position of tic_block in which both players choose one of two cells."""
Cells = Mapping[int, str]
"""Cell -> color, or text."""


def position_of_page(name: str) -> mcts.State:
    """Return the position on the page of a game."""
    section = (GAMES / f"{name}.md").read_text().split("\n## A position\n")[1].split("\n## ")[0]
    blocks = [text for kind, text in re.findall(r"^```(.*)\n((?:.*\n)*?)```$", section, re.MULTILINE) if not kind]
    text = blocks[1] if len(blocks) > 1 else re.findall(r"^is `(\S+)`\.$", section, re.MULTILINE)[0]
    return mcts.load_game(name).state_from_text(text)


def board(
    picture: Picture, left: float, top: float, columns: int, marks: str | Sequence[str], size: float = CELL,
    fills: Cells | None = None, texts: Cells | None = None, labels: bool = True,
) -> None:  # fmt: skip
    """Draw a board of cells in rows, with the numbers of rows and columns.

    Args:
        left, top: corner of the first cell.
        columns: number of columns.
        marks: a character for each cell, `.` if it is blank.
        size: side of a cell.
        fills: background of some cells.
        texts: text in some blank cells.
        labels: number rows and columns.
    """
    rows = len(marks) // columns
    for cell, mark in enumerate(marks):
        x, y = left + cell % columns * size, top + cell // columns * size
        picture.rect(x, y, size, size, (fills or {}).get(cell, PAPER), GRID, stroke_width=1)
        if mark in "xoz":
            picture.mark(mark, x + size / 2, y + size / 2, size)
        elif texts and cell in texts:
            picture.text(x + size / 2, y + size * 0.6, texts[cell], size * 0.3, INK, "middle")
    picture.rect(left, top, columns * size, rows * size, "none", MUTED, stroke_width=1.5)
    if labels:
        for column in range(columns):
            picture.text(left + (column + 0.5) * size, top - 7, str(column + 1), 12, MUTED, "middle")
        for row in range(rows):
            picture.text(left - 9, top + (row + 0.5) * size + 4, str(row + 1), 12, MUTED, "end")


def cells_of(*pairs: tuple[int, int], columns: int) -> dict[int, str]:
    """Return the cells (row, column), counted from 1, with the background of a highlight."""
    return {(row - 1) * columns + column - 1: GOLD for row, column in pairs}


def _picture(name: str) -> str:
    """Return the picture of the position on the page of a game."""
    state = position_of_page(name)
    highlight: Sequence[int] = ()
    if name == "mnk":  # the cells that win by exact play
        solution = mcts.solve(state.game, cache=False)
        assert solution.value(state)[0] == state.game.max_utility
        highlight = solution.optimal_actions(state, 0)
    return state.to_svg(highlight=highlight) + "\n"


def _first(spec: str) -> str:
    """Return the picture of the first state of a game."""
    return mcts.load_game(spec).new_initial_state().to_svg()


def _searched(
    spec: str, position: str | None, search: str = "mcts", player: int | None = None, simulations: int = 1000
) -> str:
    """Return the picture of the result of a search."""
    game = mcts.load_game(spec)
    state = game.new_initial_state() if position is None else game.state_from_text(position)
    asks = state if player is None else state.view(player)
    result = mcts.load_searcher(search, game, seed=1).run(asks, simulations=simulations)
    picture: str = result.to_svg()
    return picture


def _proof() -> str:
    """Return the position of tic-tac-toe whose actions are proven, with the actions that draw."""
    state = mcts.load_game("mnk").state_from_text(POSITIONS["proof"])
    return state.to_svg(highlight=mcts.solve(state.game, cache=False).optimal_actions(state, 1))


def _rulesheet() -> str:
    """Return the first position of the rulesheet on its page."""
    text = (GAMES.parent / "rulesheets.md").read_text().split("```text\n")[1].split("```")[0]
    return rulesheet_game(text, "sticks.kif").new_initial_state().to_svg()


PLAIN = "mcts(selection=ucb1,solver=false,transpositions=false,leaves=0,net=none)"
EDGES_DRAW = "x../.o./..x_o"
POSITIONS = {
    "search": EDGES_DRAW,
    "proof": EDGES_DRAW,
    "mixed": PENNIES,
    "convergence": ONE_EACH,
    "three": "oo.../...../xxx../...../z.z.._oplayer",
}
"""Name of a figure -> its position, if its page gives no other."""
STILLS: dict[str, Callable[[], str]] = {
    **{f"play_{name}": partial(_picture, name) for name in native_games()},
    "play_index": partial(_first, "othello"),
    "search": partial(_searched, "mnk", POSITIONS["search"], PLAIN),
    "proof": _proof,
    "convergence": partial(_searched, "goofspiel", POSITIONS["convergence"], "mcts(solver=false)", simulations=10_000),
    "bids": partial(_searched, "bidding_ttt", None),
    "kuhn": partial(_searched, "kuhn_poker", "KQ_b", "cfr", 1),
    "three": partial(_searched, "three_player_ttt", POSITIONS["three"]),
    "rulesheet": _rulesheet,
}
