"""The picture of three_player_ttt."""

from __future__ import annotations

from cext.game.game import State, View

from ..facts import board_picture, runs
from ..parts import O, Picture, X, Z

_COLUMNS = 5
_MARKS = {"x": X, "o": O, "z": Z}


def picture(position: State | View) -> Picture:
    """Return the board; at the end with each player's longest lines, of which those of three and four count."""
    winning = _winning(position, position.to_dict()["board"])
    return board_picture(position, _COLUMNS, 0, _MARKS, winning=winning)


def _winning(position: State | View, text: str) -> frozenset[int]:
    if not position.is_terminal():
        return frozenset()
    found: frozenset[int] = frozenset()
    for mark in _MARKS:
        own = "".join(symbol if symbol == mark else "." for symbol in text)
        wraps = position.game.parameters["torus"]
        found |= runs(own, _COLUMNS, 4, wraps=wraps) or runs(own, _COLUMNS, 3, wraps=wraps)
    return found
