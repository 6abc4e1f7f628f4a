"""The options of `playout arena`, in the groups in which its help shows them."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from ..arena.tournament.schedule import SEAT_ORDERS, SYSTEMS
from .completion import complete_bot, complete_game

DEFAULT_WORKERS = os.cpu_count() or 1

_SCHEDULE = "Schedule"
_LIMITS = "Limits and failures"
_ENDS = "Ending games early"
_RUNNING = "Running and storing"
_OUTPUT = "Output"

Game = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", autocompletion=complete_game, help='game, such as "mnk(m=5,n=5,k=4)" or mnk:m=5,n=5,k=4'
    ),
]
Bots = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="BOT...",
        autocompletion=complete_bot,
        help='bots, such as "mcts(simulations=1000)" or mcts:simulations=1000',
    ),
]

Games = Annotated[
    int,
    typer.Option(
        "--games",
        min=1,
        metavar="N",
        help="games of each pairing (in a Swiss tournament, in each round), rounded up to whole blocks; in a test, "
        "the most games",
        rich_help_panel=_SCHEDULE,
    ),
]
Pairing = Annotated[
    str | None,
    typer.Option(
        "--pairing",
        metavar="SYSTEM",
        help=f"{', '.join(SYSTEMS)} [default: test with --sprt, else round_robin]",
        rich_help_panel=_SCHEDULE,
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        min=1,
        metavar="N",
        help="rounds of a Swiss tournament [default: log2 of the number of bots]",
        rich_help_panel=_SCHEDULE,
    ),
]
Challengers = Annotated[
    int,
    typer.Option(
        "--challengers",
        min=1,
        metavar="N",
        help="in a gauntlet, the first N bots meet all others",
        rich_help_panel=_SCHEDULE,
    ),
]
SeatOrders = Annotated[
    str,
    typer.Option(
        "--seat-orders",
        metavar="ORDERS",
        help=f"seat orders of a block with three players or more: {' or '.join(SEAT_ORDERS)}",
        rich_help_panel=_SCHEDULE,
    ),
]
OpeningPlies = Annotated[
    int,
    typer.Option(
        "--opening-plies",
        min=0,
        metavar="N",
        help="begin each block with N random steps",
        rich_help_panel=_SCHEDULE,
    ),
]
OpeningsFile = Annotated[
    str | None,
    typer.Option(
        "--openings",
        metavar="FILE",
        help="begin games as the lines of a file say: steps, positions or JSON",
        rich_help_panel=_SCHEDULE,
    ),
]
SprtTest = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="test whether the first bot is better than the second by ELO1 (H1) or by ELO0 (H0), in normalized Elo; "
        "stop when decided. Also 0,5,model=logistic,alpha=0.05,beta=0.05",
        rich_help_panel=_SCHEDULE,
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="seed of all random numbers", rich_help_panel=_SCHEDULE)]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name", metavar="NUMBER=NAME", help="show a bot under a name: 2=new; repeatable", rich_help_panel=_SCHEDULE
    ),
]

Simulations = Annotated[
    int | None,
    typer.Option(
        "--simulations", min=1, metavar="N", help="limit of a decision: N simulations", rich_help_panel=_LIMITS
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="limit of a decision: S seconds", rich_help_panel=_LIMITS),
]
ClockTime = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="S+I",
        help="clock of each bot: S seconds a game, and I more after each decision",
        rich_help_panel=_LIMITS,
    ),
]
BotMemory = Annotated[
    int | None,
    typer.Option(
        "--bot-memory-mb",
        metavar="MB",
        help="memory of a bot's tree, or of an engine's processes",
        rich_help_panel=_LIMITS,
    ),
]
OwnLimits = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NUMBER:LIMIT",
        help="limits of one bot: 2:simulations=1000,clock=10+0.1; repeatable",
        rich_help_panel=_LIMITS,
    ),
]
Deadline = Annotated[
    float,
    typer.Option(
        "--deadline", metavar="S", help="a decision longer than S seconds forfeits the game", rich_help_panel=_LIMITS
    ),
]
OnFailure = Annotated[
    str,
    typer.Option(
        "--on-failure",
        metavar="CAUSE=POLICY,...",
        help="forfeit, replay or abort after a failure: crash=replay,stall=abort,late=replay:3",
        rich_help_panel=_LIMITS,
    ),
]

Resign = Annotated[
    str | None,
    typer.Option(
        "--resign",
        metavar="VALUE,MOVES",
        help="a bot that expects a return of VALUE or less in MOVES decisions in a row loses",
        rich_help_panel=_ENDS,
    ),
]
Draw = Annotated[
    str | None,
    typer.Option(
        "--draw",
        metavar="MARGIN,MOVES",
        help="a draw when both bots expect one, within MARGIN, in MOVES decisions in a row",
        rich_help_panel=_ENDS,
    ),
]
MaxPlies = Annotated[
    int | None,
    typer.Option(
        "--max-plies",
        min=1,
        metavar="N",
        help="a game that is not over after N steps is a draw, or counts for nobody where there are no draws",
        rich_help_panel=_ENDS,
    ),
]

Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        min=1,
        max=1024,
        metavar="N",
        help="number of games played at the same time",
        rich_help_panel=_RUNNING,
    ),
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="processes, isolated, threads or dask://HOST:PORT",
        rich_help_panel=_RUNNING,
    ),
]
Db = Annotated[
    str,
    typer.Option("--db", metavar="FILE", help="store games in this file, and go on from it", rich_help_panel=_RUNNING),
]
NoDb = Annotated[bool, typer.Option("--no-db", help="store no games", rich_help_panel=_RUNNING)]

JsonFile = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FILE", help="write the results to this file; - for stdout", rich_help_panel=_OUTPUT
    ),
]
ProgressEvery = Annotated[
    float,
    typer.Option(
        "--progress-every",
        metavar="S",
        help="without a terminal, a line of progress on stderr every S seconds",
        rich_help_panel=_OUTPUT,
    ),
]
LogGames = Annotated[bool, typer.Option("--log-games", help="a line on stderr for each game", rich_help_panel=_OUTPUT)]
