"""The options of `playout arena`, in the groups that its help shows."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

from ..arena.description import DEFAULT_GAMES, TEST_GAMES
from ..arena.play.executors import executor_forms
from ..arena.tournament.pairings import registered_pairings
from ..arena.tournament.schedule import SEAT_ORDERS
from .common.options import SECONDS_HELP, SEED_HELP, SIMULATIONS_HELP, option, repeatable

DEFAULT_WORKERS = os.cpu_count() or 1

_schedule = partial(option, panel="Schedule")
_limit = partial(option, panel="Limits and failures")
_ending = partial(option, panel="Ending games early")
_running = partial(option, panel="Running and storing")
_output = partial(option, panel="Output")

All = Annotated[
    bool, _schedule("--all", help="Play every game with code of its own and two rulesheets, with bots that suit it.")
]
Games = Annotated[
    int | None,
    _schedule(
        "--games",
        value="N",
        min=1,
        default=f"{DEFAULT_GAMES}; with --sprt {TEST_GAMES:,}",
        help="Games of each pairing, rounded up to whole blocks. In a Swiss tournament: per round; in a test: at most.",
    ),
]
Pairing = Annotated[
    str | None,
    _schedule(
        "--pairing",
        value="SYSTEM",
        default="test with --sprt, else round_robin",
        help=f"Who meets whom: {', '.join(registered_pairings())}.",
    ),
]
Rounds = Annotated[
    int | None,
    _schedule("--rounds", value="N", min=1, default="log2 of the number of bots", help="Rounds of a Swiss tournament."),
]
Challengers = Annotated[
    int, _schedule("--challengers", value="N", min=1, help="In a gauntlet: the first N bots meet all others.")
]
SeatOrders = Annotated[
    str,
    _schedule(
        "--seat-orders",
        value="ORDERS",
        help=f"Seat orders in a block of three or more players: {' or '.join(SEAT_ORDERS)}.",
    ),
]
OpeningPlies = Annotated[
    int, _schedule("--opening-plies", value="N", min=0, help="Start each block with N random plies.")
]
OpeningsFile = Annotated[
    str | None,
    _schedule("--openings", value="FILE", help="Start games from the lines of a file: actions, positions or JSON."),
]
SprtTest = Annotated[
    str | None,
    _schedule(
        "--sprt",
        value="ELO0,ELO1",
        help="Test whether the first bot is stronger than the second by ELO1 (H1) or by ELO0 (H0), in normalized Elo. "
        "The long form is 0,5,model=logistic,alpha=0.05,beta=0.05.",
    ),
]
Score = Annotated[
    str | None,
    _schedule(
        "--score",
        value="SCORE",
        default="that of the game",
        help="Count who has the higher return (wins), or by how much (returns).",
    ),
]
Seed = Annotated[int, _schedule("--seed", value="N", help=SEED_HELP)]
Names = Annotated[
    list[str] | None,
    _schedule("--name", value="NUMBER=NAME", help=repeatable("Display name of a bot, such as 2=new.")),
]

Simulations = Annotated[int | None, _limit("--simulations", value="N", min=1, help=SIMULATIONS_HELP)]
Seconds = Annotated[float | None, _limit("--seconds", value="S", help=SECONDS_HELP)]
ClockTime = Annotated[
    str | None,
    _limit("--clock", value="S+I", help="Clock of each bot: S seconds per game, plus I seconds per decision."),
]
BotMemory = Annotated[
    int | None,
    _limit("--bot-memory-mb", value="MB", help="Memory limit of a bot's search tree, or of an engine's processes."),
]
Margin = Annotated[
    float | None,
    _limit("--margin", value="S", help="A bot whose decision takes S seconds more than --seconds forfeits."),
]
OwnLimits = Annotated[
    list[str] | None,
    _limit(
        "--limit",
        value="NUMBER:LIMIT",
        help=repeatable("Limits of one bot, such as 2:simulations=1000,clock=10+0.1."),
    ),
]
Deadline = Annotated[
    float, _limit("--deadline", value="S", help="A bot that needs more than S seconds for a decision forfeits.")
]
OnFailure = Annotated[
    str,
    _limit(
        "--on-failure",
        value="CAUSE=POLICY,...",
        help="Response to failures: forfeit, replay or abort, such as crash=replay,stall=abort,late=replay:3.",
    ),
]

Resign = Annotated[
    str | None,
    _ending(
        "--resign",
        value="VALUE,N",
        help="A bot loses if it expects a return of VALUE or less in N decisions in a row.",
    ),
]
Draw = Annotated[
    str | None,
    _ending(
        "--draw",
        value="MARGIN,N",
        help="A game is a draw if both bots expect a draw, within MARGIN, in N decisions in a row.",
    ),
]
MaxPlies = Annotated[
    int | None,
    _ending(
        "--max-plies",
        value="N",
        min=1,
        help="A game that is not over after N plies is a draw. In a game without draws, it does not count.",
    ),
]

Workers = Annotated[
    int, _running("--workers", value="N", min=1, max=1024, help="Number of games played at the same time.")
]
Executor = Annotated[
    str,
    _running("--executor", value="WHERE", help=f"Where games are played: {', '.join(executor_forms())}."),
]
Db = Annotated[
    str,
    _running("--db", value="FILE", help="Database for the games. An interrupted tournament continues from it."),
]
NoDb = Annotated[bool, _running("--no-db", help="Do not store the games.")]

Json = Annotated[bool, _output("--json", help="Print the results as JSON to stdout, in place of the tables.")]
Output = Annotated[
    str | None, _output("--output", "-o", value="FILE", help="Write the results as JSON to a file; - is stdout.")
]
ProgressEvery = Annotated[
    float,
    _output("--progress-every", value="S", help="Seconds between lines of progress when stderr is not a terminal."),
]
LogGames = Annotated[bool, _output("--log-games", help="Print a line for each game on stderr.")]
Watch = Annotated[
    bool,
    _output("--watch", help="Serve the page of the tournament to this machine, while it runs and until Ctrl-C."),
]
Port = Annotated[
    int | None,
    _output("--port", value="N", min=0, max=65535, default="any that is free", help="With --watch: the port."),
]
