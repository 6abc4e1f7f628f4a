"""`playout regret`: how far bots are from exact play."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from rich.console import Console
from rich.text import Text

from cext.arguments import counted
from mcts import Game, load_game
from mcts.exact.policies import BOT_SAMPLES
from mcts.exact.solve import MEMORY_MB

from ..registry import load_bot
from ..studies.analysis.regret import HiddenRegret, Regret, Spread, measure, measure_hidden, sample_positions
from ..system.output import bot_output_logged
from .common.consoles import print_json, stderr
from .common.files import console_beside, output_files
from .common.options import (
    SIMULATIONS_HELP,
    BotsArgument,
    CacheOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    SeedOption,
    option,
    outputs_option,
    repeatable,
)
from .common.plots import PLOT_FORMATS, Draw, needs_matplotlib, write_plot
from .common.progress import progress_bar
from .common.solving import solve_game
from .common.tables import plain_table

DEFAULT_BUDGETS = [100, 1000, 10_000]
CSV = ".csv"
FORMATS = (PLOT_FORMATS[0], CSV, *PLOT_FORMATS[1:])
"""Suffixes of files; the first one is that of standard output."""

Curves = dict[str, Sequence[Regret | HiddenRegret]]
"""Spec of a bot -> its results by budgets."""


def command(
    game: GameArgument,
    bots: BotsArgument,
    simulations: Annotated[
        list[int] | None,
        option(
            repeatable(SIMULATIONS_HELP),
            "N",
            min=1,
            default=f"{', '.join(map(str, DEFAULT_BUDGETS))}, unless the bot has its own limit",
        ),
    ] = None,
    states: Annotated[int, option("Number of states to measure, taken from random games.", "N", min=1)] = 200,
    below: Annotated[
        int, option("Measure exploitability in the states with at most N states below them; 0 for none.", "N", min=0)
    ] = 2000,
    samples: Annotated[
        int,
        option(
            "Searches in each information state, or decisions of a bot that does not tell its strategy.",
            "N",
            min=1,
            max=1_000_000,
        ),
    ] = BOT_SAMPLES,
    seed: SeedOption = 0,
    outputs: Annotated[
        list[str] | None,
        outputs_option(
            "Write the results to FILE.csv, or plot loss and exploitability to FILE.svg, FILE.png or FILE.pdf; - "
            "writes SVG to stdout, -.csv CSV."
        ),
    ] = None,
    as_json: JsonOption = False,
    cache: CacheOption = None,
    memory_mb: MemoryOption = MEMORY_MB,
) -> None:
    """Measure how far bots are from exact play.

    The loss of a decision is the exact value of the state, minus the value of the bot's strategy if all other decisions
    are exact. Exploitability is how much best responses win against the bot in the rest of the game, added over both
    seats. Both are in points.

    With hidden information both are of the whole game. The strategy of a bot that searches at each decision is the mean
    over --samples searches. Best responses also win by its noise; the bias is the most that this adds.

    Examples:
        playout regret mnk mcts
        playout regret mnk mcts --simulations 50 --simulations 500 --states 20 --json
        playout regret kuhn_poker cfr oos ismcts -o curves.csv -o curves.svg
    """
    loaded = load_game(game)
    players = [load_bot(bot) for bot in bots]
    for player in players:
        player.check_game(loaded)
    targets = output_files(outputs, FORMATS, as_json=as_json)
    if any(target.format in PLOT_FORMATS for target in targets):
        _import_plot()
    chosen = [[*simulations] if simulations else _own_budgets(player.parameters) for player in players]
    solution, _ = solve_game(loaded, cache, memory_mb)
    positions = [] if loaded.has_hidden_information else sample_positions(loaded, states, seed, below)
    curves: Curves = {}
    with progress_bar(stderr()) as progress:
        task = progress.add_task(loaded.spec, total=sum(map(len, chosen)) * max(1, len(positions)))
        advance = partial(progress.advance, task)
        for player, mine in zip(players, chosen, strict=True):
            with bot_output_logged(lambda: player.spec):  # noqa: B023 (called before the next bot)
                curves[player.spec] = list(
                    measure(solution, player.spec, mine, positions, seed, samples, advance)
                    if positions
                    else measure_hidden(solution, player.spec, mine, seed, samples, advance)
                )
    console = console_beside(*targets)
    if as_json:
        print_json(_json_of(loaded, samples, curves))
    for spec, found in [] if as_json else curves.items():
        console.print(Text(f"{spec} in {loaded.spec}", "bold"))
        hidden = [point for point in found if isinstance(point, HiddenRegret)]
        if hidden:
            _print_hidden(loaded, hidden, samples, console)
        else:
            _print_regret(loaded, [point for point in found if isinstance(point, Regret)], below, console)
    for target in targets:
        if target.format == CSV:
            target.write_text(_csv_of(curves))
        else:
            title = loaded.spec if len(curves) > 1 else f"{players[0].spec} in {loaded.spec}"
            write_plot(target, _import_plot(), curves, title)


def _import_plot() -> Draw:
    """Return the function that plots. Raises ParameterError without matplotlib."""
    with needs_matplotlib():
        from ..studies.analysis.plots import plot_regret
    return plot_regret


def _own_budgets(parameters: dict[str, Any]) -> list[int | None]:
    """Return the default budgets, or [None] for a bot that has a limit of its own or takes no simulations."""
    if "simulations" in parameters and parameters["simulations"] is None and parameters.get("seconds") is None:
        return [*DEFAULT_BUDGETS]
    return [None]


def _csv_of(curves: Curves) -> str:
    """Return a line for each bot and budget; a missing number, such as the limit of a bot of its own, is empty."""
    rows = [
        {"bot": spec, "simulations": point.simulations, **point.values()}
        for spec, found in curves.items()
        for point in found
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _json_of(game: Game, samples: int, curves: Curves) -> dict[str, Any]:
    def plain(point: Regret | HiddenRegret) -> dict[str, Any]:
        if isinstance(point, HiddenRegret):
            return {**asdict(point), "samples": samples}
        return {
            "simulations": point.simulations,
            "loss": asdict(point.loss),
            "optimal": point.optimal,
            "exploitability": None if point.exploitability is None else asdict(point.exploitability),
            "worst": {"state": point.worst_state.to_dict(), "player": game.players[point.worst_player]},
        }

    bots = [{"bot": spec, "budgets": [plain(point) for point in found]} for spec, found in curves.items()]
    return {"game": game.spec, "bots": bots}


def _print_hidden(game: Game, found: list[HiddenRegret], samples: int, console: Console) -> None:
    is_noisy = any(point.bias != 0 for point in found)
    table = plain_table("simulations", "mean loss", "exploitability", *["bias"] * is_noisy)
    for point in found:
        bias = "unknown" if point.bias is None else f"up to {point.bias:.2g}" if point.bias else "0"
        table.add_row(
            _budget_text(point.simulations),
            f"{point.loss:.3g}",
            f"{point.exploitability:.3g}",
            *[bias] * is_noisy,
        )
    console.print(table)
    text = f"Loss in points out of {game.max_utility - game.min_utility:g}, over all information states."
    if is_noisy:
        text += (
            f" Strategies are means of {counted(samples, 'sample')} in each; their noise raises exploitability by the "
            "bias, in expectation: more --samples lower it."
        )
    console.print(Text(text, "dim"))


def _print_regret(game: Game, found: list[Regret], below: int, console: Console) -> None:
    table = plain_table("simulations", "mean loss", "worst loss", "optimal", "exploitability", "worst")
    for point in found:
        table.add_row(
            _budget_text(point.simulations),
            _spread_text(point.loss),
            f"{point.loss.worst:.3g}",
            f"{point.optimal:.1%}",
            _spread_text(point.exploitability),
            "" if point.exploitability is None else f"{point.exploitability.worst:.3g}",
        )
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
