"""Stored games of Go as SGF (Hollosi, "Smart Game Format", FF[4])."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcts import Game, load_game

from ...engines.server.gtp import score_text
from ...errors import LATE, STALL
from ...game import RESIGNED
from ...game.course import Course
from ...system.version import package_version
from ..formats.sgf import LETTERS, point_of, properties
from ..records import GameRecord, shown_number
from ..tournament.limits import Clock
from ..tournament.schedule import Tournament
from .replay import whole_course
from .store import StoredGame

_COLORS = "BW"
_SETUP = {"AB": "b", "AW": "w"}


def sgf_games(tournament: Tournament, games: Iterable[StoredGame], game_ids: str) -> Iterator[str]:
    """Yield the SGF text of each game of Go. The arguments are those of `pgn_games`.

    Raises:
        StoreError: a game cannot be replayed.
    """
    game = load_game(tournament.game)
    for stored in games:
        course = whole_course(game, stored.record)
        result = properties(RE=_result(stored.record, course))
        head = f"(;{_root(tournament, game, stored, game_ids)}{result}{_position(game, course)}"
        yield "\n;".join([head, *_nodes(tournament, stored.record, course, game)]) + ")\n"


def _root(tournament: Tournament, game: Game, stored: StoredGame, game_ids: str) -> str:
    record = stored.record
    limits = [tournament.limit_of(bot) for bot in record.seats]
    clock, labels = limits[0].clock_seconds, [tournament.labels[bot] for bot in record.seats]
    is_timed = clock is not None and limits[0] == limits[1] and limits[0].clock_moves is None
    return properties(
        FF="4",
        GM="1",
        CA="UTF-8",
        AP=f"playout:{package_version()}".rstrip(":"),
        SZ=str(game.parameters["size"]),
        KM=f"{game.parameters['komi']:g}",
        RU="Chinese",
        PB=labels[0],
        PW=labels[1],
        DT=stored.begun.partition(" ")[0],
        EV=f"{game.spec}, tournament {tournament.digest}",
        RO=f"{record.block + 1}.{record.number % tournament.block_size + 1}",
        GN=f"{game_ids}{shown_number(record.number)}",
        TM=f"{clock:g}" if is_timed else "",
    )


def _position(game: Game, course: Course) -> str:
    """Return the stones and the player of the first position, if it is not the empty board."""
    told: dict[str, Any] = course.start.to_dict()
    points = {
        name: [
            LETTERS[column] + LETTERS[row]
            for row, stones in enumerate(told["board"])
            for column, found in enumerate(stones)
            if found == stone
        ]
        for name, stone in _SETUP.items()
    }
    if not any(points.values()) and told["to_move"] == "black":
        return ""
    handicap = "" if game.parameters["handicap"] == "none" else str(len(points["AB"]))
    return properties(HA=handicap, **points, PL=told["to_move"][0].upper())


def _nodes(tournament: Tournament, record: GameRecord, course: Course, game: Game) -> Iterator[str]:
    """Yield the properties of each move: the point, and the time that is left."""
    clocks = [Clock(tournament.limit_of(bot)) for bot in record.seats]
    opening = len(course.moves) - record.plies
    for ply, ((player,), move) in enumerate(zip(course.deciders, course.moves, strict=True)):
        is_known = ply >= opening and record.decisions
        left = clocks[player].left_after(record.decisions[ply - opening][0]) if is_known else None
        color, point = _COLORS[player], point_of(move, game.parameters["size"])
        yield properties(**{color: [point], f"{color}L": "" if left is None else f"{left:.3f}"})


def _result(record: GameRecord, course: Course) -> str:
    """Return the result as in `B+3.5`, or with the reason: R, T (time) or F (forfeit)."""
    if record.returns is None:
        return "Void"
    if not record.failures and not record.ending:
        return score_text(course.state)
    if record.returns[0] == record.returns[1]:
        return "0"
    kinds = {failure.kind for failure in record.failures}
    reason = "R" if record.ending == RESIGNED else "T" if kinds & {LATE, STALL} else "F"
    return f"{_COLORS[record.returns[0] < record.returns[1]]}+{reason}"
