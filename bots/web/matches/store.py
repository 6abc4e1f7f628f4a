"""`MatchStore`: the matches of a server, and the rulesheets of its clients, in an SQLite file.

The file has a write-ahead log, and a change is committed before any client learns of it. So what a client has seen
survives a SIGKILL of the server.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...errors import RecordError, StoreError
from ...system.checked_json import parse_json
from ...system.untrusted import clean_line
from ..problems import Problem
from ..security.own_rules import StoredRules
from .saved import IN_MEMORY, StoredMatch

_log = logging.getLogger(__name__)

_APPLICATION_ID = 0x506C6D61
"""Identifies the file: "Plma" in ASCII."""
_VERSION = 3
_FIRST_VERSION = 2
"""The oldest version that is read; it has no rulesheets."""
_RULES = """CREATE TABLE rules (
        digest TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        client TEXT NOT NULL,
        used REAL NOT NULL
    ) WITHOUT ROWID"""
_TABLES = (
    """CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        changed REAL NOT NULL,
        terms TEXT NOT NULL,
        course TEXT NOT NULL,
        client TEXT NOT NULL,
        is_played INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX matches_changed ON matches (changed)",
    "CREATE INDEX matches_client ON matches (client)",
    _RULES,
)
_DELETE_RULES = (
    "DELETE FROM rules WHERE digest IN "
    "(SELECT digest FROM rules WHERE ? IS NULL OR client = ? ORDER BY used DESC LIMIT -1 OFFSET ?)"
)
_BUSY_SECONDS = 1.0


class MatchStore:
    """A file of matches. One server at a time uses it. Methods run in the event loop, and their work in one thread.

    Args:
        path: path of the file, or IN_MEMORY.

    Raises:
        StoreError: the file is of another program or of a later version, is damaged, or another server uses it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="matches")
        try:
            self._connection = self._thread.submit(self._connected).result()
        except BaseException:
            self._thread.shutdown()
            raise

    async def save(self, match: StoredMatch) -> None:
        """Write a match. Writes happen in the order of the calls."""
        terms, course = json.dumps(match.terms), json.dumps(match.course)
        row = (match.match_id, match.changed, terms, course, match.client, match.is_played)
        await self._run(
            "INSERT OR REPLACE INTO matches (id, changed, terms, course, client, is_played) VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id. Raises RecordError if it is damaged."""
        query = "SELECT id, changed, terms, course, client, is_played FROM matches WHERE id = ?"
        for row in await self._run(query, (match_id,)):
            terms, course = (parse_json(str(text), RecordError) for text in row[2:4])
            if not (isinstance(terms, dict) and isinstance(course, dict)):
                raise RecordError("a stored match is not a pair of objects")
            return StoredMatch(row[0], row[1], terms, course, str(row[4]), bool(row[5]))
        return None

    async def count(self, client: str | None = None) -> int:
        """Return the number of matches, or of those of a client."""
        query = "SELECT COUNT(*) FROM matches WHERE ? IS NULL OR client = ?"
        return int((await self._run(query, (client, client)))[0][0])

    async def delete(self, match_id: str) -> None:
        """Delete a match."""
        await self._run("DELETE FROM matches WHERE id = ?", (match_id,))

    async def forget(self, before: float, client: str | None, kept: Collection[str], *, played: bool) -> list[str]:
        """See `Store.forget`."""
        query = (
            "DELETE FROM matches WHERE changed < ? AND (? IS NULL OR client = ?) AND is_played <= ? "
            "AND id NOT IN (SELECT value FROM json_each(?)) RETURNING id"
        )
        values = (before, client, client, played, json.dumps(list(kept)))
        return [row[0] for row in await self._run(query, values)]

    async def save_rules(self, rules: StoredRules, client: str, most: int, most_of_client: int) -> None:
        """Write the rulesheet of a client. Above a limit, those that were used least lately are deleted.

        Args:
            rules: the rulesheet.
            client: who has brought it.
            most: number of rulesheets that are kept, at least 1.
            most_of_client: the same for one client.
        """
        row = (rules.digest, rules.name, rules.text, client, time.time())
        await self._run(
            "INSERT OR REPLACE INTO rules (digest, name, text, client, used) VALUES (?, ?, ?, ?, ?)",
            row,
            *((_DELETE_RULES, (owner, owner, number)) for owner, number in ((client, most_of_client), (None, most))),
        )

    async def load_rules(self, digest: str) -> StoredRules | None:
        """Return a rulesheet, and note its use; None if there is none with this digest."""
        query = "UPDATE rules SET used = ? WHERE digest = ? RETURNING digest, name, text"
        found = await self._run(query, (time.time(), digest))
        return StoredRules(*map(str, found[0])) if found else None

    def close(self) -> None:
        """Close the file after all writes."""
        self._thread.submit(self._connection.close).result()
        self._thread.shutdown()

    async def _run(self, statement: str, values: tuple[Any, ...], *more: tuple[str, tuple[Any, ...]]) -> list[Any]:
        """Run statements in the thread of the store, in one transaction, to its end also if the caller is cancelled.

        Returns:
            The rows of the first statement.

        Raises:
            Problem: the file cannot be used.
        """

        def work() -> list[Any]:
            with self._connection:
                rows = self._connection.execute(statement, values).fetchall()
                for other, of_other in more:
                    self._connection.execute(other, of_other)
            return rows

        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(running)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            _log.error("%s: %s", self._path, clean_line(error))
            raise Problem(
                503, "no_store", "the file of matches cannot be used now; the log of the server has more"
            ) from error

    def _connected(self) -> sqlite3.Connection:
        try:
            if self._path != IN_MEMORY:
                _create_private(Path(self._path))
            connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
            try:
                connection.text_factory = lambda text: text.decode(errors="replace")  # the content is checked later
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, UnicodeDecodeError, OSError) as error:  # a message may quote bytes of a damaged file
            hint = "; another server uses it; valid: --matches FILE with another file" if "locked" in str(error) else ""
            raise StoreError(f"cannot use {self._path!r} for matches: {clean_line(error)}{hint}") from None
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Take the file for this server, and make the tables of a new one."""
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        is_new = not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        if not is_new and application != _APPLICATION_ID:
            raise StoreError(f"{self._path!r} is not a file of matches; valid: one of playout serve, or a new file")
        if not is_new and not _FIRST_VERSION <= version <= _VERSION:
            valid = f"{_FIRST_VERSION} to {_VERSION}, of this Playout"
            raise StoreError(f"{self._path!r} has version {version}; valid: {valid}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with connection:
            connection.execute("BEGIN EXCLUSIVE")
            for statement in _TABLES if is_new else (_RULES,) if version < _VERSION else ():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")


def _create_private(path: Path) -> None:
    """Create a file that only its owner can read, unless it exists: matches contain the seeds of bots."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
