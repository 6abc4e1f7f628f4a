"""The tournaments of a file of games.

A tournament that contains a stored one, game for game, takes its place, and the shorter one becomes a part of it: its
games are read and written under the numbers of the longer one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ...errors import StoreError
from ..tournament.extension import Renumbering, contains, shares_games
from ..tournament.schedule import BY_NUMBER, Tournament
from .rows import GameRows, read_date, read_tournament


@dataclass(frozen=True)
class StoredTournament:
    """A tournament in a store."""

    key: int
    """Of this store; negative for a part of a longer tournament."""
    tournament: Tournament
    begun: str
    """Date and time, UTC."""
    games: int
    """How many have been played."""
    last_played: str
    """Date and time, UTC, at which the last session began that played games of it."""


@dataclass(frozen=True)
class OpenedTournament:
    """A tournament that is being read or written."""

    tournament: Tournament
    whole: int
    """Key of the tournament under which its games are stored."""
    begun: str
    rows: GameRows
    renumbering: Renumbering | None
    """None where the numbers are those of the file."""
    number: str
    """SQL for the number of a game: NULL for games that are not in this tournament."""

    @property
    def where(self) -> str:
        """SQL that chooses its games, given `whole`."""
        return f"games.tournament = ? AND {self.number} IS NOT NULL"


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Raise errors of SQLite as a StoreError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        where = repr(path) if path else "the temporary store"
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise StoreError(f"{where} cannot be written: the disk is full; what was stored before is whole") from error
        raise StoreError(f"{where} cannot be used: {error}; valid: a file made by playout arena") from error


class Catalogue:
    """The tournaments of one file.

    Args:
        connection: to the file; the caller makes transactions.
        path: of the file, for errors.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path
        self._opened: dict[int, OpenedTournament] = {}
        connection.create_function("number_in_part", 2, self._number_in_part, deterministic=True)

    def match(self, tournament: Tournament) -> Tournament:
        """The tournament as this file has it: with seeds by number where a former version began it so."""
        by_number = replace(tournament, seeding=BY_NUMBER)
        known = {stored.tournament.digest for stored in self.tournaments()}
        if by_number == tournament or tournament.digest in known:
            return tournament
        if any(contains(by_number, s.tournament) or contains(s.tournament, by_number) for s in self.tournaments()):
            return by_number
        return tournament

    def find(self, tournament: Tournament) -> int | None:
        """The key of a tournament, None if it has not been entered."""
        with explained(self._path):
            row = self._connection.execute(
                "SELECT id FROM tournaments WHERE digest = ?1 UNION ALL SELECT -id FROM parts WHERE digest = ?1",
                (tournament.digest,),
            ).fetchone()
            return None if row is None else int(row[0])

    def rename(self, key: int, tournament: Tournament) -> None:
        """Give the bots of a tournament that has been entered the names that they have now."""
        table = "tournaments" if key > 0 else "parts"
        self._connection.execute(
            f"UPDATE {table} SET spec = ? WHERE id = ?", (json.dumps(tournament.to_dict()), abs(key))
        )
        self._opened.clear()

    def enter(self, tournament: Tournament) -> int:
        """Enter a new tournament, as one of its own, as a longer form of a stored one, or as a part of one.

        Returns:
            Its key.

        Raises:
            StoreError: it has games in common with a stored tournament, but neither contains the other.
        """
        execute = self._connection.execute
        new = tournament.digest, json.dumps(tournament.to_dict())
        every = sorted(self.tournaments(), key=lambda stored: -stored.games)
        longer = next((stored for stored in every if contains(stored.tournament, tournament)), None)
        if longer is not None:
            row = execute("INSERT INTO parts (digest, spec, tournament) VALUES (?, ?, ?)", (*new, longer.key))
            return -int(row.lastrowid or 0)
        shorter = next((stored for stored in every if contains(tournament, stored.tournament)), None)
        if shorter is None:
            for stored in every:
                if shares_games(stored.tournament, tournament):
                    of = stored.tournament
                    raise StoreError(
                        f"{self._path!r} has {of.cycles * of.block_size:,} games of every pairing of "
                        f"{', '.join(of.bots)} (tournament {of.digest[:8]}), of which this tournament has but a part; "
                        "valid: as many --games, or more; another --seed; another --db"
                    )
            return int(execute("INSERT INTO tournaments (digest, spec) VALUES (?, ?)", new).lastrowid or 0)
        old = shorter.tournament
        if not (renumbering := Renumbering(old, tournament)).keeps_numbers:
            self._renumber(shorter.key, renumbering, tournament.block_size)
        execute("UPDATE tournaments SET digest = ?, spec = ? WHERE id = ?", (*new, shorter.key))
        execute(
            "INSERT INTO parts (digest, spec, tournament) VALUES (?, ?, ?)",
            (old.digest, json.dumps(old.to_dict()), shorter.key),
        )
        self._opened.clear()
        return shorter.key

    def _renumber(self, key: int, renumbering: Renumbering, block_size: int) -> None:
        """Give the games of a tournament the numbers that they have in a longer one."""
        self._connection.create_function("number_in_whole", 1, renumbering.to_whole, deterministic=True)
        self._connection.execute("PRAGMA defer_foreign_keys = ON")
        for table in ("games", "failures"):
            for change in ("number = -1 - number_in_whole(number)", "number = -1 - number"):
                self._connection.execute(f"UPDATE {table} SET {change} WHERE tournament = ?", (key,))
        self._connection.execute("UPDATE games SET block = number / ? WHERE tournament = ?", (block_size, key))

    def tournaments(self) -> list[StoredTournament]:
        """All tournaments but those that are parts of others, oldest first."""
        with explained(self._path):
            rows = self._connection.execute(
                "SELECT id, digest, spec, begun, "
                "(SELECT count(*) FROM games WHERE tournament = tournaments.id), "
                "(SELECT max(begun) FROM sessions WHERE tournament = tournaments.id) "
                "FROM tournaments ORDER BY id"
            ).fetchall()
        found = []
        for key, digest, spec, begun, games, last in rows:
            if key < 1:
                raise StoreError(f"{self._path!r}, tournament {key}, column id: damaged; valid: 1 and up")
            date = read_date(self._path, key, begun)
            last_played = date if last is None else read_date(self._path, key, last)
            found.append(
                StoredTournament(key, read_tournament(self._path, key, digest, spec), date, games, last_played)
            )
        return found

    def parts(self) -> list[StoredTournament]:
        """Tournaments that are parts of others, such as those that were extended, oldest first."""
        whole = {stored.key: stored for stored in self.tournaments()}
        with explained(self._path):
            rows = self._connection.execute("SELECT id, digest, spec, tournament FROM parts ORDER BY id").fetchall()
            found = []
            for key, digest, spec, of in rows:
                if of not in whole or key < 1:
                    raise StoreError(f"{self._path!r}, part {key} of tournament {of!r:.60}: its numbers are damaged")
                tournament = read_tournament(self._path, -key, digest, spec)
                if not contains(whole[of].tournament, tournament):
                    raise StoreError(f"{self._path!r}, part {key}: damaged: it is not a part of tournament {of}")
                found.append(StoredTournament(-key, tournament, whole[of].begun, 0, whole[of].last_played))
        return [replace(part, games=self._count(part.key)) for part in found]

    def _count(self, key: int) -> int:
        of = self.opened(key)
        with explained(self._path):
            found = self._connection.execute(
                f"SELECT count({of.number}) FROM games WHERE tournament = ?", (of.whole,)
            ).fetchone()
            return int(found[0])

    def opened(self, key: int) -> OpenedTournament:
        """The tournament of a key, for reading and writing its games."""
        if key not in self._opened:
            with explained(self._path):
                if key > 0:
                    row = self._connection.execute(
                        "SELECT digest, spec, begun FROM tournaments WHERE id = ?", (key,)
                    ).fetchone()
                    tournament = read_tournament(self._path, key, *row[:2])
                    begun = read_date(self._path, key, row[2])
                    opened = OpenedTournament(
                        tournament, key, begun, GameRows(self._path, tournament), None, "games.number"
                    )
                else:
                    digest, spec, whole = self._connection.execute(
                        "SELECT digest, spec, tournament FROM parts WHERE id = ?", (-key,)
                    ).fetchone()
                    tournament = read_tournament(self._path, key, digest, spec)
                    outer = self.opened(whole)
                    number = f"number_in_part({key}, games.number)"
                    rows = GameRows(self._path, tournament)
                    renumbering = Renumbering(tournament, outer.tournament)
                    opened = OpenedTournament(tournament, whole, outer.begun, rows, renumbering, number)
            self._opened[key] = opened
        return self._opened[key]

    def _number_in_part(self, key: int, number: Any) -> int | None:
        renumbering = self._opened[key].renumbering
        return renumbering.to_part(number) if renumbering is not None and isinstance(number, int) else None
