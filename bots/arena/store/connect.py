"""Connections to a file of games: one writer at a time, and readers that leave no files behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

from ...errors import StoreError
from .lock import READER_SECONDS, ReaderLock, WriterLock, is_held_here
from .schema import VERSION, migrate, version_of

TEMPORARY = ""
"""Path of a store in temporary files, which are removed when it is closed."""
BUSY_SECONDS = 30.0
"""Longest wait for another connection to release the database."""
_LONGEST_VALUE = 4 << 20
"""Bytes of the longest value and row that are read from a file from anywhere."""
_STEPS = 20_000
"""Instructions of SQLite between two questions, about a millisecond."""


class Connection:
    """A connection to a database with its locks and temporary files.

    Args:
        path: path of the file, or TEMPORARY.
        read_only: True to read only; the file must exist.
        reader_seconds: longest wait of a writer for readers of a file that must not change meanwhile.
        give_up: for a file from anywhere: asked again and again while SQLite reads. True ends it.

    Raises:
        StoreError: the file is not a store, has another version, or another process writes to it.
        sqlite3.Error: SQLite cannot open it.
    """

    def __init__(
        self,
        path: str,
        read_only: bool,
        reader_seconds: float = READER_SECONDS,
        give_up: Callable[[], bool] | None = None,
    ) -> None:
        self.path = path
        self._give_up = give_up
        self.writer: WriterLock | None = None
        """None for a reader and for a temporary store."""
        self._reader: ReaderLock | None = None
        self._copies: tempfile.TemporaryDirectory[str] | None = None
        self.sqlite: sqlite3.Connection | None = None
        try:
            if path == TEMPORARY:
                self.sqlite = _connect("")
                migrate(self.sqlite, path)
            elif read_only:
                self._open_to_read(Path(path))
            else:
                self._open_to_write(Path(path).absolute(), reader_seconds)
        except BaseException:
            self.close()
            raise

    def _open_to_write(self, path: Path, reader_seconds: float) -> None:
        self.writer = WriterLock(path, reader_seconds)
        self.sqlite = _connect(path.as_uri())
        version_of(self.sqlite, self.path)  # a database of another program is not changed
        self.sqlite.execute("PRAGMA journal_mode = WAL")
        self.sqlite.execute("PRAGMA synchronous = NORMAL")
        self.sqlite.execute("PRAGMA foreign_keys = ON")
        migrate(self.sqlite, self.path)
        self.writer.note()

    def _open_to_read(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"no file {self.path!r}; valid: a file made by playout arena --db")
        real = path.resolve()  # where SQLite looks for the write-ahead log
        log, index = real.with_name(real.name + "-wal"), real.with_name(real.name + "-shm")
        beside = [found for found in (log, index) if found.exists()]
        if all(os.access(needed, os.W_OK) for needed in (real, real.parent, *beside)):
            # The last connection to close removes the log and its index; one without write access leaves them.
            self.sqlite = _connect(real.as_uri() + "?mode=rw")
            self.sqlite.execute("PRAGMA query_only = ON")
        elif is_held_here(real):
            self.sqlite = _connect(real.as_uri() + "?mode=ro")
        else:
            self._reader = ReaderLock(real)
            if not self._reader.held:  # a writer keeps the log and its index, which are readable
                self.sqlite = _connect(real.as_uri() + "?mode=ro")
            elif not log.exists() or log.stat().st_size == 0:
                self.sqlite = _connect(real.as_uri() + "?immutable=1")
            else:  # a writer was killed: its log can only be applied to a copy
                self._copies = tempfile.TemporaryDirectory(prefix="playout-")
                copy = Path(self._copies.name, real.name)
                shutil.copyfile(real, copy)
                shutil.copyfile(log, copy.with_name(log.name))
                self.sqlite = _connect(copy.as_uri())
        if self._give_up is not None:
            _distrust(self.sqlite, self._give_up)
        found = version_of(self.sqlite, self.path)
        if found != VERSION:
            raise StoreError(
                f"{self.path!r} has version {found}, which must be changed to version {VERSION} first; "
                "valid: playout arena with the same --db changes it"
            )

    def close(self) -> None:
        """Close the database, then release the locks. Releasing them first would drop the locks of SQLite."""
        if self.sqlite is not None:
            self.sqlite.close()
        for lock in (self.writer, self._reader):
            if lock is not None:
                lock.release()
        self._reader = None
        if self._copies is not None:
            self._copies.cleanup()


def _connect(name: str) -> sqlite3.Connection:
    # Without isolation level, a statement outside of a BEGIN of this package is its own transaction.
    return sqlite3.connect(name, timeout=BUSY_SECONDS, isolation_level=None, uri=bool(name))


def _distrust(connection: sqlite3.Connection, give_up: Callable[[], bool]) -> None:
    """Bound memory and time of what a file makes SQLite do: its views may never end, its values may be huge."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
    connection.set_progress_handler(give_up, _STEPS)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
