"""Bradley-Terry ratings: i scores against j with probability sigma(theta_i - theta_j + seat); ties are half wins.

Bradley and Terry, "Rank analysis of incomplete block designs" (1952). The seat effect is the advantage of the first
player over the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from .blocks import score_of
from .logit import ChoiceList
from .rankings import Rankings
from .rating_model import Component, Fitted, Layout, estimate


def fit_bradley_terry(
    rankings: Rankings,
    num_bots: int,
    num_seats: int,
    components: Sequence[Component],
    anchors: Mapping[int, float],
    seat_effect: bool = True,
) -> Fitted:
    """Fit the model to every two different bots of every game.

    Args:
        rankings: the games.
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        components: the bots to be rated; those of two components never met.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one; it is left out where the results do not determine it.
    """
    layout = Layout(num_bots, num_seats)
    found = ChoiceList(layout.size)
    for number, game in enumerate(rankings.games):
        for one, other in combinations(game, 2):
            if one.bot != other.bot:
                points = score_of(-one.rank, -other.rank)
                options = [layout.option([one]), layout.option([other])]
                found.add(options, [points, 1 - points], float(rankings.times[number]), number)
    return estimate(layout, found.choices(), rankings, components, anchors, seat_effect)
