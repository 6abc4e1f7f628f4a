"""Files that options name for output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from mcts import ParameterError, PlayoutError

STDOUT = "-"
"""Path that means standard output."""


class OutputFile:
    """A file that an option names, opened for writing before the work begins; `-` is standard output.

    Nothing is changed in a file that exists until its new content is written. Text is UTF-8 whatever the locale.

    Args:
        path: of the file, or STDOUT.

    Raises:
        PlayoutError: the file cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.is_stdout = path == STDOUT
        if not self.is_stdout:
            with self._explained(), open(path, "ab"):
                pass

    def write_text(self, text: str) -> None:
        """Replace the content by a text."""
        self.write_bytes(text.encode("utf-8", "backslashreplace"))

    def write_bytes(self, content: bytes) -> None:
        """Replace the content. Raises PlayoutError."""
        self.write_chunks([content])

    def write_chunks(self, chunks: Iterable[bytes | str]) -> None:
        """Replace the content by parts that are made one after the other; text becomes UTF-8. Raises PlayoutError."""
        with self._explained(), self._stream() as stream:
            for chunk in chunks:
                stream.write(chunk.encode("utf-8", "backslashreplace") if isinstance(chunk, str) else chunk)

    @contextmanager
    def _stream(self) -> Iterator[BinaryIO]:
        if self.is_stdout:
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        else:
            with open(self.path, "wb") as stream:
                yield stream

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise  # the reader of standard output needs no more
        except OSError as error:
            where = "standard output" if self.is_stdout else repr(self.path)
            raise PlayoutError(f"cannot write {where}: {error.strerror or error}") from None


def output_file(path: str | None) -> OutputFile | None:
    """Return the file that an option names, None for an option that is not given.

    Raises:
        PlayoutError: the file cannot be written.
    """
    return None if path is None else OutputFile(path)


def check_one_stdout(**options: bool) -> None:
    """Check that at most one option writes to standard output.

    Args:
        options: by name, with `_` for `-`, whether the option writes there.

    Raises:
        ParameterError: several do.
    """
    used = ["--" + name.replace("_", "-") for name, to_stdout in options.items() if to_stdout]
    if len(used) > 1:
        raise ParameterError(f"{' and '.join(used)} cannot both write to standard output; valid: one of them")
