"""The picture of chess."""

from __future__ import annotations

from typing import Any

from cext.errors import StateError
from cext.game.game import State, View

from ..facts import last_steps, legal_texts, seats_of
from ..parts import PIECES, Board, Cell, Clicks, Mark, Picture

_FILES = tuple("abcdefgh")
_RANKS = tuple("87654321")
_LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_MARKS = {
    symbol: Mark(PIECES[piece], color, f"{color} {piece}", symbol)
    for letter, piece in _LETTERS.items()
    for color, symbol in (("white", letter.upper()), ("black", letter))
}


def picture(position: State | View) -> Picture:
    """Return the board, with the squares of the last move and a king in check.

    A move is a click on its piece and one on its target.
    """
    moved = {text[at : at + 2] for step in last_steps(position, 1) for text in step.values() for at in (0, 2)}
    names = [f"{file}{rank}" for rank in _RANKS for file in _FILES]
    facts = position.to_dict()
    king = "Kk"[facts["to_move"] == "black"] if _is_in_check(position, facts) else ""
    cells = tuple(
        Cell(name, _MARKS.get(letter), is_last=name in moved, is_threatened=letter == king)
        for name, letter in zip(names, facts["board"], strict=True)
    )
    legal = legal_texts(position)
    clicks: dict[str, Clicks] = {text: ((text[:2],), (text[2:4],)) for text in legal}
    pieces = {
        f"{text}{piece}": _MARKS[piece.upper() if text[3] == "8" else piece]
        for text in sorted({text[:4] for text in legal if text[4:]})
        for piece in "qrbn"
    }
    board = Board(8, cells, column_names=_FILES, row_names=_RANKS, is_checkered=True)
    return Picture(((board,),), seats=seats_of(position, (_MARKS["K"], _MARKS["k"])), clicks=clicks, pieces=pieces)


def _is_in_check(position: State | View, facts: dict[str, Any]) -> bool:
    """Return True if the king of the player to move is attacked. With the other player to move, no game is so."""
    other = {"board": facts["board"], "to_move": "white" if facts["to_move"] == "black" else "black", "castling": "-"}
    try:
        position.game.state_from_dict(other)
    except StateError:
        return True
    return False
