"""One writer for each file of games."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from mcts import StoreError

_held: set[tuple[int, int] | None] = set()


class WriterLock:
    """Held until it is released or its process ends in any way.

    A record lock of POSIX, which forked workers do not inherit: one of them that outlives its parent keeps nobody out.
    Such locks are of a whole process, so those of this one are counted here. The lock is on a file of its own, since
    SQLite itself locks parts of its files and loses all locks on a file when it closes one of its descriptors.

    Args:
        path: of the file that is locked; `-lock` is appended.

    Raises:
        StoreError: another has it, or it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        name = path.with_name(path.name + "-lock")
        if _key(name) in _held:  # not even opened: closing it again would open the lock of the other
            raise StoreError(f"{str(path)!r} is being written to by this very process; valid: one writer at a time")
        try:
            self._descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise StoreError(f"cannot write to {str(path)!r}: {name}: {error.strerror}") from None
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.read(self._descriptor, 32).decode(errors="replace").strip() or "unknown"
            os.close(self._descriptor)
            raise StoreError(
                f"{str(path)!r} is being written to by process {owner}; valid: one writer at a time, or another --db"
            ) from None
        self._key = _key(name)
        _held.add(self._key)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let others write."""
        if self._key in _held:
            _held.remove(self._key)
            os.close(self._descriptor)


def _key(name: Path) -> tuple[int, int] | None:
    """What identifies a file under any name; None where there is none."""
    try:
        found = name.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
