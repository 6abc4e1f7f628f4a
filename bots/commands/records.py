"""`playout records`: stored games as a list, or in files for other programs."""

from __future__ import annotations

from typing import Annotated

from rich.console import Console

from ..arena.store.export import csv_lines, record_lines
from ..arena.store.pgn import pgn_games
from ..arena.store.sgf import sgf_games
from ..arena.store.store import ID_DIGITS, Store, StoredTournament, game_id
from .common.consoles import print_line, stderr, stdout
from .common.files import output_files
from .common.options import DEFAULT_DB, DbArgument, TournamentOption, flag, outputs_option
from .common.stored import file_named, stored_tournament
from .common.tables import spec_table

SHOWN_GAMES = 1000


def command(
    db: DbArgument = DEFAULT_DB,
    tournament: TournamentOption = None,
    outputs: Annotated[
        list[str] | None,
        outputs_option(
            "Write the games to FILE.jsonl (records in JSON, one per line), FILE.pgn (chess, and for ordo and "
            "BayesElo), FILE.sgf (Go) or FILE.csv (one game per row); - writes JSON lines to stdout, -.pgn the others."
        ),
    ] = None,
    rules: Annotated[bool, flag("--rules", "Records in JSON carry the rulesheet of the game.")] = False,
) -> None:
    """List the games of a stored tournament, or export them.

    The list shows the first 1,000 games. Exported files contain all of them.

    Examples:
        playout records arena.db
        playout records arena.db -o games.pgn    # then: ordo -p games.pgn
        playout records arena.db -o - | head -n 1
    """
    with file_named(db), stored_tournament(db, tournament) as (store, stored):
        of = stored.tournament
        writers = {
            ".jsonl": lambda games: record_lines(of, games, rules=rules),
            ".pgn": lambda games: pgn_games(of, games, f"{of.digest[:ID_DIGITS]}-"),
            ".csv": lambda games: csv_lines(of, games),
        }
        if of.game.partition("(")[0] == "go":
            writers[".sgf"] = lambda games: sgf_games(of, games, f"{of.digest[:ID_DIGITS]}-")
        targets = output_files(outputs, tuple(writers))
        for target in targets:
            target.write_chunks(writers[target.format](store.games(stored.key)))
        if of.num_players != 2 and any(target.format == ".pgn" for target in targets):
            print_line(
                stderr(),
                f"{of.game} has {of.num_players} players: ordo and BayesElo can only rate games of two players",
            )
        if not targets:
            _print_games(store, stored, stdout())


def _print_games(store: Store, stored: StoredTournament, console: Console) -> None:
    of = stored.tournament
    rows = []
    for shown, game in enumerate(store.games(stored.key)):
        if shown >= SHOWN_GAMES:
            break
        record = game.record
        rows.append(
            (
                game_id(of, record.number),
                ", ".join(of.labels[bot] for bot in record.seats),
                "-" if record.returns is None else " ".join(f"{value:g}" for value in record.returns),
                str(record.plies),
                ", ".join(failure.kind for failure in record.failures) or record.ending,
            )
        )
    console.print(spec_table(["id", "seats", "returns", "plies", "failures"], rows, 1, console))
    if stored.games > SHOWN_GAMES:
        console.print(f"... and {stored.games - SHOWN_GAMES:,} more; -o FILE writes all of them")
