"""What a bot or a search may spend: which limits can be set."""

import math
from dataclasses import FrozenInstanceError

import pytest

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
    with pytest.raises(mcts.LimitError, match=f"{name}="):
        mcts.Limit(**{name: value})
