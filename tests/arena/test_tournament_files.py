"""The file of games shared by processes: one writer, readers that leave no files, and files that vanish."""

import ctypes
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from sampling import sweep
from support import environment

import bots
from bots.arena.results.queries import find_tournament
from bots.arena.runner import run_tournament
from bots.arena.store.store import Store
from bots.arena.tournament.schedule import Tournament

THREADS = ("--executor", "threads")
OF = Tournament("mnk", 2, ("random", "greedy"), 10, 1)
LONG = Tournament("mnk", 2, ("random", "greedy"), 100_000, 1)
WRITER = """
import os, sys
from bots.arena.store.store import Store
from bots.arena.tournament.schedule import Tournament
store = Store(sys.argv[1])
store.open_tournament(Tournament("mnk", 2, ("random", "greedy"), 10, 1))
print("open", flush=True)
sys.stdin.read()
if len(sys.argv) > 2:
    os.kill(os.getpid(), 9)
store.close()
"""


def play(path, tournament=OF, on_records=lambda records, tally: None):
    with Store(str(path)) as store:
        return run_tournament(tournament, 1, on_records, executor="threads", store=store)


def writer(path, *more):
    """A process that has a file open to write to it."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", WRITER, str(path), *more],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert process.stdout.readline() == "open\n"
    return process


def finish(process):
    process.stdin.close()
    process.wait(20)
    process.stdout.close()


def games_in(path):
    """How many games a file says it has, and how many can be read."""
    with Store(str(path), read_only=True) as store:
        (found,) = store.tournaments()
        return f"{found.games} {len(list(store.games(found.key)))}"


def as_nobody(question):
    """The text that a function returns to a process of a user without any permission."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            text = question()
        except BaseException as error:
            text = repr(error)
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_one_writer_under_any_name_and_without_any_lock_file(tmp_path):
    path = tmp_path / "a.db"
    (tmp_path / "link.db").symlink_to(path)
    process = writer(path)
    try:
        os.link(path, tmp_path / "hard.db")
        assert not any(name.endswith("-lock") for name in names(tmp_path))
        for name in ("a.db", "link.db", "hard.db"):
            with pytest.raises(bots.StoreError, match=f"{name}' is being written to by process {process.pid}"):
                Store(str(tmp_path / name))
    finally:
        finish(process)
    with Store(str(tmp_path / "link.db")), pytest.raises(bots.StoreError, match="by this process"):
        Store(str(path))


def test_a_failed_second_writer_does_not_drop_the_locks_of_the_first(tmp_path):
    path = tmp_path / "a.db"
    with Store(str(path)) as store:
        key = store.open_tournament(OF)
        for _ in range(2):
            with pytest.raises(bots.StoreError, match="by this process"):
                Store(str(path))
        with Store(str(path), read_only=True) as reader:
            assert reader.tournaments()[0].key == key
        process = subprocess.run(
            [sys.executable, "-P", "-c", WRITER, str(path)], capture_output=True, text=True, env=environment(), input=""
        )
        assert "is being written to by process" in process.stderr


@pytest.mark.parametrize("fork", [os.fork, ctypes.PyDLL(None).fork], ids=["by Python", "unnoticed by Python"])
def test_a_forked_child_that_outlives_the_writer_keeps_nobody_out(tmp_path, fork):
    path = tmp_path / "a.db"
    read, write = os.pipe()
    store = Store(str(path))
    child = fork()
    if not child:
        os.close(write)
        os.read(read, 1)  # until the parent is done
        os._exit(0)
    os.close(read)
    store.close()
    with Store(str(path)):
        pass
    os.close(write)
    os.waitpid(child, 0)


def test_a_forked_child_that_closes_the_store_leaves_the_lock_to_the_writer(tmp_path):
    path = tmp_path / "a.db"
    with Store(str(path)) as store:
        child = os.fork()
        if not child:
            store.close()
            os._exit(0)
        assert os.waitpid(child, 0) == (child, 0)
        refused = subprocess.run(
            [sys.executable, "-P", "-c", WRITER, str(path)], capture_output=True, text=True, env=environment(), input=""
        )
    assert "is being written to by process" in refused.stderr


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_reading_leaves_no_files(tmp_path, killed):
    path = tmp_path / "a.db"
    play(path)
    if killed:
        finish(writer(path, "kill"))
        assert "a.db-wal" in names(tmp_path)
    with Store(str(path), read_only=True) as store:
        assert store.tournaments()[0].games == 20
    assert names(tmp_path) == ["a.db"]


def test_readers_work_beside_a_writer_and_leave_its_files(tmp_path):
    path = tmp_path / "a.db"
    play(path)
    process = writer(path)
    try:
        for _ in range(2):
            with Store(str(path), read_only=True) as store:
                assert store.tournaments()[0].games == 20
        assert "a.db-wal" in names(tmp_path)
    finally:
        finish(process)
    assert names(tmp_path) == ["a.db"]


@pytest.fixture
def read_only(monkeypatch):
    """Makes everything look as to a user who may write nothing; as root, the system itself refuses nothing."""
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))


