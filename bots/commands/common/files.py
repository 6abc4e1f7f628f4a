"""Files that options name for output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

from rich.console import Console

from mcts import ParameterError, PlayoutError

from .consoles import stderr, stdout

STDOUT = "-"
"""Path that means standard output."""


class OutputFile:
    """A file that `--output` names, opened for writing before the work begins; `-` is standard output.

    Nothing is changed in a file that exists until its new content is written. Text is UTF-8 whatever the locale.

    Args:
        path: of the file, or STDOUT.
        formats: suffixes of which the path must have one; none if there is no choice. STDOUT means the first of them,
            and `-.csv` that standard output is CSV.

    Raises:
        ParameterError: the path has none of the suffixes.
        PlayoutError: the file cannot be written.
    """

    def __init__(self, path: str, formats: Sequence[str] = ()) -> None:
        self.path = path
        self.format = formats[0] if formats and path == STDOUT else PurePath(path).suffix
        if formats and self.format not in formats:
            valid = ", ".join(f"FILE{each}" for each in formats)
            raise ParameterError(f"--output {path}: unknown format; valid: {valid}")
        self.is_stdout = path == STDOUT or (bool(formats) and path == STDOUT + self.format)
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


def output_files(
    paths: Sequence[str] | None, formats: Sequence[str] = (), *, as_json: bool = False
) -> list[OutputFile]:
    """Return the files that `--output` names, and check that at most one result goes to standard output.

    Args:
        paths: values of the option.
        formats: see `OutputFile`.
        as_json: `--json` is given, which writes to standard output.

    Raises:
        ParameterError: several results go to standard output, or a path has none of the suffixes.
        PlayoutError: a file cannot be written.
    """
    found = [OutputFile(path, formats) for path in paths or ()]
    used = ["--json"] * as_json + [f"--output {file.path}" for file in found if file.is_stdout]
    if len(used) > 1:
        raise ParameterError(f"{' and '.join(used)} cannot both write to standard output; valid: one of them")
    return found


def output_file(path: str | None, formats: Sequence[str] = (), *, as_json: bool = False) -> OutputFile | None:
    """Return the file of an option that is given once at most, or None; see `output_files`."""
    return next(iter(output_files(None if path is None else [path], formats, as_json=as_json)), None)


def console_beside(*targets: OutputFile | None) -> Console:
    """Return the console for the text of a command: stderr if a file is written to standard output."""
    return stderr() if any(target is not None and target.is_stdout for target in targets) else stdout()


def json_files(path: str | None, as_json: bool) -> list[OutputFile]:
    """Return the files for results as JSON: that of `--output`, and standard output with `--json`."""
    return output_files([] if path is None else [path], as_json=as_json) + [OutputFile(STDOUT)] * as_json
