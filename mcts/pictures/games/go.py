"""The picture of Go."""

from __future__ import annotations

from functools import cache

from cext.game.game import State, View
from cext.games.go.position_text import COLUMNS, owners_of, point_texts

from ..facts import last_steps, seats_of
from ..parts import Board, Cell, Mark, Picture

_STONES = {"b": Mark("disc", "black", "black", scale=1.6), "w": Mark("disc", "white", "white", scale=1.6)}
_AREA = {
    "b": Mark("square", "black", "black's point", scale=0.5),
    "w": Mark("square", "white", "white's point", scale=0.5),
}


@cache
def _star_points(size: int) -> frozenset[int]:
    """Return the numbers of the points that a board has marked, by which players find their way."""
    if size < 7:
        return frozenset()
    near, middle = 2 if size < 13 else 3, size // 2
    ends = (near, size - 1 - near)
    points = {(row, column) for row in ends for column in ends}
    if size % 2:
        points.add((middle, middle))
    if size % 2 and size >= 15:
        points |= {(middle, end) for end in ends} | {(end, middle) for end in ends}
    return frozenset(row * size + column for row, column in points)


def picture(position: State | View) -> Picture:
    """Return the board with the last stone, and at the end with the blank points that count for a player."""
    rows = position.to_dict()["board"]
    size = len(rows)
    stars = _star_points(size)
    last = {text for step in last_steps(position, 1) for text in step.values()}
    owners = owners_of(rows) if position.is_terminal() else {}
    cells = []
    for at, (name, stone) in enumerate(zip(point_texts(size), "".join(rows), strict=True)):
        mark = _STONES.get(stone) or _AREA.get(owners.get(at, ""))
        star = "•" if at in stars else ""
        cells.append(Cell(name, mark, text=star, action=name, is_last=name in last))
    board = Board(
        size,
        tuple(cells),
        column_names=tuple(COLUMNS[:size]),
        row_names=tuple(map(str, range(size, 0, -1))),
        is_ruled=True,
    )
    return Picture(((board,),), seats=seats_of(position, tuple(_STONES.values())))
