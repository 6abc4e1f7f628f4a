"""Limits of a search: the values that can be set."""

import math
from dataclasses import FrozenInstanceError

import pytest
from waiting import HANG_SECONDS, wait_until

import mcts


def test_limits_are_values():
    assert mcts.Limit(simulations=10, seconds=0.5, memory_mb=64) == mcts.Limit(10, 0.5, 64)
    assert mcts.Limit() == mcts.Limit(None, None, None)
    with pytest.raises(FrozenInstanceError):
        mcts.Limit().seconds = 3


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("simulations", value) for value in (0, -1, 2**32, 1.5, "1", True)),
        *(("seconds", value) for value in (0, -1.0, math.inf, math.nan, "1", True)),
        *(("memory_mb", value) for value in (0, -1, 32_001, 1.5, "1", True)),
    ],
)
def test_limits_out_of_range_are_refused(name, value):
    with pytest.raises(mcts.errors.LimitError, match=f"{name}="):
        mcts.Limit(**{name: value})


def searchers():
    """A searcher of every kind with a position for it."""
    found = []
    bids = mcts.load_game("bidding_3d_ttt").new_initial_state()
    bids.apply_actions([bids.sample_action(player, 1) for player in range(2)])  # behind the openings
    positions = {
        "mcts": mcts.load_game("mnk").new_initial_state(),
        "ismcts": mcts.load_game("kuhn_poker").state_from_text("JK_-").view(0),
        "oos": mcts.load_game("kuhn_poker").state_from_text("JK_-").view(0),
        "cfr": mcts.load_game("kuhn_poker").state_from_text("JK_-").view(0),
        "double_oracle": bids.view(0),
    }
    for name, position in positions.items():
        found.append((mcts.load_searcher(name, position.game, seed=1), position))
    assert {kind.NAME for kind, _ in found} == set(mcts.registered_searchers())
    return found


@pytest.mark.parametrize(("searcher", "position"), searchers(), ids=lambda value: getattr(value, "NAME", ""))
def test_every_searcher_takes_a_limit_a_number_or_keywords(searcher, position):
    fresh = type(searcher)
    wanted = fresh(searcher.game, seed=1).run(position, simulations=300)
    for arguments in (
        ((mcts.Limit(simulations=300),), {}),
        ((300,), {}),
        ((), {"limit": mcts.Limit(simulations=300, seconds=HANG_SECONDS)}),
        ((300, HANG_SECONDS), {}),
        ((mcts.Limit(simulations=300, memory_mb=32_000),), {}),
    ):
        found = fresh(searcher.game, seed=1).run(position, *arguments[0], **arguments[1])
        assert found.visits == wanted.visits
        assert found.simulations == wanted.simulations
    assert 300 <= wanted.simulations <= (2000 if fresh is mcts.DoubleOracle else 300)  # its last reply is completed
    wait_until(lambda: fresh(searcher.game, seed=1).run(position, mcts.Limit(seconds=0.02)).simulations > 0)


@pytest.mark.parametrize(("searcher", "position"), searchers(), ids=lambda value: getattr(value, "NAME", ""))
@pytest.mark.parametrize(
    ("arguments", "keywords", "words"),
    [
        ((mcts.Limit(simulations=5),), {"simulations": 7}, "simulations=7 is given beside Limit"),
        ((mcts.Limit(simulations=5),), {"seconds": 1.0}, "seconds=1.0 is given beside Limit"),
        ((5,), {"simulations": 7}, "simulations=7 is given beside 5"),
        ((mcts.Limit(),), {}, "a search needs a limit"),
        ((mcts.Limit(memory_mb=5),), {}, "a search needs a limit"),
        ((), {}, "a search needs a limit"),
        (("many",), {}, "'many' is not a limit; valid: mcts.Limit"),
        ((1.5,), {}, "1.5 is not a limit"),
        ((True,), {}, "True is not a limit"),
        ((0,), {}, "simulations=0"),
    ],
)
def test_limits_that_contradict_or_limit_nothing_are_refused(searcher, position, arguments, keywords, words):
    with pytest.raises(mcts.errors.LimitError, match=words):
        searcher.run(position, *arguments, **keywords)


def test_a_limit_on_memory_below_that_of_the_trees_is_refused():
    game = mcts.load_game("mnk")
    search = mcts.MCTS.plain(game, memory_mb=64)
    with pytest.raises(mcts.errors.LimitError, match=r"memory_mb=10 is less than this searcher's 64; valid: 64 and up"):
        search.run(game.new_initial_state(), mcts.Limit(simulations=5, memory_mb=10))
    assert search.run(game.new_initial_state(), mcts.Limit(simulations=5, memory_mb=64)).simulations == 5
