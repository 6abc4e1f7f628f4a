"""Folders in the user's cache, and files that appear as a whole or not at all."""

from __future__ import annotations

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
