"""Games on disk: an SQLite file in which any number of tournaments stand.

A write-ahead log with `synchronous=NORMAL`: what has been committed is with the operating system, and outlives the end
of all processes by SIGKILL. Only a crash of the whole machine can take the last commits with it, and never leaves half
of one; the games in them are then played again, as are those that had not been committed. A commit takes some
milliseconds, so games are collected for a moment before they are written together.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any

from ...errors import StoreError
from ..records import Failure, GameRecord, ScheduledGame
from ..tournament.schedule import Tournament
from .catalogue import Catalogue, OpenedTournament, explained
from .catalogue import StoredTournament as StoredTournament
from .connect import TEMPORARY as TEMPORARY
from .connect import Connection
from .lock import READER_SECONDS
from .repeats import Repeats
from .rows import game_row, read_code, read_date

COMMIT_SECONDS = 0.1
"""How long games are collected before they are written."""

_GAMES = "games LEFT JOIN sessions ON sessions.id = games.session"


@dataclass(frozen=True)
class StoredGame:
    """One game as it was scheduled and as it was played."""

    scheduled: ScheduledGame
    record: GameRecord
    begun: str = field(default="", compare=False)
    """Date and time, UTC, at which the session that played it began; empty where it is not known."""


@dataclass(frozen=True)
class Session:
    """One run of the arena that played games of a tournament."""

    begun: str
    """Date and time, UTC."""
    code: tuple[str, ...]
    """Fingerprints of the package and of each bot's code, as `fingerprints.code_of` makes them."""
    games: int
    """How many games it played."""


