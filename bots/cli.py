"""The command `playout`."""

from __future__ import annotations

import importlib.metadata
import json
import logging
import math
import os
import secrets
import sys
from collections.abc import Mapping
from typing import Annotated

import typer
from rich.console import Console
from rich.logging import RichHandler
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcts import (
    Limit,
    LimitError,
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

from .analyse import print_result, print_tree, search_state, tree_at
from .arena.limits import BotLimit, limits_of_bots, parse_clock
from .arena.policies import parse_policies
from .arena.progress import Progress
from .arena.report import print_report, to_json
from .arena.runner import check_tournament, run_tournament
from .arena.schedule import DEADLINE_SECONDS, Tournament, rounds_for
from .arena.standings import count_records, repeats_of_records, summarise
from .commands.common import (
    GameArgument,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    read_state,
    stderr,
    stdout,
    writable,
)
from .commands.ugi import ugi
from .play import play
from .registry import load_bot, registered_bots

USAGE_ERROR = 2
INTERRUPTED = 130
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
def games() -> None:
    """List the games and their parameters."""
    console = stdout()
    for name in registered_games():
        facts = game_facts(name)
        _print_entry(console, name, f"{facts.summary}\nplayers: {', '.join(facts.players)}", facts.parameters)


@app.command()
def bots() -> None:
    """List the bots and their parameters."""
    console = stdout()
    for name, kind in registered_bots().items():
        _print_entry(console, name, kind.SUMMARY, kind.PARAMETERS)


@app.command()
def arena(
    context: typer.Context,
    game: GameArgument,
    bot_specs: Annotated[
        list[str], typer.Argument(metavar="BOT...", help='as in "mcts(simulations=1000)" or mcts:simulations=1000')
    ],
    num_games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="games of every pairing, rounded up to whole blocks")
    ] = 100,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=1024, metavar="N", help="processes that play at the same time")
    ] = os.cpu_count() or 1,
    seed: SeedOption = 0,
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="write the results there; - for stdout")
    ] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    deadline: Annotated[
        float, typer.Option("--deadline", metavar="S", help="forfeit a game for a decision longer than S seconds")
    ] = DEADLINE_SECONDS,
    clock: Annotated[
        str | None,
        typer.Option(
            "--clock", metavar="S+I", help="seconds for all decisions of a game, and what is added after each"
        ),
    ] = None,
    bot_memory_mb: Annotated[
        int | None,
        typer.Option("--bot-memory-mb", metavar="MB", help="memory for a bot's tree, or an engine's processes"),
    ] = None,
    own_limits: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="NUMBER:LIMIT", help="of one bot, as in 2:simulations=1000,clock=10+0.1"),
    ] = None,
    on_failure: Annotated[
        str,
        typer.Option("--on-failure", metavar="CAUSE=POLICY,...", help="as in crash=replay,stall=abort,late=replay:3"),
    ] = "",
) -> None:
    """Let bots play each other, and rate them.

    Every pair of bots meets (with three players, every three), in blocks that give everyone every seat. Results depend
    on the game, the bots, the number of games and the seed, not on the number of workers.

    A bot that crashes, answers with an illegal move, or answers too late forfeits the game: it gets the least return,
    the others the greatest. With --on-failure such a game is played again, or the tournament stops.
    """
    if not 0 < deadline < math.inf:
        raise LimitError(f"deadline={deadline:g} is no time to answer in; valid: a number of seconds above 0")
    loaded = load_game(game)
    names = [load_bot(spec).spec for spec in bot_specs]
    clock_seconds, increment_seconds = (None, 0.0) if clock is None else parse_clock(clock)
    common = BotLimit(simulations, seconds, clock_seconds, increment_seconds, bot_memory_mb)
    tournament = Tournament(
        loaded.spec,
        loaded.num_players,
        tuple(bot_specs),
        rounds_for(num_games, loaded.num_players),
        seed,
        limits_of_bots(len(bot_specs), common, own_limits or ()),
        deadline,
        parse_policies(on_failure),
    )
    check_tournament(tournament)
    tostdout = json_file == "-"
    console: Console = context.obj
    played = tournament.rounds * tournament.block_size
    if played != num_games:
        console.print(f"{played} games for {num_games}: whole blocks of {tournament.block_size} seatings", style="dim")
    target = None if json_file is None or tostdout else writable(json_file)
    with Progress(tournament.num_games, console) as progress:
        outcome = run_tournament(tournament, workers, progress.add)
    report = summarise(
        tournament,
        loaded,
        count_records(tournament, outcome.records),
        [(record.number, record.seats, failure) for record in outcome.records for failure in record.failures],
        names,
        outcome.interrupted,
        repeats=repeats_of_records(outcome.records),
    )
    text = json.dumps(to_json(report), indent=2) + "\n"
    if tostdout:
        sys.stdout.write(text)
    else:
        print_report(report, stdout())
    if target is not None:
        target.write_text(text)
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)


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


@app.command()
def search(
    game: GameArgument,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="JSON", help="search this state; - reads it from stdin [default: the first]"),
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
        typer.Option("--dot", metavar="FILE", help="write the tree there for Graphviz, --tree deep [default: 2]"),
    ] = None,
) -> None:
    """Search one state, and show what every action is worth."""
    loaded = load_game(game)
    target = None if dot_file is None else writable(dot_file)
    start = loaded.new_initial_state() if state is None else read_state(loaded, state)
    # The searcher is kept: its tree lives as long as it does.
    _keeper, found = search_state(start, searcher, simulations, seconds, seed)
    tree = None if tree_depth is None else tree_at(found, tree_depth)
    if as_json:
        findings = found.to_dict() if tree is None else {**found.to_dict(), "tree": tree}
        sys.stdout.write(json.dumps(findings, indent=2) + "\n")
    else:
        console = stdout()
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


def main() -> None:
    """Entry of the console script: errors made on purpose are one line on stderr and exit status 2."""
    try:
        app()
    except PlayoutError as error:
        print(f"playout: {error}", file=sys.stderr)
        sys.exit(USAGE_ERROR)
    except BrokenPipeError:
        # the reader of stdout has gone, as in `playout games | head`; keep the interpreter from flushing into it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
