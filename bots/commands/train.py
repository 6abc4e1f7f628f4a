"""`playout train`: a value net for the rounds of a game with sealed bids."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcts import ParameterError, ValueNet, load_game
from mcts.nets.net_file import SUFFIX
from mcts.rounds.training import LEAST_GAMES, Generation, Recipe, train_rounds
from mcts.rounds.training_steps import SUFFIX as STEPS_SUFFIX

from ..system.exit_status import INTERRUPTED
from .common.completion import complete_game
from .common.consoles import print_json, stderr, stdout
from .common.files import output_file
from .common.options import GAME_HELP, JsonOption, SeedOption, option, repeatable
from .common.progress import progress_bar

_RECIPE = Recipe()


def command(
    games: Annotated[
        list[str], typer.Argument(metavar="GAME...", help=repeatable(GAME_HELP), autocompletion=complete_game)
    ],
    out: Annotated[str, option("--out", "-o", value="FILE", help=f"File of the net; its suffix is {SUFFIX}.")],
    generations: Annotated[
        int, option("--generations", value="N", min=1, max=1000, help="Nets that are trained one after the other.")
    ] = _RECIPE.generations,
    positions: Annotated[
        int,
        option("--positions", value="N", min=10, help="Positions before each round, solved in each generation."),
    ] = _RECIPE.positions,
    leaves: Annotated[
        int, option("--leaves", value="N", min=1, help="Values of positions in the solution of one position.")
    ] = _RECIPE.leaves,
    match_games: Annotated[
        int,
        option(
            "--match",
            value="N",
            min=LEAST_GAMES,
            help="Games of a generation against the net before, in pairs; an odd number is rounded up.",
        ),
    ] = _RECIPE.games,
    seed: SeedOption = 0,
    workers: Annotated[int, option("--workers", value="N", min=1, max=1024, help="Threads.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Train a value net for the rounds of a game with sealed bids.

    The net learns the values of short solutions of single rounds: first of the last round, then of those before it.
    Each further generation learns from the bids that the best one so far finds, and replaces it if it earns more than
    half of the points in games against it, by at least one standard error. Several variants of a game get one net for
    all of them.

    The net depends on the options and the seed, but not on the number of workers. After each generation, the file has
    the best net so far. The bot double_oracle plays with it: "double_oracle(net=FILE)". After an interruption, the same
    command goes on: until the end, FILE.steps has the results of the finished steps. The guide is the page
    "Value nets for sealed bids" of the documentation.

    Examples:
        playout train bidding_3d_ttt --positions 100 --generations 1 --out my.net
        playout train bidding_3d_ttt:chips=12 --positions 100 --generations 2 --match 4 --out small.net
    """
    loaded = [load_game(game) for game in games]
    if Path(out).suffix != SUFFIX:
        raise ParameterError(f"--out {out}: not the name of a net; valid: a path that ends with {SUFFIX}")
    recipe = Recipe(generations=generations, positions=positions, leaves=leaves, games=match_games)
    target = output_file(out)
    assert target is not None
    found: list[dict[str, Any]] = []
    console = stdout()
    began = time.monotonic()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("generation", "positions", "loss", "points", "kept"):
        table.add_column(heading, justify="right")

    with _Shown(generations) as shown:

        def write(generation: Generation, net: ValueNet) -> None:
            target.write_bytes(net.to_bytes())
            points, error = (None if share is None else 100 * share for share in (generation.points, generation.error))
            found.append(
                {
                    "generation": generation.number,
                    "positions": generation.examples,
                    "loss": generation.loss,
                    "points": points,
                    "error": error,
                    "kept": generation.kept,
                }
            )
            shown.generation = generation.number + 1
            score = "" if points is None else f"{points:.1f} ± {error:.1f}"
            against = score and f", {score} of 100 points against the net before"
            text = f"generation {generation.number}: loss {generation.loss:.4f}{against}"
            shown.console.print(Text(text), soft_wrap=True)
            table.add_row(
                str(generation.number),
                f"{generation.examples:,}",
                f"{generation.loss:.4f}",
                score,
                "yes" if generation.kept else "no",
            )

        try:
            net = train_rounds(
                loaded,
                recipe,
                seed=seed,
                workers=workers,
                on_progress=shown.count,
                on_generation=write,
                steps=out + STEPS_SUFFIX,
            )
        except KeyboardInterrupt:
            done = f"{out} has the best net of {len(found)} generations" if found else f"{out} has no net"
            shown.console.print(
                Text(f"Interrupted: {done}. The same command goes on after the last finished step."), soft_wrap=True
            )
            raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(
            {
                "games": list(net.specs),
                "seed": seed,
                "generations": found,
                "file": out,
                "digest": net.digest,
                "seconds": time.monotonic() - began,
            }
        )
        return
    console.print(Text(f"A net for {', '.join(net.specs)}", "bold"), soft_wrap=True)
    console.print(table)
    console.print(Text(f"{out}, {net.digest}, seed {seed}", "dim"), soft_wrap=True)


class _Shown:
    """Progress on stderr: a bar on a terminal, else a line for each stage."""

    def __init__(self, generations: int) -> None:
        self.console: Console = stderr()
        self.generation = 1
        self._generations = generations
        self._stage = ""
        self._bar = progress_bar(self.console)
        self._task = self._bar.add_task("")

    def __enter__(self) -> _Shown:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def count(self, stage: str, done: int, total: int) -> None:
        """Show how much of a stage is done."""
        text = f"generation {self.generation} of {self._generations}: {stage}"
        if text != self._stage:
            self._stage = text
            self._bar.reset(self._task, description=text, total=total)
            if not self.console.is_terminal:
                self.console.print(Text(text), soft_wrap=True)
        self._bar.update(self._task, completed=done, total=total)
