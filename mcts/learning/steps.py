"""`TrainingSteps`: the results of finished steps of a training in a folder, so that an interrupted training can go on.

A training is a sequence of steps that depends on its options alone. Each line of the file `steps` is a JSON text: the
first one says what the training is, and each other one is `[name, result, seconds]` of a step, in order. A large result
has a file of its own, and its line has the length and the digest of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from cext.arguments import shown

from ..errors import NetFileError
from ..primitives.failures import failures_named
from ..primitives.files import write_whole

SUFFIX = ".steps"
"""End of the name of a folder."""
LOG = "steps"
"""Name of the file of steps in a folder."""
MOST_BYTES = 1 << 28
"""Size above which no file is read."""
_UNFINISHED = ".*.bin.*"
"""Files of results that a killed process has not finished."""
Found = TypeVar("Found")


class Kept:
    """A large result of a step, in a file or, without a folder, in memory.

    Args:
        content: the result; None if it is in a file.
        path: of the file.
        size: its length in bytes.
        digest: its SHA-256, in hexadecimal digits.
    """

    def __init__(self, content: bytes | None, path: Path | None = None, size: int = 0, digest: str = "") -> None:
        self._content, self._path = content, path
        self.size, self.digest = size, digest

    def read(self) -> bytes:
        """Return the result. Raises NetFileError: the file is missing or damaged."""
        if self._content is not None:
            return self._content
        assert self._path is not None
        with failures_named(f"cannot read {shown(str(self._path))}", NetFileError), open(self._path, "rb") as file:
            content = file.read(self.size + 1)
        if len(content) != self.size or hashlib.sha256(content).hexdigest() != self.digest:
            raise NetFileError(
                f"{shown(str(self._path))} is damaged; remove the folder {shown(str(self._path.parent))}"
            )
        return content

    def move(self, path: Path) -> None:
        """Move the result from memory to a new file. Raises OSError."""
        content = self.read()
        write_whole(path, content, is_durable=True)
        self._content, self._path = None, path
        self.size, self.digest = len(content), hashlib.sha256(content).hexdigest()

    def drop(self) -> None:
        """Remove the result, which the training does not need any more."""
        self._content = b""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class TrainingSteps:
    """The finished steps of a training.

    A line that is not complete, because the process was killed while it wrote, is dropped. The folder is not meant for
    sharing: its results are used as they are.

    Args:
        path: of the folder; None keeps no results.
        training: what the training is, with values that JSON has.

    Raises:
        NetFileError: the folder is of another training, damaged, or cannot be read or written.

    Attributes:
        finished: number of steps in the folder when it was opened.
        seconds: time of all steps so far.
    """

    def __init__(self, path: str | os.PathLike[str] | None, training: Mapping[str, Any]) -> None:
        self._folder = None if path is None else Path(path)
        self._results: Iterator[Any] = iter(())
        self._count = self.finished = 0
        self.seconds = 0.0
        self._since = time.monotonic()
        if self._folder is None:
            return
        found = self._read(self._folder, dict(training))
        if found is None:
            self._append(dict(training))
            return
        for left in self._folder.glob(_UNFINISHED):
            left.unlink(missing_ok=True)
        self.finished = len(found)
        self._results = iter(found)

    @property
    def are_left(self) -> bool:
        """True if the folder has results that are not used yet."""
        return self._count < self.finished

    def do(
        self,
        name: str,
        compute: Callable[[], Found],
        encode: Callable[[Found], Any] = lambda found: found,
        decode: Callable[[Any], Found] = lambda stored: stored,
    ) -> Found:
        """Return the result of the next step: from the folder if it has it, else computed and appended.

        Args:
            name: of the step.
            compute: returns the result.
            encode: makes of it what JSON has.
            decode: makes the same result again.
        """
        self._count += 1
        for stored in self._results:
            try:
                found_name, result, seconds = stored
                if found_name != name:
                    raise ValueError(f"step {found_name!r} in place of {name!r}")
                self.seconds += float(seconds)
                return decode(result)
            except (LookupError, TypeError, ValueError) as error:
                raise NetFileError(f"{shown(str(self._folder))} is damaged: {error}; remove it") from None
        found = compute()
        encoded = None if self._folder is None else encode(found)
        now = time.monotonic()
        seconds, self._since = round(now - self._since, 3), now
        self.seconds += seconds
        if self._folder is not None:
            self._append([name, encoded, seconds])
        return found

    def keep(self, name: str, compute: Callable[[], tuple[bytes, Any]]) -> tuple[Kept, Any]:
        """Return the large result of the next step, as `do` does, and what JSON has beside it.

        The file of the result is written before its line.
        """
        path = None if self._folder is None else self._folder / f"{self._count + 1:08}.bin"

        def made() -> tuple[Kept, Any]:
            content, beside = compute()
            return Kept(content), beside

        def encode(found: tuple[Kept, Any]) -> Any:
            kept, beside = found
            assert path is not None
            with failures_named(f"cannot write {shown(str(path))}", NetFileError):
                kept.move(path)
            return [kept.size, kept.digest, beside]

        def decode(stored: Any) -> tuple[Kept, Any]:
            size, digest, beside = stored
            if not (isinstance(size, int) and 0 <= size <= MOST_BYTES and isinstance(digest, str)):
                raise ValueError(f"{shown(repr(stored))} is not the length and digest of a result")
            return Kept(None, path, size, digest), beside

        return self.do(name, made, encode, decode)

    def remove(self) -> None:
        """Remove the folder, at the end of the training."""
        if self._folder is not None:
            for path in (*self._folder.glob("[0-9]*.bin"), self._folder / LOG):
                path.unlink(missing_ok=True)
            with suppress(OSError):  # it has other files
                self._folder.rmdir()

    def _append(self, value: object) -> None:
        assert self._folder is not None
        with failures_named(f"cannot write {shown(str(self._folder))}", NetFileError):
            self._folder.mkdir(exist_ok=True)
            with open(self._folder / LOG, "ab") as file:
                file.write(_line(value))
                file.flush()
                os.fsync(file.fileno())

    @staticmethod
    def _read(folder: Path, training: Mapping[str, Any]) -> list[Any] | None:
        """Return the results of all complete lines, and cut off the rest; None if not even the first is complete.

        A folder whose file does not begin as this training does is left as it is.
        """
        path = folder / LOG
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise NetFileError(
                f"{shown(str(folder))} is not a folder of steps; valid: another name, or remove it"
            ) from None
        except OSError as error:
            raise NetFileError(f"cannot read {shown(str(path))}: {error.strerror or error}") from None
        if len(content) > MOST_BYTES:
            raise NetFileError(f"{shown(str(path))} has more than {MOST_BYTES:,} bytes; valid: a file of steps")
        end = content.rfind(b"\n") + 1
        first, *lines = content[:end].splitlines() or [b""]
        if end:
            try:
                known = json.loads(first)
            except (ValueError, RecursionError):
                known = None
            if not isinstance(known, dict):
                raise NetFileError(f"{shown(str(path))} is not a file of steps; valid: another name, or remove it")
            if known != training:
                raise NetFileError(
                    f"{shown(str(path))} has the steps of another training or version, {shown(json.dumps(known))}; "
                    "valid: the options of that training, or remove the folder"
                )
        elif not _line(training).startswith(content):
            raise NetFileError(f"{shown(str(path))} is not a file of steps; valid: another name, or remove it")
        try:
            found = [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            raise NetFileError(f"{shown(str(path))} is damaged: {error}; remove it") from None
        if end < len(content):
            with failures_named(f"cannot write {shown(str(path))}", NetFileError):
                os.truncate(path, end)
        return found if end else None


def _line(value: object) -> bytes:
    """Return a value as a line of the file."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
