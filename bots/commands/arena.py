"""`playout arena`: a tournament of bots."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from mcts import ParameterError, PlayoutError, load_game
from mcts.registry import native_games

from ..arena.default_bots import default_bots
from ..arena.description import describe
from ..arena.fingerprints import code_of
from ..arena.play.executors import DEFAULT_EXECUTOR
from ..arena.play.heartbeat import my_heartbeat
from ..arena.ratings.anchors import parse_anchors
from ..arena.records import GameRecord
from ..arena.report.all_games import GameResult, forfeits_of, print_summary
from ..arena.report.json_data import report_to_dict
from ..arena.report.progress import LINE_SECONDS, Progress
from ..arena.report.text import print_report
from ..arena.results.queries import extension_refusals
from ..arena.results.report import Report
from ..arena.results.sequential import REJECTED, UNDECIDED
from ..arena.results.tally import Tally
from ..arena.runner import Outcome, run_tournament
from ..arena.store.store import TEMPORARY, Store
from ..arena.tournament.limits import BotLimit, limits_of_bots, parse_clock
from ..arena.tournament.names import read_names
from ..arena.tournament.openings import RANDOM_ORDER
from ..arena.tournament.schedule import CYCLIC, DEADLINE_SECONDS, Tournament
from ..errors import StoreError
from ..system.exit_status import GAMES_FAILED, TEST_REJECTED, TEST_UNDECIDED
from ..system.output import bot_output_logged
from . import arena_options as options
from .arena_config import ARGUMENTS, OF_BOTS, read_config
from .arena_engines import Comparison, entrants
from .common.consoles import json_text, print_line, stdout
from .common.files import OutputFile, json_files
from .common.interrupted import continuable
from .common.options import DEFAULT_DB, AnchorOption, OptionalBotsArgument, OptionalGameArgument, option
from .common.web import needs_web

if TYPE_CHECKING:
    from ..web.watching import Watching


RULESHEETS_OF_ALL = ("connect_four", "goofspiel")
"""Rulesheets that `--all` plays beside the games with code of their own: one in turns, one with simultaneous moves."""
SINGLE = (
    "game", "bot_specs", "config", "sprt", "openings", "opening_order", "opening_max_plies", "opening_start",
    "own_names", "own_limits", "anchor", "watch", "port", "engines", "compare_git",
)  # fmt: skip
"""Parameters that do not go with `--all`."""


def _use_config(context: typer.Context, path: str | None) -> str | None:
    """Take the values of the file as the defaults of the other options; the callback of `--config`."""
    if path is not None:
        context.default_map = read_config(path, command, ("context", "config", "all_games"))
    return path


def command(
    context: typer.Context,
    game: OptionalGameArgument = None,
    bot_specs: OptionalBotsArgument = None,
    all_games: options.All = False,
    config: Annotated[
        str | None,
        option(
            "Read the tournament from a TOML file. Arguments and options of the command line take precedence.",
            "FILE",
            is_eager=True,
            callback=_use_config,
        ),
    ] = None,
    engines: options.Engines = None,
    compare_git: options.CompareGit = None,
    build: options.Build = None,
    engine: options.Engine = None,
    games: options.Games = None,
    pairing: options.Pairing = None,
    rounds: options.Rounds = None,
    challengers: options.Challengers = 1,
    seat_orders: options.SeatOrders = CYCLIC,
    opening_plies: options.OpeningPlies = 0,
    openings: options.OpeningsFile = None,
    opening_order: options.OpeningOrder = RANDOM_ORDER,
    opening_max_plies: options.OpeningMaxPlies = None,
    opening_start: options.OpeningStart = 1,
    sprt: options.SprtTest = None,
    score: options.Score = None,
    seed: options.Seed = 0,
    own_names: options.Names = None,
    simulations: options.Simulations = None,
    seconds: options.Seconds = None,
    depth: options.Depth = None,
    clock: options.ClockTime = None,
    margin: options.Margin = None,
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
    as_json: options.Json = False,
    output: options.Output = None,
    anchor: AnchorOption = None,
    progress_every: options.ProgressEvery = LINE_SECONDS,
    log_games: options.LogGames = False,
    watch: options.Watch = False,
    port: options.Port = None,
) -> None:
    """Run a tournament of bots and rate them.

    Without bots, some that suit the game play: random, greedy where it helps, and the strongest search. With --all,
    they play every game with code of its own and two rulesheets, and a summary comes last; the JSON is then
    {"tournaments": [...]}, with an object for each game as without --all.

    Each pair of bots (each three, in a game for three players) plays blocks of games. In a block, every bot plays in
    every seat. Results depend on the game, the bots, the number of games and the seed, but not on the number of
    workers.

    All games are stored in a database. To continue an interrupted tournament, run the same command again; if no games
    are left to play, it shows the results.

    A bot forfeits a game if it crashes, chooses an illegal action or decides too late: it gets the lowest return, and
    the other players the highest. With --on-failure, such a game is played again, or the tournament stops.

    With --watch, a page on this machine shows the tournament while it runs, and afterwards until Ctrl-C.

    Exit status: 0 for success, also if a test (--sprt) accepts H1; 10 if it accepts H0, 11 if it is undecided; 12 if
    every game had a forfeit, or with --all a game had one or no result; 1 or 2 for errors, 130 after Ctrl-C.

    The guide is the page "The arena" of the documentation: pairings, openings, tests, adjudication, names, TOML files,
    the Python API.

    Examples:
        playout arena tic_block greedy mcts --games 100
        playout arena three_player_ttt --games 30 --no-db
        playout arena --all --games 12 --simulations 1000 --no-db
        playout arena mnk mcts:simulations=500 greedy random --opening-plies 2 --db mnk.db
        playout arena mnk mcts random --games 20 --clock 10+0.1 --no-db -o results.json
        playout arena chess --compare-git . HEAD HEAD~1 --build "make -j2" --engine ./engine --sprt 0,5 --clock 10+0.1
        playout arena mnk mcts random --sprt 0,50 --name 1=new --name 2=old --no-db
    """
    if not progress_every > 0:
        raise ParameterError(f"--progress-every {progress_every:g}; valid: a number of seconds above 0")
    if watch and no_db:
        raise ParameterError("--watch and --no-db cannot be given together: the page reads the database")
    if port is not None and not watch:
        raise ParameterError(f"--port {port} without --watch; valid: both, or neither")
    if compare_git is not None and engine is None:
        raise ParameterError("--compare-git without --engine; valid: the command of the engine, such as ./engine")
    if compare_git is None and (build is not None or engine is not None):
        raise ParameterError("--build or --engine without --compare-git; valid: --compare-git REPOSITORY NEW OLD")
    has_own_bots = bool(bot_specs) and _source(context, ARGUMENTS["bots"]) == "COMMANDLINE"
    if not bot_specs and context.default_map:
        # Click before 8.3 takes absent arguments for an empty list of the command line, which precedes the file.
        bot_specs = context.default_map.get(ARGUMENTS["bots"])
    clocked = {} if clock is None else parse_clock(clock)
    common = BotLimit(simulations, seconds, memory_mb=bot_memory_mb, margin_seconds=margin, depth=depth, **clocked)
    settings: dict[str, Any] = {
        "games": games,
        "pairing": pairing,
        "rounds": rounds,
        "challengers": challengers,
        "seat_orders": seat_orders,
        "opening_plies": opening_plies,
        "deadline": deadline,
        "on_failure": on_failure,
        "resign": resign,
        "draw": draw,
        "max_plies": max_plies,
        "score": score,
        "seed": seed,
    }
    watched_port = (port or 0) if watch else None
    arena = _Arena(context.obj, workers, executor, "" if no_db else db, progress_every, log_games, games)
    if all_games:
        _check_all(context)
        raise typer.Exit(arena.play_all({**settings, "limit": common}, json_files(output, as_json)))
    if game is None:
        raise ParameterError("no game given; valid: GAME [BOT...], --all, or --config FILE")
    bots = entrants(
        load_game(game),
        bot_specs or (),
        engines,
        None if compare_git is None else Comparison(compare_git[0], compare_git[1:], build or "", engine or ""),
        lambda line: print_line(context.obj, line, "dim"),
    )
    names = read_names(len(bots), _bots_given(context, has_own_bots, own_names, OF_BOTS["name"])) or ("",) * len(bots)
    limits = [f"{number}:{bot.limit}" for number, bot in enumerate(bots, 1) if bot.limit]
    limits += _bots_given(context, has_own_bots, own_limits, OF_BOTS["limit"])
    tournament = describe(
        game,
        [bot.spec for bot in bots],
        openings=openings,
        opening_order=opening_order,
        opening_max_plies=opening_max_plies,
        opening_start=opening_start,
        sprt=sprt,
        limits=limits_of_bots(len(bots), common, limits),
        names=[name or bot.name for name, bot in zip(names, bots, strict=True)],
        **settings,
    )
    anchors = parse_anchors(anchor or (), tournament.labels)
    raise typer.Exit(arena.play_one(tournament, anchors, json_files(output, as_json), watched_port))


@dataclass
class _Arena:
    """The executor, the files and the display of a tournament."""

    console: Console
    """For messages."""
    workers: int
    executor: str
    place: str
    """File of the games; empty if they are not stored."""
    progress_every: float
    log_games: bool
    requested: int | None
    """Number of games of each pairing that was asked for; None for the default."""
    games: int = 0
    """Number of games played so far."""

    def play_one(
        self, tournament: Tournament, anchors: Mapping[int, float], targets: Sequence[OutputFile], port: int | None
    ) -> int:
        """Play a tournament, and return the exit status. With a port, a page shows it, and the command serves it."""
        with continuable(self.console, self.place, lambda: self.games), ExitStack() as page:
            with Store(self.place or TEMPORARY) as store:
                watching = None if port is None else page.enter_context(_watching(store, tournament, port))
                if watching is not None:
                    print_line(self.console, f"The tournament is shown on {watching.address}")
                outcome, report = self._play(tournament, store, anchors)
            if not any(target.is_stdout for target in targets):
                print_report(report, stdout())
            for target in targets:
                target.write_text(json_text(report_to_dict(report)))
            if watching is not None and not outcome.interrupted:
                print_line(self.console, f"{watching.address} - Ctrl-C ends the page.")
                watching.wait()
            outcome.check_whole()
        return _status(report)

    def play_all(self, settings: Mapping[str, Any], targets: Sequence[OutputFile]) -> int:
        """Play a tournament in every game with code of its own and two rulesheets, and return the exit status."""
        results: list[GameResult] = []
        is_shown = not any(target.is_stdout for target in targets)
        with continuable(self.console, self.place, lambda: self.games):
            with Store(self.place or TEMPORARY) as store:
                for name in (*native_games(), *RULESHEETS_OF_ALL):
                    begin, outcome, report, error = time.monotonic(), None, None, ""
                    try:
                        tournament = describe(name, default_bots(load_game(name)), **settings)
                        outcome, report = self._play(tournament, store, {})
                    except StoreError:
                        raise
                    except PlayoutError as reason:
                        error = str(reason)
                    results.append(GameResult(name, time.monotonic() - begin, report, error))
                    if report is not None and is_shown:
                        print_report(report, stdout())
                    if outcome is not None and outcome.interrupted:
                        break
            if is_shown:
                print_summary(results, stdout())
            reports = [report_to_dict(one.report) for one in results if one.report is not None]
            for target in targets:
                target.write_text(json_text({"tournaments": reports}))
            if outcome is not None:
                outcome.check_whole()
        return 0 if all(one.is_good for one in results) else GAMES_FAILED

    def _play(self, tournament: Tournament, store: Store, anchors: Mapping[int, float]) -> tuple[Outcome, Report]:
        """Play the games of a tournament that are not in the store. Raises PlayoutError."""
        of = tournament
        in_blocks = of.cycles // (of.rounds if of.pairing.has_rounds else 1) * of.block_size
        if self.requested not in (None, in_blocks):
            text = f"{in_blocks} games for {self.requested}: whole blocks of {of.block_size} seatings"
            self.console.print(text, style="dim")
        for note in extension_refusals(store, tournament):
            print_line(self.console, note, "dim")
        before = self.games
        progress = Progress(tournament, self.console, self.place, self.progress_every, self.log_games)

        def add(records: Sequence[GameRecord], tally: Tally) -> None:
            progress.add(records, tally)
            self.games = before + progress.done

        with bot_output_logged(lambda: my_heartbeat().bot), progress:
            outcome = run_tournament(
                tournament, self.workers, add, executor=self.executor, store=store, on_tick=progress.tick
            )
        if outcome.nothing_played:
            print_line(
                self.console, f"No games were played: all {progress.done:,} games were already stored in {self.place}."
            )
        return outcome, outcome.report(anchors)


def _check_all(context: typer.Context) -> None:
    """Raise ParameterError if an option was given that is for a single game or for numbered bots."""
    given = [name for name in SINGLE if _source(context, name) not in ("", "DEFAULT")]
    if given:
        words = {"game": "a game", "bot_specs": "bots"}
        option = words.get(given[0]) or next(p.opts[0] for p in context.command.params if p.name == given[0])
        raise ParameterError(f"--all and {option} cannot be given together: it plays every game, with bots for it")


def _watching(store: Store, tournament: Tournament, port: int) -> Watching:
    """Return the page of a tournament, which is entered in its database first. Raises PlayoutError."""
    with needs_web("--watch"):
        from ..web.watching import Watching
    store.open_tournament(tournament, code_of(tournament.bots))
    return Watching(store.path, tournament.game, tournament.digest, port)


def _source(context: typer.Context, parameter: str) -> str:
    """Return the origin of a value: COMMANDLINE, DEFAULT_MAP for the file, or another name of click."""
    source = context.get_parameter_source(parameter)
    return "" if source is None else source.name


def _bots_given(context: typer.Context, has_own_bots: bool, values: list[str] | None, parameter: str) -> list[str]:
    """Return the names or limits of the bots. Those of a file do not apply to bots of the command line."""
    return [] if has_own_bots and _source(context, parameter) == "DEFAULT_MAP" else values or []


def _status(report: Report) -> int:
    """Return the exit status of a tournament that was not interrupted."""
    if (forfeits := forfeits_of(report)) and forfeits >= report.games:
        return GAMES_FAILED
    decision = None if report.test is None else report.test.decision
    return {REJECTED: TEST_REJECTED, UNDECIDED: TEST_UNDECIDED}.get(decision, 0) if decision is not None else 0
