"""The tables of a file of games, version by version. Existing versions are never changed; new ones are added."""

from __future__ import annotations

import sqlite3

from ...errors import StoreError

APPLICATION_ID = 0x506C6179
"""Identifies SQLite files of this package: "Play" in ASCII."""

FIRST_VERSION = 5
"""The oldest version that is read."""
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tournaments (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            spec TEXT NOT NULL,
            begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
        )""",
        """CREATE TABLE games (
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            number INTEGER NOT NULL,
            block INTEGER NOT NULL,
            seats TEXT NOT NULL,
            seed TEXT NOT NULL,
            opening TEXT NOT NULL,
            returns TEXT,
            plies INTEGER NOT NULL,
            moves TEXT NOT NULL,
            seconds TEXT NOT NULL DEFAULT '',
            ending TEXT NOT NULL DEFAULT '',
            session INTEGER REFERENCES sessions (id),
            slowest TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (tournament, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE failures (
            tournament INTEGER NOT NULL,
            number INTEGER NOT NULL,
            position INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            kind TEXT NOT NULL,
            message TEXT NOT NULL,
            ply INTEGER NOT NULL,
            log TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (tournament, number, position),
            FOREIGN KEY (tournament, number) REFERENCES games (tournament, number)
        ) WITHOUT ROWID""",
        # Tournaments that are contained in a longer one and share its games. A tournament that was extended is still
        # found by its own digest.
        """CREATE TABLE parts (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            spec TEXT NOT NULL,
            tournament INTEGER NOT NULL REFERENCES tournaments (id)
        )""",
        # Time and code of the runs that played games.
        """CREATE TABLE sessions (
            id INTEGER PRIMARY KEY,
            tournament INTEGER NOT NULL REFERENCES tournaments (id),
            begun TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
            code TEXT NOT NULL
        )""",
    ),
    ("ALTER TABLE games ADD COLUMN decisions TEXT NOT NULL DEFAULT ''",),
)
"""For each version from FIRST_VERSION on, the statements that change the version before into it, or an empty file."""

VERSION = FIRST_VERSION + len(MIGRATIONS) - 1


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """Return the version of a file; 0 for an empty one.

    Raises:
        StoreError: it is a database of another program, or its version is not from FIRST_VERSION to VERSION.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != APPLICATION_ID and (tables or application or version):
        raise StoreError(
            f"{path!r} is a database of another program; valid: a file made by playout arena, or a new one"
        )
    if version > VERSION or 0 < version < FIRST_VERSION:
        other = "a newer playout" if version > VERSION else "a new file"
        raise StoreError(
            f"{path!r} has version {version}, this program knows versions {FIRST_VERSION} to {VERSION}; valid: {other}"
        )
    return version


def migrate(connection: sqlite3.Connection, path: str, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring a file to the last version of `migrations`, in one transaction for each version."""
    known = version_of(connection, path)
    for version in range(max(known + 1, FIRST_VERSION), FIRST_VERSION + len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        for statement in migrations[version - FIRST_VERSION]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
