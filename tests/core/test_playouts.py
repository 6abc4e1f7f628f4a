"""Random playouts in bulk: threads, seeds, limits, and stopping."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from support import wait_until_it_works
from waiting import HANG_SECONDS

import mcts
from cext.game.playouts import UNIT, play_chunks

COUNT = 70_000  # several chunks, the last one not full


@pytest.fixture
def state():
    return mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state()


@pytest.mark.parametrize("threads", [2, 3, 8, 100])
def test_results_do_not_depend_on_threads(state, threads):
    np.testing.assert_array_equal(
        mcts.playouts(state, COUNT, seed=5, threads=threads), mcts.playouts(state, COUNT, seed=5)
    )


def test_results_depend_on_the_seed(state):
    means = [tuple(mcts.playouts(state, 1000, seed=seed)) for seed in (0, 1, 2, 2**64 - 1, 2**64, -1)]
    assert means[0] == tuple(mcts.playouts(state, 1000)) == means[4]
    assert means[3] == means[5]
    assert len(set(means)) == 4


def test_the_state_is_unchanged(state):
    before = state.clone()
    mcts.playouts(state, COUNT, threads=2)
    assert state == before


def test_all_playouts_of_a_count_are_played(state):
    state.apply_action(12)
    for count in (1, 2, 16_383, 16_384, 16_385):
        totals = play_chunks(state, 3, count, 0, 1, False)
        assert sum(totals) == 100 * count * UNIT
    parts = [play_chunks(state, 3, COUNT, first, 3, False) for first in range(3)]
    assert [sum(column) for column in zip(*parts, strict=True)] == play_chunks(state, 3, COUNT, 0, 1, False)


def test_a_raised_flag_stops_before_the_next_chunk(state):
    assert play_chunks(state, 3, COUNT, 0, 1, True) == [0, 0]


def test_a_finished_game_returns_what_it_returned():
    state = mcts.load_game("mnk").state_from_dict({"board": "xxxoo...."})
    np.testing.assert_array_equal(mcts.playouts(state, 10), [100.0, 0.0])


@pytest.mark.parametrize("count", [0, -1, 2**32, 1.5, "7", True])
def test_counts_out_of_range_are_refused(state, count):
    with pytest.raises(mcts.errors.LimitError, match="count="):
        mcts.playouts(state, count)


@pytest.mark.parametrize("threads", [0, -1, 1025, 1.5, True])
def test_threads_out_of_range_are_refused(state, threads):
    with pytest.raises(mcts.errors.LimitError, match="threads="):
        mcts.playouts(state, 10, threads=threads)


LONG_RUN = """
import mcts, sys
state = mcts.load_game("mnk(m=8,n=8,k=8)").new_initial_state()
print("begun", flush=True)
mcts.playouts(state, 2**32 - 1, threads=int(sys.argv[1]))
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_stops_a_long_run(threads):
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", LONG_RUN, threads], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "begun\n"
        wait_until_it_works(child)
        os.kill(child.pid, signal.SIGINT)
        _, said = child.communicate(timeout=HANG_SECONDS)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in said
    assert child.returncode != 0
