"""Damage to files of stored games: the columns of their tables, junk values, and a change of one cell."""

import sqlite3

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
