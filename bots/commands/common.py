"""What several commands share: arguments and options, states and files that are named on the command line, consoles."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, BinaryIO

import typer
from rich.console import Console

from mcts import Game, ParameterError, PlayoutError, State, StateError

from .completion import complete_bot, complete_game

STDOUT = "-"
"""Names standard output where a file is asked for."""

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME", autocompletion=complete_game, help='game, such as "mnk(m=5,n=5,k=4)" or mnk:m=5,n=5,k=4'
    ),
]
BotArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOT", autocompletion=complete_bot, help='bot, such as "mcts(solver=true)" or mcts:solver=true'
    ),
]
SimulationsOption = Annotated[
    int | None, typer.Option("--simulations", min=1, metavar="N", help="limit of a decision: N simulations")
]
SecondsOption = Annotated[float | None, typer.Option("--seconds", metavar="S", help="limit of a decision: S seconds")]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="seed of all random numbers")]


def read_state(game: Game, text: str) -> State:
    """The state of a text in the game's notation or JSON; `-` reads it from stdin. Raises StateError."""
    try:
        return game.state_from_text(sys.stdin.read() if text == "-" else text)
    except StateError as error:
        raise StateError(f"--state: {error}") from None


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


def stdout() -> Console:
    """The console for results."""
    return Console(highlight=False, markup=False, emoji=False)


def stderr() -> Console:
    """The console for logs and progress."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False)
