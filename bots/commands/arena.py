"""`playout arena`: a tournament of bots."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from mcts import ParameterError

from ..arena.description import DEFAULT_GAMES, describe
from ..arena.fingerprints import code_of
from ..arena.play.executors import DEFAULT_EXECUTOR
from ..arena.play.heartbeat import my_heartbeat
from ..arena.report.json_data import report_to_dict
from ..arena.report.progress import LINE_SECONDS, Progress
from ..arena.report.text import print_report
from ..arena.results.queries import extension_refusals
from ..arena.results.report import Report
from ..arena.results.sequential import REJECTED, UNDECIDED
from ..arena.runner import run_tournament
from ..arena.store.store import TEMPORARY, Store
from ..arena.tournament.limits import BotLimit, limits_of_bots, parse_clock
from ..arena.tournament.names import read_names
from ..arena.tournament.schedule import CYCLIC, DEADLINE_SECONDS, Tournament
from ..system.exit_status import INTERRUPTED, TEST_REJECTED, TEST_UNDECIDED
from ..system.output import bot_output_logged
from . import arena_options as options
from .arena_config import ARGUMENTS, OF_BOTS, read_config
from .common.consoles import json_text, stdout
from .common.files import output_file
from .common.interrupted import print_how_to_continue
from .common.options import DEFAULT_DB, AnchorOption, BotsArgument, OptionalGameArgument, option
from .common.stored import read_anchors
from .common.web import needs_web

if TYPE_CHECKING:
    from ..web.watching import Watching


def _use_config(context: typer.Context, path: str | None) -> str | None:
    """Take the values of the file as the defaults of the other options; the callback of `--config`."""
    if path is not None:
        context.default_map = read_config(path, command, ("context", "config"))
    return path


def command(
    context: typer.Context,
    game: OptionalGameArgument = None,
    bot_specs: BotsArgument = None,
    config: Annotated[
        str | None,
        option(
            "--config",
            value="FILE",
            is_eager=True,
            callback=_use_config,
            help="Read the tournament from a TOML file. Arguments and options of the command line take precedence.",
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
    watch: options.Watch = False,
    port: options.Port = None,
) -> None:
    """Run a tournament of bots and rate them.

    Each pair of bots (each three, in a game for three players) plays blocks of games. In a block, every bot plays in
    every seat. Results depend on the game, the bots, the number of games and the seed, but not on the number of
    workers.

    All games are stored in a database. To continue an interrupted tournament, run the same command again; if no games
    are left to play, it shows the results.

    A bot forfeits a game if it crashes, chooses an illegal action or decides too late: it gets the lowest return, and
    the other players the highest. With --on-failure, such a game is played again, or the tournament stops.

    With --watch, a page on this machine shows the tournament while it runs, and afterwards until Ctrl-C.

    Exit status: 0 for success, also if a test (--sprt) accepts H1; 10 if it accepts H0, 11 if it is undecided; 1 or 2
    for errors, 130 after Ctrl-C.

    The guide is the page "The arena" of the documentation: pairings, openings, tests, adjudication, names, TOML files,
    the Python API.

    Examples:
        playout arena tic_block greedy mcts --games 100
        playout arena mnk mcts:simulations=500 greedy random --opening-plies 2 --db mnk.db
        playout arena mnk mcts random --games 20 --clock 10+0.1 --no-db --json results.json
        playout arena mnk mcts random --sprt 0,50 --name 1=new --name 2=old --no-db
    """
    has_own_bots = bool(bot_specs) and _source(context, ARGUMENTS["bots"]) == "COMMANDLINE"
    if not bot_specs and context.default_map:
        # Click before 8.3 takes absent arguments for an empty list of the command line, which precedes the file.
        bot_specs = context.default_map.get(ARGUMENTS["bots"])
    if game is None or not bot_specs:
        raise ParameterError(f"no {'game' if game is None else 'bots'} given; valid: GAME BOT..., or --config FILE")
    if not progress_every > 0:
        raise ParameterError(f"--progress-every {progress_every:g}; valid: a number of seconds above 0")
    if watch and no_db:
        raise ParameterError("--watch and --no-db cannot be given together: the page reads the database")
    if port is not None and not watch:
        raise ParameterError(f"--port {port} without --watch; valid: both, or neither")
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
        limits=limits_of_bots(len(bot_specs), common, _bots_given(context, has_own_bots, own_limits, OF_BOTS["limit"])),
        deadline=deadline,
        on_failure=on_failure,
        resign=resign,
        draw=draw,
        max_plies=max_plies,
        names=read_names(len(bot_specs), _bots_given(context, has_own_bots, own_names, OF_BOTS["name"])),
        seed=seed,
    )
    anchors = read_anchors(anchor, tournament.labels)
    target = output_file(json_file)
    console: Console = context.obj
    played = tournament.cycles // (tournament.rounds if tournament.pairing.has_rounds else 1) * tournament.block_size
    if played != num_games:
        text = f"{played} games for {num_games}: whole blocks of {tournament.block_size} seatings"
        console.print(text, style="dim")
    place = "" if no_db else db
    progress = Progress(tournament, console, place, progress_every, log_games)
    try:
        with ExitStack() as page:
            with Store(place or TEMPORARY) as store:
                for note in extension_refusals(store, tournament):
                    console.print(Text(note, "dim"), soft_wrap=True)
                watching = page.enter_context(_watching(store, tournament, port or 0)) if watch else None
                if watching is not None:
                    console.print(f"The tournament is shown on {watching.address}", markup=False, soft_wrap=True)
                with bot_output_logged(lambda: my_heartbeat().bot), progress:
                    outcome = run_tournament(
                        tournament, workers, progress.add, executor=executor, store=store, on_tick=progress.tick
                    )
                if outcome.nothing_played:
                    text = f"No games were played: all {progress.done:,} games were already stored in {place}."
                    console.print(Text(text), soft_wrap=True)
                report = outcome.report(anchors)
            if target is None or not target.is_stdout:
                print_report(report, stdout())
            if target is not None:
                target.write_text(json_text(report_to_dict(report)))
            if watching is not None and not outcome.interrupted:
                console.print(f"{watching.address} - Ctrl-C ends the page.", markup=False, soft_wrap=True)
                watching.wait()
    except KeyboardInterrupt:  # a second Ctrl-C: do not wait for the report
        print_how_to_continue(console, place, progress.done)
        raise typer.Exit(INTERRUPTED) from None
    if outcome.store_error is not None:
        raise outcome.store_error
    if outcome.interrupted:
        print_how_to_continue(console, place, progress.done)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(_status(report))


def _watching(store: Store, tournament: Tournament, port: int) -> Watching:
    """Return the page of a tournament, which is entered in its database first. Raises PlayoutError."""
    with needs_web("--watch"):
        from ..web.watching import Watching
    entered = store.match(tournament)
    store.open_tournament(entered, code_of(entered.bots))
    return Watching(store.path, entered.game, entered.digest, port)


def _source(context: typer.Context, parameter: str) -> str:
    """Return the origin of a value: COMMANDLINE, DEFAULT_MAP for the file, or another name of click."""
    source = context.get_parameter_source(parameter)
    return "" if source is None else source.name


def _bots_given(context: typer.Context, has_own_bots: bool, values: list[str] | None, parameter: str) -> list[str]:
    """Return the names or limits of the bots. Those of a file do not apply to bots of the command line."""
    return [] if has_own_bots and _source(context, parameter) == "DEFAULT_MAP" else values or []


def _status(report: Report) -> int:
    """Return the exit status of a tournament that was not interrupted."""
    decision = None if report.test is None else report.test.decision
    return {REJECTED: TEST_REJECTED, UNDECIDED: TEST_UNDECIDED}.get(decision, 0) if decision is not None else 0
