"""Entry point of the command `playout`.

This module imports next to nothing before `main` runs: Ctrl-C during the slow imports also ends with one line.
"""

from __future__ import annotations

import contextlib
import os
import sys

from .exit_status import FAILED, INTERRUPTED, USAGE_ERROR

<<<<<<< HEAD
from mcts import (
    Limit,
    PlayoutError,
    format_spec,
    game_facts,
    load_game,
    registered_games,
    tree_to_dot,
)
from mcts.parameters import Choice, Flag, Parameter
from mcts.parameters import Text as TextParameter
from mcts.tree_export import MOST_DEPTH

from .analysis.position import print_result, print_tree, search_state, tree_at
from .commands.arena import add_arena_commands
from .commands.common import (
    INTERRUPTED,
    USAGE_ERROR,
    GameArgument,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    check_one_stdout,
    output_file,
    read_state,
    stderr,
    stdout,
)
from .commands.exact import regret_command, solve_command
from .commands.play import play
from .commands.stored import TournamentOption, list_stored_games
from .commands.ugi import ugi
from .registry import registered_bots

DOT_DEPTH = 2
NEW_SEEDS = 1_000_000

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Monte Carlo tree search bots: let them play each other, or play one yourself.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            version = importlib.metadata.version("playout")
        except importlib.metadata.PackageNotFoundError:
            version = "(not installed: running from its source folder)"
        typer.echo(f"playout {version}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="show the version and exit")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="log what happens, to stderr")] = False,
) -> None:
    context.obj = stderr()  # one console for logs and progress: they would overwrite each other's lines
    handler = RichHandler(console=context.obj, show_path=False, show_time=False)
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s", handlers=[handler])


@app.command()
def games(
    db: Annotated[
        str | None, typer.Argument(metavar="[DB]", help="list the games stored in this file [default: games to play]")
    ] = None,
    tournament: TournamentOption = None,
    jsonl: Annotated[
        str | None, typer.Option("--jsonl", metavar="FILE", help="write stored games there as JSON lines")
    ] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="write stored games there as CSV")] = None,
) -> None:
    """List the games that can be played and their parameters, or the games stored in a file."""
    console = stdout()
    if db is not None:
        list_stored_games(db, tournament, jsonl, csv, console)
        return
    for name in registered_games():
        facts = game_facts(name)
        _print_entry(console, name, f"{facts.summary}\nplayers: {', '.join(facts.players)}", facts.parameters)


@app.command()
def bots() -> None:
    """List the bots and their parameters."""
    console = stdout()
    for name, kind in registered_bots().items():
        _print_entry(console, name, kind.SUMMARY, kind.PARAMETERS)


add_arena_commands(app)


@app.command("play")
def play_command(
    game: GameArgument,
    bot: Annotated[
        list[str],
        typer.Option("--bot", metavar="BOT", help="plays a seat beside yours, in order; the last plays all the rest"),
    ],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="PLAYER", help="your player, by name or number from 1 [default: 1]")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="root of all that is random [default: new each time]")
    ] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
) -> None:
    """Play a game against bots at the terminal."""
    if seed is None:
        seed = secrets.randbelow(NEW_SEEDS)  # a person who has met these very bids before would foresee them
    play(load_game(game), bot, seat, seed, Limit(simulations=simulations, seconds=seconds), stdout())


app.command()(ugi)
app.command("solve")(solve_command)
app.command("regret")(regret_command)


