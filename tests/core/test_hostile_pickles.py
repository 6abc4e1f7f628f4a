"""Manipulated pickles of states and views: they raise, or give a state that play allows."""

import json
import os
import pickle
import random
from pathlib import Path

import pytest
from python_games import TicTacToe
from soundness import check_sound
from support import VARIANTS, random_path

import mcts

RANDOM_TRIES = 30


def sample_of(spec):
    """Early and late states of a game, and one view of each player."""
    path = random_path(mcts.load_game(spec), 5)
    state = path[len(path) // 2]
    return [state, *(state.view(player) for player in range(state.game.num_players))]


def tampered(packed, rng):
    """Pickles with one byte changed, and some with several, cut or lengthened."""
    for place in range(0, len(packed)):
        yield packed[:place] + bytes([packed[place] ^ (1 << rng.randrange(8))]) + packed[place + 1 :]
    for _ in range(RANDOM_TRIES):
        changed = bytearray(packed)
        for _ in range(rng.randint(2, 8)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        yield bytes(changed)
        yield packed[: rng.randrange(len(packed))]


@pytest.mark.parametrize("spec", VARIANTS)
def test_pickles_give_back_every_state_and_view(spec):
    for state in random_path(mcts.load_game(spec), 7):
        assert pickle.loads(pickle.dumps(state)) == state
        for player in range(state.game.num_players):
            view = state.view(player)
            assert pickle.loads(pickle.dumps(view)) == view
            assert hash(pickle.loads(pickle.dumps(view))) == hash(view)


@pytest.fixture
def _no_large_memory():
    """Python's own unpickler reserves gigabytes for some junk; the sanitizers have a limit of their own."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    if "LD_PRELOAD" not in os.environ and os.path.exists("/proc/self/statm"):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.sample(2)
@pytest.mark.usefixtures("_no_large_memory")
@pytest.mark.parametrize("spec", VARIANTS)
def test_tampered_pickles_raise_or_give_possible_states(spec):
    rng = random.Random(spec)
    given = 0
    for sample in sample_of(spec):
        packed = pickle.dumps(sample, protocol=2)
        # A long pickle has long runs of numbers: every third byte of it will do.
        for changed in list(tampered(packed, rng))[:: 1 + len(packed) // 1500]:
            try:
                found = pickle.loads(changed)
            except Exception:
                continue
            given += 1
            check_sound(found)
    assert given > 0


@pytest.mark.parametrize("spec", VARIANTS)
def test_states_are_not_rebuilt_from_bytes_or_other_players_views(spec):
    state = mcts.load_game(spec).new_initial_state()
    restore, (game, packed) = state.__reduce__()
    assert restore(game, packed) == state
    json.dumps(packed)
    for wrong in (None, b"", bytes(1000), "x", 3, [], {}, {**packed, "x": 1}, dict.fromkeys(packed)):
        with pytest.raises(mcts.StateError):
            restore(game, wrong)
    for wrong in (None, "x", object()):
        with pytest.raises(TypeError):
            restore(wrong, packed)


def test_pickles_of_states_of_a_python_game_keep_the_object():
    for state in random_path(TicTacToe(), 1):
        assert pickle.loads(pickle.dumps(state)) == state
        assert pickle.loads(pickle.dumps(state.view(0))) == state.view(0)
