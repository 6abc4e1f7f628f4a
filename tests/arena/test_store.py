"""The store: games are read as written, older files are migrated, and unsuitable files are refused."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from stored_games import write_first_version
from support import environment

import bots
from bots.arena.records import GameRecord
from bots.arena.store.schema import FIRST_VERSION, MIGRATIONS, VERSION, migrate
from bots.arena.store.store import TEMPORARY, Store
from bots.arena.tournament.schedule import Tournament
from bots.game.failures import Failure

OF = Tournament("mnk", 2, ("random", "greedy"), 3, 1)
GAMES = [
    GameRecord(0, 0, (0, 1), 2**64 - 1, (), (100.0, 0.0), 2, "mark(1,1) mark(2,2)"),
    GameRecord(
        *(1, 0, (1, 0), 0, ("mark(1,1)", "mark(1,2)"), None, 1, "mark(3,3)"),
        (Failure(-1, "death", 'it "died"', 1, "a\nlog"),),
        (0.5, 0.25),
    ),
    GameRecord(
        *(5, 2, (1, 0), 7, ('{"board": "........."}',), (0.1, 1 / 3), 0, ""),
        (Failure(0, "crash", "a", 0), Failure(1, "late", "b", 0)),
    ),
]


def filled(path):
    with Store(str(path)) as store:
        key = store.open_tournament(OF)
        for record in reversed(GAMES):
            store.add(key, record)
    return path


def test_stored_games_are_read_as_written(tmp_path):
    with Store(str(filled(tmp_path / "a.db")), read_only=True) as store:
        (stored,) = store.tournaments()
        assert (stored.tournament, stored.games) == (OF, 3)
        found = list(store.games(stored.key))
        assert [game.record for game in found] == GAMES
        results = [replace(record, moves="") for record in GAMES]
        assert list(store.results(stored.key)) == results
        assert [game.record.seconds for game in found] == [(), (0.5, 0.25), ()]
        assert found[1].record.failures[0].log == "a\nlog"
        assert [(number, failure.kind) for number, _, failure in store.failures(stored.key)] == [
            (1, "death"), (5, "crash"), (5, "late"),
        ]  # fmt: skip
        assert [game.record.number for game in store.games(stored.key, 5)] == [5]
        assert list(store.games(stored.key, 4)) == []


def test_games_wait_for_each_other_and_are_written_when_the_store_is_closed(tmp_path):
    path = tmp_path / "a.db"
    store = Store(str(path))
    key = store.open_tournament(OF)
    store.add(key, GAMES[0])
    with Store(str(path), read_only=True) as reader:
        assert reader.tournaments()[0].games == 0
        store.close()
        assert reader.tournaments()[0].games == 1


def test_no_game_is_stored_twice(tmp_path):
    with Store(str(filled(tmp_path / "a.db"))) as store:
        key = store.open_tournament(OF)
        store.add(key, GAMES[0])
        with pytest.raises(bots.StoreError, match="UNIQUE"):
            store.flush()
        assert store.tournaments()[0].games == 3


def test_a_temporary_store_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(TEMPORARY) as store, Store(TEMPORARY) as other:
        key = store.open_tournament(OF)
        store.add(key, GAMES[0])
        assert [game.record for game in store.games(key)] == [GAMES[0]]
        assert other.tournaments() == []
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path):
    path = tmp_path / "old.db"
    games = [(0, 0, "[0, 1]", "5", "[]", "[100.0, 0.0]", 1, "mark(1,1)"), (1, 0, "[1, 0]", "6", "[]", None, 0, "")]
    write_first_version(path, OF, games, [(1, 0, -1, "death", "gone", 0)])
    with pytest.raises(bots.StoreError, match=f"version {FIRST_VERSION}.*version {VERSION}"):
        Store(str(path), read_only=True)
    with Store(str(path)) as store:
        key = store.open_tournament(OF)
        assert key == 1
        assert [game.record for game in store.games(key)] == [
            GameRecord(0, 0, (0, 1), 5, (), (100.0, 0.0), 1, "mark(1,1)"),
            GameRecord(1, 0, (1, 0), 6, (), None, 0, "", (Failure(-1, "death", "gone", 0),)),
        ]
        store.add(key, GAMES[2])
    with Store(str(path), read_only=True) as store:
        assert store.tournaments()[0].games == 3


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = filled(tmp_path / "a.db")
    broken = (*MIGRATIONS, ("CREATE TABLE more (x)", "ALTER TABLE absent ADD COLUMN y"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError, match="no such table: absent"):
            migrate(connection, str(path), broken)
        connection.rollback()
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("SELECT name FROM sqlite_schema WHERE name = 'more'").fetchall() == []
    with Store(str(path)) as store:
        assert store.tournaments()[0].games == 3


def newer(path):
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def older(path):
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {FIRST_VERSION - 1}")
    connection.close()


def foreign(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE games (x)")
    connection.close()


def damaged(path):
    filled(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 4 :] = b"\xa5" * (len(content) - len(content) // 4)
    path.write_bytes(content)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (newer, f"version {VERSION + 1}, this program knows versions {FIRST_VERSION} to {VERSION}; valid: a newer"),
        (older, f"version {FIRST_VERSION - 1}, this program knows versions {FIRST_VERSION} to .*; valid: a new file"),
        (foreign, "database of another program"),
        (damaged, "cannot be used: .*(malformed|damaged|not a database)"),
        (lambda path: path.write_text("games\n" * 1000), "file is not a database"),
        (lambda path: path.mkdir(), "(no file|unable to open|Is a directory)"),
    ],
    ids=["newer", "older", "foreign", "damaged", "text", "folder"],
)
def test_unsuitable_files_are_refused(tmp_path, spoil, words, read_only):
    path = tmp_path / "a.db"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None

    def use():
        with Store(str(path), read_only) as store:
            for stored in store.tournaments():
                list(store.games(stored.key))
                list(store.failures(stored.key))
            if not read_only:
                store.open_tournament(replace(OF, seed=99))

    with pytest.raises(bots.StoreError, match=words) as raised:
        use()
    assert "a.db" in str(raised.value)
    if before is not None and spoil is not damaged:
        assert path.read_bytes() == before


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(bots.StoreError, match=r"no file.*gone\.db"):
        Store(str(tmp_path / "gone.db"), read_only=True)
    assert not (tmp_path / "gone.db").exists()
    with pytest.raises(bots.StoreError, match="cannot write"):
        Store(str(tmp_path / "no" / "gone.db"))


LOCKED = """
import sys
from bots.arena.store.store import Store
try:
    Store(sys.argv[1])
except Exception as error:
    print(type(error).__name__, error)
"""


def second_writer(path):
    command = [sys.executable, "-P", "-c", LOCKED, str(path)]
    return subprocess.run(command, capture_output=True, text=True, env=environment(), check=True).stdout


def test_one_writer_at_a_time(tmp_path):
    path = tmp_path / "a.db"
    with Store(str(path)):
        with pytest.raises(bots.StoreError, match="by this process"):
            Store(str(path))
        assert f"StoreError '{path}' is being written to by process {os.getpid()}" in second_writer(path)
        with Store(str(path), read_only=True) as reader:
            assert reader.tournaments() == []
    assert second_writer(path) == ""
    with Store(str(path)):
        pass
