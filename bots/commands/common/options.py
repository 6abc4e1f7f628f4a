"""Arguments and options that several commands have, and the form of all options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from mcts import Game, State, StateError
from mcts.primitives.failures import failures_named

from .completion import complete_bot, complete_game

DEFAULT_DB = "arena.db"
SIMULATIONS_HELP = "Limit of each decision, in simulations."
SECONDS_HELP = "Limit of each decision, in seconds."
SEED_HELP = "Seed of all random numbers."
GAME_HELP = 'Game with its parameters, such as "mnk(m=5,n=5,k=4)" or mnk:m=5,n=5,k=4.'


def option(
    help: str,
    value: str,
    *,
    name: str | None = None,
    default: str | None = None,
    panel: str | None = None,
    **more: Any,
) -> Any:
    """Return the declaration of an option with a value, for the annotation of a parameter.

    Args:
        help: what the option does, as a sentence.
        value: name of its value in the help.
        name: its name with dashes; by default that of the parameter.
        default: description of the default, if the default itself does not say enough.
        panel: title of the part of the help that shows the option.
        more: further arguments of `typer.Option`, such as `min` and `max`.
    """
    names = [] if name is None else [name]
    return typer.Option(*names, metavar=value, help=help, show_default=default or True, rich_help_panel=panel, **more)


def flag(name: str, help: str, *, default: str | None = None, panel: str | None = None) -> Any:
    """Return the declaration of an option without a value. Its name has the dashes."""
    return typer.Option(name, help=help, show_default=default or True, rich_help_panel=panel)


def output_option(help: str, panel: str | None = None) -> Any:
    """Return the declaration of the option of every command that writes a file."""
    return typer.Option("--output", "-o", metavar="FILE", help=help, rich_help_panel=panel)


def outputs_option(help: str) -> Any:
    """Return the declaration of `--output` of a command that writes several files."""
    return output_option(repeatable(help))


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

SimulationsOption = Annotated[int | None, option(SIMULATIONS_HELP, "N", min=1)]
SecondsOption = Annotated[float | None, option(SECONDS_HELP, "S")]
SeedOption = Annotated[int, option(SEED_HELP, "N")]
NewSeed = Annotated[int | None, option(SEED_HELP, "N", default="a new one")]
SeedOfGames = Annotated[int | None, option(SEED_HELP, "N", default="a new one for each game")]
StateOption = Annotated[
    str | None, option("State, as text or JSON; - reads stdin.", "TEXT", default="the initial state")
]
AllOption = Annotated[bool, flag("--all", "Show the parameters for experts, too.")]
JsonOption = Annotated[bool, flag("--json", "Print the results as JSON to stdout.")]
CacheOption = Annotated[str | None, option("Folder of stored solutions.", "DIR", default="the user's cache folder")]
MemoryOption = Annotated[int, option("Memory limit for solving, in MB.", "MB", min=1)]
TournamentOption = Annotated[
    str | None,
    option(
        "Tournament: its number in the list of `playout tournaments`, or the beginning of its id.",
        "ID",
        default="the one played last",
    ),
]
AnchorOption = Annotated[
    list[str] | None, option(repeatable("Fix the rating of a bot; the others are relative to it."), "BOT=RATING")
]
ModelOption = Annotated[
    str | None,
    option(
        "Rating model: bradley_terry, plackett_luce, least_squares, or the path of a class, package.module.Class.",
        "NAME",
        default="least_squares for returns; for wins bradley_terry, with more than two players plackett_luce",
    ),
]


def read_state(game: Game, text: str | None) -> State:
    """Return the state that `--state` names: a text or JSON, or `-` for standard input; None is the initial state.

    Raises:
        StateError: the text is not a state of the game.
    """
    if text is None:
        return game.new_initial_state()
    with failures_named("--state", StateError, StateError):
        return game.state_from_text(sys.stdin.read() if text == "-" else text)
