"""Rows of a file of games, to and from plain data. All values that are read are checked, since files can be damaged."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, TypeVar

from cext.arguments import shown
from mcts import PlayoutError, load_game

from ...errors import KINDS, StoreError
from ...game import ADJUDICATED
from ...game.failures import NO_SEAT, Failure
from ...system.checked_json import is_number
from ...system.untrusted import clean_line, clean_text
from ..records import GameRecord
from ..tournament.schedule import Tournament

_MOST_SEED_DIGITS = 20
_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_DIGEST = re.compile(r"[0-9a-f]{16}")
_T = TypeVar("_T")


def game_row(record: GameRecord) -> tuple[Any, ...]:
    """Return the values of a game in the columns of `games` from `seats` to `ending`."""
    return (
        _seats_text(record.seats),
        str(record.seed),  # may exceed the integers of SQLite
        json.dumps(record.opening) if record.opening else "[]",
        None if record.returns is None else _returns_text(record.returns),
        record.plies,
        record.moves,
        times_text(record.seconds),
        record.ending,
    )


def times_text(times: Sequence[float]) -> str:
    """Return the times of the players of a game as in the columns `seconds` and `slowest`."""
    return " ".join(f"{seconds:.6f}" for seconds in times)


def decisions_text(decisions: Sequence[tuple[float, float | None]]) -> str:
    """Return the times and values of decisions as in the column `decisions`: `0.0123:55.5`, or `0.0123` alone."""
    return " ".join(f"{seconds:.4f}" + ("" if value is None else f":{value:.2f}") for seconds, value in decisions)


# Few different values occur again and again. There are two caches, since (0, 1) equals (0.0, 1.0).
_seats_text, _returns_text = lru_cache(maxsize=4096)(json.dumps), lru_cache(maxsize=4096)(json.dumps)


def damaged(path: str, row: str, column: str, value: Any, valid: str) -> StoreError:
    """Return the error for a bad value in a column of a row."""
    return StoreError(f"{path!r}, {row}, column {column}: {shown(value)} is damaged; valid: {valid}")


def is_key(value: Any) -> bool:
    """Return True for a key of a row: a number from 1 up. The schema of a damaged file may allow anything."""
    return _is_whole(value, 1, 2**63 - 1)


def read_tournament(path: str, key: Any, digest: Any, spec: Any) -> Tournament:
    """Return the tournament of a row.

    Raises:
        StoreError: the row does not describe a tournament, or the digest is wrong.
    """
    where = f"{path!r}, tournament {shown(key)}, column spec"
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise damaged(path, f"tournament {shown(key)}", "digest", digest, "16 hexadecimal digits")
    try:
        found = Tournament.from_dict(_json(spec))
        same = found.digest == digest
    except (PlayoutError, ValueError, RecursionError) as error:
        raise StoreError(f"{where}: damaged: {shown(str(error))}") from None
    if not same:
        raise StoreError(f"{where}: damaged: it describes {found.digest}, not {digest}")
    if not all(text.isprintable() for text in (found.game, *found.bots, *found.names)):
        raise StoreError(f"{where}: damaged: names with characters that cannot be printed")
    return found


def read_date(path: str, key: int, value: Any) -> str:
    """Return the date and time of a row. Raises StoreError."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise damaged(path, f"tournament {key}", "begun", value, "a date")
    return value


@lru_cache(maxsize=64)
def read_code(path: str, key: int, value: Any) -> tuple[str, ...]:
    """Return the fingerprints of a session: of the package, then of each bot. Raises StoreError."""
    try:
        found = _json(value)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or not found or not all(isinstance(x, str) and x.isprintable() for x in found):
        raise damaged(path, f"tournament {key}", "code", value, "a list of texts")
    return tuple(found)


