"""Solution files: reproducible to the byte, and not trusted when anything is wrong with them."""

import hashlib
import json
import logging
import os
import stat
from pathlib import Path

import pytest
from sampling import sweep
from support import random_path, run_python

import mcts
from mcts.exact import solution_file
from mcts.exact.solve import cache_folder

SPEC = "mnk(m=3,n=3,k=3)"


@pytest.fixture
def game():
    return mcts.load_game(SPEC)


@pytest.fixture
def path(game, tmp_path):
    """A file with the solution of tic-tac-toe."""
    return mcts.solve(game, cache_dir=tmp_path).path


def is_read(path, game, caplog):
    """True where solve takes the file as it is; else it has to have warned and to have put it right."""
    good = mcts.solve(game, cache=False)
    before = path.stat().st_ino
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        solution = mcts.solve(game, cache_dir=path.parent)
    assert solution.value() == good.value() == [50, 50]
    assert solution.num_states == 5478
    same = path.stat().st_ino == before
    assert same == (not caplog.records)
    if not same:
        assert "solved again" in caplog.text
        assert str(path) in caplog.text
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            mcts.solve(game, cache_dir=path.parent)
        assert not caplog.records
    return same


def test_a_solution_is_kept_and_read(path, game, caplog):
    assert path.parent.is_dir()
    assert is_read(path, game, caplog)
    fresh, kept = mcts.solve(game, cache=False), mcts.solve(game, cache_dir=path.parent)
    assert fresh.path is None
    assert kept.path == path
    for seed in range(30):
        for state in random_path(game, seed):
            assert kept.value(state) == fresh.value(state)
    for name in ("num_states", "num_canonical_states", "num_simultaneous_stages", "num_mixed_stages", "max_error"):
        assert getattr(kept, name) == getattr(fresh, name)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["mnk(m=4,n=3,k=3)", "points_ttt", "bidding_ttt(coins=1)"])
def test_solving_twice_gives_the_same_bytes(spec, tmp_path):
    game = mcts.load_game(spec)
    files = [
        mcts.solve(game, cache_dir=tmp_path / str(run), threads=threads).path
        for run, threads in enumerate((1, 1, 2, 3))
    ]
    assert len({file.read_bytes() for file in files}) == 1
    assert len({file.name for file in files}) == 1


@sweep("variant", ["baseline", "x86_64_v3"], 1)
def test_another_process_writes_the_same_bytes(path, tmp_path, variant):
    code = "import mcts, sys; print(mcts.solve(mcts.load_game(sys.argv[1]), cache_dir=sys.argv[2]).path)"
    told = run_python(code, SPEC, str(tmp_path), PLAYOUT_VARIANT=variant)
    assert Path(told.strip()).read_bytes() == path.read_bytes()


def test_flipped_bytes_of_every_part_are_noticed(path, game, tmp_path):
    """Some bytes of the head, of keys and of values; the padding between them says nothing."""
    good = path.read_bytes()
    header_end = 48 + int.from_bytes(good[12:16], "little")
    payload = header_end + -header_end % 64
    broken = tmp_path / "broken.solution"
    for at in [*range(48), *range(48, header_end, 5), *range(payload, len(good), 301), len(good) - 1]:
        broken.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        with pytest.raises(solution_file.SolutionFileError):
            solution_file.read_solution(broken, game)
    broken.write_bytes(good)
    assert solution_file.read_solution(broken, game)[0].value(game.new_initial_state()) == 50


@pytest.mark.sample(2)
@pytest.mark.parametrize("length", [0, 1, 8, 20, 47, 48, 100, 400, 1000, -8, -1])
def test_truncated_files_are_solved_again(path, game, caplog, length):
    path.write_bytes(path.read_bytes()[:length])
    assert not is_read(path, game, caplog)


@pytest.mark.parametrize("more", [b"\0", bytes(4096)])
def test_files_with_extra_bytes_are_solved_again(path, game, caplog, more):
    path.write_bytes(path.read_bytes() + more)
    assert not is_read(path, game, caplog)


