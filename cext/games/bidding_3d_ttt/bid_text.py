"""Text of sealed bids: `bid(A1:3,E5:2)`, the history of a state in a dict and in a text, the drawing of the boards.

A bid is one chip count for each of the 81 tiles A1..I9, board by board; owners are a string of 81 characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from ...arguments import shown
from ...errors import IllegalActionError, StateError
from ...notation import HIDDEN, NOTHING, SEPARATOR, ChoiceField, Notation, NumbersField, count_fields, shorten
from ..common.board_text import BLANK, BoardField

BOARD_NAMES = "ABCDEFGHI"
TILES = 81
MOST_CHIPS = 255
_LONGEST_BID = TILES * len("A1:255,")
_BID = re.compile(r"bid\((.*)\)", re.DOTALL)
_PART = re.compile(r"([A-I])([1-9]):([0-9]{1,4})")


def tile_name(tile: int) -> str:
    """Return the name of a tile counted from 0, A1 to I9."""
    return f"{BOARD_NAMES[tile // 9]}{tile % 9 + 1}"


def bid_text(counts: Sequence[int]) -> str:
    """Return `bid(A1:3,E5:2)` of 81 chip counts; tiles without chips are omitted."""
    return "bid(" + ",".join(f"{tile_name(t)}:{count}" for t, count in enumerate(counts) if count) + ")"


def read_bid(text: str) -> list[int]:
    """Return the 81 chip counts of the text of a bid, with tiles in any order. Raises IllegalActionError."""
    match = _BID.fullmatch(text)
    if match is None:
        raise IllegalActionError(
            f"{shown(text)} is not a bid; valid: bid() or bid(tile:chips,...) as in bid(A1:3,E5:2)"
        )
    counts = [0] * TILES
    for part in match[1].split(",") if match[1] else []:
        found = _PART.fullmatch(part)
        if found is None:
            raise IllegalActionError(f"{shown(part)} in {shown(text)} is not tile:chips; valid: A1 to I9, as in E5:2")
        tile, count = BOARD_NAMES.index(found[1]) * 9 + int(found[2]) - 1, int(found[3])
        if not 1 <= count <= MOST_CHIPS:
            raise IllegalActionError(f"{shown(part)} in {shown(text)} bids {count} chips; valid: 1 to {MOST_CHIPS}")
        if counts[tile]:
            raise IllegalActionError(f"{tile_name(tile)} occurs twice in {shown(text)}")
        counts[tile] = count
    return counts


def read_history(given: dict[str, Any]) -> list[tuple[list[list[int]], Any]]:
    """Return the finished rounds of a dict: for each the bids of both players, 81 counts each, and unchecked `tiles`.

    Raises:
        StateError: the history is missing, malformed, or that of a view, without the opponent's bids.
    """
    if "history" not in given and given.get("round") == 1:
        return []
    if "history" not in given:
        raise StateError("a state after round 1 cannot be made without its 'history', the bids of every round")
    history = given["history"]
    if not isinstance(history, (list, tuple)) or len(history) > 3:
        raise StateError(f"'history' must be a list of at most 3 finished rounds, not {shown(history)}")
    rounds = []
    for number, finished in enumerate(history, 1):
        where = f"'history' of round {number}"
        if not isinstance(finished, dict) or set(finished) != {"bids", "tiles"}:
            raise StateError(f"{where} must be a dict with 'bids' and 'tiles', not {shown(finished)}")
        both = finished["bids"]
        if not isinstance(both, (list, tuple)) or len(both) != 2:
            raise StateError(f"{where} must have the bids of two players, not {shown(both)}")
        if any(bids is None for bids in both):
            raise StateError(
                f"{where} lacks a player's bids: a view is not a state; View.resample draws a possible state"
            )
        for bids in both:
            if (
                not isinstance(bids, (list, tuple))
                or len(bids) != TILES
                or not all(type(count) is int and 0 <= count <= MOST_CHIPS for count in bids)
            ):
                raise StateError(f"{where}: bids are {TILES} whole numbers from 0 to {MOST_CHIPS}, not {shown(bids)}")
        rounds.append(([list(bids) for bids in both], finished["tiles"]))
    return rounds


def draw_boards(
    tiles: str, boards: Sequence[str], open_tiles: Sequence[bool], players: Sequence[str], headline: str
) -> str:
    """Return the drawing of the nine boards, three by three.

    Args:
        tiles: owners, 81 characters of `.rb`; an open tile without an owner is drawn as its number.
        boards: the players who control each board: "", "r", "b" or "rb".
        open_tiles: for each of 81 tiles, True if players may bid on it.
        players: names for the letters r and b.
        headline: first line.
    """
    names = dict(zip("rb", players, strict=True))
    width = 18
    lines = [headline]
    if any(open_tiles):
        lines.append(f"numbers: tiles to bid on; r, b: tiles of {players[0]}, {players[1]}")
    for above in range(0, 9, 3):
        titles = []
        for board in range(above, above + 3):
            held = " and ".join(names[letter] for letter in boards[board])
            titles.append(f"{BOARD_NAMES[board]} {held}".ljust(width))
        lines += ["", "".join(titles).rstrip()]
        for row in range(3):
            parts = []
            for board in range(above, above + 3):
                first = 9 * board + 3 * row
                cells = [
                    str(t % 9 + 1) if open_tiles[t] and tiles[t] == BLANK else tiles[t] for t in range(first, first + 3)
                ]
                parts.append(("  " + " ".join(cells)).ljust(width))
            lines.append("".join(parts).rstrip())
    return "\n".join(lines)


class BidNotation(Notation):
    """Fields of the position, then three fields for each finished round: the bids of both players and the tiles.

    A bid is the text of its action without `bid(...)`: `A1:3,E5:2`, `-` for no chips, `?` for a hidden bid.
    """

    def __init__(self) -> None:
        self.tiles = BoardField("tiles", 9, 9, "rb")
        super().__init__(
            ChoiceField("round", (1, 2, 3)), NumbersField("chips", 2, hideable=True), self.tiles, _ControlField()
        )
        self.keys += ("history",)

    @property
    def form(self) -> str:
        """The names of the fields."""
        return f"{super().form}, and _<red's bid>_<blue's bid>_<tiles> for every finished round"

    def write(self, shown: dict[str, Any]) -> str:
        """Return the text of a dict that `State.to_dict` or `View.to_dict` has made."""
        parts = [super().write(shown)]
        for finished in shown["history"]:
            parts += [*map(_write_bid, finished["bids"]), self.tiles.write(finished["tiles"])]
        return SEPARATOR.join(parts)

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a text, without a check that the state is possible. Raises StateError."""
        parts = text.split(SEPARATOR)
        first = len(self.fields)
        if len(parts) not in range(first, first + 3 * 3 + 1, 3):
            raise StateError(f"it has {count_fields(len(parts))}, not {first} and 3 for every finished round")
        history = [
            {"bids": [*map(_read_bid, parts[at : at + 2])], "tiles": self.tiles.read(parts[at + 2])}
            for at in range(first, len(parts), 3)
        ]
        return {**self.read_fields(parts[:first]), "history": history}


