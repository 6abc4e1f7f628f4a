"""The command `arena`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from mcts import ParameterError

from ..arena.play.executors import DEFAULT_EXECUTOR
from ..arena.play.heartbeat import my_heartbeat
from ..arena.report.progress import LINE_SECONDS, Progress
from ..arena.results.queries import extension_refusals
from ..arena.results.report import Report
from ..arena.results.sequential import REJECTED, UNDECIDED
from ..arena.runner import run_tournament
from ..arena.store.store import TEMPORARY, Store
from ..arena.tournament.description import DEFAULT_GAMES, describe
from ..arena.tournament.limits import BotLimit, limits_of_bots, parse_clock
from ..arena.tournament.names import read_names
from ..arena.tournament.schedule import CYCLIC, DEADLINE_SECONDS, SWISS
from ..exit_status import INTERRUPTED, TEST_REJECTED, TEST_UNDECIDED
from ..output import bot_output_logged
from . import arena_options as options
from .arena_config import ARGUMENTS, OF_BOTS, read_config
from .common import output_file
from .results import json_text, show_report
from .stored import DEFAULT_DB, AnchorOption, read_anchors


def _use_config(context: typer.Context, path: str | None) -> str | None:
    """The callback of `--config`: what the file says are the defaults of the other options."""
    if path is not None:
        context.default_map = read_config(path, arena, ("context", "config"))
    return path


def arena(
    context: typer.Context,
    game: options.Game = None,
    bot_specs: options.Bots = None,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            is_eager=True,
            callback=_use_config,
            help="read the tournament from a TOML file; arguments and options on the command line override it",
        ),
    ] = None,
    num_games: options.Games = DEFAULT_GAMES,
    pairing: options.Pairing = None,
    rounds: options.Rounds = None,
    challengers: options.Challengers = 1,
    seat_orders: options.SeatOrders = CYCLIC,
    opening_plies: options.OpeningPlies = 0,
    openings: options.OpeningsFile = None,
    sprt: options.SprtTest = None,
    seed: options.Seed = 0,
    own_names: options.Names = None,
    simulations: options.Simulations = None,
    seconds: options.Seconds = None,
    clock: options.ClockTime = None,
    bot_memory_mb: options.BotMemory = None,
    own_limits: options.OwnLimits = None,
    deadline: options.Deadline = DEADLINE_SECONDS,
    on_failure: options.OnFailure = "",
    resign: options.Resign = None,
    draw: options.Draw = None,
    max_plies: options.MaxPlies = None,
    workers: options.Workers = options.DEFAULT_WORKERS,
    executor: options.Executor = DEFAULT_EXECUTOR,
    db: options.Db = DEFAULT_DB,
    no_db: options.NoDb = False,
    json_file: options.JsonFile = None,
    anchor: AnchorOption = None,
    progress_every: options.ProgressEvery = LINE_SECONDS,
    log_games: options.LogGames = False,
) -> None:
    """Let bots play each other, and rate them.

    Every pair of bots meets (with three players, every three), in blocks in which everyone plays every seat. Results
    depend on the game, the bots, the number of games and the seed, not on the number of workers.

    Every game is stored in a file. The same command again goes on where it was stopped, by Ctrl-C or in any other way,
    and shows the results if nothing is left to play.

    A bot that crashes, answers with an illegal move, or answers too late forfeits the game: it gets the least return,
    the others the greatest. With --on-failure such a game is played again, or the tournament stops.

    Exit status: 0, also for a test (--sprt) that accepts H1; 10 for a test that accepts H0, 11 for one that ends
    undecided; 1 and 2 for errors, 130 after Ctrl-C.

    docs/arena.md is the guide: pairings, openings, tests, adjudication, names, TOML files, the Python API.

    Examples:
        playout arena tic_block greedy mcts --games 100
        playout arena mnk mcts:simulations=500 greedy random --opening-plies 2 --db mnk.db
        playout arena mnk mcts random --games 20 --clock 10+0.1 --no-db --json results.json
        playout arena mnk mcts random --sprt 0,50 --name 1=new --name 2=old --no-db
    """
    if game is None or not bot_specs:
        raise ParameterError(f"no {'game' if game is None else 'bots'} given; valid: GAME BOT..., or --config FILE")
    if not progress_every > 0:
        raise ParameterError(f"--progress-every {progress_every:g} is not valid; valid: a number of seconds above 0")
    clock_seconds, increment_seconds = (None, 0.0) if clock is None else parse_clock(clock)
    common = BotLimit(simulations, seconds, clock_seconds, increment_seconds, bot_memory_mb)
    tournament = describe(
        game,
        bot_specs,
        games=num_games,
        pairing=pairing,
        rounds=rounds,
        challengers=challengers,
        seat_orders=seat_orders,
        openings=openings,
        opening_plies=opening_plies,
        sprt=sprt,
        limits=limits_of_bots(len(bot_specs), common, _bots_given(context, own_limits, OF_BOTS["limit"])),
        deadline=deadline,
        on_failure=on_failure,
        resign=resign,
        draw=draw,
        max_plies=max_plies,
        names=read_names(len(bot_specs), _bots_given(context, own_names, OF_BOTS["name"])),
        seed=seed,
    )
    anchors = read_anchors(anchor, tournament)
    target = output_file(json_file)
    console: Console = context.obj
    played = tournament.cycles // (tournament.rounds if tournament.system == SWISS else 1) * tournament.block_size
    if played != num_games:
        console.print(f"{played} games for {num_games}: whole blocks of {tournament.block_size} seatings", style="dim")
    place = "" if no_db else db
    progress = Progress(tournament, console, place, progress_every, log_games)
    try:
        with Store(place or TEMPORARY) as store:
            for note in extension_refusals(store, tournament):
                console.print(Text(note, "dim"), soft_wrap=True)
            with bot_output_logged(lambda: my_heartbeat().bot), progress:
                outcome = run_tournament(
                    tournament, workers, progress.add, executor=executor, store=store, on_tick=progress.tick
                )
            if outcome.nothing_played:
                text = f"Nothing was played: all {progress.done:,} games were stored before in {place}."
                console.print(Text(text), soft_wrap=True)
            report = outcome.report(anchors)
        if target is None or not target.is_stdout:
            show_report(report, as_json=False)
        if target is not None:
            target.write_text(json_text(report))
    except KeyboardInterrupt:  # a second Ctrl-C: the report is not waited for
        _say_how_to_go_on(console, place, progress.done)
        raise typer.Exit(INTERRUPTED) from None
    if outcome.store_error is not None:
        raise outcome.store_error
    if outcome.interrupted:
        _say_how_to_go_on(console, place, progress.done)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(_status(report))


def _bots_given(context: typer.Context, values: list[str] | None, parameter: str) -> list[str]:
    """Names or limits of bots; those of a file do not hold for bots of the command line."""
    sources = [context.get_parameter_source(name) for name in (ARGUMENTS["bots"], parameter)]
    replaced = [source is not None and source.name for source in sources] == ["COMMANDLINE", "DEFAULT_MAP"]
    return [] if replaced else values or []


def _status(report: Report) -> int:
    """The exit status of a tournament that was not interrupted."""
    decision = None if report.test is None else report.test.decision
    return {REJECTED: TEST_REJECTED, UNDECIDED: TEST_UNDECIDED}.get(decision, 0) if decision is not None else 0


def _say_how_to_go_on(console: Console, place: str, games: int) -> None:
    """Print after Ctrl-C what has become of the games, and the command that goes on."""
    program = "playout" if Path(sys.argv[0]).name == "playout" else f"{sys.executable} -m bots.cli"
    command = f"{program} {shlex.join(sys.argv[1:])}"
    if place:
        text = f"Interrupted: {games:,} games are stored in {place}. To go on:\n  {command}"
    else:
        text = f"Interrupted: no games are stored. To begin again:\n  {command}"
    console.print(Text(text), soft_wrap=True)
