"""Pictures of positions. A position comes from the page of its game, as text, and is read by the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import mcts

from .svg import BLUE, GOLD, GRID, INK, MUTED, ORANGE, PAPER, SHADE, Picture

GAMES = Path(__file__).parent.parent.parent / "games"
CELL = 46.0
MARGIN = 22.0
Cells = Mapping[int, str]
"""Cell -> color, or text."""


def position_of_page(name: str) -> mcts.State:
    """Return the position on the page of a game."""
    section = (GAMES / f"{name}.md").read_text().split("\n## A position\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```\n(.*?)\n```$", section, re.MULTILINE | re.DOTALL)
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


def mnk() -> Picture:
    """The position of mnk, with the cells that win by exact play."""
    state = position_of_page("mnk")
    solution = mcts.solve(state.game, cache=False)
    wins = dict.fromkeys(solution.optimal_actions(state, 0), GOLD)
    assert solution.value(state)[0] == state.game.max_utility
    picture = Picture(340, 200, "A position of tic-tac-toe; x is to move")
    board(picture, 42, 40, 3, state.to_dict()["board"], fills=wins)
    player_line(picture, 205, 62, state.to_dict()["to_move"], "to move")
    picture.text(205, 100, "marked cells: x wins", 12, MUTED)
    return picture


def player_line(picture: Picture, x: float, y: float, mark: str, words: str, size: float = 24) -> None:
    """Draw a mark with words beside it."""
    picture.mark(mark, x + size / 2, y - 5, size)
    picture.text(x + size + 5, y, words)


def bidding_ttt() -> Picture:
    """The position of bidding_ttt: board, coins and the tiebreaker."""
    state = position_of_page("bidding_ttt").to_dict()
    picture = Picture(460, 200, "A position of bidding tic-tac-toe with coins and tiebreaker")
    board(picture, 42, 40, 3, state["board"])
    for player, mark in enumerate("xo"):
        y = 66 + 62 * player
        player_line(picture, 210, y + 5, mark, "")
        for coin in range(state["coins"][player]):
            picture.circle(252 + 20 * coin, y, 8, GOLD, "#b7791f", 1.5)
        if state["tiebreaker"] == mark:
            x = 252 + 20 * state["coins"][player] + 4
            picture.rect(x, y - 9, 72, 18, BLUE if mark == "x" else ORANGE, rx=9)
            picture.text(x + 36, y + 4, "tiebreaker", 12, PAPER, "middle", bold=True)
    picture.text(210, 176, "both bid, in secret", 12.5, MUTED)
    return picture


def points_ttt() -> Picture:
    """The position of points_ttt: board, costs and balances."""
    state = position_of_page("points_ttt").to_dict()
    picture = Picture(560, 200, "A position of points tic-tac-toe with balances, and the costs of the cells")
    board(picture, 42, 40, 3, state["board"])
    for player, mark in enumerate("xo"):
        y = 72 + 36 * player
        player_line(picture, 205, y, mark, f"balance {state['balances'][player]}")
    picture.text(205, 150, "x cannot pay: it must pass", 12.5, MUTED)
    costs = [3, 2, 3, 2, 4, 2, 3, 2, 3]
    board(picture, 405, 40, 3, "." * 9, texts={cell: str(cost) for cell, cost in enumerate(costs)}, labels=False)
    picture.text(405 + 1.5 * CELL, 30, "costs", 12, MUTED, "middle")
    return picture


def three_player_ttt() -> Picture:
    """The position of three_player_ttt."""
    state = position_of_page("three_player_ttt").to_dict()
    picture = Picture(440, 292, "A position of three-player tic-tac-toe on 5x5 cells")
    board(picture, 42, 40, 5, state["board"], fills=cells_of((3, 4), columns=5))
    for number, mark in enumerate("xoz"):
        name = f"{mark}player"
        player_line(picture, 292, 72 + 32 * number, mark, name + (" to mark" if state["control"] == name else ""))
    picture.text(292, 190, "marked cell: x would", 12, MUTED)
    picture.text(292, 207, "have four in a row", 12, MUTED)
    return picture


def tic_block() -> Picture:
    """The position of tic_block: both boards."""
    state = position_of_page("tic_block").to_dict()
    picture = Picture(620, 250, "A position of Tic Block: the finished tic phase, and the block phase on 4x4 cells")
    board(picture, 42, 48, 3, state["tic"], fills=cells_of((1, 1), (1, 2), (1, 3), columns=3))
    picture.text(42 + 1.5 * CELL, 26, "tic phase", 12, MUTED, "middle")
    board(picture, 232, 48, 4, state["block"])
    picture.text(232 + 2 * CELL, 26, "block phase", 12, MUTED, "middle")
    for number, (mark, name) in enumerate((("x", "xcplayer"), ("o", "obplayer"))):
        player_line(picture, 440, 76 + 30 * number, mark, f"{name}: {state['tic_scores'][number]} points")
    picture.text(440, 150, "both mark at once;", 12, MUTED)
    picture.text(440, 167, "x needs a bridge from", 12, MUTED)
    picture.text(440, 184, "the top to the bottom", 12, MUTED)
    return picture


def bidding_3d_ttt() -> Picture:
    """The position of bidding_3d_ttt: nine boards of nine tiles."""
    found = position_of_page("bidding_3d_ttt")
    state = found.to_dict()
    size, gap = 24.0, 22.0
    side = 3 * size
    picture = Picture(520, 350, "A position of bidding_3d_ttt: nine boards of nine tiles")
    colors = {"r": "#d64545", "b": BLUE}
    for number in range(9):
        left, top = 30 + number % 3 * (side + gap), 46 + number // 3 * (side + gap + 8)
        owner = state["boards"][number]
        picture.text(left, top - 6, "ABCDEFGHI"[number], 12, MUTED, bold=True)
        for tile in range(9):
            x, y = left + tile % 3 * size, top + tile // 3 * size
            mark = state["tiles"][number * 9 + tile]
            picture.rect(x, y, size, size, colors.get(mark, SHADE if owner else PAPER), GRID, stroke_width=1)
        picture.rect(left, top, side, side, "none", colors.get(owner, MUTED), stroke_width=3 if owner else 1.5)
        if owner:
            picture.text(
                left + side / 2,
                top + side / 2 + 8,
                {"r": "red", "b": "blue"}[owner],
                20,
                colors[owner],
                "middle",
                bold=True,
            )
    for number, name in enumerate(("red", "blue")):
        y = 66 + 34 * number
        picture.rect(340, y - 13, 16, 16, colors[name[0]])
        picture.text(364, y, f"{name}: {state['chips'][number]} chips left")
    for number, words in enumerate((f"round {state['round']} of 3", "each player sees only", "its own bids and chips")):
        picture.text(340, 144 + 19 * number, words, 12.5, MUTED)
    return picture


PICTURES: dict[str, Callable[[], Picture]] = {
    f"game_{function.__name__}.svg": function
    for function in (mnk, bidding_ttt, points_ttt, three_player_ttt, tic_block, bidding_3d_ttt)
}
