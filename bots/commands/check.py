"""`playout check`: whether a game keeps the contract that searches and the arena rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

import mcts
from mcts.contract import RULES, GameCheck, GameProblem
from mcts.gdl.explain import explain
from mcts.gdl.game import RulesheetGame

from ..exit_status import GAME_REJECTED
from .common.consoles import print_json, stdout
from .common.options import GameArgument, JsonOption, SeedOption, option


def command(
    game: GameArgument,
    games: Annotated[int, option("--games", value="N", min=1, help="Number of random games.")] = 50,
    seed: SeedOption = 0,
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
    result = mcts.check_game(loaded, games=games, seed=seed)
    if as_json:
        print_json(_as_dict(result))
    else:
        _print(result, stdout())
    if not result.passed:
        raise typer.Exit(GAME_REJECTED)


def _as_dict(result: GameCheck) -> dict[str, Any]:
    facts = {name: getattr(result, name) for name in ("games", "plies", "actions", "simultaneous", "chance", "passed")}
    return {"game": result.game.spec, **facts, "problems": [asdict(problem) for problem in result.problems]}


def _print(result: GameCheck, console: Console) -> None:
    game = result.game
    console.print(Text(game.spec, "bold"), soft_wrap=True)
    total = "not constant" if game.utility_sum is None else f"{game.utility_sum:g}"
    kinds = ["simultaneous" if result.simultaneous else "in turns"]
    kinds += ["with hidden information"] * game.has_hidden_information + ["with chance"] * result.chance
    console.print(f"{game.num_players} players, {', '.join(kinds)}; sum of the returns: {total}")
    if isinstance(game, RulesheetGame):
        for line in explain(game.network):
            console.print(line, soft_wrap=True, markup=False)
    fewest, mean, most = result.plies
    actions = "" if game.is_enumerable else "; too many actions to list"
    if result.actions is not None:
        actions = "; {} to {} legal actions, {:.1f} on average".format(*(result.actions[i] for i in (0, 2, 1)))
    plies = f"{fewest} to {most} plies, {mean:.1f} on average" if result.games else "no game came to its end"
    console.print(f"{result.games:,} random games: {plies}{actions}", soft_wrap=True)
    console.print()
    for problem in result.problems:
        console.print(Text(f"{problem.rule}: {problem.message}", "red"), soft_wrap=True)
        console.print(Text(f"  {_place(problem)}"), soft_wrap=True)
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
