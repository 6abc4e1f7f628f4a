"""`playout train`: a net for a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from cext.arguments import shown
from cext.nets.net import check_sizes
from mcts import ParameterError, ValueNet, load_game
from mcts.learning.game_learner import LEAST_GAMES, VISITS, GameLearner, Recipe
from mcts.learning.generations import Generation, train_generations
from mcts.learning.steps import LOG
from mcts.learning.steps import SUFFIX as STEPS_SUFFIX
from mcts.nets.net_file import SUFFIX
from mcts.primitives.failures import failures_named

from ..arena.play.executor import ArenaExecutor
from ..arena.play.executors import DEFAULT_EXECUTOR, open_executor
from ..arena.play.heartbeat import my_heartbeat
from ..arena.store.lock import WriterLock
from ..game.failures import NO_SEAT
from ..studies.training import card as cards
from ..studies.training import page as pages
from ..studies.training.verdict import sequential_verdict
from ..system.exit_status import INTERRUPTED
from . import arena_options
from .common.consoles import json_text, print_json, print_line, stderr, stdout
from .common.files import output_file
from .common.options import GameArgument, JsonOption, SeedOption, option, output_option
from .common.progress import progress_bar
from .common.tables import plain_table

_GENERATIONS, _MOST_GENERATIONS = 10, 100_000
_WORKER_SECONDS = 1e9
"""Time after which a worker counts as hanging: never."""


def command(
    game: GameArgument,
    output: Annotated[str, output_option(f"File of the net; its suffix is {SUFFIX}.")],
    minutes: Annotated[
        float | None,
        option(
            "End before the generation that would exceed this time, with earlier runs of the command.",
            "M",
            min=0.01,
            default="no limit",
        ),
    ] = None,
    generations: Annotated[
        int | None,
        option(
            "Nets that are trained one after the other.",
            "N",
            min=1,
            max=_MOST_GENERATIONS,
            default=f"{_GENERATIONS}; no limit with --minutes",
        ),
    ] = None,
    positions: Annotated[
        int | None, option("New positions in each generation.", "N", min=10, default=str(Recipe.positions))
    ] = None,
    simulations: Annotated[
        int | None,
        option(
            "Simulations of a decision that is learnt.",
            "N",
            min=2,
            default=f"{Recipe.simulations}, {VISITS.simulations} with --gumbel 0",
        ),
    ] = None,
    gumbel: Annotated[
        int | None,
        option(
            "Actions that sequential halving considers in a decision; 0: policies are visits, with noise.",
            "N",
            min=0,
            max=65536,
            default=str(Recipe.gumbel_actions),
        ),
    ] = None,
    hidden: Annotated[
        str | None,
        option("Units of the hidden layers, separated by commas.", "UNITS", default=",".join(map(str, Recipe.hidden))),
    ] = None,
    match_games: Annotated[
        int | None,
        option(
            "Games of a generation against the best net before, in pairs; an odd number is rounded up.",
            "N",
            name="--match",
            min=LEAST_GAMES,
            default=str(Recipe.games),
        ),
    ] = None,
    score: arena_options.Score = None,
    seed: SeedOption = 0,
    workers: arena_options.Workers = 1,
    executor: arena_options.Executor = DEFAULT_EXECUTOR,
    as_json: JsonOption = False,
) -> None:
    """Train a net for a game, from games of the search against itself.

    Each generation plays games with the last net, the first one with random playouts, and fits the net with values
    and a policy to the positions of the last generations. It replaces the best net if it wins games against it with
    equal simulations, or if these games are level.

    The net depends on the options and the seed, but not on the time, the number of workers or the executor. After each
    generation, FILE has the best net so far; beside it are a card of the net (.json) and a page with curves (.html).
    After an interruption, the same command continues: FILE.steps has the results of the finished steps. A training that
    --minutes ended continues with a greater number. The guide is the page "Train a net" of the documentation.

    Examples:
        playout train connect_four --minutes 30 -o c4.net
    """
    loaded = load_game(game)
    if Path(output).suffix != SUFFIX:
        raise ParameterError(f"--output {output}: not the name of a net; valid: a path that ends with {SUFFIX}")
    given = {
        "positions": positions,
        "simulations": simulations,
        "gumbel_actions": gumbel,
        "hidden": None if hidden is None else _sizes(hidden),
        "games": match_games,
        "score": score,
    }
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    learner = GameLearner(loaded, replace(VISITS if gumbel == 0 else Recipe(), **options))
    counted = learner.recipe.score or loaded.score
    if generations is None and minutes is None:
        generations = _GENERATIONS
    found: list[dict[str, Any]] = []
    last: list[ValueNet] = []
    console = stdout()
    with _Shown(generations, minutes) as display:

        def count(generation: Generation, net: ValueNet | None) -> None:
            found.append(cards.generation_to_dict(generation, counted))
            display.add(found[-1])
            if net is not None:
                save(net)

        def save(net: ValueNet) -> None:
            net.save(output)
            card = cards.make_card(net, asdict(learner.recipe), seed, found)
            cards.write_beside(output, cards.SUFFIX, json_text(card))
            cards.write_beside(output, pages.SUFFIX, pages.training_page(card))
            last[:] = [net]

        try:
            with ExitStack() as stack:
                pool = stack.enter_context(open_executor(executor, workers))
                output_file(output)
                stack.enter_context(_only_run(Path(output + STEPS_SUFFIX)))
                net = train_generations(
                    learner,
                    generations=generations or _MOST_GENERATIONS,
                    seed=seed,
                    workers=workers,
                    pool=_Unlimited(pool),
                    seconds=None if minutes is None else 60 * minutes,
                    verdict=partial(sequential_verdict, score=counted),
                    on_progress=display.count,
                    on_generation=count,
                    steps=output + STEPS_SUFFIX,
                )
                if not last:
                    save(net)
        except KeyboardInterrupt:
            done = f"{output} has the best net of {len(found)} generations" if found else f"{output} has no net"
            print_line(display.console, f"Interrupted: {done}. The same command continues after the last whole step.")
            raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_json(
            {
                "game": net.game.spec,
                "seed": seed,
                "generations": found,
                "file": output,
                "digest": net.digest,
                "seconds": found[-1]["seconds"],
            }
        )
        return
    print_line(console, f"A net for {net.game.spec}", "bold")
    console.print(generations_table(found))
    print_line(console, f"{output}, {net.digest}, seed {seed}", "dim")
    steps = Path(output + STEPS_SUFFIX)
    if steps.is_dir():
        megabytes = sum(path.stat().st_size for path in steps.iterdir()) / 1e6
        text = f"{steps} ({megabytes:.1f} MB) is for the same command with more --minutes; else remove it"
        print_line(console, text, "dim")


def generations_table(generations: list[dict[str, Any]]) -> Table:
    """Return a table of generations, as `generation_to_dict` returns them."""
    table = plain_table(*pages.HEADINGS)
    for one in generations:
        table.add_row(*pages.cells_of(one))
    return table


@contextmanager
def _only_run(folder: Path) -> Iterator[None]:
    """Exclude other runs of the command from a folder of steps. Raises StoreError: one of them is running."""
    if folder.exists() and not folder.is_dir():  # which the training refuses
        yield
        return
    with failures_named(f"cannot write {shown(str(folder))}", ParameterError):
        folder.mkdir(exist_ok=True)
    lock = WriterLock(folder / LOG, reader_seconds=0.0)
    try:
        yield
    finally:
        lock.release()


def _sizes(text: str) -> tuple[int, ...]:
    """Return the units of the hidden layers that `--hidden` gives."""
    try:
        sizes = tuple(int(part) for part in text.split(","))
        check_sizes(1, (*sizes, 1), 0)
    except ValueError as error:
        raise ParameterError(f"--hidden {text}: {error}; valid: one to four layers, such as 128,64") from None
    return sizes


class _Unlimited:
    """A pool whose tasks may take any time."""

    def __init__(self, pool: ArenaExecutor) -> None:
        self._pool = pool

    def submit(self, function: Callable[[Any], Any], given: Any) -> Any:
        return self._pool.submit(_without_limit, function, given)


def _without_limit(function: Callable[[Any], Any], given: Any) -> Any:
    """Run a task in a worker, which does not count as hanging."""
    my_heartbeat().turn(NO_SEAT, _WORKER_SECONDS)
    return function(given)


class _Shown:
    """Progress on stderr: a table of generations above a bar on a terminal, else a line for each stage."""

    def __init__(self, generations: int | None, minutes: float | None) -> None:
        self.console: Console = stderr()
        self._found: list[dict[str, Any]] = []
        self._generations, self._minutes = generations, minutes
        self._stage, self._began = "", monotonic()
        self._bar = progress_bar(self.console)
        self._task = self._bar.add_task("")
        self._live = Live(console=self.console, transient=True, refresh_per_second=4)

    def __enter__(self) -> _Shown:
        if self.console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def add(self, generation: dict[str, Any]) -> None:
        """Show a finished generation."""
        self._found.append(generation)
        if self.console.is_terminal:
            return
        points, elo = pages.cells_of(generation)[3:5]
        against = points and f", {points} of 100 points against the net before, Elo {elo}"
        text = f"generation {generation['generation']}: loss {generation['loss']:.4f}{against}"
        print_line(self.console, text)

    def count(self, stage: str, done: int, total: int) -> None:
        """Show how much of a stage is done."""
        number = f"{len(self._found) + 1}" + ("" if self._generations is None else f" of {self._generations}")
        text = f"generation {number}: {stage}"
        if text != self._stage:
            self._stage, self._began = text, monotonic()
            self._bar.reset(self._task, description=text, total=total)
            if not self.console.is_terminal:
                print_line(self.console, text)
        self._bar.update(self._task, completed=done, total=total)
        left = ""
        if self._minutes is not None and self._found:
            left = f", at most {max(0.0, self._minutes - self._found[-1]['seconds'] / 60):.1f} minutes left"
        rate = done / max(monotonic() - self._began, 1e-3)
        self._live.update(Group(generations_table(self._found), self._bar, Text(f"{rate:.1f} a second{left}", "dim")))
