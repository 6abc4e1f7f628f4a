"""`playout solve` and `playout regret`: exact values, and how far a bot is from them."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from mcts import Game, ParameterError, Solution, State, load_game, solve
from mcts.exact.solve import MEMORY_MB

from ..analysis.regret import OPTIMAL, HiddenRegret, Regret, Spread, measure, measure_hidden, sample_positions
from ..output import bot_output_logged
from ..registry import load_bot
from .common import (
    STDOUT,
    BotArgument,
    GameArgument,
    SeedOption,
    check_one_stdout,
    output_file,
    read_state,
    stderr,
    stdout,
)

DEFAULT_BUDGETS = [100, 1000, 10_000]
PLOT_FORMATS = (".svg", ".png", ".pdf")
_MOST_SHOWN = 12

CacheOption = Annotated[
    str | None,
    typer.Option("--cache", metavar="DIR", help="folder of stored solutions [default: the platform's cache folder]"),
]
MemoryOption = Annotated[int, typer.Option("--memory-mb", min=1, metavar="MB", help="limit of the memory for solving")]


def solve_command(
    game: GameArgument,
    state: Annotated[
        str | None,
        typer.Option(
            "--state", metavar="TEXT", help="state to show, as text or JSON; - reads stdin [default: the initial state]"
        ),
    ] = None,
    cache: CacheOption = None,
    memory_mb: MemoryOption = MEMORY_MB,
    as_json: Annotated[bool, typer.Option("--json", help="print the results as JSON")] = False,
) -> None:
    """Solve a game exactly and show optimal actions.

    A game can be solved if it has two players with opposite interests and few enough states. Solutions are stored on
    disk, so that a game is solved once.

    Examples:
        playout solve "bidding_ttt(coins=3)"
        playout solve mnk --state x../.o./..x_o
    """
    loaded = load_game(game)
    start = loaded.new_initial_state() if state is None else read_state(loaded, state)
    solution, seconds = _solve(loaded, cache, memory_mb)
    summary = _summary(solution, start, seconds)
    if as_json:
        sys.stdout.write(json.dumps(summary, indent=2) + "\n")
    else:
        _print_summary(summary, start, stdout())


def regret_command(
    game: GameArgument,
    bot: BotArgument,
    budgets: Annotated[
        list[int] | None,
        typer.Option(
            "--simulations",
            min=1,
            metavar="N",
            help=f"simulations of a decision; give it several times to compare [default: "
            f"{', '.join(map(str, DEFAULT_BUDGETS))}, where the bot does not say itself]",
        ),
    ] = None,
    num_states: Annotated[
        int,
        typer.Option("--states", min=1, metavar="N", help="number of states to measure at, taken from random games"),
    ] = 200,
    below: Annotated[
        int,
        typer.Option(
            "--below",
            min=0,
            metavar="N",
            help="measure exploitability at states of the sample with at most N states below them; 0 turns it off",
        ),
    ] = 2000,
    seed: SeedOption = 0,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="plot loss and exploitability to a .svg, .png or .pdf file; - writes SVG to stdout",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the results as JSON")] = False,
    cache: CacheOption = None,
    memory_mb: MemoryOption = MEMORY_MB,
) -> None:
    """Measure how far a bot is from exact play.

    The loss of a decision is the value of the state less what the bot's strategy gets there if all else is played
    exactly. The exploitability is what the best replies to the bot win from it in the rest of a game, both seats added.
    Both are in points.

    Examples:
        playout regret mnk mcts
        playout regret mnk mcts --simulations 50 --simulations 500 --states 20 --json
    """
    loaded = load_game(game)
    player = load_bot(bot)
    player.check_game(loaded)
    suffix = ".svg" if plot == STDOUT else Path(plot or "").suffix
    if plot is not None and suffix not in PLOT_FORMATS:
        raise ParameterError(f"--plot {plot}: this ending says no format; valid: {', '.join(PLOT_FORMATS)}")
    target = output_file(plot)
    plot_to_stdout = target is not None and target.is_stdout
    check_one_stdout(json=as_json, plot=plot_to_stdout)
    if target is not None:
        _import_plot()
    chosen: list[int | None] = [*budgets] if budgets else _own_budgets(player.parameters)
    solution, _ = _solve(loaded, cache, memory_mb)
    if solution.game.has_hidden_information:
        if target is not None:
            raise ParameterError(f"--plot does not go with {loaded.spec}, whose bids are hidden; valid: no --plot")
        with bot_output_logged(lambda: player.spec), _progress() as progress:
            task = progress.add_task(player.spec, total=len(chosen))
            hidden = list(measure_hidden(solution, bot, chosen, seed, on_budget=lambda: progress.advance(task)))
        _show_hidden(loaded, player.spec, hidden, as_json)
        return
    positions = sample_positions(loaded, num_states, seed, below)
    with bot_output_logged(lambda: player.spec), _progress() as progress:
        task = progress.add_task(player.spec, total=len(positions) * len(chosen))
        found = list(measure(solution, bot, chosen, positions, seed, on_position=lambda: progress.advance(task)))
    if as_json:
        sys.stdout.write(json.dumps(_regret_dict(loaded, player.spec, found), indent=2) + "\n")
    else:
        _print_regret(loaded, player.spec, found, below, stderr() if plot_to_stdout else stdout())
    if target is not None:
        drawn = io.BytesIO()
        _import_plot()(found, f"{player.spec} in {loaded.spec}", drawn, suffix[1:])
        target.write_bytes(drawn.getvalue())


def _import_plot() -> Any:
    try:
        from ..analysis.plots import plot_regret
    except ImportError:
        raise ParameterError(
            "--plot needs matplotlib; valid: without --plot, or after pip install 'playout[plot]'"
        ) from None
    return plot_regret


def _own_budgets(parameters: dict[str, Any]) -> list[int | None]:
    """The default budgets; only what the bot itself says where a budget would change nothing, or it has its own."""
    if "simulations" in parameters and parameters["simulations"] is None and parameters.get("seconds") is None:
        return [*DEFAULT_BUDGETS]
    return [None]


def _solve(game: Game, cache: str | None, memory_mb: int) -> tuple[Solution, float]:
    begin = time.perf_counter()
    with stderr().status(f"solving {game.spec}") as status:

        def show(phase: str, done: int, total: int | None) -> None:
            status.update(
                f"solving {game.spec}: {phase}, {done:,} states" + ("" if total is None else f" of {total:,}")
            )

        threads = os.cpu_count() or 1
        solution = solve(game, cache_dir=cache, memory_mb=memory_mb, threads=threads, progress=show)
    return solution, time.perf_counter() - begin


def _summary(solution: Solution, state: State, seconds: float) -> dict[str, Any]:
    game = state.game
    deciding = state.acting_players()
    values: Sequence[float] | None
    if solution.game.has_hidden_information:
        values = _hidden_values(solution, state)
        moves = {game.players[player]: _hidden_moves(solution, state, player) for player in deciding}
    else:
        values = solution.value(state)
        moves = {game.players[player]: _moves(solution, state, player) for player in deciding}
    return {
        "game": game.spec,
        "state": state.to_dict(),
        "values": None if values is None else dict(zip(game.players, values, strict=True)),
        "moves": moves,
        "num_states": solution.num_states,
        "seconds": seconds,
    }


def _hidden_values(solution: Solution, state: State) -> list[float] | None:
    """None in the midst of a game: what a state is worth then depends on what the players think of hidden bids."""
    known = state.is_terminal() or state == state.game.new_initial_state()
    return solution.value(state) if known else None


def _hidden_moves(solution: Solution, state: State, player: int) -> list[dict[str, Any]]:
    """An example of each kind of bids that are alike, and how often any of its kind is to be made."""
    shapes = solution.bid_classes(state, player)
    worths = [shape.value for shape in shapes if shape.value is not None]
    return [
        {
            "action": state.action_to_string(player, shape.example),
            "alike": shape.count,
            "probability": shape.probability,
            "loss": None if shape.value is None else max(0.0, max(worths) - shape.value),
        }
        for shape in shapes
    ]


def _moves(solution: Solution, state: State, player: int) -> list[dict[str, Any]]:
    """Every legal action: how often it is to be played, and what it gives away if it is always played."""
    policy = solution.policy(state, player)
    return [
        {
            "action": state.action_to_string(player, action),
            "probability": policy.get(action, 0.0),
            "loss": max(0.0, solution.loss(state, player, action)),
        }
        for action in state.legal_actions(player)
    ]


def _print_summary(summary: dict[str, Any], state: State, console: Console) -> None:
    console.print(Text(str(state)))
    for name, moves in summary["moves"].items():
        console.print()
        console.print(_moves_table(name, moves))
    console.print()
    facts = Table.grid(padding=(0, 2))
    if summary["values"] is None:
        values = "no one number: it depends on what the players think of hidden bids"
    else:
        values = "  ".join(f"{name} {value:.6g}" for name, value in summary["values"].items())
    facts.add_row(Text("exact value", "bold"), Text(values))
    facts.add_row(Text("states", "bold"), Text(f"{summary['num_states']:,}"))
    facts.add_row(Text("time", "bold"), Text(f"{summary['seconds']:.3g} s"))
    console.print(facts)


def _moves_table(name: str, moves: list[dict[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"{name} plays")
    table.add_column("probability", justify="right")
    table.add_column("gives away", justify="right")
    ordered = sorted(moves, key=lambda move: (-move["probability"], move["loss"] or 0.0))
    for move in ordered[:_MOST_SHOWN]:
        others = move.get("alike", 1) - 1
        action = move["action"] + (f", or one of {others} like it" if others else "")
        table.add_row(
            action, f"{move['probability']:.4g}", _loss_text(move["loss"]), style="" if move["probability"] else "dim"
        )
    if len(ordered) > _MOST_SHOWN:
        table.add_row(f"({len(ordered) - _MOST_SHOWN} more)", "", "", style="dim")
    return table


def _loss_text(loss: float | None) -> str:
    if loss is None:
        return "unknown"
    return "-" if loss <= OPTIMAL else f"{loss:.4g}"


def _regret_dict(game: Game, spec: str, found: list[Regret]) -> dict[str, Any]:
    def plain(spread: Spread | None) -> dict[str, Any] | None:
        return None if spread is None else asdict(spread)

    return {
        "game": game.spec,
        "bot": spec,
        "budgets": [
            {
                "simulations": point.simulations,
                "loss": plain(point.loss),
                "optimal": point.optimal,
                "exploitability": plain(point.exploitability),
                "worst": {"state": point.worst_state.to_dict(), "player": game.players[point.worst_player]},
            }
            for point in found
        ],
    }


def _show_hidden(game: Game, spec: str, found: list[HiddenRegret], as_json: bool) -> None:
    if as_json:
        budgets = [asdict(point) for point in found]
        sys.stdout.write(json.dumps({"game": game.spec, "bot": spec, "budgets": budgets}, indent=2) + "\n")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("simulations", "mean loss", "exploitability"):
        table.add_column(heading, justify="right")
    for point in found:
        budget = "own" if point.simulations is None else f"{point.simulations:,}"
        table.add_row(budget, f"{point.loss:.3g}", f"{point.exploitability:.3g}")
    console = stdout()
    console.print(Text(f"{spec} in {game.spec}", "bold"))
    console.print(table)
    points = f"{game.max_utility - game.min_utility:g}"
    console.print(Text(f"Losses: points of {points}, over all that players can know; bids from samples.", "dim"))


def _print_regret(game: Game, spec: str, found: list[Regret], below: int, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("simulations", "mean loss", "worst loss", "optimal", "exploitability", "worst"):
        table.add_column(heading, justify="right")
    for point in found:
        table.add_row(
            "own" if point.simulations is None else f"{point.simulations:,}",
            _spread_text(point.loss),
            f"{point.loss.worst:.3g}",
            f"{point.optimal:.1%}",
            _spread_text(point.exploitability),
            "" if point.exploitability is None else f"{point.exploitability.worst:.3g}",
        )
    console.print(Text(f"{spec} in {game.spec}", "bold"))
    console.print(table)
    first = found[0]
    text = f"Losses: points of {game.max_utility - game.min_utility:g}, over {first.loss.count} decisions."
    if first.exploitability is not None:
        text += f" Exploitability: from the {first.exploitability.count} states that at most {below} may follow."
    elif below:
        text += f" No state of the sample has so few as {below} states to follow it: see --below."
    console.print(Text(text, "dim"))


def _spread_text(spread: Spread | None) -> str:
    if spread is None:
        return ""
    return f"{spread.mean:.3g}" + ("" if spread.error is None else f" ± {spread.error:.2g}")


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=stderr(),
        transient=True,
    )
