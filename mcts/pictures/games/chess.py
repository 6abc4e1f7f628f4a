"""The picture of chess."""

from __future__ import annotations

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
    """Return the board, with the squares of the last move. A move is a click on its piece and one on its target."""
    moved = {text[at : at + 2] for step in last_steps(position, 1) for text in step.values() for at in (0, 2)}
    names = [f"{file}{rank}" for rank in _RANKS for file in _FILES]
    cells = tuple(
        Cell(name, _MARKS.get(letter), is_last=name in moved)
        for name, letter in zip(names, position.to_dict()["board"], strict=True)
    )
    clicks: dict[str, Clicks] = {text: ((text[:2],), (text[2:4],)) for text in legal_texts(position)}
    board = Board(8, cells, column_names=_FILES, row_names=_RANKS)
    return Picture(((board,),), seats=seats_of(position, (_MARKS["K"], _MARKS["k"])), clicks=clicks)
