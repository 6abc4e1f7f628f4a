"""Solution files with right checksums and wrong content: refused without a crash."""

import json

import numpy as np
import pytest
from solution_files import DELETE, parts_of, write

import mcts
from mcts.exact import solution_file
from mcts.exact.solution_file import SolutionFileError, read_solution


@pytest.fixture(scope="module")
def game():
    return mcts.load_game("mnk")


@pytest.fixture(scope="module")
def good(game, tmp_path_factory):
    """Header, keys and values of a right file."""
    path = mcts.solve(game, cache_dir=tmp_path_factory.mktemp("solutions")).path
    return parts_of(path)


def test_files_written_by_this_test_are_read(game, good, tmp_path):
    solved, facts = read_solution(write(tmp_path / "x", *good), game)
    assert solved.value(game.new_initial_state()) == 50
    assert facts.num_states == 5478


@pytest.mark.parametrize(
    "change",
    [
        {"states": -1}, {"states": 0}, {"states": True}, {"states": 1e3}, {"states": 10**30}, {"words": 0},
        {"words": 2}, {"words": "1"}, {"reduces": 1}, {"reduces": None}, {"base": ""}, {"base": "zz"},
        {"base": "00" * 1000}, {"base": 3}, {"bits": None}, {"bits": [0.5]}, {"bits": [-1]}, {"bits": [10**30]},
        {"bits": [0, 0]}, {"bits": [1, 0]}, {"bits": list(range(70))}, {"bits": {}}, {"num_states": 1},
        {"num_states": -1}, {"num_states": "many"}, {"num_states": float("nan")}, {"num_saddle": -1},
        {"num_mixed": 10**9}, {"num_mixed": DELETE}, {"max_error": float("nan")}, {"max_error": -1.0},
        {"max_error": True}, {"max_error": "0"}, {"max_error": 1e300}, {"payload": None}, {"game": ["x"] * 100},
    ],
    ids=str,
)  # fmt: skip
def test_headers_with_junk_are_refused(game, good, tmp_path, change):
    header, keys, values = good
    path = write(tmp_path / "x", {**header, **change}, keys, values)
    if "payload" in change:
        path = write(tmp_path / "x", json.dumps({**header, **change}).encode(), keys, values)
    with pytest.raises(SolutionFileError):
        read_solution(path, game)
    assert solution_file.load_or_none(path, game) is None


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"null", b"3", b"\xff", b"[" * 100_000, b'{"states":' + b"9" * 5000 + b"}", b'{"a":NaN}']
)
def test_headers_other_than_objects_are_refused(game, good, tmp_path, text):
    with pytest.raises(SolutionFileError):
        read_solution(write(tmp_path / "x", text, *good[1:]), game)


@pytest.mark.parametrize(
    "change",
    [
        lambda keys, values: (keys[::-1].copy(), values),
        lambda keys, values: (np.repeat(keys[:1], len(keys), axis=0), values),
        lambda keys, values: (keys + np.uint64(1 << 40), values),
        lambda keys, values: (keys, np.full(len(values), np.nan)),
        lambda keys, values: (keys, np.full(len(values), np.inf)),
        lambda keys, values: (keys, values + 1e9),
        lambda keys, values: (keys, values[::-1].copy()),
        lambda keys, values: (keys, np.full(len(values), 50.0)),
        lambda keys, values: (keys, 100.0 - values),
    ],
)
def test_invalid_keys_and_values_are_refused(game, good, tmp_path, change):
    header, keys, values = good
    with pytest.raises(SolutionFileError):
        read_solution(write(tmp_path / "x", header, *change(keys, values)), game)


def test_files_that_lack_states_are_refused(game, good, tmp_path):
    header, keys, values = good
    half = {**header, "states": len(keys) // 2}
    with pytest.raises(SolutionFileError, match="lacks states"):
        read_solution(write(tmp_path / "x", half, keys[::2][: len(keys) // 2], values[::2][: len(keys) // 2]), game)


def test_random_bytes_in_the_place_of_keys_and_values_are_refused(game, good, tmp_path):
    header, keys, values = good
    rng = np.random.default_rng(1)
    for _ in range(20):
        wrong = np.sort(rng.integers(0, 2**63, keys.shape, dtype=np.uint64), axis=0)
        with pytest.raises(SolutionFileError):
            read_solution(write(tmp_path / "x", header, wrong, rng.uniform(0, 100, len(values))), game)
