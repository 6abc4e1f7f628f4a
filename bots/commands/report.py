"""`playout report`: a stored tournament as an HTML page."""

from __future__ import annotations

from typing import Annotated

from ..arena.report.page import collect, render
from ..arena.results.queries import find_tournament, stored_notes
from ..arena.store.store import Store
from .common.consoles import stderr, stdout
from .common.files import OutputFile
from .common.options import DEFAULT_DB, AnchorOption, DbArgument, TournamentOption, option
from .common.stored import note_choice, read_anchors


def command(
    db: DbArgument = DEFAULT_DB,
    output: Annotated[
        str, option("--output", "-o", value="FILE", help="File for the page; - writes to stdout.")
    ] = "report.html",
    tournament: TournamentOption = None,
    anchor: AnchorOption = None,
) -> None:
    """Write a stored tournament as an HTML page.

    The page is one file without external resources: ratings, tables, charts, failures, and games to step through. It
    can be written while the tournament is running.

    Examples:
        playout report -o report.html
        playout report mnk.db -o - > mnk.html
    """
    with Store(db, read_only=True) as store:
        stored = find_tournament(store, tournament)
        note_choice(store, stored, tournament)
        target = OutputFile(output)
        data = collect(
            stored.tournament,
            store.games(stored.key),
            lambda end: store.repeats(stored.key, end),
            stored_notes(stored.tournament, store, stored.key),
            read_anchors(anchor, stored.tournament.labels),
        )
    target.write_text(render(data))
    (stderr() if target.is_stdout else stdout()).print(f"{output}: {data.report.games:,} games", markup=False)
