"""The command line as a whole: a table of commands, each of which is imported when it runs."""

from __future__ import annotations

import importlib
import inspect
import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "playout.commands"
"""Group of entry points by which a package adds commands: name of the command = the function, `module:function`."""

_COMPLETION_VARIABLE = "_PLAYOUT_COMPLETE"
_GAMES, _PLAY, _ARENA, _ENGINES = "Games and bots", "Play and analysis", "Tournaments", "Engines"
_MACHINE = "This machine"
_OTHERS = "Other packages"


@dataclass(frozen=True)
class Entry:
    """A command in the list of commands."""

    name: str
    """Also the name of its module, with `_` for `-`, in which the function `command` is the command."""
    part: str
    """Title of its part of the list."""
    summary: str
    """First line of the docstring of the function; it is repeated here so that the list imports no command."""
    point: EntryPoint | None = None
    """The function of a command of another package."""


COMMANDS = (
    Entry("games", _GAMES, "List the games, or show one with its parameters."),
    Entry("rules", _GAMES, "Show the rules of a game."),
    Entry("new", _GAMES, "Write a small package with a game or a bot, for you to change."),
    Entry("check", _GAMES, "Check a game over random games, and say what is wrong."),
    Entry("bots", _GAMES, "List the bots and their parameters."),
    Entry("searchers", _GAMES, "List the searchers and their parameters."),
    Entry("play", _PLAY, "Play a game against bots at the terminal."),
    Entry("serve", _PLAY, "Serve games in the browser."),
    Entry("export-site", _PLAY, "Write the page as a static site, in which the browser itself plays."),
    Entry("search", _PLAY, "Search a state and show the value of every action."),
    Entry("solve", _PLAY, "Solve a game exactly and show the optimal actions."),
    Entry("regret", _PLAY, "Measure how far bots are from exact play."),
    Entry("train", _PLAY, "Train a net for a game, from games of the search against itself."),
    Entry("nets", _PLAY, "Describe nets and how they were trained."),
    Entry("arena", _ARENA, "Run a tournament of bots and rate them."),
    Entry("tune", _ARENA, "Tune parameters of a bot by matches."),
    Entry("calibrate", _ARENA, "Measure the levels of a game by matches."),
    Entry("tournaments", _ARENA, "List the tournaments in a database."),
    Entry("ratings", _ARENA, "Show the results and ratings of a stored tournament."),
    Entry("records", _ARENA, "List the games of a stored tournament, or export them."),
    Entry("replay", _ARENA, "Show a stored game step by step."),
    Entry("report", _ARENA, "Write a stored tournament as an HTML page."),
    Entry("ugi", _ENGINES, "Run a bot as a UGI engine on stdin and stdout."),
    Entry("uci", _ENGINES, "Run a bot as a UCI chess engine on stdin and stdout."),
    Entry("gtp", _ENGINES, "Run a bot as a GTP Go engine on stdin and stdout."),
    Entry("ggp", _ENGINES, "Run a bot as a player of general game playing."),
    Entry("bench", _MACHINE, "Measure the speed of this machine."),
)
"""The commands of this package, in the order of the list."""


_NAME_WIDTH = max(len(entry.name) for entry in COMMANDS)


class CommandError(Exception):
    """A command line is wrong, or a command ended with an error of the package."""


@cache
def offered_commands() -> tuple[Entry, ...]:
    """Return the commands of other packages, by name. They cannot replace a command of COMMANDS."""
    from importlib.metadata import entry_points

    own = {entry.name for entry in COMMANDS}
    points = {point.name: point for point in entry_points(group=ENTRY_POINTS) if point.name not in own}
    return tuple(Entry(name, _OTHERS, f"See: playout {name} --help", points[name]) for name in sorted(points))


def load_command(entry: Entry) -> Any:
    """Import a command.

    The docstring of its function is its help. The lines after `Examples:` are shown unchanged at the end.

    Raises:
        CommandError: a command of another package cannot be imported.
    """
    function = _function_of(entry)
    help_text, _, examples = inspect.cleandoc(function.__doc__ or "").partition("Examples:\n")
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
    single.command(entry.name, cls=_Command, help=help_text.strip())(function)
    command: Any = typer.main.get_command(single)
    command.examples = examples.rstrip()
    return command


