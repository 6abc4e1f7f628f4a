"""`MatchStore`: the matches of a server in an SQLite file.

The file has a write-ahead log, and a change is committed before any client learns of it. So what a client has seen
survives a SIGKILL of the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..errors import StoreError

IN_MEMORY = ":memory:"
"""Path of a store without a file."""
_APPLICATION_ID = 0x506C6D61
"""Identifies the file: "Plma" in ASCII."""
_VERSION = 1
_TABLES = (
    """CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        changed REAL NOT NULL,
        terms TEXT NOT NULL,
        course TEXT NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX matches_changed ON matches (changed)",
)
_BUSY_SECONDS = 1.0

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class StoredMatch:
    """A match as the file has it: plain data."""

    match_id: str
    changed: float
    """Time of the last change, in seconds since 1970."""
    terms: dict[str, Any]
    """Parts that never change."""
    course: dict[str, Any]
    """Parts that change."""


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
        row = (match.match_id, match.changed, json.dumps(match.terms), json.dumps(match.course))

        def write() -> None:
            with self._connection:
                self._connection.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?)", row)

        await self._in_thread(write)

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id."""

        def read() -> Any:
            return self._connection.execute("SELECT * FROM matches WHERE id = ?", (match_id,)).fetchone()

        row = await self._in_thread(read)
        return None if row is None else StoredMatch(row[0], row[1], json.loads(row[2]), json.loads(row[3]))

    async def count(self) -> int:
        """Return the number of matches."""
        return int(
            await self._in_thread(lambda: self._connection.execute("SELECT COUNT(*) FROM matches").fetchone()[0])
        )

    async def forget_before(self, time: float) -> int:
        """Delete the matches whose last change was before a time. Return their number."""

        def delete() -> int:
            with self._connection:
                return self._connection.execute("DELETE FROM matches WHERE changed < ?", (time,)).rowcount

        return await self._in_thread(delete)

    def close(self) -> None:
        """Close the file after all writes."""
        self._thread.submit(self._connection.close).result()
        self._thread.shutdown()

    async def _in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """Run a function in the thread of the store, to its end also if the caller is cancelled."""
        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(running)
        except sqlite3.Error as error:
            raise StoreError(f"{self._path}: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        try:
            if self._path != IN_MEMORY:
                _create_private(Path(self._path))
            connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
        except (sqlite3.Error, OSError) as error:
            hint = "; another server uses it" if "locked" in str(error) else ""
            raise StoreError(f"cannot use {self._path!r} for matches: {error}{hint}") from None
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Take the file for this server, and make the tables of a new one."""
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        is_new = not connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        if not is_new and application != _APPLICATION_ID:
            raise StoreError(f"{self._path!r} is not a file of matches; valid: one of playout serve, or a new file")
        if version > _VERSION:
            raise StoreError(f"{self._path!r} has version {version}; valid: up to {_VERSION}, of this Playout")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with connection:
            connection.execute("BEGIN EXCLUSIVE")
            for statement in _TABLES if is_new else ():
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")


def _create_private(path: Path) -> None:
    """Create a file that only its owner can read, unless it exists: matches contain the seeds of bots."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
