"""The tables of a file of games, read and damaged without the store: rows, names of columns, and junk for a cell."""

import json
import sqlite3
from contextlib import closing

from bots.arena.store.schema import APPLICATION_ID, FIRST_VERSION, MIGRATIONS

GAMES = "SELECT number, block, seats, seed, opening, returns, plies, moves FROM games ORDER BY number"
FAILURES = "SELECT number, position, seat, kind, message, ply FROM failures ORDER BY number, position"
COLUMNS = {
    "tournaments": ["id", "digest", "spec", "begun"],
    "parts": ["id", "digest", "spec", "tournament"],
    "sessions": ["id", "tournament", "begun", "code"],
    "games": [
        "tournament", "number", "block", "seats", "seed", "opening", "returns", "plies", "moves", "seconds", "ending",
        "session",
    ],
    "failures": ["tournament", "number", "position", "seat", "kind", "message", "ply", "log"],
}  # fmt: skip
JUNK = [
    None, -1, 0, 1, 7, 10**9, 2**62, -(2**62), 1.5, float("inf"), "", "x", "-1", "[", "[]", "[[]]", "{}",
    "[0]", "[0, 0]",
    "[9, 9]", "[1e999, 0]", "[NaN, 1]", "[true, false]", '["a", "b"]', "[-50.0, 150.0]", "9" * 5000, "[" * 5000,
    "mark(1,1)", "a\x1b[31mb", "a\x00b", "\ud800", b"\xff\xfe", b"", "null", "[/x]", "2026-99-99 00:00:00",
    '{"game": "mnk"}', "nan inf", "é" * 300,
]  # fmt: skip


def rows(path, statement=GAMES):
    """Return all rows that a statement selects."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def write_first_version(path, tournament, games, failures=()):
    """Write a file of the oldest version that is read, with one tournament and rows of its tables."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {FIRST_VERSION}")
        row = tournament.digest, json.dumps(tournament.to_dict())
        connection.execute("INSERT INTO tournaments (digest, spec) VALUES (?, ?)", row)
        connection.executemany("INSERT INTO games VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, '', '', NULL, '')", games)
        connection.executemany("INSERT INTO failures VALUES (1, ?, ?, ?, ?, ?, ?, '')", failures)


def damage(path, table, column, junk, row):
    """Put junk into one cell; False where the file itself does not take it."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        keys = [name for _, name, *_, key in connection.execute(f"PRAGMA table_info({table})") if key]
        chosen = connection.execute(f"SELECT {', '.join(keys)} FROM {table} LIMIT 1 OFFSET {row % count}").fetchone()
        where = " AND ".join(f"{key} = ?" for key in keys)
        value = junk.encode("utf-8", "surrogatepass") if junk == "\ud800" else junk
        as_text = "CAST(? AS TEXT)" if junk == "\ud800" else "?"
        connection.execute(f"UPDATE {table} SET {column} = {as_text} WHERE {where}", (value, *chosen))
        connection.commit()
        return True
    except sqlite3.Error:
        return False
    finally:
        connection.close()
