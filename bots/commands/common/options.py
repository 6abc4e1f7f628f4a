"""Arguments and options that several commands have, and the form of all options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer

from mcts import Game, State, StateError

from .completion import complete_bot, complete_game

DEFAULT_DB = "arena.db"
SIMULATIONS_HELP = "Limit of each decision, in simulations."
SECONDS_HELP = "Limit of each decision, in seconds."
SEED_HELP = "Seed of all random numbers."
GAME_HELP = 'Game with its parameters, such as "mnk(m=5,n=5,k=4)" or mnk:m=5,n=5,k=4.'


def option(
    *names: str,
    help: str,
    value: str | None = None,
    default: str | None = None,
    panel: str | None = None,
    **more: Any,
) -> Any:
    """Return the declaration of an option, for the annotation of a parameter.

    Args:
        names: the names, each with its dashes; the long one comes first.
        help: what the option does, as a sentence.
        value: name of its value in the help; None for a flag.
        default: description of the default, if the default itself does not say enough.
        panel: title of the part of the help that shows the option.
        more: further arguments of `typer.Option`, such as `min` and `max`.
    """
    return typer.Option(*names, metavar=value, help=help, show_default=default or True, rich_help_panel=panel, **more)


output_option = partial(option, "--output", "-o", value="FILE")
"""Declares the option of every command that writes a file."""


def repeatable(help: str) -> str:
    """Return the help of an option that may be given several times."""
    return f"{help} Can be repeated."


def argument(metavar: str, help: str, completion: Callable[[str], list[str]] | None = None) -> Any:
    """Return the declaration of an argument, for the annotation of a parameter."""
    return typer.Argument(metavar=metavar, help=help, autocompletion=completion)


GameArgument = Annotated[str, argument("GAME", GAME_HELP, complete_game)]
BotArgument = Annotated[
    str, argument("BOT", 'Bot with its parameters, such as "mcts(solver=true)" or mcts:solver=true.', complete_bot)
]
OptionalGameArgument = Annotated[str | None, argument("GAME", GAME_HELP, complete_game)]
_BOTS = argument(
    "BOT...", 'Bots with their parameters, such as "mcts(simulations=1000)" or mcts:simulations=1000.', complete_bot
)
BotsArgument = Annotated[list[str], _BOTS]
OptionalBotsArgument = Annotated[list[str] | None, _BOTS]
DbArgument = Annotated[str, argument("DB", "Database of stored games.")]
DbsArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="DB...", help="Databases of stored games.", show_default=DEFAULT_DB),
]

SimulationsOption = Annotated[int | None, option("--simulations", value="N", min=1, help=SIMULATIONS_HELP)]
SecondsOption = Annotated[float | None, option("--seconds", value="S", help=SECONDS_HELP)]
SeedOption = Annotated[int, option("--seed", value="N", help=SEED_HELP)]
StateOption = Annotated[
    str | None,
    option("--state", value="TEXT", default="the initial state", help="State, as text or JSON; - reads stdin."),
]
AllOption = Annotated[bool, option("--all", help="Show the parameters for experts, too.")]
JsonOption = Annotated[bool, option("--json", help="Print the results as JSON to stdout.")]
CacheOption = Annotated[
    str | None,
    option("--cache", value="DIR", default="the user's cache folder", help="Folder of stored solutions."),
]
MemoryOption = Annotated[int, option("--memory-mb", value="MB", min=1, help="Memory limit for solving, in MB.")]
TournamentOption = Annotated[
    str | None,
    option(
        "--tournament",
        value="ID",
        default="the one played last",
        help="Tournament: its number in the list of `playout tournaments`, or the beginning of its id.",
    ),
]
AnchorOption = Annotated[
    list[str] | None,
    option("--anchor", value="BOT=RATING", help=repeatable("Fix the rating of a bot; the others are relative to it.")),
]
ModelOption = Annotated[
    str | None,
    option(
        "--model",
        value="NAME",
        default="least_squares for returns; for wins bradley_terry, with more than two players plackett_luce",
        help="Rating model: bradley_terry, plackett_luce, least_squares, or the path of a class, package.module.Class.",
    ),
]


def read_state(game: Game, text: str | None) -> State:
    """Return the state that `--state` names: a text or JSON, or `-` for standard input; None is the initial state.

    Raises:
        StateError: the text is not a state of the game.
    """
    if text is None:
        return game.new_initial_state()
    try:
        return game.state_from_text(sys.stdin.read() if text == "-" else text)
    except StateError as error:
        raise StateError(f"--state: {error}") from None
