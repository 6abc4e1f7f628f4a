"""Plackett-Luce ratings with ties, for three and more players: ranks are given out one after the other, by worth.

Of the players that are left, a set S takes the next rank with probability f(S) / sum f. f(S) is delta_|S| times the
geometric mean of the worths in S; the sum is over all sets whose size occurs as a tie in the results.

As in the R package, each bot gets half a pseudo-win and half a pseudo-loss against a ghost, a bot that does not exist.
Errors come from the games alone. The ghost takes part only if the likelihood of the games has a maximum without it;
otherwise estimates are bias-reduced instead.

Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package" (2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..fitting import ChoiceList, Choices, ParameterLayout, RatedGames
from ..rankings import RankedSeat, Ranking
from ..rating_model import RatingModel

PSEUDO_GAMES = 0.5
"""Wins, and losses, of each bot against the ghost."""


class PlackettLuce(RatingModel):
    """For each rank, a choice between the sets of players that may take it."""

    TITLE = "Plackett-Luce"

    def choices(self, games: RatedGames) -> tuple[ParameterLayout, Choices]:
        rankings = games.rankings
        sizes = {len(top) for game in rankings.games for _, top in _stages(game)}
        ties = tuple(sorted(sizes - {1}))
        layout = ParameterLayout(games.num_bots, games.num_seats, ties, num_ghosts=len(games.components))
        found = ChoiceList(layout.size)
        for number, game in enumerate(rankings.games):
            for left, top in _stages(game):
                sets = [chosen for size in sorted(sizes | {1}) for chosen in combinations(left, size)]
                options = [layout.option(chosen) for chosen in sets]
                found.add(options, [float(chosen == top) for chosen in sets], float(rankings.times[number]), number)
        for component, bots in enumerate(games.components):
            for bot in bots:
                options = layout.against_ghost(bot, component)
                nothing = [0.0] * len(options)
                for winner in (0, 1):
                    found.add(options, [*nothing[:winner], 1.0, *nothing[winner + 1 :]], PSEUDO_GAMES, -1)
        for order in layout.tie_orders:
            if order > 2:  # the ghost never ties with two bots at once, so it does not keep these parameters finite
                found.add([layout.tie(order), {}], [0.5, 0.5], PSEUDO_GAMES, -1)
        return layout, found.choices()


def _stages(game: Ranking) -> Iterator[tuple[tuple[RankedSeat, ...], tuple[RankedSeat, ...]]]:
    """Yield the players that are left and those of them that take the next rank, while more than one is left."""
    left = game
    while len(left) > 1:
        best = min(seat.rank for seat in left)
        yield left, tuple(seat for seat in left if seat.rank == best)
        left = tuple(seat for seat in left if seat.rank != best)


MODEL = PlackettLuce
