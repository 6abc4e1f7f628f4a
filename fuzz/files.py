"""Files for targets that read a path, in memory where the system has a folder for that."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IN_MEMORY = Path("/dev/shm")


@contextmanager
def folder() -> Iterator[Path]:
    """Make a folder, which is removed afterwards."""
    where = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=where) as made:
        yield Path(made)


@contextmanager
def file_of(content: bytes, name: str = "x") -> Iterator[Path]:
    """Make a file with this content, which is removed afterwards."""
    with folder() as made:
        path = made / name
        path.write_bytes(content)
        yield path
