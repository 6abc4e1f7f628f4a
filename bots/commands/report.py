"""`playout report`: a stored tournament as an HTML page."""

from __future__ import annotations

from typing import Annotated

from cext.arguments import counted

from ..arena.ratings.anchors import parse_anchors
from ..arena.ratings.model_registry import chosen_rating_model
from ..arena.report.page import collect, render
from ..arena.results.queries import report_of_tally
from .common.files import OutputFile, console_beside
from .common.options import DEFAULT_DB, AnchorOption, DbArgument, ModelOption, TournamentOption, output_option
from .common.stored import stored_tournament


def command(
    db: DbArgument = DEFAULT_DB,
    output: Annotated[str, output_option("File for the page; - writes to stdout.")] = "report.html",
    tournament: TournamentOption = None,
    anchor: AnchorOption = None,
    model: ModelOption = None,
) -> None:
    """Write a stored tournament as an HTML page.

    The page is one file without external resources: ratings, tables, charts, failures, and games to step through. It
    can be written while the tournament is running.

    Examples:
        playout report -o report.html
        playout report mnk.db -o - > mnk.html
    """
    with stored_tournament(db, tournament) as (store, stored):
        target = OutputFile(output)
        of = stored.tournament
        anchors, rating_model = parse_anchors(anchor or (), of.labels), chosen_rating_model(model)
        survey = collect(of, store.games(stored.key))
        found = report_of_tally(store, stored.key, of, survey.tally, anchors, rating_model, with_failures=False)
    target.write_text(render(found, survey))
    console_beside(target).print(f"{output}: {counted(found.games, 'game')}", markup=False)
