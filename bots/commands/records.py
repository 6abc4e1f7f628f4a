"""`playout records`: stored games as a list, or in files for other programs."""

from __future__ import annotations

from typing import Annotated

from rich.console import Console

from ..arena.results.queries import find_tournament
from ..arena.store.export import csv_lines, record_lines
from ..arena.store.pgn import pgn_games
from ..arena.store.store import ID_DIGITS, Store, StoredTournament, game_id
from .common.consoles import stderr, stdout
from .common.files import check_one_stdout, output_file
from .common.options import DEFAULT_DB, DbArgument, TournamentOption, option
from .common.spec_table import spec_table
from .common.stored import file_named, note_choice

SHOWN_GAMES = 1000


def command(
    db: DbArgument = DEFAULT_DB,
    tournament: TournamentOption = None,
    pgn: Annotated[
        str | None,
        option("--pgn", value="FILE", help="Write the games as PGN, for ordo and BayesElo; - writes to stdout."),
    ] = None,
    jsonl: Annotated[
        str | None,
        option("--jsonl", value="FILE", help="Write the games as records in JSON, one per line; - writes to stdout."),
    ] = None,
    csv: Annotated[
        str | None, option("--csv", value="FILE", help="Write the games as CSV, one game per row; - writes to stdout.")
    ] = None,
    rules: Annotated[bool, option("--rules", help="With --jsonl, records carry the rulesheet of the game.")] = False,
) -> None:
    """List the games of a stored tournament, or export them.

    The list shows the first 1,000 games. Exported files contain all of them.

    Examples:
        playout records arena.db
        playout records arena.db --pgn games.pgn    # then: ordo -p games.pgn
        playout records arena.db --jsonl - | head -n 1
    """
    targets = {"pgn": output_file(pgn), "jsonl": output_file(jsonl), "csv": output_file(csv)}
    check_one_stdout(**{name: target is not None and target.is_stdout for name, target in targets.items()})
    with file_named(db), Store(db, read_only=True) as store:
        stored = find_tournament(store, tournament)
        note_choice(store, stored, tournament)
        of = stored.tournament
        writers = {
            "pgn": lambda games: pgn_games(of, games, f"{of.digest[:ID_DIGITS]}-"),
            "jsonl": lambda games: record_lines(of, games, rules=rules),
            "csv": lambda games: csv_lines(of, games),
        }
        for name, target in targets.items():
            if target is not None:
                target.write_chunks(writers[name](store.games(stored.key)))
        if pgn is not None and of.num_players != 2:
            stderr().print(
                f"{of.game} has {of.num_players} players: ordo and BayesElo can only rate games of two players",
                markup=False,
                soft_wrap=True,
            )
        if not any(targets.values()):
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
        console.print(f"... and {stored.games - SHOWN_GAMES:,} more; --jsonl FILE writes all of them")
