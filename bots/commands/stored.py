"""The commands that look at stored games: `ratings`, `replay`, and the listing of `games DB`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..arena.ratings.anchors import parse_anchors
from ..arena.report.cross_table import print_matrices
from ..arena.results.queries import ID_DIGITS, game_id, the_game, the_tournament, tournament_report
from ..arena.store.export import csv_lines, json_lines
from ..arena.store.replay import print_replay
from ..arena.store.store import Store, StoredTournament
from ..arena.tournament.schedule import Tournament
from ..registry import load_bot
from .common import OutputFile, stdout
from .results import show_report

SHOWN_GAMES = 1000
DEFAULT_DB = "arena.db"

TournamentOption = Annotated[
    str | None,
    typer.Option("--tournament", metavar="ID", help="where a file has several: the beginning of its id"),
]
AnchorOption = Annotated[
    list[str] | None,
    typer.Option("--anchor", metavar="BOT=ELO", help="rate the others relative to this; may be given repeatedly"),
]


def read_anchors(texts: Sequence[str] | None, tournament: Tournament) -> dict[int, float]:
    """Elo by index of the bot, of the texts of `--anchor`."""
    return parse_anchors(texts or (), tournament.labels, lambda spec: load_bot(spec).spec)


def ratings(
    db: Annotated[str, typer.Argument(metavar="DB", help="a file of stored games")] = DEFAULT_DB,
    tournament: TournamentOption = None,
    anchor: AnchorOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the results as JSON")] = False,
) -> None:
    """Show what a stored tournament came to, even while it is played."""
    with Store(db, read_only=True) as store:
        stored = the_tournament(store, tournament)
        report = tournament_report(store, stored, read_anchors(anchor, stored.tournament))
    show_report(report, as_json)
    if not as_json:
        print_matrices(report, stdout())


def replay(
    db: Annotated[str, typer.Argument(metavar="DB", help="a file of stored games")],
    game_id: Annotated[str, typer.Argument(metavar="GAME_ID", help="as `playout games DB` lists them")],
) -> None:
    """Show a stored game move by move."""
    with Store(db, read_only=True) as store:
        stored, game = the_game(store, game_id)
        print_replay(stored.tournament, game, stdout())


def list_stored_games(path: str, tournament: str | None, jsonl: str | None, csv: str | None, console: Console) -> None:
    """Print the games of a stored tournament, or write all of them to files."""
    with Store(path, read_only=True) as store:
        if tournament is None and jsonl is None and csv is None and len(store.tournaments()) != 1:
            _print_tournaments(store, console)
            return
        stored = the_tournament(store, tournament)
        if jsonl is not None:
            OutputFile(jsonl).write_chunks(json_lines(stored.tournament, store.games(stored.key)))
        if csv is not None:
            OutputFile(csv).write_chunks(csv_lines(stored.tournament, store.games(stored.key)))
        if jsonl is None and csv is None:
            _print_games(store, stored, console)


def _print_tournaments(store: Store, console: Console) -> None:
    table = Table("id", "game", "bots", "games", "begun (UTC)", box=box.SIMPLE_HEAD, pad_edge=False)
    for found in store.tournaments():
        of = found.tournament
        table.add_row(
            of.digest[:ID_DIGITS],
            of.game,
            Text(", ".join(of.labels)),
            f"{found.games:,} of {of.num_games:,}",
            found.begun,
        )
    console.print(table)


def _print_games(store: Store, stored: StoredTournament, console: Console) -> None:
    of = stored.tournament
    table = Table("id", "seats", "returns", "plies", "ending", box=box.SIMPLE_HEAD, pad_edge=False)
    for shown, (_, record) in enumerate((g.scheduled, g.record) for g in store.games(stored.key)):
        if shown >= SHOWN_GAMES:
            break
        table.add_row(
            game_id(of, record.number),
            Text(" ".join(of.labels[bot] for bot in record.seats)),
            "-" if record.returns is None else " ".join(f"{value:g}" for value in record.returns),
            str(record.plies),
            ", ".join(failure.kind for failure in record.failures) or record.ending,
        )
    console.print(table)
    if stored.games > SHOWN_GAMES:
        console.print(f"... and {stored.games - SHOWN_GAMES:,} more; --jsonl FILE writes all of them")
