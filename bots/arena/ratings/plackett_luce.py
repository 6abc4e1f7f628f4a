"""Plackett-Luce ratings with ties, for three and more players: places are given out one after the other, by worth.

A set S of the players that are left comes next with probability f(S) / sum f, where f(S) is delta_|S| times the
geometric mean of the worths in S, over all sets of a size that occurs. Each bot gets half a pseudo-win and half a
pseudo-loss against a ghost, as in the R package; errors come from the games alone. The ghost takes part only where the
likelihood of the games has a maximum without it: elsewhere, estimates are bias-reduced instead.

Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package" (2020).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from .logit import ChoiceList
from .rankings import RankedSeat, Ranking, Rankings
from .rating_model import Component, Fitted, Layout, estimate

PSEUDO_GAMES = 0.5
"""Wins, and losses, of each bot against the ghost."""


def fit_plackett_luce(
    rankings: Rankings,
    num_bots: int,
    num_seats: int,
    components: Sequence[Component],
    anchors: Mapping[int, float],
    seat_effect: bool = True,
) -> Fitted:
    """Fit the model.

    Args:
        rankings: the games.
        num_bots: indices are in [0, num_bots).
        num_seats: players of the game.
        components: the bots to be rated; those of two components never met.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one; it is left out where the results do not determine it.
    """
    sizes = {len(top) for game in rankings.games for _, top in _stages(game)}
    layout = Layout(num_bots, num_seats, tuple(sorted(sizes - {1})), num_ghosts=len(components))
    found = ChoiceList(layout.size)
    for number, game in enumerate(rankings.games):
        for left, top in _stages(game):
            sets = [chosen for size in sorted(sizes | {1}) for chosen in combinations(left, size)]
            options = [layout.option(chosen) for chosen in sets]
            found.add(options, [float(chosen == top) for chosen in sets], float(rankings.times[number]), number)
    for component, bots in enumerate(components):
        for bot in bots:
            options = layout.against_ghost(bot, component)
            nothing = [0.0] * len(options)
            for winner in (0, 1):
                found.add(options, [*nothing[:winner], 1.0, *nothing[winner + 1 :]], PSEUDO_GAMES, -1)
    for order in layout.tie_orders:
        if order > 2:  # the ghost ties with no two bots at once: it does not keep these finite
            found.add([layout.tie(order), {}], [0.5, 0.5], PSEUDO_GAMES, -1)
    return estimate(layout, found.choices(), rankings, components, anchors, seat_effect)


def _stages(game: Ranking) -> Iterator[tuple[tuple[RankedSeat, ...], tuple[RankedSeat, ...]]]:
    """Who was left, and who of them came next, as long as there was a choice."""
    left = game
    while len(left) > 1:
        best = min(place.rank for place in left)
        yield left, tuple(place for place in left if place.rank == best)
        left = tuple(place for place in left if place.rank != best)
