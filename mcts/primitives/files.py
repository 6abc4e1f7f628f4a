"""Folders in the user's cache, and files that appear as a whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def cache_folder(name: str) -> Path:
    """Return a folder of this package in the user's cache folder of this platform; it may not exist."""
    import platformdirs  # slower than reading a rulesheet

    return Path(platformdirs.user_cache_dir("playout")) / name


def keep_within(folder: Path, suffix: str, max_bytes: int) -> None:
    """Delete the files of a folder that were not used for longest, until the others are within a limit.

    Several processes may do so at a time. A file that cannot be deleted stays, and counts.

    Args:
        folder: the folder.
        suffix: end of the names of the files that count; others stay.
        max_bytes: limit of their size together.

    Raises:
        OSError: the folder cannot be read.
    """
    entries = []
    for path in folder.iterdir():
        with suppress(OSError):
            found = path.lstat()
            if path.suffix == suffix and stat.S_ISREG(found.st_mode):
                entries.append((found.st_mtime, found.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= max_bytes:
            break
        with suppress(OSError):
            path.unlink(missing_ok=True)
            total -= size


def read_regular(path: Path | str, most_bytes: int) -> bytes:
    """Return the content of a file that may have changed since it was given, without waiting for one who writes it.

    Args:
        path: the file. A named pipe, a socket or a device is refused.
        most_bytes: size of the largest file that is read.

    Raises:
        OSError: the file cannot be read, is not a regular file, or is larger.
        ValueError: the path has a null character.
    """
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it has more than {most_bytes:,} bytes")
    return content


def write_whole(path: Path, *parts: bytes | memoryview, mode: int = 0o644, is_durable: bool = False) -> None:
    """Write a file under a temporary name, which is then changed: it appears as a whole or not at all.

    Args:
        path: the file. Its folder exists.
        parts: the content.
        mode: permissions of the file.
        is_durable: True to wait until the content is on the disk.

    Raises:
        OSError: the file cannot be written.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