@sweep("at", [3, 20, 60, 2000, -1], 2)
def test_damaged_files_are_solved_again(path, game, caplog, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    assert not is_read(path, game, caplog)


@pytest.mark.parametrize("version", [0, 2])
def test_files_of_another_version_are_solved_again(path, game, caplog, version):
    data = bytearray(path.read_bytes())
    assert data[8] == solution_file.FORMAT_VERSION
    data[8] = version
    path.write_bytes(data)
    assert not is_read(path, game, caplog)
    assert path.read_bytes()[8] == solution_file.FORMAT_VERSION


def test_files_of_other_rules_are_solved_again(path, game, caplog, monkeypatch):
    monkeypatch.setattr(solution_file, "rules_fingerprint", lambda game: "other")
    assert not is_read(path, game, caplog)


def test_files_of_other_games_are_solved_again(path, game, caplog):
    other = mcts.solve(mcts.load_game("mnk(m=3,n=3,k=2)"), cache_dir=path.parent)
    assert other.path != path
    assert other.value() == [100, 0]
    path.write_bytes(other.path.read_bytes())
    assert not is_read(path, game, caplog)


@pytest.mark.parametrize("header", [{}, {"game": SPEC}, {"game": SPEC, "states": "many", "words": 1}, {"game": 1}])
def test_impossible_headers_are_refused(path, game, header):
    """With a good checksum: somebody else's idea of such a file."""
    if "states" in header:
        header = {**header, "rules": solution_file.rules_fingerprint(game)}
    text = json.dumps(header).encode()
    head = solution_file.MAGIC + solution_file.FORMAT_VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little")
    path.write_bytes(head + hashlib.blake2b(text, digest_size=32).digest() + text + bytes(1000))
    with pytest.raises(solution_file.SolutionFileError):
        solution_file.read_solution(path, game)
    assert solution_file.load_or_none(path, game) is None


@sweep("content", [b"hello", b"PLAYSOLN", bytes(10_000), b"\x93NUMPY\x01\0" + bytes(1000)], 2)
def test_foreign_files_are_solved_again(path, game, caplog, content):
    path.write_bytes(content)
    assert not is_read(path, game, caplog)


def test_a_folder_named_like_the_file_is_left_alone(path, game, caplog):
    path.unlink()
    path.mkdir()
    with caplog.at_level(logging.WARNING):
        solution = mcts.solve(game, cache_dir=path.parent)
    assert solution.value() == [50, 50]
    assert solution.path is None
    assert "is not kept" in caplog.text
    assert path.is_dir()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_cache_folder_that_is_a_file_is_a_warning(game, tmp_path, caplog):
    file = tmp_path / "file"
    file.write_text("mine")
    with caplog.at_level(logging.WARNING):
        solution = mcts.solve(game, cache_dir=file)
    assert solution.value() == [50, 50]
    assert solution.path is None
    assert "cannot be written" in caplog.text
    assert file.read_text() == "mine"


def test_nothing_is_left_of_a_write_that_fails(game, tmp_path, monkeypatch, caplog):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with caplog.at_level(logging.WARNING):
        assert mcts.solve(game, cache_dir=tmp_path / "cache").path is None
    assert "No space left" in caplog.text
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_file_may_be_replaced_while_it_is_in_use(path, game):
    old = mcts.solve(game, cache_dir=path.parent)
    path.unlink()
    mcts.solve(game, cache_dir=path.parent)
    assert old.value() == [50, 50]


def test_files_are_as_readable_as_others(path):
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_the_cache_folder_is_that_of_the_platform(game, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert tmp_path in cache_folder().parents
    assert mcts.solve(game).path.parent == cache_folder()
    cache_folder().joinpath(mcts.solve(game).path.name).unlink()
    assert mcts.solve(game, cache=False).path is None
    assert list(cache_folder().iterdir()) == []


def test_games_and_rules_have_fingerprints_of_their_own():
    specs = ["mnk", "mnk(m=4,n=3,k=3)", "points_ttt", "bidding_ttt", "bidding_ttt(coins=4)", "tic_block",
             "tic_block(block_phase=alternating)"]  # fmt: skip
    prints = [solution_file.rules_fingerprint(mcts.load_game(spec)) for spec in specs]
    assert len(set(prints)) == len(specs)
    assert prints == [solution_file.rules_fingerprint(mcts.load_game(spec)) for spec in specs]