@pytest.mark.parametrize("killed", [False, True], ids=["closed", "killed"])
def test_a_file_that_may_not_be_written_is_read_and_nothing_changes(tmp_path, read_only, killed):
    path = tmp_path / "a.db"
    play(path)
    if killed:
        process = writer(path, "kill")
        finish(process)
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with Store(str(path), read_only=True) as store:
        stored = find_tournament(store)
        assert len(list(store.games(stored.key))) == 20
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


def test_a_writer_waits_for_a_reader_of_a_file_that_may_not_change(tmp_path, read_only):
    path = tmp_path / "a.db"
    play(path)
    reader = Store(str(path), read_only=True)
    with pytest.raises(bots.StoreError, match="is being read by process"):
        Store(str(path), reader_seconds=0.1)
    reader.close()
    with Store(str(path)), Store(str(path), read_only=True) as beside:  # not as a file that does not change
        assert beside.tournaments()[0].games == 20


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@sweep("state", ["closed", "killed", "written"], 1)
def test_a_user_without_write_permission_reads(state):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(folder, "a.db")
        play(path)
        process = None if state == "closed" else writer(path, *["kill"] * (state == "killed"))
        if state == "killed":
            finish(process)
        before = names(Path(folder))
        try:
            assert as_nobody(lambda: games_in(path)) == "20 20"
            assert names(Path(folder)) == before
        finally:
            if state == "written":
                finish(process)


def delete(path):
    path.unlink()


def replace(path):
    shutil.copy(path, path.with_name("b.db"))
    path.with_name("b.db").rename(path)


def truncate(path):
    os.truncate(path, 0)


def overwrite(path):
    with open(path, "r+b") as file:
        file.write(b"\xa5" * 50_000)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("harm", "happened"),
    [(delete, "deleted"), (replace, "replaced by another file"), (truncate, "truncated"), (overwrite, "overwritten")],
)
def test_a_file_damaged_during_play_is_noticed_and_results_are_shown(tmp_path, playout, harm, happened):
    path = tmp_path / "a.db"
    command = ["arena", "mnk", "random", "greedy", "troublesome_bots.Crasher:after=2", "--games", "2"]
    command += [*THREADS, "--db", "a.db"]
    assert playout(*command).status == 0
    seen = []

    def on_records(records, tally):
        seen.extend(records)
        if len(seen) > 100 and path.exists() and "harmed" not in done:
            done.append("harmed")
            harm(path)

    done = []
    outcome = play(path, LONG, on_records)
    assert happened in str(outcome.store_error)
    assert "a.db" in str(outcome.store_error)
    assert 100 < outcome.tally.played < LONG.num_games
    assert outcome.interrupted


def test_the_command_shows_results_and_fails_when_its_file_is_gone(tmp_path, playout, monkeypatch):
    real = Store.add

    def add(store, key, record):
        (tmp_path / "a.db").unlink(missing_ok=True)
        real(store, key, record)

    monkeypatch.setattr(Store, "add", add)
    result = playout("arena", "mnk", "random", "greedy", "--games", "6", *THREADS, "--db", "a.db", "-o", "out.json")
    assert result.status == 2
    assert result.err.splitlines()[-1].startswith("playout: ")
    assert "a.db' was deleted while it was written to" in result.err
    assert "greedy" in result.out
    assert "6 games" in result.out
    assert (tmp_path / "out.json").read_text().startswith("{")


def test_a_full_disk_is_one_error_with_the_results_so_far_and_nothing_half_written(tmp_path, monkeypatch):
    path, connect, made = tmp_path / "a.db", sqlite3.connect, []

    def noted(*given, **options):
        made.append(connect(*given, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    with Store(str(path)) as store:
        monkeypatch.undo()
        [connection] = made
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        outcome = run_tournament(LONG, 1, executor="threads", store=store)
        assert "the disk is full" in str(outcome.store_error)
        report = outcome.report()
        assert 0 < report.games < LONG.num_games
        assert {standing.bot for standing in report.standings} == {"random", "greedy"}
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    stored = connection.execute("SELECT count(*), max(number) FROM games").fetchone()
    connection.close()
    assert stored[0] <= report.games
    with Store(str(path)) as store:  # and it continues
        key = store.open_tournament(LONG)
        assert sum(1 for _ in store.results(key)) == stored[0]


def test_devices_and_folders_are_refused_as_files_of_games(playout):
    for place, words in (("/dev/full", "not a regular file"), ("/", "Is a directory")):
        result = playout("arena", "mnk", "random", "greedy", "--games", "2", "--db", place)
        assert (result.status, result.out) == (2, "")
        assert words in result.err
        assert result.err.count("\n") == 1


def test_an_interrupted_writer_leaves_one_file(tmp_path):
    path = tmp_path / "a.db"
    process = writer(path)
    process.send_signal(signal.SIGINT)
    finish(process)
    with Store(str(path)):
        pass
    assert names(tmp_path) == ["a.db"]
