"""`playout calibrate`: the levels of a game, by matches in the arena."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from cext.arguments import counted
from cext.game_info import RETURNS
from mcts import load_game

from ..arena.play.executors import DEFAULT_EXECUTOR
from ..arena.report.number_format import plain_minus
from ..players.common.levels import (
    GOOD_STEP,
    NUM_LEVELS,
    TOP_SIMULATIONS,
    Setting,
    even_levels,
    table_for,
    tables_of_file,
    write_tables,
)
from ..studies.calibration import Calibration, CalibrationResult, Match, calibrate, even_step
from . import arena_options as options
from .common.consoles import print_json, print_line
from .common.files import console_beside, output_file
from .common.interrupted import continuable_store
from .common.options import GameArgument, JsonOption, SeedOption, flag, option, output_option
from .common.progress import GamesShown
from .common.tables import plain_table

DEFAULT_DB = "calibrate.db"


def command(
    context: typer.Context,
    game: GameArgument,
    games: Annotated[
        int, option("Games of a match, rounded up to whole blocks; fewer with large budgets.", "N", min=2)
    ] = 200,
    simulations: Annotated[
        int, option("Simulations of a decision at the end of the curve.", "N", min=1000)
    ] = TOP_SIMULATIONS,
    score: options.Score = None,
    seed: SeedOption = 0,
    workers: options.Workers = options.DEFAULT_WORKERS,
    executor: options.Executor = DEFAULT_EXECUTOR,
    db: options.Db = DEFAULT_DB,
    no_db: options.NoDb = False,
    output: Annotated[
        str | None, output_option("Write the table to a file; a table of another game in it is kept.")
    ] = None,
    keep: Annotated[
        bool,
        flag("--keep", "Measure the levels in the file of --output, or else the usual ones, without moving them."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure the levels of a game by matches.

    Matches along a curve of settings, from nearly random play to the longest search, give a rating to each point of
    the curve. Ten points at even distances become the levels 1 to 10. A step is a ninth of the curve, and at most 125
    Elo (67 %). The levels play against their neighbours, and move until the steps are even. At last they are measured
    with other random numbers, also against random play.

    Results depend on the game, the options and the seed, but not on the number of workers. All games are stored in a
    database. To continue an interrupted calibration, run the same command again.

    With --keep, the levels stay and only their steps are measured, with the random numbers of another --seed. A game
    that has no room for nine steps of 60 % has fewer even levels, whose number is shown.

    The bot level(N,table=FILE) plays with the levels of a file.

    Examples:
        playout calibrate points_ttt --games 20 --simulations 1000 -o levels.json
        playout calibrate points_ttt --games 40 --seed 1 --keep -o levels.json
        playout calibrate hexapawn --games 40 --keep
        playout calibrate mnk:m=4,n=4,k=3 --games 10 --simulations 1000 --db levels.db
    """
    calibration = Calibration(load_game(game).spec, games, simulations, seed, score)
    target = output_file(output, as_json=as_json)
    tables = {}
    if target is not None and not target.is_stdout and Path(target.path).stat().st_size:
        tables = tables_of_file(target.path)
    kept = (tables.get(calibration.game) or table_for(load_game(game))).levels if keep else ()
    console: Console = context.obj
    shown = _Shown(console)
    with continuable_store("" if no_db else db, shown) as store:
        result = calibrate(
            calibration,
            store,
            workers=workers,
            executor=executor,
            on_match=shown.show_match,
            on_games=shown.add_games,
            levels=kept,
        )
    if as_json:
        print_json({"game": calibration.game, **result.table.to_dict(), "curve": result.curve})
    else:
        _print(calibration, result, console_beside(target))
    if target is not None:
        target.write_text(write_tables(tables | {calibration.game: result.table}))


class _Shown(GamesShown):
    """A count of games on a terminal, and a line for each match."""

    def show_match(self, match: Match) -> None:
        """Print the result of a match."""
        score = f"{100 * match.score:.1f} ± {100 * match.error:.1f} %"
        line = f"{_words(match.stronger)} scores {score} against {_words(match.weaker)}"
        print_line(self.console, line)


def _words(setting: Setting | None) -> str:
    if setting is None:
        return "random play"
    words = f"{setting.search} {setting.simulations:,}"
    if setting.error_rate:
        words += f" with {100 * setting.error_rate:.0f} % errors"
    return f"{words}, {100 * setting.sight:.0f} % sight of {setting.horizon:g} plies" if setting.sight else words


def _print(calibration: Calibration, result: CalibrationResult, console: Console) -> None:
    headings = ("level", "Elo", "against the level below", "search", "simulations", "errors", "temperature")
    table = plain_table(*headings, "sight", "horizon", left=["search"])
    found = result.table
    scores = ["", *(f"{100 * score:.1f} ± {100 * error:.1f} %" for score, error in found.scores)]
    for level, (setting, elo, score) in enumerate(zip(found.levels, found.elo, scores, strict=True), start=1):
        errors = f"{100 * setting.error_rate:.0f} %"
        temperature = f"{setting.temperature:g}" if setting.error_rate else ""
        seen = (f"{100 * setting.sight:.0f} %", f"{setting.horizon:g}") if setting.sight else ("", "")
        row = (f"{elo:+.0f}", score, str(setting.search), f"{setting.simulations:,}", errors, temperature, *seen)
        table.add_row(str(level), *map(plain_minus, row))
    counts = ": mean returns count, scores are those of the normalized Elo" if result.table.score == RETURNS else ""
    print_line(console, f"Levels of {calibration.game}{counts}", "bold")
    console.print(table)
    played = counted(sum(match.games for match in result.matches), "game")
    matches = counted(len(result.matches), "match", "matches")
    console.print(Text(f"{matches}, {played}, seed {calibration.seed}", "dim"))
    low, high = (f"{100 * score:.1f} ± {100 * error:.1f} %" for score, error in found.ends)
    print_line(console, f"Against random play: level 1 {low}, level {NUM_LEVELS} {high}")
    if (count := even_levels(found)) < NUM_LEVELS:
        print_line(console, f"The game has {counted(count, 'even level')}, with steps of {100 * GOOD_STEP:.0f} %")
    least = min(GOOD_STEP, even_step(found))
    flat = [str(level + 2) for level, (score, _) in enumerate(found.scores) if score < least]
    if flat:
        print_line(console, f"Steps of less than {100 * least:.1f} %, to level: {', '.join(flat)}")
