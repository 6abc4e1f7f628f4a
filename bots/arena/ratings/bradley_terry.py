"""Ratings of games for two: i scores against j with probability sigma(theta_i - theta_j + seat); ties are half wins.

Bradley and Terry, "Rank analysis of incomplete block designs" (1952). The seat effect is what the first player has over
the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import combinations

from .blocks import score_of
from .logit import ChoiceList, Choices
from .rankings import Place, Rankings
from .rating_model import Fitted, Layout, estimate

Score = Callable[[Place, Place], float]


def score(one: Place, other: Place) -> float:
    """What one scored against the other."""
    return score_of(-one.rank, -other.rank)


def pair_choices(rankings: Rankings, layout: Layout, scored: Score) -> Choices:
    """Every two different bots of every game as a choice between them.

    Args:
        rankings: the games, of any number of players.
        layout: without ties.
        scored: what the first of two places gets of their comparison, in [0, 1].
    """
    found = ChoiceList(layout.size)
    for number, game in enumerate(rankings.games):
        for one, other in combinations(game, 2):
            if one.bot != other.bot:
                points = scored(one, other)
                options = [layout.option([one]), layout.option([other])]
                found.add(options, [points, 1 - points], float(rankings.times[number]), number)
    return found.choices()


def fit_bradley_terry(
    rankings: Rankings,
    num_bots: int,
    num_seats: int,
    bots: Collection[int],
    anchors: Mapping[int, float],
    seat_effect: bool = True,
    scored: Score = score,
) -> Fitted:
    """Fit the model to games in which results flow both ways between all bots.

    Args:
        rankings: games between `bots`.
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        bots: those to be rated.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one; it is left out where the results do not determine it.
        scored: what the first of two places gets of their comparison.
    """
    layout = Layout(num_bots, num_seats)
    return estimate(layout, pair_choices(rankings, layout, scored), rankings, bots, anchors, seat_effect)
