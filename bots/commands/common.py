"""What several commands share: arguments and options, states and files that are named on the command line, consoles."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from mcts import Game, PlayoutError, State, StateError

from ..arena.report.text import print_report, to_json
from ..arena.results.standings import Report

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


def read_state(game: Game, text: str) -> State:
    """The state that a JSON text, or stdin for `-`, describes. Raises StateError."""
    given = sys.stdin.read() if text == "-" else text
    try:
        plain: dict[str, Any] = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise StateError(f"--state is no JSON: {error}; valid: like {json.dumps(_example_state(game))}") from None
    if not isinstance(plain, dict):
        raise StateError(f"--state is no JSON object: {given.strip()}; valid: like {json.dumps(_example_state(game))}")
    return game.state_from_dict(plain)


def _example_state(game: Game) -> dict[str, Any]:
    example: dict[str, Any] = game.new_initial_state().to_dict()
    return example


def writable(path: str) -> Path:
    """A path that can be written to, tried before hours of play."""
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


def show_report(report: Report, as_json: bool) -> None:
    """Print what a tournament came to, as JSON or as a table."""
    if as_json:
        sys.stdout.write(json_text(report))
    else:
        print_report(report, stdout())


def json_text(report: Report) -> str:
    """What a tournament came to, as JSON."""
    return json.dumps(to_json(report), indent=2) + "\n"