class _ControlField:
    """The players who control each of the nine boards: `.` nobody, `r`, `b`, `*` both."""

    key = "boards"
    _LETTERS: ClassVar = {"": BLANK, "r": "r", "b": "b", "rb": "*"}
    _MEANINGS: ClassVar = {letter: meaning for meaning, letter in _LETTERS.items()}

    def write(self, value: Sequence[str]) -> str:
        return "".join(self._LETTERS[meaning] for meaning in value)

    def read(self, text: str) -> list[str]:
        if len(text) != len(BOARD_NAMES) or set(text) - set(self._MEANINGS):
            valid = f"{len(BOARD_NAMES)} characters of {''.join(self._MEANINGS)}, for A to I; * is both"
            raise StateError(f"{self.key} is {shorten(text)}; valid: {valid}")
        return [self._MEANINGS[letter] for letter in text]


def _write_bid(counts: Sequence[int] | None) -> str:
    if counts is None:
        return HIDDEN
    return bid_text(counts)[len("bid(") : -1] or NOTHING


def _read_bid(text: str) -> list[int] | None:
    if text == HIDDEN:
        return None
    if len(text) > _LONGEST_BID:
        raise StateError(f"a bid is {shorten(text)}; valid: tile:chips joined by commas, or -")
    try:
        return read_bid(f"bid({'' if text == NOTHING else text})")
    except IllegalActionError as error:
        raise StateError(str(error)) from None
