"""Files of chess and Go as other programs write them: positions in EPD, games in PGN and SGF, as plain data."""

from __future__ import annotations

import re

from mcts import Game

from ...errors import TournamentError

KEPT = ("chess", "go")
"""Games with a file format that has the time of every decision."""
_WIDE = ("gb2312", "gbk", "gb18030", "big5", "shift-jis", "cp932")
"""Encodings in which bytes of ASCII may be the second byte of a character."""
_DECLARED = re.compile(rb"CA\[([\w-]+)\]")


class FormatError(TournamentError):
    """A file is not in its format. The message has the number of the game or the line."""


def place_of(game: int, line: int) -> str:
    """Return the words for a place in a file, both numbers from 1."""
    return f"game {game}, line {line}"


def keeps_decisions(game: Game) -> bool:
    """Return True for a game whose records have the time and the value of each decision."""
    return game.name in KEPT


def decoded(content: bytes) -> str:
    """Return the text of a file, with lines that end with LF.

    It is UTF-8 or else Latin-1, unless SGF declares an encoding in which a bracket may be a part of a character.
    """
    declared = _DECLARED.search(content)
    wide = "" if declared is None else declared[1].decode().lower().replace("_", "-")
    try:
        text = content.decode(wide, "replace") if wide in _WIDE else content.decode("utf-8-sig")
    except ValueError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
