"""Games on disk: an SQLite file with any number of tournaments.

The file has a write-ahead log with `synchronous=NORMAL`. Committed games are in the cache of the operating system, and
survive a SIGKILL of all processes. A crash of the machine can lose the last commits, but never a part of a commit; lost
games are played again. A commit takes some milliseconds, so games are collected for a moment and written together.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial

from ...errors import StoreError
from ...game.failures import Failure
from ..records import GameRecord, shown_number
from ..tournament.schedule import MOST_GAMES, Tournament
from .catalogue import Catalogue, OpenedTournament, sqlite_errors_explained
from .catalogue import StoredTournament as StoredTournament
from .connect import TEMPORARY as TEMPORARY
from .connect import Connection
from .lock import READER_SECONDS
from .repeats import Repeats
from .rows import decisions_text, game_row, read_code, read_date, times_text

COMMIT_SECONDS = 0.1
"""Time for which games are collected before they are written."""

_GAMES = "games LEFT JOIN sessions ON sessions.id = games.session"


ID_DIGITS = 8
"""Digits of a tournament's digest in the ids of its games."""


@dataclass(frozen=True)
class StoredGame:
    """A stored game, and the session that played it."""

    record: GameRecord
    """The game as it was played."""
    begun: str = field(default="", compare=False)
    """Date and time, UTC, of the begin of the session that played it; empty if unknown."""
    version: str = field(default="", compare=False)
    """Version of the package in that session; empty if unknown."""


def game_id(tournament: Tournament, number: int) -> str:
    """Return the id of a game, which is a function of the tournament and the number of the game.

    It is for people, who count games from 1: game 0 of a tournament has the id `1a2b3c4d-1`.
    """
    return f"{tournament.digest[:ID_DIGITS]}-{shown_number(number)}"


@dataclass(frozen=True)
class Session:
    """One run of the arena that played games of a tournament."""

    begun: str
    """Date and time, UTC."""
    code: tuple[str, ...]
    """Fingerprints of the code of the package and of each bot, as `fingerprints.code_of` returns them."""
    games: int
    """Number of games that it played."""


