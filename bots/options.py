"""Arguments and options that several commands have, and the streams that they write to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from mcts import PlayoutError

USAGE_ERROR = 2
INTERRUPTED = 130

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help='as in "mnk(m=5,n=5,k=4)" or mnk:m=5,n=5,k=4')]
SimulationsOption = Annotated[
    int | None, typer.Option("--simulations", min=1, metavar="N", help="search no more than N times for a decision")
]
SecondsOption = Annotated[
    float | None, typer.Option("--seconds", metavar="S", help="search no longer than S seconds for a decision")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="root of all that is random")]


def writable(path: str) -> Path:
    """A path that can be written to, tried before hours of play. Raises PlayoutError."""
    try:
        with open(path, "a"):
            pass
    except OSError as error:
        raise PlayoutError(f"cannot write {path!r}: {error.strerror}") from None
    return Path(path)


def stdout() -> Console:
    """Where results go."""
    return Console(highlight=False)


def stderr() -> Console:
    """Where logs and progress go."""
    return Console(stderr=True, highlight=False)
