"""Swiss system: in every round, bots with nearly equal scores meet.

The rules of chess (FIDE) mainly balance colours, and have no pairing once all players have met. Here a pairing plays
every seat assignment, and pairings may repeat in a long tournament. The pairing of a round is a matching of least cost:
first the number of repeated pairings, then the sum of squared differences of scores, then chance, by the seed.
"""

from __future__ import annotations

import math
from collections import Counter
from importlib import import_module

from mcts.seeds import seed_for

from ....errors import TournamentError
from .base import Entrants, Pairing, check_two_players

STREAM = 2**41
"""Seed path of pairings, larger than every game number."""
_CHANCE_BITS = 32


class Swiss(Pairing):
    """Bots with nearly equal scores meet. For two-player games and three bots or more; needs networkx."""

    NAME = "swiss"
    has_rounds = True

    def check(self, entrants: Entrants) -> Entrants:
        check_two_players(self.NAME, entrants)
        if entrants.num_bots < 3:
            raise TournamentError(f"a Swiss tournament needs three bots or more, not {entrants.num_bots}")
        return entrants

    def num_selections(self, entrants: Entrants) -> int:
        return 0

    def selections(self, entrants: Entrants) -> tuple[tuple[int, ...], ...]:
        return ()

    def selections_per_cycle(self, entrants: Entrants) -> int:
        return entrants.num_bots // 2

    def default_rounds(self, num_bots: int) -> int:
        return math.ceil(math.log2(num_bots))

    def new_rounds(self, num_bots: int, games: int, seed: int) -> SwissRounds:
        return SwissRounds(num_bots, games, seed)


class SwissRounds:
    """Scores and pairings of a Swiss tournament.

    Args:
        num_bots: number of bots, 3 and up.
        games: number of games of a pairing in a round.
        seed: root of all random choices.
    """

    def __init__(self, num_bots: int, games: int, seed: int) -> None:
        self._num_bots = num_bots
        self._games = games
        self._seed = seed
        self._met: Counter[frozenset[int]] = Counter()
        self._rested: Counter[int] = Counter()
        self.half_points = [0] * num_bots
        """Score of each bot: 2 for a win, 1 for a draw or a game that counts for nobody. A bot that
        rests scores as if it won."""
        self.selections: list[list[tuple[int, ...]]] = []
        """Pairs of each round in ascending order, smaller index first."""
        self.pair()

    def score(self, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        """Count the result of a game."""
        first, second = returns or (0.0, 0.0)
        self.half_points[seats[0]] += 1 + (first > second) - (first < second)
        self.half_points[seats[1]] += 1 + (second > first) - (second < first)

    def pair(self) -> None:
        """Pair the next round, after all games of the earlier rounds were counted."""
        bots = list(range(self._num_bots))
        rest = self._num_bots
        if len(bots) % 2:
            bots.append(rest)
        costs = {(i, j): self._cost(i, j, rest) for i in bots for j in bots if i < j}
        found = sorted(_cheapest_matching(costs))
        for i, j in found:
            if j == rest:
                self._rested[i] += 1
                self.half_points[i] += 2 * self._games
            else:
                self._met[frozenset((i, j))] += 1
        self.selections.append([pair for pair in found if pair[1] != rest])

    def _cost(self, i: int, j: int, rest: int) -> int:
        """Return the cost of a pair of bots, or of a bot that rests."""
        if j == rest:
            repeats, distance = self._rested[i], self.half_points[i] - min(self.half_points)
        else:
            repeats, distance = self._met[frozenset((i, j))], self.half_points[i] - self.half_points[j]
        most = 2 * self._games * (len(self.selections) + 1)  # the greatest possible distance
        chance = seed_for(self._seed, STREAM, len(self.selections), i, j) >> (64 - _CHANCE_BITS)
        by_distance = ((self._num_bots * most * most) << _CHANCE_BITS) * self._num_bots
        return repeats * repeats * by_distance + ((distance * distance * self._num_bots) << _CHANCE_BITS) + chance


def _cheapest_matching(costs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Return a perfect matching of least total cost. Costs are integers of any size."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise TournamentError("a Swiss tournament needs networkx: pip install 'playout[graph]'") from None
    graph = networkx.Graph()
    graph.add_weighted_edges_from((i, j, -cost) for (i, j), cost in costs.items())
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in matching]


PAIRING = Swiss()
