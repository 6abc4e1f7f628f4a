"""Stored games with damaged cells: every command that reads them works, or ends with one line and status 2."""

import itertools
import json
import random
import shutil
import sqlite3

import pytest
from stored_games import COLUMNS, JUNK, damage

import bots
from bots import arena
from bots.arena.store.schema import VERSION
from bots.arena.store.store import Store
from bots.arena.tournament.schedule import Tournament

THREADS = ("--executor", "threads")
ARENA = ["arena", "mnk", "random", "greedy", "troublesome_bots.Crasher:after=1", "--games", "4", "--workers", "1"]
ARENA += THREADS
COMMANDS = [
    ["tournaments"], ["tournaments", "--json"], ["ratings"], ["ratings", "--json"], ["ratings", "--all"],
    ["records"], ["records", "-o", "-.pgn"], ["records", "-o", "-"], ["records", "-o", "-.csv"],
    ["replay", "x.db", "1"], ["replay", "x.db", "5"], ["report", "x.db", "-o", "-"],
    ["arena", *ARENA[1:], "--db", "x.db"],
]  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file with an extended tournament, failures and sessions."""
    path = tmp_path_factory.mktemp("played") / "whole.db"
    for number_of_bots, games in ((2, 2), (3, 4)):
        of = arena.describe("mnk", ARENA[2 : 2 + number_of_bots], games=games)
        arena.run(of, db=path, workers=1, executor="threads").close()
    return path


@pytest.fixture
def whole(playout, played, tmp_path):
    """A copy of that file, in the folder of the commands."""
    return shutil.copy(played, tmp_path)


# Shots of some 14,000 combinations of a cell, a kind of junk and a command.
@pytest.mark.parametrize(("shots", "seed"), [(30, 20), pytest.param(2500, 21, marks=pytest.mark.long)])
def test_damaged_cells_are_one_line_and_status_2_in_every_command(playout, whole, tmp_path, shots, seed):
    cells = [(table, column) for table, columns in COLUMNS.items() for column in columns]
    every = list(itertools.product(range(len(JUNK)), COMMANDS))
    draws = random.Random(seed)
    seen = {"refused": 0, "harmless": 0}
    for shot in range(shots):
        table, column = cells[shot % len(cells)]
        junk, command = draws.choice(every)
        shutil.copy(whole, tmp_path / "x.db")
        if not damage(tmp_path / "x.db", table, column, JUNK[junk], draws.randrange(1000)):
            continue
        arguments = command if "x.db" in command else [command[0], "x.db", *command[1:]]
        what = f"{table}.{column} = {JUNK[junk]!r:.60}, {' '.join(command)}"
        result = playout(*arguments)
        assert result.status in (0, 2), f"{what}: {result.err}"
        assert "Traceback" not in result.err, what
        if result.status == 2:
            assert result.err.splitlines()[-1].startswith("playout: "), f"{what}: {result.err}"
            assert "x.db" in result.err.splitlines()[-1], f"{what}: {result.err}"
            assert "\x1b" not in result.err
            assert len(result.err) < 3000
        assert "\x1b[31m" not in result.out, what
        seen["refused" if result.status else "harmless"] += 1
        for beside in ("x.db-wal", "x.db-shm", "x.db-lock"):
            assert not (tmp_path / beside).exists(), what
        if (tmp_path / "x.db").exists():
            (tmp_path / "x.db").unlink()
    assert seen["refused"] > shots / 4, seen
    assert seen["harmless"] > shots / 20, seen


@pytest.mark.parametrize(
    ("column", "junk", "words"),
    [
        ("seats", "[0, 7]", "column seats: '[0, 7]' is damaged; valid: 2 of the bots 0 to 2"),
        ("seats", "[1, 0]", "column seats: '[1, 0]' is damaged; valid: [0, 1]"),
        ("returns", "[100.0, 101.0]", "column returns: '[100.0, 101.0]' is damaged; valid: 2 numbers from 0 to 100"),
        ("plies", -4, "column plies: -4 is damaged"),
        ("block", 3, "column block: 3 is damaged; valid: 0"),
    ],
)
def test_the_error_names_tournament_game_and_column(playout, whole, column, junk, words):
    assert damage(whole, "games", column, junk, 0)
    for command in ("ratings", "records"):
        result = playout(command, "whole.db")
        assert (result.status, result.out) == (2, "")
        assert result.err.startswith("playout: 'whole.db', tournament ")
        assert ", game 0, " in result.err
        assert words in result.err


def test_invalid_moves_are_reported_by_the_replay(playout, whole):
    assert damage(whole, "games", "moves", "mark(1,1) mark(1,1)", 0)
    assert damage(whole, "games", "plies", 2, 0)
    assert playout("records", "whole.db").status == 0
    result = playout("replay", "whole.db", "1")
    assert result.status == 2
    assert "game 1 cannot be replayed" in result.err


def test_huge_numbers_are_not_trusted_with_memory(playout, whole):
    for column, junk in (("number", 2**62), ("plies", 2**62), ("block", 2**62)):
        assert damage(whole, "games", column, junk, 3)
        for command in (["ratings"], ["records"], ["report", "-o", "-"]):
            assert playout(command[0], "whole.db", *command[1:]).status == 2


@pytest.mark.parametrize(
    ("junk", "words"), [(b"`\n\x1b[31m", "malformed database schema"), (b"`\xef[", "can't decode byte 0xef")]
)
def test_the_text_of_a_damaged_schema_is_shown_as_one_line(whole, junk, words):
    connection = sqlite3.connect(whole)
    with connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'tournament', CAST(? AS TEXT))", (junk,))
    connection.close()
    with pytest.raises(bots.StoreError, match=words) as raised:
        Store(str(whole), read_only=True)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("table", ["tournaments", "parts"])
def test_the_schema_may_allow_keys_that_are_no_numbers(whole, table):
    connection = sqlite3.connect(whole)
    with connection:
        connection.execute("PRAGMA writable_schema = ON")
        change = "UPDATE sqlite_schema SET sql = replace(sql, 'id INTEGER PRIMARY KEY', 'id TEXT') WHERE name = ?"
        assert connection.execute(change, (table,)).rowcount == 1
    connection.close()
    with Store(str(whole), read_only=True) as store, pytest.raises(bots.StoreError, match="damaged"):
        getattr(store, table)()


def test_the_version_is_read_as_untrusted_too(playout, whole):
    connection = sqlite3.connect(whole)
    connection.execute(f"PRAGMA user_version = {VERSION + 5}")
    connection.close()
    result = playout("tournaments", "whole.db")
    assert result.status == 2
    assert "a newer playout" in result.err


def test_a_tournament_with_too_many_players_for_its_game_is_refused(playout, tmp_path):
    playout("arena", "mnk", "random", "greedy", "random", *THREADS, "--games", "2", "--db", "x.db")
    wrong = Tournament("mnk(m=3,n=3,k=3)", 3, ("random", "greedy", "random"), 2)
    connection = sqlite3.connect(tmp_path / "x.db")
    with connection:
        connection.execute("UPDATE tournaments SET digest = ?, spec = ?", (wrong.digest, json.dumps(wrong.to_dict())))
    connection.close()
    for command in ("ratings", "records", "report"):
        result = playout(command, "x.db")
        assert (result.status, result.out) == (2, "")
        assert "column spec: damaged: 3 players in mnk(m=3,n=3,k=3); valid: 2" in result.err
