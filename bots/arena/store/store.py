"""Games on disk: an SQLite file in which any number of tournaments stand.

A write-ahead log with `synchronous=NORMAL`: what has been committed is with the operating system, and outlives the end
of all processes by SIGKILL. Only a crash of the whole machine can take the last commits with it, and never leaves half
of one; the games in them are then played again, as are those that had not been committed. A commit takes some
milliseconds, so games are collected for a moment before they are written together.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from mcts import StoreError

from ..play.match import Failure, Record
from ..results.repeats import Repeats
from ..tournament.schedule import Scheduled, Tournament
from .lock import WriterLock
from .schema import VERSION, migrate, version_of

TEMPORARY = ""
"""Path of a store that is kept in temporary files and goes away when it is closed."""
COMMIT_SECONDS = 0.1
"""How long games are collected before they are written."""
BUSY_SECONDS = 30.0
"""How long to wait for a reader that is in the way."""

_GAME_COLUMNS = "number, block, seats, seed, opening, returns, plies, moves, seconds, ending"
_FAILURE_COLUMNS = "number, seat, kind, message, ply, log"


@dataclass(frozen=True)
class StoredGame:
    """One game as it was scheduled and as it was played."""

    scheduled: Scheduled
    record: Record


@dataclass(frozen=True)
class StoredTournament:
    """A tournament in a store."""

    key: int
    """Of this store."""
    tournament: Tournament
    begun: str
    """Date and time, UTC."""
    games: int
    """How many have been played."""


class Store(AbstractContextManager["Store"]):
    """Tournaments and their games.

    Args:
        path: of the file, or TEMPORARY.
        read_only: True to look only, even while another process writes; the file must exist.

    Raises:
        StoreError: the file is no store, of a later version, damaged, or being written to by another.
    """

    def __init__(self, path: str, read_only: bool = False) -> None:
        self.path = path
        self._waiting: list[tuple[int, Scheduled, Record]] = []
        self._since = 0.0
        self._lock: WriterLock | None = None
        if read_only and not Path(path).is_file():
            raise StoreError(f"there is no file {path!r}; valid: a file made by playout arena --db")
        if path != TEMPORARY and not read_only:
            self._lock = WriterLock(Path(path).absolute())
        try:
            self._connection = self._open(path, read_only)
        except BaseException:
            if self._lock is not None:
                self._lock.release()
            raise

    def _open(self, path: str, read_only: bool) -> sqlite3.Connection:
        with self._explained():
            name = Path(path).absolute().as_uri() + ("?mode=ro" if read_only else "") if path else ""
            # Every statement outside of a transaction of ours is one of its own.
            connection = sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, uri=bool(path))
            try:
                if read_only:
                    found = version_of(connection, path)
                    if found != VERSION:
                        raise StoreError(
                            f"{path!r} has version {found}, and has to be brought to version {VERSION} first; "
                            "valid: playout arena, with the same --db, does that"
                        )
                else:
                    version_of(connection, path)  # nothing is changed in a file of something else
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = NORMAL")
                    connection.execute("PRAGMA foreign_keys = ON")
                    migrate(connection, path)
            except BaseException:
                connection.close()
                raise
            return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what has not been written, and let others write."""
        try:
            self.flush()
        finally:
            self._connection.close()
            if self._lock is not None:
                self._lock.release()

    def open_tournament(self, tournament: Tournament) -> int:
        """The key of a tournament, which is entered if it is new."""
        with self._explained():
            row = self._connection.execute(
                "SELECT id, spec FROM tournaments WHERE digest = ?", (tournament.digest,)
            ).fetchone()
            spec = json.dumps(tournament.to_dict())
            if row is not None:
                if row[1] != spec:  # the bots have other names by now
                    self._connection.execute("UPDATE tournaments SET spec = ? WHERE id = ?", (spec, row[0]))
                return int(row[0])
            entered = self._connection.execute(
                "INSERT INTO tournaments (digest, spec) VALUES (?, ?)",
                (tournament.digest, spec),
            )
            return int(entered.lastrowid or 0)

    def tournaments(self) -> list[StoredTournament]:
        """All tournaments, oldest first."""
        with self._explained():
            rows = self._connection.execute(
                "SELECT id, spec, begun, (SELECT count(*) FROM games WHERE tournament = tournaments.id) "
                "FROM tournaments ORDER BY id"
            ).fetchall()
            return [StoredTournament(key, Tournament.from_dict(_plain(spec)), *rest) for key, spec, *rest in rows]

    def add(self, key: int, scheduled: Scheduled, record: Record) -> None:
        """Keep a game of the tournament of a key; it is written soon, or by `flush`."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append((key, scheduled, record))

    def flush_if_due(self) -> None:
        """Write, if the first game that waits has waited long enough."""
        if self._waiting and time.monotonic() - self._since >= COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all games that wait, in one transaction."""
        if not self._waiting:
            return
        games = [(key, *_game_row(scheduled, record)) for key, scheduled, record in self._waiting]
        failures = [
            (key, record.number, position, failure.seat, failure.kind, failure.message, failure.ply, failure.log)
            for key, _, record in self._waiting
            for position, failure in enumerate(record.failures)
        ]
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", games)
                self._connection.executemany("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", failures)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        self._waiting.clear()

    def results(self, key: int) -> Iterator[Record]:
        """The games of a tournament by ascending number, but without their moves, openings and times.

        Half as long as to read all: what a tournament that goes on waits for.
        """
        self.flush()
        failures = _Grouped(self._failures("tournament = ?", (key,)))
        statement = (
            "SELECT number, block, seats, returns, plies, ending FROM games WHERE tournament = ? ORDER BY number"
        )
        with self._explained():
            for number, block, seats, returns, plies, ending in self._connection.execute(statement, (key,)):
                found = failures.of(number)
                yield Record(number, block, _whole_numbers(seats), _numbers(returns), plies, "", found, (), ending)

    def games(self, key: int, number: int | None = None) -> Iterator[StoredGame]:
        """The games of a tournament by ascending number, or the one of a number if there is one."""
        self.flush()
        where, values = ("", (key,)) if number is None else (" AND number = ?", (key, number))
        failures = _Grouped(self._failures(f"tournament = ?{where}", values))
        statement = f"SELECT {_GAME_COLUMNS} FROM games WHERE tournament = ?{where} ORDER BY number"
        with self._explained():
            for row in self._connection.execute(statement, values):
                yield _stored_game(row, failures.of(row[0]))

    def failures(self, key: int) -> Iterator[tuple[int, tuple[int, ...], Failure]]:
        """Number, seats and failure of every failure of a tournament, by ascending number."""
        self.flush()
        with self._explained():
            rows = self._connection.execute(
                "SELECT number, seats, seat, kind, message, ply, log "
                "FROM failures JOIN games USING (tournament, number) WHERE tournament = ? ORDER BY number, position",
                (key,),
            )
            for number, seats, *rest in rows:
                yield number, _whole_numbers(seats), Failure(*rest)

    def _failures(self, where: str, values: tuple[int, ...]) -> Iterator[tuple[int, Failure]]:
        with self._explained():
            statement = f"SELECT {_FAILURE_COLUMNS} FROM failures WHERE {where} ORDER BY number, position"
            for number, *rest in self._connection.execute(statement, values):
                yield number, Failure(*rest)

    def repeats(self, key: int, end: int) -> Repeats:
        """How many games of a tournament, of numbers below `end`, are the same as others, of those without failures."""
        self.flush()
        with self._explained():
            row = self._connection.execute(
                "SELECT ifnull(sum(times), 0), count(*), ifnull(max(times), 0) FROM ("
                "SELECT count(*) AS times FROM games WHERE tournament = ? AND number < ? AND NOT EXISTS "
                "(SELECT 1 FROM failures WHERE tournament = games.tournament AND number = games.number) "
                "GROUP BY seats, opening, moves)",
                (key, end),
            ).fetchone()
            return Repeats(row[0], row[0] - row[1], row[2])

    def openings(self, key: int, pairings: int) -> tuple[int, int]:
        """How many different openings were played in a tournament, and in how many cycles of so many pairings."""
        self.flush()
        with self._explained():
            row = self._connection.execute(
                "SELECT count(DISTINCT opening), count(DISTINCT block / ?) FROM games WHERE tournament = ?",
                (pairings, key),
            ).fetchone()
            return row[0], row[1]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise what SQLite has to say as a StoreError."""
        try:
            yield
        except sqlite3.Error as error:
            where = repr(self.path) if self.path else "the temporary store"
            raise StoreError(f"{where} cannot be used: {error}; valid: a file made by playout arena") from error


class _Grouped:
    """Hands out failures that come by ascending number of their games, game by game."""

    def __init__(self, failures: Iterator[tuple[int, Failure]]) -> None:
        self._failures = failures
        self._next = next(failures, None)

    def of(self, number: int) -> tuple[Failure, ...]:
        """Those of a game; games have to be asked for by ascending number."""
        found = []
        while self._next is not None and self._next[0] == number:
            found.append(self._next[1])
            self._next = next(self._failures, None)
        return tuple(found)


def _game_row(scheduled: Scheduled, record: Record) -> tuple[Any, ...]:
    return (
        record.number,
        record.block,
        _text(record.seats),
        str(scheduled.seed),  # beyond the range of SQLite's whole numbers
        json.dumps(scheduled.opening) if scheduled.opening else "[]",
        None if record.returns is None else _text(record.returns),
        record.plies,
        record.moves,
        " ".join(f"{seconds:.6f}" for seconds in record.seconds),
        record.ending,
    )


def _stored_game(row: tuple[Any, ...], failures: tuple[Failure, ...]) -> StoredGame:
    number, block, seats, seed, opening, returns, plies, moves, seconds, ending = row
    seated = _whole_numbers(seats)
    scheduled = Scheduled(number, block, seated, int(seed), tuple(_plain(opening)))
    taken = tuple(map(float, seconds.split()))
    return StoredGame(
        scheduled, Record(number, block, seated, _numbers(returns), plies, moves, failures, taken, ending)
    )


@lru_cache(maxsize=4096)  # few different ones, over and over
def _text(numbers: tuple[float, ...]) -> str:
    return json.dumps(numbers)


@lru_cache(maxsize=4096)
def _whole_numbers(text: str) -> tuple[int, ...]:
    return tuple(_plain(text))


@lru_cache(maxsize=4096)
def _numbers(text: str | None) -> tuple[float, ...] | None:
    return None if text is None else tuple(_plain(text))


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise StoreError(f"a stored text is damaged: {error}") from None