class Store(Catalogue, AbstractContextManager["Store"]):
    """Tournaments and their games.

    Args:
        path: path of the file, or TEMPORARY.
        read_only: True to read only, even while another process writes. The file must exist.
        reader_seconds: longest wait of a writer for readers of a file that must not change meanwhile.
        give_up: for a file from anywhere: asked again and again while SQLite reads. True ends it with a StoreError.

    Raises:
        StoreError: the file is not a store, has a later version, is damaged, or another process writes to it.
    """

    def __init__(
        self,
        path: str,
        read_only: bool = False,
        *,
        reader_seconds: float = READER_SECONDS,
        give_up: Callable[[], bool] | None = None,
    ) -> None:
        self._waiting: list[tuple[int, GameRecord]] = []
        self._since = 0.0
        self._code: dict[int, Sequence[str]] = {}
        self._sessions: dict[int, int] = {}
        self.broken: StoreError | None = None
        """The error that ended all writing; None while games can be written."""
        with sqlite_errors_explained(path):
            self._file = Connection(path, read_only, reader_seconds, give_up)
            assert self._file.sqlite is not None
            # Bytes that are not UTF-8 become characters that every check rejects.
            self._file.sqlite.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        super().__init__(self._file.sqlite, path)

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the waiting games and close the file."""
        try:
            self.flush()
        finally:
            self._file.close()

    def open_tournament(self, tournament: Tournament, code: Sequence[str] = ("",)) -> int:
        """Return the key of a tournament to be played, and enter the tournament if it is new.

        If it contains a stored tournament, that one is extended, and its games count. If a stored tournament contains
        it, it is entered as a part of that one.

        Args:
            tournament: the tournament.
            code: fingerprints of the code of the package and of each bot, which are stored with the games.

        Raises:
            StoreError: it shares games with a stored tournament, but neither contains the other.
        """
        key = self.find(tournament)
        if key is None:
            with self._transaction():
                key = self.enter(tournament)
        elif self.opened(key).tournament.names != tournament.names:
            with self._transaction():
                self.rename(key, tournament)
        self._code[key] = code
        return key

    def add(self, key: int, record: GameRecord) -> None:
        """Add a game to the tournament with a key. It is written by the next `flush`."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append((key, record))

    def flush_if_due(self) -> None:
        """Write the waiting games if the first one has waited for COMMIT_SECONDS."""
        if self._waiting and time.monotonic() - self._since >= COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the waiting games in one transaction. Do nothing if an earlier one has failed.

        Raises:
            StoreError: the games cannot be written, or the file was changed by others.
        """
        if not self._waiting or self.broken is not None:
            return
        try:
            with self._transaction():
                games, failures = [], []
                for key, record in self._waiting:
                    of = self.opened(key)
                    number = of.stored_number(record.number)
                    row = (number, of.stored_block(record.number, record.block), *game_row(record))
                    times = times_text(record.slowest), decisions_text(record.decisions)
                    games.append((of.whole, *row, self._session(key, of.whole), *times))
                    failures += [
                        (of.whole, number, position, f.seat, f.kind, f.message, f.ply, f.log)
                        for position, f in enumerate(record.failures)
                    ]
                self._connection.executemany(f"INSERT INTO games VALUES ({', '.join('?' * 14)})", games)
                self._connection.executemany("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", failures)
        except StoreError as error:
            self.broken = error
            raise
        self._waiting.clear()

    def check(self) -> None:
        """Check that no other program has changed the file. Raises StoreError."""
        if self._file.writer is not None:
            self._file.writer.check()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write to the file in one transaction."""
        with sqlite_errors_explained(self.path):
            self.check()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._sessions.clear()  # a session of this transaction is rolled back too
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            if self._file.writer is not None:
                self._file.writer.note()

    def _session(self, key: int, whole: int) -> int:
        """Return the session of this store for a tournament, which is made with its first game."""
        if key not in self._sessions:
            row = self._connection.execute(
                "INSERT INTO sessions (tournament, code) VALUES (?, ?)", (whole, json.dumps(list(self._code[key])))
            )
            self._sessions[key] = int(row.lastrowid or 0)
        return self._sessions[key]

    def _flushed(self, key: int) -> OpenedTournament:
        """Return the tournament with a key, whose waiting games are written first."""
        self.flush()
        return self.opened(key)

    def sessions(self, key: int) -> list[Session]:
        """Return the runs that played games of a tournament, oldest first. Games of former versions have none."""
        of = self._flushed(key)
        rows = self._select(
            f"SELECT sessions.begun, code, count(*) FROM sessions JOIN games ON games.session = sessions.id "
            f"WHERE {of.where} GROUP BY sessions.id ORDER BY sessions.id",
            of.whole,
        )
        return [
            Session(read_date(self.path, of.whole, begun), read_code(self.path, of.whole, code), games)
            for begun, code, games in rows
        ]

    def results(self, key: int) -> Iterator[GameRecord]:
        """Yield the games of a tournament by ascending number, without their moves and times.

        This takes 60 % of the time of `games`, for which a tournament that continues has to wait.
        """
        of = self._flushed(key)
        failures = _Grouped(self._failures(of, [of.whole]), self.path)
        columns = f"{of.number} AS n, block, seats, seed, opening, returns, plies, ending"
        statement = f"SELECT {columns} FROM games WHERE {of.where} ORDER BY games.number"
        for number, block, *played in self._select(statement, of.whole):
            yield of.rows.record(number, of.block(number, block), failures.of(number), *played)

    def games(self, key: int, number: int | None = None) -> Iterator[StoredGame]:
        """Yield the games of a tournament by ascending number, or only the one with a number, if it is stored."""
        of = self._flushed(key)
        where, values = "", [of.whole]
        if number is not None:
            where = " AND games.number = ?"
            values.append(of.stored_number(number))
        failures = _Grouped(self._failures(of, values, where), self.path)
        columns = (
            f"{of.number} AS n, block, seats, seed, opening, returns, plies, ending, moves, seconds, "
            "decisions, sessions.begun, sessions.code"
        )
        statement = f"SELECT {columns} FROM {_GAMES} WHERE {of.where}{where} ORDER BY games.number"
        for n, block, *played, begun, code in self._select(statement, *values):
            record = of.rows.record(n, of.block(n, block), failures.of(n), *played)
            date = of.begun if begun is None else read_date(self.path, of.whole, begun)
            version = "" if code is None else read_code(self.path, of.whole, code)[0]
            yield StoredGame(record, date, version)

    def last_numbers(self, key: int, count: int, before: int | None = None) -> list[int]:
        """Return the highest numbers of the games of a tournament, in descending order.

        Args:
            key: key of the tournament.
            count: most numbers.
            before: the number above them; None for all games.
        """
        of = self._flushed(key)
        statement = f"SELECT {of.number} AS n FROM games WHERE {of.where} AND n < ? ORDER BY games.number DESC LIMIT ?"
        rows = self._select(statement, of.whole, MOST_GAMES if before is None else before, count)
        return [of.rows.number(number) for (number,) in rows]

    def failures(self, key: int) -> Iterator[tuple[int, tuple[int, ...], Failure]]:
        """Yield number of the game, seats and failure of every failure of a tournament, by ascending number."""
        of = self._flushed(key)
        statement = (
            f"SELECT {of.number} AS n, seats, seat, kind, message, ply, log FROM failures "
            f"JOIN games USING (tournament, number) WHERE {of.where} ORDER BY games.number, position"
        )
        for number, seats, *rest in self._select(statement, of.whole):
            yield of.rows.number(number), of.rows.seats(number, seats), of.rows.failure(number, *rest)

    def _failures(self, of: OpenedTournament, values: Sequence[int], where: str = "") -> Iterator[tuple[int, Failure]]:
        statement = (
            f"SELECT {of.number} AS n, seat, kind, message, ply, log FROM failures AS games "
            f"WHERE {of.where}{where} ORDER BY games.number, position"
        )
        for number, *rest in self._select(statement, *values):
            yield number, of.rows.failure(number, *rest)

    def repeats(self, key: int, end: int) -> Repeats:
        """Count repeated games of a tournament, among games without failures whose numbers are below `end`."""
        of = self._flushed(key)
        statement = (
            "SELECT ifnull(sum(times), 0), count(*), ifnull(max(times), 0) FROM ("
            f"SELECT count(*) AS times FROM games WHERE tournament = ? AND {of.number} < ? AND NOT EXISTS "
            "(SELECT 1 FROM failures WHERE tournament = games.tournament AND number = games.number) "
            "GROUP BY seats, opening, moves)"
        )
        ((games, different, most),) = self._select(statement, of.whole, end)
        return Repeats(games, games - different, most)

    def longest_decisions(self, key: int, end: int) -> Iterator[tuple[tuple[int, ...], tuple[float, ...]]]:
        """Yield seats and the longest decision of each, in seconds, of the games whose numbers are below `end`."""
        of = self._flushed(key)
        statement = f"SELECT {of.number} AS n, seats, slowest FROM games WHERE {of.where} AND n < ?"
        for number, seats, slowest in self._select(statement, of.whole, end):
            yield of.rows.seats(number, seats), of.rows.times(number, "slowest", slowest)

    def openings(self, key: int) -> tuple[int, int]:
        """Return the number of different openings in the games of a tournament, and the number of cycles."""
        of = self._flushed(key)
        statement = f"SELECT count(DISTINCT opening), count(DISTINCT block / ?) FROM games WHERE {of.where}"
        of_whole = self.opened(of.whole).tournament
        ((openings, cycles),) = self._select(statement, of_whole.selections_per_cycle, of.whole)
        return openings, cycles


class _Grouped:
    """Groups failures by game. They come by ascending number of the game."""

    def __init__(self, failures: Iterator[tuple[int, Failure]], path: str) -> None:
        self._failures = failures
        self._path = path
        self._next = next(failures, None)

    def of(self, number: int) -> tuple[Failure, ...]:
        """Return the failures of a game. Must be called by ascending number of the game. Raises StoreError."""
        found: list[Failure] = []
        if self._next is None:
            return ()
        if isinstance(number, int) and self._next[0] < number:
            raise StoreError(f"{self._path!r}, failures of game {self._next[0]}: damaged: the game is not stored")
        while self._next is not None and self._next[0] == number:
            found.append(self._next[1])
            self._next = next(self._failures, None)
        return tuple(found)
