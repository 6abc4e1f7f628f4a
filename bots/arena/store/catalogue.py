"""The tournaments of a file of games.

A tournament that contains a stored one, game for game, replaces it. The shorter one becomes a part of the longer one:
its games are read and written under the numbers of the longer one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from cext.arguments import shown

from ...errors import StoreError
from ...system.untrusted import clean_line
from ..tournament.extension import Renumbering, contains, shares_games
from ..tournament.schedule import Tournament
from .rows import GameRows, damaged, is_key, read_date, read_tournament


@dataclass(frozen=True)
class StoredTournament:
    """A tournament in a store."""

    key: int
    """Key in this store; negative for a part of a longer tournament."""
    tournament: Tournament
    begun: str
    """Date and time, UTC."""
    games: int
    """Number of played games."""
    last_played: str
    """Date and time, UTC, of the begin of the last session that played games of it."""


@dataclass(frozen=True)
class OpenedTournament:
    """A tournament whose games are read or written."""

    tournament: Tournament
    whole: int
    """Key of the tournament under which its games are stored."""
    begun: str
    rows: GameRows
    renumbering: Renumbering | None
    """Translation of the numbers of a part; None for a whole tournament."""
    number: str
    """SQL expression of the number of a game; NULL for games that are not in this tournament."""

    @property
    def where(self) -> str:
        """SQL condition of its games, with `whole` as parameter."""
        return f"games.tournament = ? AND {self.number} IS NOT NULL"

    def stored_number(self, number: int) -> int:
        """Return the number under which a game is stored."""
        return number if self.renumbering is None else self.renumbering.to_whole(number)

    def stored_block(self, number: int, block: int) -> int:
        """Return the block under which a game with this number and block is stored."""
        return block if self.renumbering is None else self.stored_number(number) // self.tournament.block_size

    def block(self, number: int, stored_block: Any) -> Any:
        """Return the block in this tournament of a game with this number, given the stored block."""
        return stored_block if self.renumbering is None else number // self.tournament.block_size


@contextmanager
def sqlite_errors_explained(path: str) -> Iterator[None]:
    """Convert errors of SQLite to a StoreError that names the file."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a message may quote bytes of a damaged file
        where = repr(path) if path else "the temporary store"
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_INTERRUPT:
            raise StoreError(f"{where} takes too long to read; valid: a smaller file") from error
        if code == sqlite3.SQLITE_FULL:
            raise StoreError(
                f"{where} cannot be written: the disk is full; the games stored before are intact"
            ) from error
        raise StoreError(f"{where} cannot be used: {clean_line(error)}; valid: a file made by playout arena") from error


