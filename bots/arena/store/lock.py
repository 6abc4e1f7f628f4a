"""Locks of files of games: one writer at a time, which notices changes of the file by others."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from mcts.primitives.failures import failures_named

from ...errors import StoreError
from ...system.file_locks import OPEN_FLAGS, holder, read_beginning, try_lock, unlock

READER_SECONDS = 10.0
"""Default of the longest wait of a writer for readers of a file that must not change meanwhile."""
_POLL_SECONDS = 0.05
_HEADER_BYTES = 100
"""Length of the header of an SQLite file, which changes only when the write-ahead log is copied into the file."""

_held: dict[tuple[int, int], int] = {}
"""Descriptors of the files to which this process writes, by device and inode."""


class WriterLock:
    """Excludes other writers from a file, under any of its names, until it is released or the process ends.

    The lock is on the file itself and, if that is a database, independent of the locks of SQLite. On POSIX systems a
    process loses those when it closes any descriptor of the file, so the descriptor is closed last. Forked children
    close their descriptors: a child that outlives a killed writer excludes nobody.

    Args:
        path: of the file; an empty one is made if it does not exist.
        reader_seconds: longest wait for readers of a file that must not change meanwhile.

    Raises:
        StoreError: another writer has the lock, or the file cannot be written.
    """

    def __init__(self, path: Path, reader_seconds: float = READER_SECONDS) -> None:
        self._path = path
        self._reader_seconds = reader_seconds
        # A file that this process has locked must not be opened: closing it again would drop the locks of SQLite.
        if (found := _identity(path)) is not None and found in _held:
            raise StoreError(f"{str(path)!r} is being written to by this process; valid: one writer at a time")
        with failures_named(f"cannot write to {str(path)!r}", StoreError):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | OPEN_FLAGS, 0o666)
        try:
            status = os.fstat(self._descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise StoreError(f"cannot write to {str(path)!r}: not a regular file; valid: a file for games")
            self._take()
        except BaseException:
            os.close(self._descriptor)
            raise
        self._key = status.st_dev, status.st_ino
        self._released = False
        _held[self._key] = self._descriptor
        self._size = 0
        self._header = b""

    def _take(self) -> None:
        """Take the lock. Wait for readers, but not for a writer."""
        patience = time.monotonic() + self._reader_seconds
        while True:
            if try_lock(self._descriptor):
                return
            kind, owner = holder(self._descriptor)
            if kind == "READ" and time.monotonic() < patience:
                time.sleep(_POLL_SECONDS)
                continue
            what = "read" if kind == "READ" else "written to"
            raise StoreError(
                f"{str(self._path)!r} is being {what} by {owner}; valid: one writer at a time, or another file"
            )

    def note(self) -> None:
        """Remember the state of the file, after this process has changed it."""
        self._size = os.fstat(self._descriptor).st_size
        self._header = read_beginning(self._descriptor, _HEADER_BYTES)

    def check(self) -> None:
        """Check that the file is still as this process left it.

        Raises:
            StoreError: the file was deleted, replaced, truncated or overwritten.
        """
        found = _identity(self._path)
        if found is None:
            happened = "was deleted"
        elif found != self._key:
            happened = "was replaced by another file"
        elif os.fstat(self._descriptor).st_size < self._size:
            happened = "was truncated"
        elif read_beginning(self._descriptor, _HEADER_BYTES) != self._header:
            happened = "was overwritten"
        else:
            return
        raise StoreError(
            f"{str(self._path)!r} {happened} while it was written to: games may be lost; "
            "valid: the same command again, which plays what is missing"
        )

    def release(self) -> None:
        """Let others write, once SQLite has closed the file. A forked child releases nothing."""
        if not self._released:
            self._released = True
            if _held.pop(self._key, None) is not None:
                # Closing would not do: a forked child may not have closed its copy of the descriptor yet.
                unlock(self._descriptor)
                os.close(self._descriptor)


class ReaderLock:
    """Excludes writers from a database while it is read as a file that does not change.

    Raises:
        StoreError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        with failures_named(f"cannot read {str(path)!r}", StoreError):
            self._descriptor = os.open(path, os.O_RDONLY | OPEN_FLAGS)
        self.held = try_lock(self._descriptor, shared=True)
        """False if another process writes to the file."""

    def release(self) -> None:
        """Release the lock. SQLite must have closed the file."""
        if self.held:
            unlock(self._descriptor)
        os.close(self._descriptor)


def is_held_here(path: Path) -> bool:
    """Return True if this process has the file open as its writer."""
    return _identity(path) in _held


def _identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode of a file, which are the same under all of its names; None without a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _after_fork_in_child() -> None:
    for descriptor in _held.values():
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
