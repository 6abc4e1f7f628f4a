"""`playout regret`: how far a bot is from exact play."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Annotated, Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cext.arguments import counted
from mcts import Game, ParameterError, load_game
from mcts.exact.solve import MEMORY_MB

from ..registry import load_bot
from ..studies.analysis.regret import HiddenRegret, Regret, Spread, measure, measure_hidden, sample_positions
from ..system.output import bot_output_logged
from .common.consoles import print_json, stderr, stdout
from .common.files import output_file
from .common.options import (
    SIMULATIONS_HELP,
    BotArgument,
    CacheOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    SeedOption,
    option,
    output_option,
    repeatable,
)
from .common.plots import PLOT_FORMATS, PLOT_HELP, needs_matplotlib
from .common.progress import progress_bar
from .common.solving import solve_game

DEFAULT_BUDGETS = [100, 1000, 10_000]


def command(
    game: GameArgument,
    bot: BotArgument,
    budgets: Annotated[
        list[int] | None,
        option(
            "--simulations",
            value="N",
            min=1,
            default=f"{', '.join(map(str, DEFAULT_BUDGETS))}, unless the bot has its own limit",
            help=repeatable(SIMULATIONS_HELP),
        ),
    ] = None,
    num_states: Annotated[
        int, option("--states", value="N", min=1, help="Number of states to measure, taken from random games.")
    ] = 200,
    below: Annotated[
        int,
        option(
            "--below",
            value="N",
            min=0,
            help="Measure exploitability in the states with at most N states below them; 0 for none.",
        ),
    ] = 2000,
    seed: SeedOption = 0,
    output: Annotated[str | None, output_option(help=f"Plot loss and exploitability {PLOT_HELP}")] = None,
    as_json: JsonOption = False,
    cache: CacheOption = None,
    memory_mb: MemoryOption = MEMORY_MB,
) -> None:
    """Measure how far a bot is from exact play.

    The loss of a decision is the exact value of the state, minus the value of the bot's strategy if all other decisions
    are exact. Exploitability is how much best responses win against the bot in the rest of the game, added over both
    seats. Both are in points.

    Examples:
        playout regret mnk mcts
        playout regret mnk mcts --simulations 50 --simulations 500 --states 20 --json
    """
    loaded = load_game(game)
    player = load_bot(bot)
    player.check_game(loaded)
    target = output_file(output, PLOT_FORMATS, as_json=as_json)
    if target is not None:
        _import_plot()
    chosen: list[int | None] = [*budgets] if budgets else _own_budgets(player.parameters)
    solution, _ = solve_game(loaded, cache, memory_mb)
    if solution.game.has_hidden_information:
        if target is not None:
            raise ParameterError(
                f"--output does not support {loaded.spec}, which has hidden information; valid: no --output"
            )
        with bot_output_logged(lambda: player.spec), progress_bar(stderr()) as progress:
            task = progress.add_task(player.spec, total=len(chosen))
            hidden = list(measure_hidden(solution, bot, chosen, seed, on_budget=lambda: progress.advance(task)))
        _show_hidden(loaded, player.spec, hidden, as_json)
        return
    positions = sample_positions(loaded, num_states, seed, below)
    with bot_output_logged(lambda: player.spec), progress_bar(stderr()) as progress:
        task = progress.add_task(player.spec, total=len(positions) * len(chosen))
        found = list(measure(solution, bot, chosen, positions, seed, on_position=lambda: progress.advance(task)))
    if as_json:
        print_json(_regret_dict(loaded, player.spec, found))
    else:
        _print_regret(
            loaded, player.spec, found, below, stderr() if target is not None and target.is_stdout else stdout()
        )
    if target is not None:
        drawn = io.BytesIO()
        _import_plot()(found, f"{player.spec} in {loaded.spec}", drawn, target.format[1:])
        target.write_bytes(drawn.getvalue())


def _import_plot() -> Any:
    """Return the function that plots. Raises ParameterError without matplotlib."""
    with needs_matplotlib():
        from ..studies.analysis.plots import plot_regret
    return plot_regret


def _own_budgets(parameters: dict[str, Any]) -> list[int | None]:
    """Return the default budgets, or [None] for a bot that has a limit of its own or takes no simulations."""
    if "simulations" in parameters and parameters["simulations"] is None and parameters.get("seconds") is None:
        return [*DEFAULT_BUDGETS]
    return [None]


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
        print_json({"game": game.spec, "bot": spec, "budgets": budgets})
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("simulations", "mean loss", "exploitability"):
        table.add_column(heading, justify="right")
    for point in found:
        table.add_row(_budget_text(point.simulations), f"{point.loss:.3g}", f"{point.exploitability:.3g}")
    console = stdout()
    console.print(Text(f"{spec} in {game.spec}", "bold"))
    console.print(table)
    points = f"{game.max_utility - game.min_utility:g}"
    console.print(Text(f"Loss in points out of {points}, over all information states, with sampled actions.", "dim"))


def _print_regret(game: Game, spec: str, found: list[Regret], below: int, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("simulations", "mean loss", "worst loss", "optimal", "exploitability", "worst"):
        table.add_column(heading, justify="right")
    for point in found:
        table.add_row(
            _budget_text(point.simulations),
            _spread_text(point.loss),
            f"{point.loss.worst:.3g}",
            f"{point.optimal:.1%}",
            _spread_text(point.exploitability),
            "" if point.exploitability is None else f"{point.exploitability.worst:.3g}",
        )
    console.print(Text(f"{spec} in {game.spec}", "bold"))
    console.print(table)
    first = found[0]
    text = (
        f"Loss in points out of {game.max_utility - game.min_utility:g}, over {counted(first.loss.count, 'decision')}."
    )
    if first.exploitability is not None:
        text += f" Exploitability in {counted(first.exploitability.count, 'state')} with at most {below} below."
    elif below:
        text += f" No sampled state has as few as {below} states below it: see --below."
    console.print(Text(text, "dim"))


def _budget_text(simulations: int | None) -> str:
    return "own" if simulations is None else f"{simulations:,}"


def _spread_text(spread: Spread | None) -> str:
    if spread is None:
        return ""
    return f"{spread.mean:.3g}" + ("" if spread.error is None else f" ± {spread.error:.2g}")
