"""Positions of chess as text (FEN, X-FEN, Shredder-FEN) and in dicts, and castling rights as sets of squares.

A square is a number, 0 for a1, 7 for h1 and 63 for h8. The board of a dict is a string, row by row from the top.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

from ...arguments import shown
from ...errors import StateError
from ...notation import SEPARATOR, shorten
from ..common.board_text import BLANK, ROW_END

PIECES = "PNBRQKpnbrqk"
SQUARES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
SIDES = {"white": "w", "black": "b"}
NONE = "-"
KEYS = ("board", "to_move", "castling", "en_passant", "half_moves", "full_moves", "earlier")
_RIGHTS = re.compile(r"-|[KQkqA-Ha-h]{1,4}")


class FenNotation:
    """FEN with `_` or blanks between its fields. Four fields mean `0 1` as the others."""

    form = "<board>_<to_move>_<castling>_<en_passant>_<half_moves>_<full_moves>"
    keys = None
    leaves_out = ("earlier",)

    def write(self, told: dict[str, Any]) -> str:
        """Return the FEN of a dict, without the earlier positions."""
        rows = (told["board"][at : at + 8] for at in range(0, 64, 8))
        board = ROW_END.join(
            "".join(str(len([*same])) if cell == BLANK else "".join(same) for cell, same in groupby(row))
            for row in rows
        )
        numbers = (str(told[key]) for key in KEYS[4:6])
        return SEPARATOR.join((board, SIDES[told["to_move"]], told["castling"], told["en_passant"], *numbers))

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a FEN. Raises StateError."""
        fields = re.split(r"[_ ]+", text)
        if len(fields) not in (4, 6):
            raise StateError(f"it has {len(fields)} fields, not 4 or 6")
        rows = [re.sub("[1-8]", lambda digit: BLANK * int(digit[0]), row) for row in fields[0].split(ROW_END)]
        if len(rows) != 8 or any(len(row) != 8 or set(row) - set(PIECES + BLANK) for row in rows):
            raise StateError(f"the board is {shorten(fields[0])}; valid: 8 rows of 8 squares, {PIECES} and numbers")
        sides = {letter: side for side, letter in SIDES.items()}
        if fields[1] not in sides:
            raise StateError(f"to_move is {shorten(fields[1])}; valid: w, b")
        numbers = fields[4:] or ("0", "1")
        if not all(re.fullmatch("[0-9]{1,4}", number) for number in numbers):
            raise StateError(f"half_moves and full_moves are {shorten(' '.join(numbers))}; valid: numbers up to 9999")
        values = ("".join(rows), sides[fields[1]], *fields[2:4], *map(int, numbers))
        return dict(zip(KEYS, values, strict=False))


def read_castling(board: str, text: Any, chess960: bool) -> int:
    """Return the rooks that may castle, bit s for square s. Rights without king and rook in place are dropped.

    Args:
        board: the string of a dict.
        text: of FEN (`KQkq`), X-FEN (`K` is the outermost rook), or Shredder-FEN (`HAha`, by files).
        chess960: without it, only kings on e and rooks on a and h castle.

    Raises:
        StateError: the text is none of these.
    """
    if not isinstance(text, str) or not _RIGHTS.fullmatch(text):
        raise StateError(f"'castling' is {shown(text)}; valid: -, or letters of KQkq and of files A to H, a to h")
    rooks: dict[tuple[bool, bool], int] = {}
    for letter in text if text != NONE else "":
        row, first, king, others = _home_row(board, letter.isupper())
        wanted = letter.upper()
        if king < 0:
            continue
        if wanted in "KQ":
            file = row.rfind(others) if wanted == "K" else row.find(others)
            fits = file > king if wanted == "K" else 0 <= file < king
        else:
            file = ord(wanted) - ord("A")
            fits = row[file] == others
        if fits and (chess960 or (king == 4 and file in (0, 7))):
            rooks.setdefault((letter.isupper(), file > king), first + file)
    return sum(1 << rook for rook in rooks.values())


def castling_text(board: str, rooks: int) -> str:
    """Return the rights as X-FEN: `K` and `Q`, or the file of a rook that is not the outermost one."""
    text = ""
    for white in (True, False):
        row, first, king, others = _home_row(board, white)
        for file in range(7, -1, -1):
            if rooks >> (first + file) & 1:
                outermost = row.rfind(others) if file > king else row.find(others)
                letter = ("K" if file > king else "Q") if file == outermost else "ABCDEFGH"[file]
                text += letter if white else letter.lower()
    return text or NONE


def _home_row(board: str, white: bool) -> tuple[str, int, int, str]:
    """Return the first row of a player, its first square, the file of the king or -1, and the letter of its rooks."""
    row = board[56:] if white else board[:8]
    return row, 0 if white else 56, row.find("K" if white else "k"), "R" if white else "r"
