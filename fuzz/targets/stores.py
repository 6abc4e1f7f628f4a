"""SQLite files of stored tournaments: damaged cells, changed bytes, other schemas."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from stored_games import COLUMNS, JUNK, damage

from bots import arena
from bots.arena.report.json_data import report_to_dict
from bots.arena.results.pool import pool
from bots.arena.results.queries import tally_of, tournament_report
from bots.arena.store.export import csv_lines, record_lines
from bots.arena.store.pgn import pgn_games
from bots.arena.store.replay import replayed
from bots.arena.store.store import Store, StoredTournament
from bots.errors import StoreError
from bots.game import Record
from fuzz.files import folder
from fuzz.games import loaded
from fuzz.reader import Reader
from mcts import PlayoutError

GAME = "mnk"
BOTS = ["random", "greedy", "troublesome_bots.Crasher(after=1)"]
RATED = 7
"""Last byte of inputs whose games are rated as well, which takes most of the time; the target `results` rates more."""
STATEMENTS = (
    "DROP TABLE failures",
    "DROP TABLE sessions",
    "ALTER TABLE games RENAME COLUMN moves TO steps",
    "DELETE FROM tournaments",
    "UPDATE games SET tournament = 99",
    "UPDATE failures SET number = 77",
    "UPDATE parts SET tournament = 99",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
    "CREATE VIEW seen AS SELECT * FROM games",
    "DROP TABLE games",
    "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END",
    "UPDATE games SET session = 44",
)


def made() -> bytes:
    """Return a file with a tournament that was extended, with failures and openings."""
    with folder() as place:
        path = place / "x.db"
        for games in (2, 4):
            arena.run(arena.describe(GAME, BOTS, games=games), workers=1, db=path, executor="threads").close()
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")
        connection.close()
        return path.read_bytes()


WHOLE = made()


def target(data: bytes) -> None:
    """Damage a file, and read all of it."""
    reader = Reader(data)
    with folder() as place:
        path = place / "x.db"
        path.write_bytes(WHOLE)
        kind = reader.byte() % 4
        if kind in (0, 3):
            change_cells(path, reader)
        if kind == 1:
            change_schema(path, reader)
        if kind in (2, 3):
            change_bytes(path, reader)
        refused = ""
        try:
            with Store(str(path), read_only=True) as store:
                every = (*store.tournaments(), *store.parts())
                for stored in every:
                    read_all(store, stored)
                if reader.byte() == RATED:
                    pool([store], None, lambda labels: {})
                    for stored in every:
                        report_to_dict(tournament_report(store, stored))
        except StoreError as error:
            refused = str(error)
        assert not refused or refused.isprintable(), refused
        assert sorted(found.name for found in place.iterdir() if found.name not in ("x.db", "x.db-lock")) == []


def change_cells(path: Path, reader: Reader) -> None:
    """Put junk into a few cells."""
    for _ in range(1 + reader.byte() % 2):
        table = reader.choice(sorted(COLUMNS))
        junk = reader.choice(JUNK) if reader.flag() else reader.text().encode("utf-8", "replace").decode()
        damage(path, table, reader.choice(COLUMNS[table]), junk, reader.byte())


def change_schema(path: Path, reader: Reader) -> None:
    """Change tables, versions and references."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        for _ in range(1 + reader.byte() % 2):
            connection.execute(reader.choice(STATEMENTS))
    except sqlite3.Error:
        pass
    finally:
        connection.close()


def change_bytes(path: Path, reader: Reader) -> None:
    """Flip bits of the file, and cut or lengthen it."""
    content = bytearray(path.read_bytes())
    for _ in range(1 + reader.byte() % 8):
        content[reader.below(1 << 24) % len(content)] ^= 1 << reader.byte() % 8
    cut = reader.byte()
    if cut >= 128:
        del content[reader.below(1 << 16) % len(content) :]
    elif cut >= 96:
        content += reader.rest()
    path.write_bytes(content)


def read_all(store: Store, stored: StoredTournament) -> None:
    """Read a tournament as the commands do."""
    of, key = stored.tournament, stored.key
    for _ in store.sessions(key), store.failures(key), store.results(key):
        list(_)
    games = list(store.games(key))
    tally_of(store, stored)
    store.openings(key)
    store.repeats(key, of.num_games)
    "".join(csv_lines(of, games))
    try:
        game = loaded(of.game)
    except PlayoutError:
        return
    "".join(pgn_games(of, games, "x-"))
    for line in record_lines(of, games):
        Record.from_json(line)
    for found in games:
        for course in replayed(game, found.record.opening, found.record.moves):
            course.state.to_dict()
