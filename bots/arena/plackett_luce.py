"""Ratings of games for three and more: who comes next is chosen by worth from those that are left, ties included.

A set S of the players that are left comes next with probability f(S) / sum f, where f(S) is delta_|S| times the
geometric mean of the worths in S, over all sets of a size that occurs. Each bot gets half a pseudo-win and half a
pseudo-loss against a ghost, which keeps all worths finite; errors come from the games alone.

Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package" (2020).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from .choice_model import collect
from .rankings import Place, Ranking, Rankings
from .rating_model import Fitted, Layout, estimate

PSEUDO_GAMES = 0.5
"""Wins, and losses, of each bot against the ghost."""


def fit_plackett_luce(
    rankings: Rankings,
    num_bots: int,
    num_seats: int,
    bots: Collection[int],
    anchors: Mapping[int, float],
    seat_effect: bool = True,
) -> Fitted:
    """Fit the model.

    Args:
        rankings: games between `bots`.
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        bots: those to be rated.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one; it is left out where the results do not determine it.
    """
    sizes = {len(top) for game in rankings.games for _, top in _stages(game)}
    layout = Layout(num_bots, num_seats, tuple(sorted(sizes - {1})), has_ghost=True)
    options, shares, times, games = [], [], [], []
    for number, game in enumerate(rankings.games):
        for left, top in _stages(game):
            sets = [chosen for size in sorted(sizes | {1}) for chosen in combinations(left, size)]
            options.append([layout.features(chosen) for chosen in sets])
            shares.append([float(chosen == top) for chosen in sets])
            times.append(float(rankings.times[number]))
            games.append(number)
    for bot in bots:
        for outcome in ([1.0, 0.0], [0.0, 1.0]):
            options.append(layout.against_ghost(bot))
            shares.append(outcome)
            times.append(PSEUDO_GAMES)
            games.append(-1)
    return estimate(layout, collect(options, shares, times, games), rankings, bots, anchors, seat_effect)


def _stages(game: Ranking) -> Iterator[tuple[tuple[Place, ...], tuple[Place, ...]]]:
    """Who was left, and who of them came next, as long as there was a choice."""
    left = game
    while len(left) > 1:
        best = min(place.rank for place in left)
        yield left, tuple(place for place in left if place.rank == best)
        left = tuple(place for place in left if place.rank != best)
