"""Rows of the tables of a file of games, read without the store."""

import sqlite3
from contextlib import closing

GAMES = "SELECT number, block, seats, seed, opening, returns, plies, moves FROM games ORDER BY number"
FAILURES = "SELECT number, position, seat, kind, message, ply FROM failures ORDER BY number, position"


def rows(path, statement=GAMES):
    """Return all rows that a statement selects."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()
