"""Games of chess in PGN (Edwards, "Portable game notation specification and implementation guide", 1994), as tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import FormatError, place_of

_TOKEN = re.compile(
    r"""(?P<space>\s+|^%[^\n]*|;[^\n]*|\{[^}]*\}|\$\d+|[!?]+(?=\s|$))
    |\[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |(?P<begin>\()
    |(?P<end>\))
    |(?P<null>(?:--|Z0|0000|@@@@|null)(?=[\s(){};+!?]|$))
    |(?P<result>(?:1-0|0-1|1/2-1/2|1/2|\*)(?=[\s(){};\[]|$))
    |(?P<number>\d+\s*\.+|\d+(?![^\s(){};])|\.+|e\.p\.)
    |(?P<move>[^\s(){};\[\]]+)""",
    re.VERBOSE | re.MULTILINE,
)
_ESCAPED = re.compile(r"\\(.)")


@dataclass
class PgnGame:
    """A game of a file, without comments and variations."""

    number: int
    """Its place in the file, from 1."""
    line: int
    """Line of its first token, from 1."""
    tags: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Name -> line and value."""
    moves: list[tuple[int, str]] = field(default_factory=list)
    """Line and text of each move; the text of a null move is empty."""


def read_pgn(text: str) -> Iterator[PgnGame]:
    """Yield the games of a file.

    Raises:
        FormatError: a comment or a variation has no end, or a character belongs to nothing.
    """
    game: PgnGame | None = None
    number, line, at, depth, opened = 0, 1, 0, 0, 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise FormatError(
                f"{place_of(max(number, 1), line)}: {text[at : at + 20]!r} is not a part of a game; valid: "
                'tags as in [White "A"], moves, and comments and variations with an end'
            )
        kind, at = found.lastgroup, found.end()
        if kind == "value":
            depth, kind = 0, "tag"
        if kind != "space":
            if kind == "tag" and game is not None and game.moves:
                yield game
                game = None
            if game is None:
                number += 1
                game = PgnGame(number, line)
        if kind == "begin":
            depth, opened = depth + 1, line
        elif kind == "end":
            depth -= 1
            if depth < 0:
                raise FormatError(f"{place_of(number, line)}: ) ends no variation; valid: one for each (")
        elif game is not None and depth == 0:
            if kind == "tag":
                game.tags[found["tag"]] = line, _ESCAPED.sub(r"\1", found["value"])
            elif kind in ("move", "null"):
                game.moves.append((line, found["move"] or ""))
            elif kind == "result":
                yield game
                game = None
        line += found[0].count("\n")
    if depth:
        raise FormatError(f"{place_of(number, opened)}: a variation has no end; valid: ) for each (")
    if game is not None:
        yield game
