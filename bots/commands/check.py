"""`playout check`: whether a game keeps the contract that searches and the arena rely on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

import mcts
from cext.arguments import counted
from mcts.contract import RULES, GameCheck, GameProblem
from mcts.gdl.explain import explain
from mcts.gdl.secret_game import sheet_of

from ..system.exit_status import GAME_REJECTED
from .common.consoles import print_json, print_line, stderr, stdout
from .common.options import GameArgument, JsonOption, SeedOption, option

LINE_SECONDS = 5.0


def command(
    game: GameArgument,
    games: Annotated[int, option("Number of random games.", "N", min=1)] = 50,
    seed: SeedOption = 0,
    seconds: Annotated[float, option("Time after which the check ends.", "S", min=0)] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """Check a game over random games, and say what is wrong.

    The check is for games of your own. It plays random games and looks at every state: legal actions, texts, copies,
    round trips through text and JSON, views, symmetries, outcomes of chance, returns, and compiled playouts. The exit
    status is 10 if a rule is broken. For a rulesheet, it also shows roles, fluents, moves and the size of the network.

    Examples:
        playout check tic_block
        playout check mnk:m=4,n=6,k=4 --games 200
    """
    loaded = mcts.load_game(game)
    result = mcts.check_game(loaded, games=games, seed=seed, seconds=seconds, on_state=_lines(games, seconds))
    if as_json:
        print_json(_as_dict(result))
    else:
        _print(result, stdout())
    if not result.passed:
        raise typer.Exit(GAME_REJECTED)


def _lines(games: int, seconds: float) -> Callable[[int], None]:
    """Return a function that prints a line on stderr every LINE_SECONDS, with the number of games that have ended."""
    begin = printed = time.monotonic()

    def show(ended: int) -> None:
        nonlocal printed
        now = time.monotonic()
        if now >= printed + LINE_SECONDS:
            printed = now
            text = f"{now - begin:.0f} of up to {seconds:g} s: {ended:,} of {games:,} games have ended"
            print_line(stderr(), text, "dim")

    return show


def _as_dict(result: GameCheck) -> dict[str, Any]:
    names = ("games", "plies", "actions", "simultaneous", "chance", "out_of_time", "passed")
    facts = {name: getattr(result, name) for name in names}
    return {"game": result.game.spec, **facts, "problems": [asdict(problem) for problem in result.problems]}


def _print(result: GameCheck, console: Console) -> None:
    game = result.game
    print_line(console, game.spec, "bold")
    total = "not constant" if game.utility_sum is None else f"{game.utility_sum:g}"
    kinds = ["simultaneous" if result.simultaneous else "in turns"]
    kinds += ["with hidden information"] * game.has_hidden_information + ["with chance"] * result.chance
    console.print(
        f"{counted(game.num_players, 'player')}, {', '.join(kinds)}; sum of the returns: {total}; score: {game.score}"
    )
    if result.chance and game.num_players > 1 and not game.has_hidden_information:
        console.print("Every player sees everything, all outcomes of chance included.")
    sheet = sheet_of(game)
    if sheet is not None:
        for line in explain(sheet.network):
            print_line(console, line)
    fewest, mean, most = result.plies
    actions = "" if game.is_enumerable else "; too many actions to list"
    if result.actions is not None:
        actions = "; {} to {} legal actions, {:.1f} on average".format(*(result.actions[i] for i in (0, 2, 1)))
    plies = f"{fewest} to {most} plies, {mean:.1f} on average" if result.games else "no game came to its end"
    print_line(console, f"{counted(result.games, 'random game')}: {plies}{actions}")
    if result.out_of_time:
        console.print("The time was over before all games were played; --seconds gives more.")
    console.print()
    for problem in result.problems:
        print_line(console, f"{problem.rule}: {problem.message}", "red")
        print_line(console, f"  {_place(problem)}")
    if result.passed:
        console.print(f"No rule is broken; {len(RULES)} were checked in every state.")
    else:
        number = len(result.problems)
        console.print(f"{number} rule{'s are' if number > 1 else ' is'} broken.")


def _place(problem: GameProblem) -> str:
    steps = " ".join("|".join(map(str, joint)) for joint in problem.steps[:40])
    dots = " ..." if len(problem.steps) > 40 else ""
    times = f" ({problem.times:,} times in all)" if problem.times > 1 else ""
    return f"in the initial state{times}" if not steps else f"after the joint actions {steps}{dots}{times}"
