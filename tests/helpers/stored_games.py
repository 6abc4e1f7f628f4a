"""Rows of the tables of a file of games, read without the store."""

import json
import sqlite3
from contextlib import closing

from bots.arena.store.schema import APPLICATION_ID, MIGRATIONS

GAMES = "SELECT number, block, seats, seed, opening, returns, plies, moves FROM games ORDER BY number"
FAILURES = "SELECT number, position, seat, kind, message, ply FROM failures ORDER BY number, position"


def rows(path, statement=GAMES):
    """Return all rows that a statement selects."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def write_first_version(path, tournament, games, failures=()):
    """Write a file of the first version of the store, with one tournament and rows of its tables."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        row = tournament.digest, json.dumps(tournament.to_dict())
        connection.execute("INSERT INTO tournaments (digest, spec) VALUES (?, ?)", row)
        connection.executemany("INSERT INTO games VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", games)
        connection.executemany("INSERT INTO failures VALUES (1, ?, ?, ?, ?, ?, ?)", failures)
