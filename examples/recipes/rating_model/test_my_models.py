import math
from collections import Counter

import pytest
from my_models import Davidson

from bots.arena.ratings.blocks import GameOutcome, make_block
from bots.arena.ratings.ratings import rate


def test_two_bots_differ_by_the_ratio_of_wins_to_losses():
    counts = Counter()
    for first_return, times in ((100.0, 30), (50.0, 20), (0.0, 15)):
        counts[make_block([GameOutcome((0, 1), (first_return, 100.0 - first_return))])] = times
    found = rate(2, counts, seat_effect=False, model=Davidson())
    assert found.values[0] - found.values[1] == pytest.approx(400 * math.log10(30 / 15), abs=0.01)
