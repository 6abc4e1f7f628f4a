"""`playout tune`: better parameters of a bot, by matches in the arena."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from cext.arguments import counted
from cext.game_info import RETURNS
from mcts import ParameterError, load_game

from ..arena.play.executors import DEFAULT_EXECUTOR
from ..arena.report.number_format import plain_minus
from ..arena.tournament.limits import BotLimit
from ..registry import load_bot
from ..studies.tuning.methods import method_names, new_method
from ..studies.tuning.report import setting_text, study_dict
from ..studies.tuning.space import parse_space
from ..studies.tuning.study import Iteration, Study, StudyResult, run_study
from . import arena_options as options
from .common.consoles import print_json, print_line
from .common.files import console_beside, output_file
from .common.interrupted import continuable_store
from .common.options import (
    GameArgument,
    JsonOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    option,
    output_option,
)
from .common.plots import PLOT_FORMATS, PLOT_HELP, Draw, needs_matplotlib, write_plot
from .common.progress import GamesShown
from .common.tables import plain_table

DEFAULT_DB = "tune.db"
DEFAULT_METHOD = "spsa"
LINE_SECONDS = 30.0
"""Time between two lines of progress if stderr is not a terminal."""


def command(
    context: typer.Context,
    game: GameArgument,
    over: Annotated[
        str,
        option(
            "Parameters to tune, separated by commas: name=LOW..HIGH, name=LOW..HIGH:log, name=A|B|C, or a name "
            "alone for its usual values.",
            "PARAMETERS",
        ),
    ],
    bot: Annotated[str, option("Bot with the parameters to begin with.", "BOT")] = "mcts",
    games: Annotated[int, option("Games of the search, in all iterations.", "N", min=1)] = 2000,
    match_games: Annotated[
        int, option("Games of one iteration, rounded up to whole blocks.", "N", name="--match", min=1)
    ] = 20,
    confirm: Annotated[int, option("Games of the best setting against the start; 0 for none.", "N", min=0)] = 400,
    budget: Annotated[float | None, option("Begin no further iteration after S seconds of this run.", "S")] = None,
    method: Annotated[str, option(f"Method: {', '.join(method_names())}.", "NAME")] = DEFAULT_METHOD,
    opening_plies: options.OpeningPlies = 0,
    score: options.Score = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    seed: SeedOption = 0,
    workers: options.Workers = options.DEFAULT_WORKERS,
    executor: options.Executor = DEFAULT_EXECUTOR,
    db: options.Db = DEFAULT_DB,
    no_db: options.NoDb = False,
    output: Annotated[str | None, output_option(f"Plot the search {PLOT_HELP}")] = None,
    as_json: JsonOption = False,
) -> None:
    """Tune parameters of a bot by matches.

    Each iteration plays two settings against each other and moves towards the winner. In the end, the best setting
    plays new games against the bot that was given: their result shows what the tuning is worth. A parameter that the
    bot does not read in this game is refused.

    Results depend on the game, the bot, the options and the seed, but not on the number of workers. All games are
    stored in a database. To continue an interrupted search, run the same command again.

    The guide is the page "Tune a bot" of the documentation.

    Examples:
        playout tune mnk:m=5,n=5,k=4 --over grave_exploration=0..0.5,playout --simulations 100 --opening-plies 2
        playout tune points_ttt --over "exploration=0.05..2:log,final=visits|value" --bot mcts:simulations=100
    """
    loaded = load_game(game)
    if budget is not None and not budget > 0:
        raise ParameterError(f"--budget {budget:g}; valid: a number of seconds above 0")
    target = output_file(output, PLOT_FORMATS, as_json=as_json)
    if target is not None:
        _import_plot()
    started = load_bot(bot)
    space = parse_space(over, started, loaded)
    space.check(loaded)
    limit = BotLimit(simulations=simulations, seconds=seconds)
    study = Study(loaded.spec, space, method, 1, match_games, confirm, opening_plies, limit, seed, score=score)
    study = replace(study, iterations=max(1, games // study.games_of_matches[0]))
    new_method(method, space, study.iterations, seed)  # so that a bad name is an error before the first game
    console: Console = context.obj
    shown = _Shown(study, console)
    with continuable_store("" if no_db else db, shown) as store:
        result = run_study(
            study,
            store,
            workers=workers,
            executor=executor,
            seconds=budget,
            on_iteration=shown.count,
            on_games=shown.add_games,
        )
    if as_json:
        print_json(study_dict(study, result))
    else:
        _print(study, result, console_beside(target))
    if target is not None and result.iterations:
        write_plot(target, _import_plot(), result, space, f"{started.spec} in {loaded.spec}")


class _Shown(GamesShown):
    """A bar on a terminal, else a line from time to time."""

    def __init__(self, study: Study, console: Console) -> None:
        of_match, final = study.games_of_matches
        super().__init__(console, study.iterations * of_match + final)
        self._study = study
        self._last_line = time.monotonic()

    def count(self, iteration: Iteration) -> None:
        """Show the best setting after an iteration."""
        text = f"{iteration.number + 1} of {self._study.iterations}: {setting_text(iteration.best)}"
        self.bar.update(self.task, description=text)
        now = time.monotonic()
        if not self.console.is_terminal and now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            print_line(self.console, f"iteration {text}")


def _print(study: Study, result: StudyResult, console: Console) -> None:
    headings = ("parameter", "start", "best", "searched")
    table = plain_table(*headings, left=headings)
    start = study.space.given
    for part in study.space.parts:
        one = {part.name: start[part.name]}, {part.name: result.best[part.name]}
        words = [setting_text(setting).partition("=")[2] for setting in one]
        table.add_row(part.name, *words, part.text.partition("=")[2])
    console.print(Text(f"{study.space.bot.spec} in {study.game}", "bold"))
    console.print(table)
    missing = "" if result.complete else f" of {study.iterations}: the time was over"
    played = f"{counted(len(result.iterations), 'iteration')}{missing}, {counted(result.games, 'game')}"
    console.print(Text(f"{played}, seed {study.seed}", "dim"))
    if result.final is None:
        same = result.best_spec == result.start_spec
        console.print(Text("The best setting is the start." if same else "No games confirm this: --confirm is 0."))
    else:
        final = result.final
        error = "" if final.points_error is None else f" ± {final.points_error:.1f}"
        text = f"{plain_minus(f'{final.points:+.1f}')}{error} points"
        if final.elo is not None:
            ends = [_bound(end) for end in (final.elo.lower, final.elo.upper)]
            unit = "normalized Elo" if final.score == RETURNS else "Elo"
            text = f"{plain_minus(f'{final.elo.elo:+.0f}')} {unit}, 95 % interval {ends[0]} to {ends[1]}; {text}"
        print_line(console, f"Against the start, in {counted(final.games, 'new game')}: {text}")
    print_line(console, result.best_spec)


def _bound(elo: float | None) -> str:
    return "unbounded" if elo is None else plain_minus(f"{elo:+.0f}")


def _import_plot() -> Draw:
    """Return the function that plots. Raises ParameterError without matplotlib."""
    with needs_matplotlib():
        from ..studies.tuning.plots import plot_study
    return plot_study