class Store(AbstractContextManager["Store"]):
    """Tournaments and their games.

    Args:
        path: of the file, or TEMPORARY.
        read_only: True to look only, even while another process writes; the file must exist.
        reader_seconds: longest wait of a writer for those who read a file that must not change meanwhile.

    Raises:
        StoreError: the file is no store, of a later version, damaged, or being written to by another.
    """

    def __init__(self, path: str, read_only: bool = False, *, reader_seconds: float = READER_SECONDS) -> None:
        self.path = path
        self._waiting: list[tuple[int, ScheduledGame, GameRecord]] = []
        self._since = 0.0
        self._code: dict[int, Sequence[str]] = {}
        self._sessions: dict[int, int] = {}
        self.broken: StoreError | None = None
        """Why nothing can be written any more."""
        with explained(self.path):
            self._file = Connection(path, read_only, reader_seconds)
            assert self._file.sqlite is not None
            self._connection = self._file.sqlite
            # What is no UTF-8 becomes characters that no check lets pass.
            self._connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        self._catalogue = Catalogue(self._connection, path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what has not been written, and let others write."""
        try:
            self.flush()
        finally:
            self._file.close()

    def match(self, tournament: Tournament) -> Tournament:
        """The tournament as this store has it: with seeds by number where a former version began it so."""
        return self._catalogue.match(tournament)

    def tournaments(self) -> list[StoredTournament]:
        """All tournaments but those that are parts of others, oldest first."""
        return self._catalogue.tournaments()

    def parts(self) -> list[StoredTournament]:
        """Tournaments that are parts of others, such as those that were extended, oldest first."""
        return self._catalogue.parts()

    def open_tournament(self, tournament: Tournament, code: Sequence[str] = ("",)) -> int:
        """The key of a tournament that is to be played.

        It is entered if it is new. Where it contains a stored one, that is extended, and what was played of it counts;
        where a stored one contains it, it is entered as a part of that.

        Args:
            tournament: what is to be played.
            code: fingerprints to be stored with the games: of the package and of each bot's code.

        Raises:
            StoreError: it has games in common with a stored tournament, but neither contains the other.
        """
        key = self._catalogue.find(tournament)
        if key is None:
            with self._transaction():
                key = self._catalogue.enter(tournament)
        elif self._catalogue.opened(key).tournament.names != tournament.names:
            with self._transaction():
                self._catalogue.rename(key, tournament)
        self._code[key] = code
        return key

    def add(self, key: int, scheduled: ScheduledGame, record: GameRecord) -> None:
        """Keep a game of the tournament of a key; it is written soon, or by `flush`."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append((key, scheduled, record))

    def flush_if_due(self) -> None:
        """Write, if the first game that waits has waited long enough."""
        if self._waiting and time.monotonic() - self._since >= COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all games that wait, in one transaction; nothing, once that has failed.

        Raises:
            StoreError: they cannot be written, or the file is not what it was.
        """
        if not self._waiting or self.broken is not None:
            return
        try:
            with self._transaction():
                games, failures = [], []
                for key, scheduled, record in self._waiting:
                    of = self._catalogue.opened(key)
                    row = game_row(scheduled, record)
                    if of.renumbering is not None:
                        number = of.renumbering.to_whole(record.number)
                        row = (number, number // of.tournament.block_size, *row[2:])
                    games.append((of.whole, *row, self._session(key, of.whole)))
                    failures += [
                        (of.whole, row[0], position, f.seat, f.kind, f.message, f.ply, f.log)
                        for position, f in enumerate(record.failures)
                    ]
                self._connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", games)
                self._connection.executemany("INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", failures)
        except StoreError as error:
            self.broken = error
            raise
        self._waiting.clear()

    def check(self) -> None:
        """Check that the file is still what was written. Raises StoreError."""
        if self._file.writer is not None:
            self._file.writer.check()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write to the file, all or nothing."""
        with explained(self.path):
            self.check()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._sessions.clear()  # one that was made in here is gone
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            if self._file.writer is not None:
                self._file.writer.note()

    def _session(self, key: int, whole: int) -> int:
        """The session of this store that plays a tournament, made with its first game."""
        if key not in self._sessions:
            row = self._connection.execute(
                "INSERT INTO sessions (tournament, code) VALUES (?, ?)", (whole, json.dumps(list(self._code[key])))
            )
            self._sessions[key] = int(row.lastrowid or 0)
        return self._sessions[key]

    def sessions(self, key: int) -> list[Session]:
        """The runs that played games of a tournament, oldest first; none for games of former versions."""
        self.flush()
        of = self._catalogue.opened(key)
        with explained(self.path):
            rows = self._connection.execute(
                f"SELECT sessions.begun, code, count(*) FROM sessions JOIN games ON games.session = sessions.id "
                f"WHERE {of.where} GROUP BY sessions.id ORDER BY sessions.id",
                (of.whole,),
            )
            return [
                Session(read_date(self.path, of.whole, begun), read_code(self.path, of.whole, code), games)
                for begun, code, games in rows
            ]

    def results(self, key: int) -> Iterator[GameRecord]:
        """The games of a tournament by ascending number, but without their moves, openings and times.

        Half as long as to read all: what a tournament that goes on waits for.
        """
        self.flush()
        of = self._catalogue.opened(key)
        failures = _Grouped(self._failures(of), self.path)
        columns = f"{of.number} AS n, block, seats, returns, plies, ending"
        statement = f"SELECT {columns} FROM games WHERE {of.where} ORDER BY games.number"
        with explained(self.path):
            for number, block, seats, returns, plies, ending in self._connection.execute(statement, (of.whole,)):
                of_game = failures.of(number)
                yield of.rows.record(number, self._block(of, number, block), seats, returns, plies, ending, of_game)

    def games(self, key: int, number: int | None = None) -> Iterator[StoredGame]:
        """The games of a tournament by ascending number, or the one of a number if there is one."""
        self.flush()
        of = self._catalogue.opened(key)
        where, values = "", [of.whole]
        if number is not None:
            where = " AND games.number = ?"
            values.append(number if of.renumbering is None else of.renumbering.to_whole(number))
        failures = _Grouped(self._failures(of, where, values), self.path)
        columns = (
            f"{of.number} AS n, block, seats, returns, plies, ending, seed, opening, moves, seconds, sessions.begun"
        )
        statement = f"SELECT {columns} FROM {_GAMES} WHERE {of.where}{where} ORDER BY games.number"
        rows = of.rows
        with explained(self.path):
            for (
                n,
                block,
                seats,
                returns,
                plies,
                ending,
                seed,
                opening,
                moves,
                seconds,
                begun,
            ) in self._connection.execute(statement, values):
                block = self._block(of, n, block)
                record = rows.record(n, block, seats, returns, plies, ending, failures.of(n), moves, seconds)
                date = of.begun if begun is None else read_date(self.path, of.whole, begun)
                yield StoredGame(rows.scheduled(record, seed, opening), record, date)

    def failures(self, key: int) -> Iterator[tuple[int, tuple[int, ...], Failure]]:
        """Number, seats and failure of every failure of a tournament, by ascending number."""
        self.flush()
        of = self._catalogue.opened(key)
        with explained(self.path):
            rows = self._connection.execute(
                f"SELECT {of.number} AS n, seats, seat, kind, message, ply, log "
                "FROM failures JOIN games USING (tournament, number) "
                f"WHERE {of.where} ORDER BY games.number, position",
                (of.whole,),
            )
            for number, seats, *rest in rows:
                yield of.rows.number(number), of.rows.seats(number, seats), of.rows.failure(number, *rest)

    def _failures(
        self, of: OpenedTournament, where: str = "", values: Sequence[int] | None = None
    ) -> Iterator[tuple[int, Failure]]:
        with explained(self.path):
            statement = (
                f"SELECT {of.number} AS n, seat, kind, message, ply, log FROM failures AS games "
                f"WHERE {of.where}{where} ORDER BY games.number, position"
            )
            for number, *rest in self._connection.execute(statement, values or (of.whole,)):
                yield number, of.rows.failure(number, *rest)

    @staticmethod
    def _block(of: OpenedTournament, number: int, block: Any) -> Any:
        """The block of a game in the tournament that is read."""
        return block if of.renumbering is None else number // of.tournament.block_size

    def repeats(self, key: int, end: int) -> Repeats:
        """How many games of a tournament, of numbers below `end`, are the same as others, of those without failures."""
        self.flush()
        of = self._catalogue.opened(key)
        with explained(self.path):
            row = self._connection.execute(
                "SELECT ifnull(sum(times), 0), count(*), ifnull(max(times), 0) FROM ("
                f"SELECT count(*) AS times FROM games WHERE tournament = ? AND {of.number} < ? AND NOT EXISTS "
                "(SELECT 1 FROM failures WHERE tournament = games.tournament AND number = games.number) "
                "GROUP BY seats, opening, moves)",
                (of.whole, end),
            ).fetchone()
            return Repeats(row[0], row[0] - row[1], row[2])

    def openings(self, key: int) -> tuple[int, int]:
        """How many different openings were played in a tournament, and in how many cycles."""
        self.flush()
        of = self._catalogue.opened(key)
        with explained(self.path):
            row = self._connection.execute(
                f"SELECT count(DISTINCT opening), count(DISTINCT block / ?) FROM games WHERE {of.where}",
                (self._catalogue.opened(of.whole).tournament.selections_per_cycle, of.whole),
            ).fetchone()
            return row[0], row[1]


class _Grouped:
    """Hands out failures that come by ascending number of their games, game by game."""

    def __init__(self, failures: Iterator[tuple[int, Failure]], path: str) -> None:
        self._failures = failures
        self._path = path
        self._next = next(failures, None)

    def of(self, number: int) -> tuple[Failure, ...]:
        """Those of a game; games have to be asked for by ascending number. Raises StoreError."""
        found: list[Failure] = []
        if self._next is None:
            return ()
        if isinstance(number, int) and self._next[0] < number:
            raise StoreError(f"{self._path!r}, failures of game {self._next[0]}: damaged: the game is not stored")
        while self._next is not None and self._next[0] == number:
            found.append(self._next[1])
            self._next = next(self._failures, None)
        return tuple(found)
