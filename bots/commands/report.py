"""The command `report`: a stored tournament as a page."""

from __future__ import annotations

from typing import Annotated

import typer

from ..arena.report.page import collect, render
from ..arena.results.queries import find_tournament, stored_notes
from ..arena.store.store import Store
from .common import OutputFile, stderr, stdout
from .stored import DEFAULT_DB, AnchorOption, TournamentOption, read_anchors, say_which


def report(
    db: Annotated[str, typer.Argument(metavar="DB", help="a file of stored games")] = DEFAULT_DB,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="write the page there; - for stdout")
    ] = "report.html",
    tournament: TournamentOption = None,
    anchor: AnchorOption = None,
) -> None:
    """Write a stored tournament as a page of HTML.

    The page is one file that needs no other: ratings, tables, charts, failures, and games to step through. It can be
    written while the tournament runs.

    Examples:
        playout report -o report.html
        playout report mnk.db -o - > mnk.html
    """
    with Store(db, read_only=True) as store:
        stored = find_tournament(store, tournament)
        say_which(store, stored, tournament)
        target = OutputFile(output)
        data = collect(
            stored.tournament,
            store.games(stored.key),
            lambda end: store.repeats(stored.key, end),
            stored_notes(stored.tournament, store, stored.key),
            read_anchors(anchor, stored.tournament),
        )
    target.write_text(render(data))
    (stderr() if target.is_stdout else stdout()).print(f"{output}: {data.report.games:,} games", markup=False)