class GameRows:
    """Reads rows of the games of one tournament.

    Args:
        path: path of the file, for messages.
        tournament: the tournament of the games.

    Raises:
        StoreError: the game has another number of players than the tournament.
    """

    def __init__(self, path: str, tournament: Tournament) -> None:
        self._path = path
        self._tournament = tournament
        self._range = self._range_of_returns()
        # Few different texts occur again and again. The caches contain only valid ones.
        self._seats: Callable[[str], tuple[int, ...]] = lru_cache(maxsize=4096)(self._parse_seats)
        self._returns: Callable[[str], tuple[float, ...]] = lru_cache(maxsize=4096)(self._parse_returns)

    def _range_of_returns(self) -> tuple[float, float]:
        """Return the least and the greatest return of the game; -inf and inf if the game is not installed."""
        of = self._tournament
        try:
            game = load_game(of.game)
        except PlayoutError:
            return -math.inf, math.inf
        if game.num_players != of.num_players:
            raise StoreError(
                f"{self._path!r}, tournament {of.digest}, column spec: damaged: {of.num_players} players in {of.game}; "
                f"valid: {game.num_players}"
            )
        return game.min_utility, game.max_utility

    def number(self, value: Any) -> int:
        """Return the number of a game. Raises StoreError."""
        if not _is_whole(value, 0, self._tournament.num_games - 1):
            raise self._error(value, "number", value, f"0 to {self._tournament.num_games - 1}")
        return int(value)

    def record(
        self,
        number: Any,
        block: Any,
        failures: tuple[Failure, ...],
        seats: Any,
        seed: Any,
        opening: Any,
        returns: Any,
        plies: Any,
        ending: Any,
        moves: Any = None,
        seconds: Any = "",
        decisions: Any = "",
    ) -> GameRecord:
        """Return a game, without moves and times if they were not read. Raises StoreError."""
        of = self._tournament
        self.number(number)
        if not isinstance(block, int) or block != number // of.block_size:
            raise self._error(number, "block", block, str(number // of.block_size))
        if not _is_whole(plies, 0, 2**53):
            raise self._error(number, "plies", plies, "0 and up")
        seated = self.seats(number, seats)
        got = None if returns is None else self._read(number, "returns", returns, self._returns, self._valid_returns)
        if ending != "" and ending not in ADJUDICATED:
            raise self._error(number, "ending", ending, f"empty, {', '.join(ADJUDICATED)}")
        root = self._read(number, "seed", seed, _parse_seed, _SEED)
        start = () if opening == "[]" else self._read(number, "opening", opening, _parse_opening, "a list of texts")
        scheduled = number, block, seated, root, start
        if moves is None:
            return GameRecord(*scheduled, got, plies, "", failures, (), ending)
        if not isinstance(moves, str) or not moves.isprintable() or len(moves.split()) != plies:
            raise self._error(number, "moves", moves, f"{plies} steps separated by spaces")
        taken = self.times(number, "seconds", seconds)
        each: tuple[tuple[float, float | None], ...] = ()
        if decisions != "":
            valid = f"{plies} times with values"
            each = self._read(number, "decisions", decisions, partial(_parse_decisions, plies, self._range), valid)
        return GameRecord(*scheduled, got, plies, moves, failures, taken, ending, decisions=each)

    def times(self, number: Any, column: str, value: Any) -> tuple[float, ...]:
        """Return the time of each player in a column; empty if it is not known. Raises StoreError."""
        players = self._tournament.num_players
        return () if value == "" else self._read(number, column, value, _times_of(players), f"{players} times")

    def seats(self, number: Any, value: Any) -> tuple[int, ...]:
        """Return the bot of each seat. Raises StoreError."""
        of = self._tournament
        found = self._read(number, "seats", value, self._seats, f"{of.num_players} of the bots 0 to {len(of.bots) - 1}")
        if of.selections:
            place = of.place(number)
            if (scheduled := of.seats(of.selections[place.selection], place)) != found:
                raise self._error(number, "seats", value, str(list(scheduled)))
        elif len(set(found)) != of.num_players:
            raise self._error(number, "seats", value, "different bots")
        return found

    def failure(self, number: Any, seat: Any, kind: Any, message: Any, ply: Any, log: Any) -> Failure:
        """Return a failure. Raises StoreError."""
        number = self.number(number)
        players = self._tournament.num_players
        if not _is_whole(seat, NO_SEAT, players - 1):
            raise self._error(number, "seat of failures", seat, f"{NO_SEAT} to {players - 1}")
        if not isinstance(kind, str) or kind not in KINDS:
            raise self._error(number, "kind of failures", kind, ", ".join(KINDS))
        if not isinstance(message, str) or not isinstance(log, str):
            column, value = ("log", log) if isinstance(message, str) else ("message", message)
            raise self._error(number, f"{column} of failures", value, "a text")
        if not _is_whole(ply, 0, 2**53):
            raise self._error(number, "ply of failures", ply, "0 and up")
        return Failure(seat, kind, clean_line(message), ply, clean_text(log))

    @cached_property
    def _valid_returns(self) -> str:
        low, high = self._range
        return f"{self._tournament.num_players} numbers from {low:g} to {high:g}, or none"

    def _parse_seats(self, text: str) -> tuple[int, ...]:
        of = self._tournament
        found = _list(text, of.num_players)
        if not all(_is_whole(bot, 0, len(of.bots) - 1) for bot in found):
            raise ValueError
        return tuple(found)

    def _parse_returns(self, text: str) -> tuple[float, ...]:
        low, high = self._range
        found = _list(text, self._tournament.num_players)
        if not all(is_number(value) and low <= value <= high for value in found):
            raise ValueError
        return tuple(map(float, found))

    def _read(self, number: Any, column: str, value: Any, parse: Callable[[str], _T], valid: str) -> _T:
        if isinstance(value, str):
            try:
                return parse(value)
            except (ValueError, RecursionError):
                pass
        raise self._error(number, column, value, valid) from None

    def _error(self, number: Any, column: str, value: Any, valid: str) -> StoreError:
        row = f"tournament {self._tournament.digest}, game {shown(number)}"
        return damaged(self._path, row, column, value, valid)


_SEED = "a whole number from 0 to 2**64 - 1"


def _parse_seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_SEED_DIGITS or int(text) >= 2**64:
        raise ValueError
    return int(text)


@lru_cache(maxsize=1024)  # the games of a block have the same one
def _parse_opening(text: str) -> tuple[str, ...]:
    found = _json(text)
    if not isinstance(found, list) or not all(isinstance(step, str) and step.isprintable() for step in found):
        raise ValueError
    return tuple(found)


def _times_of(players: int) -> Callable[[str], tuple[float, ...]]:
    def parse(text: str) -> tuple[float, ...]:
        found = tuple(map(float, text.split()))
        if len(found) != players or not all(math.isfinite(taken) and taken >= 0 for taken in found):
            raise ValueError
        return found

    return parse


def _parse_decisions(plies: int, within: tuple[float, float], text: str) -> tuple[tuple[float, float | None], ...]:
    found = []
    for part in text.split(" "):
        seconds, colon, value = part.partition(":")
        found.append((float(seconds), float(value) if colon else None))
    if len(found) != plies or not all(
        0 <= taken < math.inf and (value is None or within[0] <= value <= within[1]) for taken, value in found
    ):
        raise ValueError
    return tuple(found)


def _list(text: str, length: int) -> Sequence[Any]:
    found = _json(text)
    if not isinstance(found, list) or len(found) != length:
        raise ValueError
    return found


def _json(text: Any) -> Any:
    if not isinstance(text, str):
        raise ValueError("not a text")
    return json.loads(text)


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
