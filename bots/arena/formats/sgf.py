"""Games of Go in SGF (Hollosi, "Smart Game Format", FF[4]): the first variation of each, as nodes of properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cext.games.go.position_text import COLUMNS

from . import FormatError, place_of

LETTERS = "abcdefghijklmnopqrs"
_BEGIN = re.compile(r"\(\s*;")
_TOKEN = re.compile(r"(?P<space>\s+)|(?P<sign>[();])|\[(?P<value>(?:[^\\\]]|\\.)*)\]|(?P<name>[A-Za-z]+)", re.DOTALL)
_LOWER = re.compile("[a-z]+")
_ESCAPED = re.compile(r"[\\\]]")


@dataclass
class SgfGame:
    """The first variation of a game of a file."""

    number: int
    """Its place in the file, from 1."""
    line: int
    """Its first line, from 1."""
    nodes: list[tuple[int, dict[str, list[str]]]] = field(default_factory=list)
    """Line and properties of each node: name -> values, which are not changed."""


def read_sgf(text: str) -> Iterator[SgfGame]:
    """Yield the games of a file. Text between them is skipped.

    Raises:
        FormatError: a game has no end, or a part of it is no node and no property.
    """
    number, line, at = 0, 1, 0
    while (begin := _BEGIN.search(text, at)) is not None:
        line += text.count("\n", at, begin.start())
        number, at, depth, is_main = number + 1, begin.start(), 0, True
        game, values = SgfGame(number, line), list[str]()
        while depth or at == begin.start():
            found = _TOKEN.match(text, at)
            if found is None:
                what = f"{text[at : at + 20]!r} is not a part of a game" if at < len(text) else "it has no end"
                raise FormatError(f"{place_of(number, line if at < len(text) else game.line)}: {what}; valid: as in "
                                  "(;SZ[9];B[cc];W[gg])")  # fmt: skip
            at = found.end()
            if found["sign"] == "(":
                depth += 1
            elif found["sign"] == ")":
                depth, is_main = depth - 1, False
            elif is_main and found["sign"]:
                game.nodes.append((line, {}))
            elif is_main and found["name"]:
                values = game.nodes[-1][1].setdefault(_LOWER.sub("", found["name"]), []) if game.nodes else []
            elif is_main and found["value"] is not None:
                values.append(found["value"])
            line += found[0].count("\n")
        yield game


def vertex_of(point: str, size: int) -> str:
    """Return a point of a file as in GTP; `pass` for a pass. Raises FormatError."""
    if point in ("", "tt"):
        return "pass"
    if len(point) != 2 or set(point) - set(LETTERS[:size]):
        raise FormatError(f"{point!r:.20} is not a point; valid: two letters from a to {LETTERS[size - 1]}, or none")
    return f"{COLUMNS[LETTERS.index(point[0])]}{size - LETTERS.index(point[1])}"


def point_of(vertex: str, size: int) -> str:
    """Return a vertex of GTP as a point of a file; nothing for a pass."""
    if vertex == "pass":
        return ""
    return LETTERS[COLUMNS.index(vertex[0])] + LETTERS[size - int(vertex[1:])]


def points_of(values: Iterable[str], size: int) -> Iterator[tuple[int, int]]:
    """Yield row from the top and column of the points of a list; `cc:dd` is a rectangle. Raises FormatError."""
    for value in values:
        corners = [corner.strip() for corner in value.split(":")]
        if len(corners) > 2 or any(len(corner) != 2 or set(corner) - set(LETTERS[:size]) for corner in corners):
            valid = f"two letters from a to {LETTERS[size - 1]}, or a rectangle as in aa:bb"
            raise FormatError(f"{value!r:.20} is not a point; valid: {valid}")
        columns, rows = (sorted(map(LETTERS.index, letters)) for letters in zip(*corners, strict=True))
        for row in range(rows[0], rows[-1] + 1):
            for column in range(columns[0], columns[-1] + 1):
                yield row, column


def properties(**given: str | Iterable[str]) -> str:
    """Return properties with one value, or with several, as text. Empty texts and lists are left out."""
    return "".join(
        name + "".join(f"[{_ESCAPED.sub(lambda sign: chr(92) + sign[0], value)}]" for value in values)
        for name, values in ((name, [of] if isinstance(of, str) and of else [*of]) for name, of in given.items())
        if values
    )
