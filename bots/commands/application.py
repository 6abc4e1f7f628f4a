"""The command line as a whole: the commands by name, each imported when it is run."""

from __future__ import annotations

import difflib
import importlib
import inspect
import os
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

_COMPLETION_VARIABLE = "_PLAYOUT_COMPLETE"
_GAMES, _PLAY, _ARENA, _ENGINES = "Games and bots", "Play and analysis", "Tournaments", "Engines"


@dataclass(frozen=True)
class Entry:
    """A command: all that the list of commands shows, and where its function is."""

    name: str
    panel: str
    summary: str
    """The first line of the function's docstring, here to be shown without importing it."""
    function: str
    """`module.function` below `bots.commands`."""


COMMANDS = (
    Entry("games", _GAMES, "List the games and their parameters.", "listings.games"),
    Entry("rules", _GAMES, "Show the rules of a game.", "rules.rules"),
    Entry("bots", _GAMES, "List the bots and their parameters.", "listings.bots"),
    Entry("play", _PLAY, "Play a game against bots at the terminal.", "play.play_command"),
    Entry("search", _PLAY, "Search a state and show the value of every action.", "search.search"),
    Entry("solve", _PLAY, "Solve a game exactly and show optimal actions.", "exact.solve_command"),
    Entry("regret", _PLAY, "Measure how far a bot is from exact play.", "exact.regret_command"),
    Entry("arena", _ARENA, "Let bots play each other, and rate them.", "arena.arena"),
    Entry("tournaments", _ARENA, "List the tournaments in a file of stored games.", "stored.tournaments"),
    Entry("ratings", _ARENA, "Show the results of a stored tournament, even while it is played.", "stored.ratings"),
    Entry("records", _ARENA, "List the games of a stored tournament, or write them to files.", "records.records"),
    Entry("replay", _ARENA, "Show a stored game move by move.", "stored.replay"),
    Entry("report", _ARENA, "Write a stored tournament as a page of HTML.", "report.report"),
    Entry("ugi", _ENGINES, "Run a bot as a UGI engine on stdin and stdout.", "ugi.ugi"),
)


class CommandError(Exception):
    """A command line that cannot be run, or a command that ends with an error of the package."""


class _Command(TyperCommand):
    """A command whose help ends with examples."""

    examples = ""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        if self.examples:
            from .common import stdout

            stdout().print(f" Examples:\n\n{self.examples}\n", markup=False, soft_wrap=True)


class _Commands(TyperGroup):
    """The commands of the table. Listing them imports none of them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [entry.name for entry in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A stand-in with name and summary; `resolve_command` finds the command itself."""
        for entry in COMMANDS:
            if entry.name == cmd_name:
                return TyperCommand(entry.name, help=entry.summary, rich_help_panel=entry.panel)
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        for entry in COMMANDS:
            if entry.name == args[0]:
                return entry.name, load_command(entry), args[1:]
        names = [entry.name for entry in COMMANDS]
        near = difflib.get_close_matches(args[0], names)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return ctx.fail(f"no command {args[0]!r}; {hint}valid: {', '.join(names)}")


def load_command(entry: Entry) -> Any:
    """Import a command. Its docstring is its help; lines after `Examples:` are shown literally at the end."""
    module, _, name = entry.function.rpartition(".")
    function = getattr(importlib.import_module(f"{__package__}.{module}"), name)
    help_text, _, examples = inspect.cleandoc(function.__doc__).partition("Examples:\n")
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
    single.command(entry.name, cls=_Command, help=help_text.strip())(function)
    command: Any = typer.main.get_command(single)
    command.examples = examples.rstrip()
    return command


app = typer.Typer(
    cls=_Commands,
    add_completion=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play, search and solve games, and let bots play tournaments.\n\n"
    'GAME and BOT are a name with parameters in parentheses, as in `"mnk(m=5,n=5,k=4)"`, or after a colon, as in '
    "`mnk:m=5,n=5,k=4`, which needs no quotes in a shell.\n\n"
    "Exit status: 0, or 1 when standard output cannot be written, 2 for bad input or a bot that failed, "
    "130 after Ctrl-C.",
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
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="show the version and exit")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="log to stderr")] = False,
) -> None:
    import logging

    from rich.highlighter import NullHighlighter
    from rich.logging import RichHandler

    from .common import stderr

    context.obj = stderr()  # one console for logs and progress: they would overwrite each other's lines
    # The highlighter takes time with the square of a word's length, and bots log what they like.
    handler = RichHandler(console=context.obj, show_path=False, show_time=False, highlighter=NullHighlighter())
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s", handlers=[handler])


def run(arguments: list[str]) -> int:
    """Run a command line.

    Args:
        arguments: without the name of the program; none at all shows the help.

    Returns:
        The exit status.

    Raises:
        CommandError: the command line is wrong, or the command fails in an expected way.
    """
    commands: Any = typer.main.get_command(app)
    if _COMPLETION_VARIABLE in os.environ:
        commands.main(arguments, prog_name="playout")  # answers a shell and exits
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
        raise
    return 0


_USAGE_ERROR: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""Base of the parser's errors. It is click's own or typer's copy of it, depending on typer's version."""


def _usage_text(error: Any) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return message if context is None else f"{message}; see {context.command_path} --help"