def _function_of(entry: Entry) -> Callable[..., Any]:
    if entry.point is None:
        function: Callable[..., Any] = importlib.import_module(f"{__package__}.{entry.name.replace('-', '_')}").command
        return function
    try:
        function = entry.point.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise CommandError(f"command {entry.name!r}, {entry.point.value}, cannot be loaded: {reason}") from error
    return function


class _PlainFlags:
    """Mixin of commands whose help shows no type beside a flag."""

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False) and parameter.metavar is None:
                parameter.metavar = ""
        return parameters


class _Command(_PlainFlags, TyperCommand):
    """A command whose help ends with examples."""

    examples = ""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        if self.examples:
            from .common.consoles import print_line, stdout

            print_line(stdout(), f" Examples:\n\n{self.examples}\n")


class _Commands(_PlainFlags, TyperGroup):
    """The group of all commands. It imports a command only to run it.

    Its help is plain text: the boxes around the help of a command need modules of rich that take a quarter of a second.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return [entry.name for entry in (*COMMANDS, *offered_commands())]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command with name and summary only, for completion; `resolve_command` returns the complete one."""
        entry = _find(cmd_name)
        return None if entry is None else TyperCommand(entry.name, help=entry.summary)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands, in parts."""
        parts = itertools.groupby((*COMMANDS, *offered_commands()), key=lambda entry: entry.part)
        for title, entries in parts:
            with formatter.section(title):
                formatter.write_dl([(entry.name.ljust(_NAME_WIDTH), entry.summary) for entry in entries])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        entry = _find(args[0])
        if entry is not None:
            return entry.name, load_command(entry), args[1:]
        from cext.arguments import valid_names  # not for the help

        return ctx.fail(f"unknown command {args[0]!r}; {valid_names(args[0], self.list_commands(ctx))}")


def _find(name: str) -> Entry | None:
    """Return the command of a name. Metadata of other packages is only read for a name that is not in COMMANDS."""
    for entry in COMMANDS:
        if entry.name == name:
            return entry
    return next((entry for entry in offered_commands() if entry.name == name), None)


app = typer.Typer(
    cls=_Commands,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play, search and solve games, and run tournaments of bots.\n\n"
    'A game or bot is a name with optional parameters, such as "mnk(m=5,n=5,k=4)". The form mnk:m=5,n=5,k=4 '
    "needs no quotes in a shell.\n\n"
    "Exit status: 0 for success, 1 if output cannot be written or memory runs out, 2 for bad input or a bot that "
    "failed, 130 after Ctrl-C.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"playout {version('playout')}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log to stderr.")] = False,
) -> None:
    import logging

    from rich.highlighter import NullHighlighter
    from rich.logging import RichHandler

    from .common.consoles import stderr

    context.obj = stderr()  # logs and progress share a console, or they would overwrite each other's lines
    # Bots log arbitrary text, and the time of rich's own highlighter is quadratic in the length of a word.
    handler = RichHandler(console=context.obj, show_path=False, show_time=False, highlighter=NullHighlighter())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s", handlers=[handler])


def run(arguments: list[str]) -> int:
    """Run a command line.

    Args:
        arguments: the words after the name of the program; an empty list shows the help.

    Returns:
        The exit status.

    Raises:
        CommandError: the command line is wrong, or the command fails with an error of the package.
    """
    commands: Any = typer.main.get_command(app)
    if _COMPLETION_VARIABLE in os.environ:
        commands.main(arguments, prog_name="playout")  # answers the shell and exits
    try:
        with commands.make_context("playout", arguments or ["--help"]) as context:
            commands.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except _USAGE_ERROR as error:
        raise CommandError(_usage_text(error)) from None
    except Exception as error:
        from mcts import PlayoutError

        if isinstance(error, PlayoutError):
            raise CommandError(str(error)) from error
        if hasattr(error, "failed_play"):  # as games in Python mark their errors
            from ..system.untrusted import failure_of

            raise CommandError(f"the code of the game fails: {failure_of(error).message}") from error
        raise
    return 0


_USAGE_ERROR: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""Base of the parser's errors: a class of click or typer's copy of it, depending on typer's version."""


def _usage_text(error: Any) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return message if context is None else f"{message}; see {context.command_path} --help"
