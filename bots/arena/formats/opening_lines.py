"""Openings of EPD, PGN and SGF files as texts: the plies of each, behind its first position if it is not the game's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from cext.games.common.board_text import BLANK
from mcts import Game, IllegalActionError, PlayoutError, State

from ...engines.server.gtp import fixed_points, most_fixed
from ...errors import TournamentError
from ...game.course import Course, Turn
from ...steps import read_step
from . import FormatError
from .epd import EpdLine, read_epd
from .pgn import PgnGame, read_pgn
from .sgf import SgfGame, point_of, points_of, read_sgf, vertex_of

ORDINARY = ("", "standard", "chess", "normal", "from position")
"""Values of the tag Variant for ordinary chess, in lower case."""
FISCHER = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random")
_STONES = {"AB": "b", "AW": "w", "AE": BLANK}
_COLORS = {"B": "black", "W": "white"}


class OpeningLine:
    """An opening while it is read.

    Args:
        game: the game.
        at: line of the file that is read.
        most_plies: later plies are ignored; None for no limit.
    """

    def __init__(self, game: Game, at: int, most_plies: int | None) -> None:
        self._game, self.at, self._most = game, at, most_plies
        self.begin(game.new_initial_state())

    def begin(self, state: State) -> None:
        """Begin with another state, and forget the plies so far."""
        self.course = Course(state)

    @property
    def is_full(self) -> bool:
        """True if later plies are ignored."""
        return self._most is not None and len(self.course.moves) >= self._most

    @property
    def mover(self) -> str:
        """The player to move. Raises TournamentError if the game is over."""
        self._check()
        return self._game.players[self.course.state.acting_players()[0]]

    def play(self, step: str) -> None:
        """Play a step. Raises PlayoutError if it is illegal or the game is over."""
        if not self.is_full:
            if self.course.state.is_terminal():
                raise TournamentError(f"the game is over before {step!r:.40}; valid here: none")
            try:
                self.course.apply(Turn(read_step(self.course.state, step)))
            except IllegalActionError as error:
                raise TournamentError(f"{step!r:.40} cannot be played: {error}") from None

    def text(self) -> str:
        """Return the opening in the form of `Openings.given`. Raises TournamentError if it ends the game."""
        self._check()
        start = self.course.start
        position = [] if start == self._game.new_initial_state() else [position_text(start)]
        return " ".join([*position, *self.course.moves])

    def _check(self) -> None:
        if self.course.state.is_terminal():
            raise TournamentError("the game is over in this position; valid: a position before its end")


def position_text(state: State) -> str:
    """Return a state as JSON of its `to_dict`."""
    return json.dumps(state.to_dict(), separators=(",", ":"))


def opening_lines(kind: str, text: str, game: Game, most_plies: int | None) -> Iterator[str]:
    """Yield the openings of a file in the form of `Openings.given`.

    Args:
        kind: a key of `READERS`.
        text: of the file.
        game: the game, which is that of the format.
        most_plies: later plies are ignored; None for no limit.

    Raises:
        FormatError: the text is not in its format, or an opening cannot be played; the message names the place.
    """
    _, read, play = READERS[kind]
    for found in read(text):
        line = OpeningLine(game, found.line, most_plies)
        try:
            play(found, game, line)
            yield line.text()
        except PlayoutError as error:
            where = f"game {found.number}, line {line.at}" if found.number else f"line {line.at}"
            raise FormatError(f"{where}: {error}") from None


def _play_epd(found: EpdLine, game: Game, line: OpeningLine) -> None:
    line.begin(game.state_from_text(found.fen))


def _play_pgn(found: PgnGame, game: Game, line: OpeningLine) -> None:
    if "Variant" in found.tags:
        line.at, variant = found.tags["Variant"]
        if variant.lower() not in (ORDINARY + FISCHER if game.parameters["chess960"] else ORDINARY):
            valid = "no other variant" if game.parameters["chess960"] else "ordinary chess, or chess(chess960=true)"
            raise FormatError(f"the game is of the variant {variant!r:.40}; valid for {game.spec}: {valid}")
    if "FEN" in found.tags:
        line.at, fen = found.tags["FEN"]
        line.begin(game.state_from_text(fen))
    for line.at, move in found.moves:
        if not move and not line.is_full:
            raise FormatError("a null move; valid: moves of chess")
        line.play(move.removesuffix("e.p."))


def _play_sgf(found: SgfGame, game: Game, line: OpeningLine) -> None:
    """Play the nodes of a game.

    The color of the first move after a position decides who is to move there. A color that moves twice in a row has
    a pass of the other one between. Without AB, HA sets the points of GTP.
    """
    size, root = game.parameters["size"], found.nodes[0][1]
    kind, given = _first(root, "GM") or "1", _first(root, "SZ") or "19"
    if kind != "1":
        raise FormatError(f"GM is {kind!r:.20}; valid: 1, which is Go")
    if given not in (str(size), f"{size}:{size}"):
        raise FormatError(f"the size is {given:.20}; valid: {size}, that of {game.spec} (without SZ it is 19)")
    if "AB" not in root and _first(root, "HA") in map(str, range(2, most_fixed(size) + 1)):
        root["AB"] = [point_of(vertex, size) for vertex in fixed_points(size, int(_first(root, "HA")))]
    told: dict[str, Any] | None = {"board": [BLANK * size] * size, "to_move": "black"}
    for line.at, node in found.nodes:
        if told is None and line.is_full:
            return
        if node.keys() & {"PL", *_STONES}:
            told = _set_up(told or line.course.state.to_dict(), node, size)
        for name, color in _COLORS.items():
            for point in node.get(name, ())[:1]:
                if told is not None:
                    line.begin(game.state_from_dict({**told, "to_move": color}))
                    told = None
                if color != line.mover:
                    line.play("pass")
                line.play(vertex_of(point.strip(), size))
    if told is not None:
        line.begin(game.state_from_dict(told))


def _first(node: dict[str, list[str]], name: str) -> str:
    return (node.get(name) or [""])[0].strip()


def _set_up(told: dict[str, Any], node: dict[str, list[str]], size: int) -> dict[str, Any]:
    """Return the position with the stones and the player of a node; games begin there, without passes or history."""
    rows = [[*row] for row in told["board"]]
    for name, stone in _STONES.items():
        for row, column in points_of(node.get(name, ()), size):
            rows[row][column] = stone
    mover = told["to_move"] if "AW" in node or "AB" not in node or "moves" in told else "white"
    player = _first(node, "PL")
    if player:
        mover = _COLORS.get(player[:1].upper(), "")
        if not mover:
            raise FormatError(f"PL is {player!r:.20}; valid: B or W")
    return {"board": ["".join(row) for row in rows], "to_move": mover}


READERS: dict[str, tuple[str, Callable[[str], Iterator[Any]], Callable[[Any, Game, OpeningLine], None]]] = {
    ".epd": ("chess", read_epd, _play_epd),
    ".pgn": ("chess", read_pgn, _play_pgn),
    ".sgf": ("go", read_sgf, _play_sgf),
}
"""End of the name of a file -> the game of its format, and the functions that read and play its openings."""
