"""The options of `playout arena`, in the groups that its help shows."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

from ..arena.description import DEFAULT_GAMES, TEST_GAMES
from ..arena.play.executors import executor_forms
from ..arena.tournament.openings import ORDERS
from ..arena.tournament.pairings import registered_pairings
from ..arena.tournament.schedule import SEAT_ORDERS
from .common.options import SECONDS_HELP, SEED_HELP, SIMULATIONS_HELP, flag, option, output_option, repeatable

DEFAULT_WORKERS = os.cpu_count() or 1

_SCHEDULE, _RUNNING, _OUTPUT = "Schedule", "Running and storing", "Output"
_schedule = partial(option, panel=_SCHEDULE)
_limit = partial(option, panel="Limits and failures")
_ending = partial(option, panel="Ending games early")
_running = partial(option, panel=_RUNNING)
_output = partial(option, panel=_OUTPUT)

All = Annotated[
    bool,
    flag("--all", "Play every game with code of its own and two rulesheets, with bots that suit it.", panel=_SCHEDULE),
]
Engines = Annotated[
    str | None,
    _schedule("TOML file of engines, for bots given by the names of its sections. Without bots, all play.", "FILE"),
]
CompareGit = Annotated[
    tuple[str, str, str] | None,
    _schedule(
        "Build two revisions of a git repository. They are the first two bots; the first should be better.",
        "REPOSITORY REVISION REVISION",
    ),
]
Build = Annotated[str | None, _schedule("With --compare-git: command of the shell that builds a revision.", "COMMAND")]
Engine = Annotated[
    str | None,
    _schedule('With --compare-git: command of the engine, or a bot such as "ugi(command=./engine)".', "ENGINE"),
]
Games = Annotated[
    int | None,
    _schedule(
        "Games of each pairing, rounded up to whole blocks. In a Swiss tournament: per round; in a test: at most.",
        "N",
        min=1,
        default=f"{DEFAULT_GAMES}; with --sprt {TEST_GAMES:,}",
    ),
]
Pairing = Annotated[
    str | None,
    _schedule(
        f"Who meets whom: {', '.join(registered_pairings())}.", "SYSTEM", default="test with --sprt, else round_robin"
    ),
]
Rounds = Annotated[
    int | None, _schedule("Rounds of a Swiss tournament.", "N", min=1, default="log2 of the number of bots")
]
Challengers = Annotated[int, _schedule("In a gauntlet: the first N bots meet all others.", "N", min=1)]
SeatOrders = Annotated[
    str, _schedule(f"Seat orders in a block of three or more players: {' or '.join(SEAT_ORDERS)}.", "ORDERS")
]
OpeningPlies = Annotated[int, _schedule("Start each block with N random plies.", "N", min=0)]
OpeningsFile = Annotated[
    str | None, _schedule("Start games from a file: .epd, .pgn, .sgf, or lines of actions, positions or JSON.", "FILE")
]
OpeningOrder = Annotated[str, _schedule(f"Order of the openings of a file: {' or '.join(ORDERS)}.", "ORDER")]
OpeningMaxPlies = Annotated[int | None, _schedule("Use the first N plies of the lines of a file.", "N", min=0)]
OpeningStart = Annotated[int, _schedule("Begin with opening N of a file.", "N", min=1)]
SprtTest = Annotated[
    str | None,
    _schedule(
        "Test whether the first bot is stronger than the second by ELO1 (H1) or by ELO0 (H0), in normalized Elo. "
        "The long form is 0,5,model=logistic,alpha=0.05,beta=0.05.",
        "ELO0,ELO1",
    ),
]
Score = Annotated[
    str | None,
    _schedule("Count who has the higher return (wins), or by how much (returns).", "SCORE", default="that of the game"),
]
Seed = Annotated[int, _schedule(SEED_HELP, "N")]
Names = Annotated[
    list[str] | None, _schedule(repeatable("Display name of a bot, such as 2=new."), "NUMBER=NAME", name="--name")
]

Simulations = Annotated[int | None, _limit(SIMULATIONS_HELP, "N", min=1)]
Seconds = Annotated[float | None, _limit(SECONDS_HELP, "S")]
Depth = Annotated[int | None, _limit("Depth of each search of UCI engines, in plies.", "N", min=1)]
ClockTime = Annotated[
    str | None, _limit("Clock of each bot: S seconds per game or per N decisions, plus I per decision.", "[N/]S[+I]")
]
BotMemory = Annotated[int | None, _limit("Memory limit of a bot's search tree, or of an engine's processes.", "MB")]
Margin = Annotated[float | None, _limit("A bot that takes S seconds more than --seconds or its clock forfeits.", "S")]
OwnLimits = Annotated[
    list[str] | None,
    _limit(repeatable("Limits of one bot, such as 2:simulations=1000,clock=10+0.1."), "NUMBER:LIMIT", name="--limit"),
]
Deadline = Annotated[float, _limit("A bot that needs more than S seconds for a decision forfeits.", "S")]
OnFailure = Annotated[
    str,
    _limit(
        "Response to failures: forfeit, replay or abort, such as crash=replay,stall=abort,late=replay:3.",
        "CAUSE=POLICY,...",
    ),
]

Resign = Annotated[
    str | None, _ending("A bot loses if it expects a return of VALUE or less in N decisions in a row.", "VALUE,N")
]
Draw = Annotated[
    str | None,
    _ending("A game is a draw if both bots expect a draw, within MARGIN, in N decisions in a row.", "MARGIN,N"),
]
MaxPlies = Annotated[
    int | None,
    _ending("A game that is not over after N plies is a draw. In a game without draws, it does not count.", "N", min=1),
]

Workers = Annotated[int, _running("Number of games played at the same time.", "N", min=1, max=1024)]
Executor = Annotated[str, _running(f"Where games are played: {', '.join(executor_forms())}.", "WHERE")]
Db = Annotated[str, _running("Database for the games. An interrupted tournament continues from it.", "FILE")]
NoDb = Annotated[bool, flag("--no-db", "Do not store the games.", panel=_RUNNING)]

Json = Annotated[bool, flag("--json", "Print the results as JSON to stdout, in place of the tables.", panel=_OUTPUT)]
Output = Annotated[str | None, output_option("Write the results as JSON to a file; - is stdout.", _OUTPUT)]
ProgressEvery = Annotated[float, _output("Seconds between lines of progress when stderr is not a terminal.", "S")]
LogGames = Annotated[bool, flag("--log-games", "Print a line for each game on stderr.", panel=_OUTPUT)]
Watch = Annotated[
    bool,
    flag("--watch", "Serve the page of the tournament to this machine, while it runs and until Ctrl-C.", panel=_OUTPUT),
]
Port = Annotated[int | None, _output("With --watch: the port.", "N", min=0, max=65535, default="any that is free")]
