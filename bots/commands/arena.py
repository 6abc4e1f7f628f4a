"""The command `arena`."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.console import Console

from mcts import LimitError, PlayoutError, TournamentError, load_game

from ..arena.play.executors import PROCESSES
from ..arena.ratings.sprt import Sprt
from ..arena.report.progress import Progress
from ..arena.results.queries import notes_of
from ..arena.results.standings import summarise
from ..arena.runner import check_tournament, run_tournament
from ..arena.store.store import TEMPORARY, Store
from ..arena.tournament.adjudication import read_adjudication
from ..arena.tournament.failure_policy import parse_policies
from ..arena.tournament.limits import BotLimit, limits_of_bots, parse_clock
from ..arena.tournament.names import read_names
from ..arena.tournament.openings import read_openings
from ..arena.tournament.schedule import (
    CYCLIC,
    DEADLINE_SECONDS,
    GAUNTLET,
    ROUND_ROBIN,
    SEAT_ORDERS,
    SWISS,
    SYSTEMS,
    Openings,
    Tournament,
    rounds_for,
)
from ..exit_status import INTERRUPTED
from ..registry import load_bot
from .common import (
    GameArgument,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    output_file,
)
from .results import json_text, show_report
from .stored import DEFAULT_DB, AnchorOption, read_anchors


def arena(
    context: typer.Context,
    game: GameArgument,
    bot_specs: Annotated[
        list[str], typer.Argument(metavar="BOT...", help='as in "mcts(simulations=1000)" or mcts:simulations=1000')
    ],
    num_games: Annotated[
        int,
        typer.Option(
            "--games", min=1, metavar="N", help="games of every pairing (in a round of swiss), in whole blocks"
        ),
    ] = 100,
    pairing: Annotated[str, typer.Option("--pairing", metavar="SYSTEM", help=", ".join(SYSTEMS))] = ROUND_ROBIN,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, metavar="N", help="rounds of swiss [default: log2 of the number of bots]"),
    ] = None,
    challengers: Annotated[
        int, typer.Option("--challengers", min=1, metavar="N", help="in a gauntlet, the first N bots meet all others")
    ] = 1,
    seat_orders: Annotated[
        str, typer.Option("--seat-orders", metavar="ORDERS", help=f"of a block, {' or '.join(SEAT_ORDERS)}")
    ] = CYCLIC,
    opening_plies: Annotated[
        int, typer.Option("--opening-plies", min=0, metavar="N", help="begin games with N random steps")
    ] = 0,
    openings: Annotated[
        str | None,
        typer.Option("--openings", metavar="FILE", help="begin games as the lines there say: steps, positions or JSON"),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="end a test when it is decided, in normalized Elo; or as in 0,5,model=logistic,alpha=0.05,beta=0.05",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=1024, metavar="N", help="how many play at the same time")
    ] = os.cpu_count() or 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="WHERE", help="processes, threads, or dask://HOST:PORT")
    ] = PROCESSES,
    seed: SeedOption = 0,
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="keep games there; go on from there")] = DEFAULT_DB,
    no_db: Annotated[bool, typer.Option("--no-db", help="keep no games")] = False,
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="write the results there; - for stdout")
    ] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
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
    anchor: AnchorOption = None,
    own_names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NUMBER=NAME", help="show a bot under a name, as in 2=new; may be repeated"),
    ] = None,
    resign: Annotated[
        str | None,
        typer.Option(
            "--resign", metavar="VALUE,MOVES", help="a bot loses that expects VALUE or less in MOVES decisions in a row"
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            "--draw", metavar="MARGIN,MOVES", help="a draw, when both bots expect one, give or take MARGIN, so often"
        ),
    ] = None,
    max_plies: Annotated[
        int | None, typer.Option("--max-plies", min=1, metavar="N", help="end a game that is not over after N steps")
    ] = None,
    deadline: Annotated[
        float, typer.Option("--deadline", metavar="S", help="forfeit a game for a decision longer than S seconds")
    ] = DEADLINE_SECONDS,
) -> None:
    """Let bots play each other, and rate them.

    Every pair of bots meets (with three players, every three), in blocks that give everyone every seat. Results depend
    on the game, the bots, the number of games and the seed, not on the number of workers.

    Every game is kept in a file. The same command again goes on where it was stopped, by Ctrl-C or in any other way,
    and shows the results where it was not.

    A bot that crashes, answers with an illegal move, or answers too late forfeits the game: it gets the least return,
    the others the greatest. With --on-failure such a game is played again, or the tournament stops.
    """
    if not 0 < deadline < math.inf:
        raise LimitError(f"deadline={deadline:g} is no time to answer in; valid: a number of seconds above 0")
    loaded = load_game(game)
    if opening_plies and openings is not None:
        raise TournamentError("--opening-plies and --openings cannot be given together")
    clock_seconds, increment_seconds = (None, 0.0) if clock is None else parse_clock(clock)
    common = BotLimit(simulations, seconds, clock_seconds, increment_seconds, bot_memory_mb)
    tournament = Tournament(
        loaded.spec,
        loaded.num_players,
        tuple(load_bot(spec).spec for spec in bot_specs),
        1,
        seed,
        limits_of_bots(len(bot_specs), common, own_limits or ()),
        deadline,
        parse_policies(on_failure),
        pairing,
        challengers if pairing == GAUNTLET else 1,
        seat_orders=seat_orders if loaded.num_players > 2 else CYCLIC,
        openings=Openings(opening_plies) if openings is None else read_openings(openings, loaded),
        sprt=None if sprt is None else _read_sprt(sprt),
        adjudication=read_adjudication(resign, draw, max_plies),
        names=read_names(len(bot_specs), own_names or ()),
    )
    tournament = _of_length(tournament, num_games, rounds)
    check_tournament(tournament)
    anchors = read_anchors(anchor, tournament)
    target = output_file(json_file)
    console: Console = context.obj
    played = tournament.cycles // (tournament.rounds if pairing == SWISS else 1) * tournament.block_size
    if played != num_games:
        console.print(f"{played} games for {num_games}: whole blocks of {tournament.block_size} seatings", style="dim")
    with Store(TEMPORARY if no_db else db) as store:
        with Progress(tournament, console) as progress:
            outcome = run_tournament(tournament, workers, progress.add, executor=executor, store=store)
        report = summarise(
            tournament,
            loaded,
            outcome.tally,
            outcome.failures,
            tournament.labels,
            outcome.interrupted,
            anchors,
            repeats=store.repeats(outcome.key, outcome.tally.end),
            notes=notes_of(tournament, store, outcome.key),
        )
    if target is not None:
        target.write_text(json_text(report))
    if target is None or not target.is_stdout:
        show_report(report, as_json=False)
    if outcome.interrupted:
        raise typer.Exit(INTERRUPTED)


def _of_length(tournament: Tournament, num_games: int, rounds: int | None) -> Tournament:
    """The tournament with as many rounds and blocks as are asked for."""
    blocks = rounds_for(num_games, tournament.block_size)
    if tournament.system == SWISS:
        return replace(tournament, blocks=blocks, rounds=rounds or math.ceil(math.log2(len(tournament.bots))))
    if rounds is not None:
        raise TournamentError(f"--rounds is for --pairing {SWISS}; valid for {tournament.system}: --games")
    return replace(tournament, rounds=blocks)


def _read_sprt(text: str) -> Sprt:
    """The test that a text like `0,5` or `0,5,model=logistic,alpha=0.1` names."""
    try:
        elo0, elo1, *more = text.split(",")
        given: dict[str, Any] = dict(word.split("=") for word in more)
        given |= {name: float(given[name]) for name in ("alpha", "beta") if name in given}
        return Sprt(float(elo0), float(elo1), **given)
    except (ValueError, TypeError) as error:
        if isinstance(error, PlayoutError):
            raise
        raise TournamentError(
            f"--sprt {text!r} is not ELO0,ELO1; valid: two numbers as in 0,5, and after them alpha=, beta=, model="
        ) from None