@app.command()
def search(
    game: GameArgument,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="TEXT", help="search this state, a text or JSON; - reads stdin [default: the first]"
        ),
    ] = None,
    searcher: Annotated[
        str, typer.Option("--searcher", metavar="SEARCHER", help='as in "mcts(solver=true)" or mcts:solver=true')
    ] = "mcts",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print the findings as JSON")] = False,
    tree_depth: Annotated[
        int | None,
        typer.Option("--tree", min=0, max=MOST_DEPTH, metavar="DEPTH", help="show the tree, so many actions deep"),
    ] = None,
    dot_file: Annotated[
        str | None,
        typer.Option(
            "--dot", metavar="FILE", help="write the tree there for Graphviz, - for stdout, --tree deep [default: 2]"
        ),
    ] = None,
) -> None:
    """Search one state, and show what every action is worth."""
    loaded = load_game(game)
    target = output_file(dot_file)
    dot_to_stdout = target is not None and target.is_stdout
    check_one_stdout(json=as_json, dot=dot_to_stdout)
    start = loaded.new_initial_state() if state is None else read_state(loaded, state)
    # The searcher is kept: its tree lives as long as it does.
    _keeper, found = search_state(start, searcher, simulations, seconds, seed)
    tree = None if tree_depth is None else tree_at(found, tree_depth)
    if as_json:
        findings = found.to_dict() if tree is None else {**found.to_dict(), "tree": tree}
        sys.stdout.write(json.dumps(findings, indent=2) + "\n")
    else:
        console = stderr() if dot_to_stdout else stdout()
        print_result(found, console)
        if tree is not None:
            console.print()
            print_tree(tree, console)
    if target is not None:
        target.write_text(tree_to_dot(tree_at(found, DOT_DEPTH) if tree is None else tree))
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _print_entry(console: Console, name: str, summary: str, parameters: Mapping[str, Parameter]) -> None:
    """A name, what it is, and a line for each parameter."""
    console.print(Text(name, "bold"))
    console.print(Padding(Text(summary), (0, 0, 0, 4)))
    table = Table.grid(padding=(0, 2))
    for key, kind in parameters.items():
        default = "not set" if kind.default is None else format_spec("", {"": kind.default})[2:-1]
        if isinstance(kind, Choice):
            valid = ", ".join(kind.options)
        elif isinstance(kind, Flag):
            valid = "true, false"
        elif isinstance(kind, TextParameter):
            valid = "a text, in quotes where it has spaces or commas"
        else:
            valid = f"{_plain(kind.low)} to {_plain(kind.high)}"
        table.add_row("  ", Text(key), Text(default), Text(f"({valid})", style="dim"))
    if parameters:
        console.print(table)


def _plain(number: float) -> str:
    """A bound of a parameter, without an exponent."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6f}".rstrip("0").rstrip(".")
=======
_LONGEST_MESSAGE = 2000
_ASCII = {"\u00b1": "+-", "\u00d7": "x", "\u2026": "...", "\u2013": "-", "\u2212": "-", "\u2265": ">=", "\u2264": "<="}
"""Spellings for encodings that lack these characters."""
>>>>>>> 3f99c25 (The command line imports a command when it runs it; every expected error is one line)


def main() -> None:
    """Run the command of `sys.argv` and exit with its status. Expected errors are one line on stderr."""
    try:
        _prepare_streams()
        status = _run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain("interrupted")
        status = INTERRUPTED
    except BrokenPipeError:  # the reader of stdout has gone, as in `playout games | head`
        _discard_stdout()
        status = FAILED
    except OSError as error:
        where = "" if error.filename is None else f" {os.fsdecode(error.filename)!r}"
        _complain(f"cannot read or write{where}: {error.strerror or error}")
        _discard_stdout()
        status = FAILED
    except MemoryError:
        _complain("out of memory")
        status = FAILED
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """The exit status of a command line."""
    if any("\0" in argument for argument in arguments):
        _complain("an argument contains a NUL character; valid: any other text")
        return USAGE_ERROR
    if arguments == ["--version"]:  # without the imports of an option's parser: scripts ask for it
        from importlib.metadata import version

        print(f"playout {version('playout')}")
        return 0
    from .commands.application import CommandError, run

    try:
        return run(arguments)
    except CommandError as error:
        _complain(str(error))
        return USAGE_ERROR


def _complain(message: str) -> None:
    """Print an error as one line of printable characters, whatever bad value it quotes."""
    line = " ".join(message.split())
    line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
    if len(line) > _LONGEST_MESSAGE:
        line = f"{line[:_LONGEST_MESSAGE]}... ({len(line):,} characters)"
    with contextlib.suppress(OSError):
        print(f"playout: {line}", file=sys.stderr, flush=True)


def _prepare_streams() -> None:
    """Make the standard streams usable: all there, and none that fails at a character outside its encoding."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        raise OSError("standard output is closed")
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, _readable_errors())):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def _readable_errors() -> str:
    """The name of an error handler that writes common characters in ASCII and others as escapes."""
    import codecs

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        letters = error.object[error.start : error.end]
        return "".join(_ASCII.get(letter) or ascii(letter)[1:-1] for letter in letters), error.end

    codecs.register_error("playout.readable", replace)
    return "playout.readable"


def _discard_stdout() -> None:
    """Keep the interpreter from flushing what is left into a stream that cannot take it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    main()
