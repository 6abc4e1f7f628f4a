"""`TrainingSteps`: the results of finished steps of a training in a file, so that an interrupted training can go on.

A training is a sequence of steps that depends on its options alone. Each line of the file is a JSON text: the first one
says what the training is, and each other one is `[name, result]` of a step, in order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from cext.arguments import shown

from ..errors import NetFileError

SUFFIX = ".steps"
MOST_BYTES = 1 << 28
"""Size above which no file is read."""
Found = TypeVar("Found")


class TrainingSteps:
    """The finished steps of a training.

    A line that is not complete, because the process was killed while it wrote, is dropped. The file is not meant for
    sharing: its results are used as they are.

    Args:
        path: of the file; None keeps no results.
        training: what the training is, with values that JSON has.

    Raises:
        NetFileError: the file is of another training, damaged, or cannot be read or written.

    Attributes:
        finished: number of steps in the file when it was opened.
    """

    def __init__(self, path: str | os.PathLike[str] | None, training: Mapping[str, Any]) -> None:
        self._path = None if path is None else Path(path)
        self._results: Iterator[Any] = iter(())
        self.finished = 0
        if self._path is None:
            return
        found = self._read(self._path, dict(training))
        if found is None:
            self._append(dict(training))
            return
        self.finished = len(found)
        self._results = iter(found)

    def do(
        self,
        name: str,
        compute: Callable[[], Found],
        encode: Callable[[Found], Any] = lambda found: found,
        decode: Callable[[Any], Found] = lambda stored: stored,
    ) -> Found:
        """Return the result of the next step: from the file if it has it, else computed and appended.

        Args:
            name: of the step.
            compute: returns the result.
            encode: makes of it what JSON has.
            decode: makes the same result again.
        """
        for stored in self._results:
            try:
                found_name, result = stored
                if found_name != name:
                    raise ValueError(f"step {found_name!r} in place of {name!r}")
                return decode(result)
            except (LookupError, TypeError, ValueError) as error:
                raise NetFileError(f"{shown(str(self._path))} is damaged: {error}; remove it") from None
        found = compute()
        if self._path is not None:
            self._append([name, encode(found)])
        return found

    def remove(self) -> None:
        """Remove the file, at the end of the training."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _append(self, value: object) -> None:
        assert self._path is not None
        try:
            with open(self._path, "ab") as file:
                file.write(_line(value))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise NetFileError(f"cannot write {shown(str(self._path))}: {error.strerror or error}") from None

    @staticmethod
    def _read(path: Path, training: Mapping[str, Any]) -> list[Any] | None:
        """Return the results of all complete lines, and cut off the rest; None if not even the first is complete.

        A file that does not begin as this training does is left as it is.
        """
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return None
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
                    f"{shown(str(path))} has the steps of another training, {shown(json.dumps(known))}; "
                    "valid: the options of that training, or remove the file"
                )
        elif not _line(training).startswith(content):
            raise NetFileError(f"{shown(str(path))} is not a file of steps; valid: another name, or remove it")
        try:
            found = [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            raise NetFileError(f"{shown(str(path))} is damaged: {error}; remove it") from None
        try:
            if end < len(content):
                os.truncate(path, end)
        except OSError as error:
            raise NetFileError(f"cannot write {shown(str(path))}: {error.strerror or error}") from None
        return found if end else None


def _line(value: object) -> bytes:
    """Return a value as a line of the file."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