class Catalogue:
    """The tournaments of one file.

    Args:
        connection: a connection to the file. The caller begins and ends transactions.
        path: path of the file, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self.path = path
        self._opened: dict[int, OpenedTournament] = {}
        self._read: dict[int, tuple[Any, Any, Tournament]] = {}
        connection.create_function("number_in_part", 2, self._number_in_part, deterministic=True)

    def _select(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement. Raises StoreError."""
        with sqlite_errors_explained(self.path):
            # Without `map`, the end of this generator would close the cursor, perhaps of a closed file.
            yield from map(tuple, self._connection.execute(statement, values))

    def find(self, tournament: Tournament) -> int | None:
        """Return the key of a tournament; None if it is not in the file."""
        where = "SELECT id FROM tournaments WHERE digest = ?1 UNION ALL SELECT -id FROM parts WHERE digest = ?1"
        return next((int(key) for (key,) in self._select(where, tournament.digest)), None)

    def rename(self, key: int, tournament: Tournament) -> None:
        """Store the present names of the bots of a tournament."""
        table = "tournaments" if key > 0 else "parts"
        self._connection.execute(
            f"UPDATE {table} SET spec = ? WHERE id = ?", (json.dumps(tournament.to_dict()), abs(key))
        )
        self._opened.clear()

    def enter(self, tournament: Tournament) -> int:
        """Enter a new tournament: by itself, as an extension of a stored one, or as a part of a stored one.

        Returns:
            The key of the tournament.

        Raises:
            StoreError: it shares games with a stored tournament, but neither contains the other.
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
                        f"{self.path!r} has {of.cycles * of.block_size:,} games of every pairing of "
                        f"{', '.join(of.bots)} (tournament {of.digest[:8]}), of which this tournament has only a part; "
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
        """Change the numbers of the games of a tournament to those in a longer one."""
        self._connection.create_function("number_in_whole", 1, renumbering.to_whole, deterministic=True)
        self._connection.execute("PRAGMA defer_foreign_keys = ON")
        for table in ("games", "failures"):
            for change in ("number = -1 - number_in_whole(number)", "number = -1 - number"):
                self._connection.execute(f"UPDATE {table} SET {change} WHERE tournament = ?", (key,))
        self._connection.execute("UPDATE games SET block = number / ? WHERE tournament = ?", (block_size, key))

    def tournaments(self) -> list[StoredTournament]:
        """Return all tournaments that are not parts of others, oldest first."""
        statement = (
            "SELECT id, digest, spec, begun, (SELECT count(*) FROM games WHERE tournament = tournaments.id), "
            "(SELECT max(begun) FROM sessions WHERE tournament = tournaments.id) FROM tournaments ORDER BY id"
        )
        found = []
        for key, digest, spec, begun, games, last in list(self._select(statement)):
            if not is_key(key):
                raise damaged(self.path, f"tournament {shown(key)}", "id", key, "1 and up")
            date = read_date(self.path, key, begun)
            last_played = date if last is None else read_date(self.path, key, last)
            found.append(StoredTournament(key, self._tournament(key, digest, spec), date, games, last_played))
        return found

    def _tournament(self, key: int, digest: Any, spec: Any) -> Tournament:
        """Return the tournament of a row, which is read again only after a change."""
        known = self._read.get(key)
        if known is None or known[:2] != (digest, spec):
            known = self._read[key] = digest, spec, read_tournament(self.path, key, digest, spec)
        return known[2]

    def num_tournaments(self) -> int:
        """Return the number of tournaments, also of parts of others."""
        ((found,),) = self._select("SELECT (SELECT count(*) FROM tournaments) + (SELECT count(*) FROM parts)")
        return int(found)

    def parts(self) -> list[StoredTournament]:
        """Return the tournaments that are parts of others, such as those that were extended, oldest first."""
        whole = {stored.key: stored for stored in self.tournaments()}
        found = []
        for key, digest, spec, of in list(self._select("SELECT id, digest, spec, tournament FROM parts ORDER BY id")):
            if of not in whole or not is_key(key):
                raise StoreError(f"{self.path!r}, part {key} of tournament {of!r:.60}: its numbers are damaged")
            tournament = self._tournament(-key, digest, spec)
            if not contains(whole[of].tournament, tournament):
                raise StoreError(f"{self.path!r}, part {key}: damaged: it is not a part of tournament {of}")
            found.append(StoredTournament(-key, tournament, whole[of].begun, 0, whole[of].last_played))
        return [replace(part, games=self._count(part.key)) for part in found]

    def _count(self, key: int) -> int:
        of = self.opened(key)
        ((found,),) = self._select(f"SELECT count({of.number}) FROM games WHERE tournament = ?", of.whole)
        return int(found)

    def opened(self, key: int) -> OpenedTournament:
        """Return the tournament with a key, for reading and writing its games."""
        if key not in self._opened:
            if key > 0:
                columns = "SELECT digest, spec, begun FROM tournaments WHERE id = ?"
                ((digest, spec, begun),) = self._select(columns, key)
                whole, number, date = key, "games.number", read_date(self.path, key, begun)
            else:
                columns = "SELECT digest, spec, tournament FROM parts WHERE id = ?"
                ((digest, spec, whole),) = self._select(columns, -key)
                number, date = f"number_in_part({key}, games.number)", self.opened(whole).begun
            of = self._tournament(key, digest, spec)
            renumbering = None if key > 0 else Renumbering(of, self.opened(whole).tournament)
            self._opened[key] = OpenedTournament(of, whole, date, GameRows(self.path, of), renumbering, number)
        return self._opened[key]

    def _number_in_part(self, key: int, number: Any) -> int | None:
        renumbering = self._opened[key].renumbering
        return renumbering.to_part(number) if renumbering is not None and isinstance(number, int) else None
