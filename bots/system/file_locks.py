"""Locks of open files, shared by readers or held by one writer, which end with the process.

POSIX systems have `flock`. It excludes other locks of the whole file, and no access. On Windows a range of bytes is
locked, and no process can read or write it meanwhile. The range is in the page of SQLite's own locks, which contains no
data. A system with neither excludes nobody.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from .features import IS_LINUX, IS_POSIX

_FLOCK = re.compile(r"\d+: FLOCK +\S+ +(\S+) +(-?\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) ")
_FIRST_BYTE = 0x40000000 + 1024
_READERS = 64
"""Number of readers that can share a lock on Windows: each locks one byte of the range that a writer locks."""

OPEN_FLAGS: int = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOINHERIT", "O_BINARY"))
"""Flags for `os.open`: child processes do not inherit the descriptor, and opening a named pipe does not wait."""

_locked: dict[int, tuple[int, int]] = {}
"""On Windows, the first byte and the number of bytes that this process has locked, by descriptor."""


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


_fcntl: Any = _module("fcntl") if IS_POSIX else None
_msvcrt: Any = _module("msvcrt") if sys.platform == "win32" else None


def try_lock(descriptor: int, shared: bool = False) -> bool:
    """Lock an open file, and return False if another process has a lock that excludes this one."""
    try:
        if _fcntl is not None:
            _fcntl.flock(descriptor, (_fcntl.LOCK_SH if shared else _fcntl.LOCK_EX) | _fcntl.LOCK_NB)
        elif _msvcrt is not None:
            return _lock_bytes(descriptor, shared)
    except OSError:
        return False
    return True


def unlock(descriptor: int) -> None:
    """Release the lock of an open file, before the file is closed."""
    if _fcntl is not None:
        _fcntl.flock(descriptor, _fcntl.LOCK_UN)
    elif _msvcrt is not None:
        first, count = _locked.pop(descriptor)
        os.lseek(descriptor, first, os.SEEK_SET)
        _msvcrt.locking(descriptor, _msvcrt.LK_UNLCK, count)


def holder(descriptor: int) -> tuple[str, str]:
    """Return READ or WRITE, and a text that names the process with the lock on a file, as far as the system tells."""
    if IS_LINUX:
        status = os.fstat(descriptor)
        wanted = os.major(status.st_dev), os.minor(status.st_dev), status.st_ino
        try:
            locks = Path("/proc/locks").read_text()
        except OSError:
            locks = ""
        for kind, process, major, minor, inode in _FLOCK.findall(locks):
            if (int(major, 16), int(minor, 16), int(inode)) == wanted:
                return kind, f"process {process}"
        return "WRITE", "another process"
    return ("READ" if _is_shared(descriptor) else "WRITE"), "another process"


def _is_shared(descriptor: int) -> bool:
    """Return True if only readers have a lock on a file. A second descriptor would be one more reader."""
    if not try_lock(descriptor, shared=True):
        return False
    unlock(descriptor)
    return True


def _lock_bytes(descriptor: int, shared: bool) -> bool:
    """Lock the whole range for a writer, or one of its bytes for a reader."""
    for byte in range(_READERS) if shared else (0,):
        first, count = _FIRST_BYTE + byte, 1 if shared else _READERS
        os.lseek(descriptor, first, os.SEEK_SET)
        try:
            _msvcrt.locking(descriptor, _msvcrt.LK_NBLCK, count)
        except OSError:
            continue
        _locked[descriptor] = first, count
        return True
    return False


def read_beginning(descriptor: int, size: int) -> bytes:
    """Return the first bytes of an open file."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, size)
