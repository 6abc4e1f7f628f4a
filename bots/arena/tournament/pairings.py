"""Pairings of a Swiss tournament: in every round, bots that have done equally well meet.

The rules of chess (FIDE) and the programs that keep to them spend most of their care on who has white, and know no
pairing when all have met. Here a pairing plays every seat assignment, and a tournament of many rounds goes on with
repeated pairings. So what is left is a matching of least cost: first as few repeated pairings as possible, then scores
that differ as little as possible (their squares, summed), then chance, by the seed.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module

from ...errors import TournamentError
from ...seeds import seed_for

STREAM = 2**41
"""Path of the seeds of pairings: no game has such a number."""
_CHANCE_BITS = 32


class SwissRounds:
    """Scores and pairings, round by round; the pairings of the first round are made at once.

    Args:
        num_bots: how many take part, 3 and up.
        games: how many games a pairing plays in a round.
        seed: root of all that is drawn.
    """

    def __init__(self, num_bots: int, games: int, seed: int) -> None:
        self._num_bots = num_bots
        self._games = games
        self._seed = seed
        self._met: Counter[frozenset[int]] = Counter()
        self._rested: Counter[int] = Counter()
        self.half_points = [0] * num_bots
        """Of each bot: 2 for a game won, 1 for one drawn or that counts for nobody; a round without a game is won."""
        self.pairings: list[list[tuple[int, int]]] = []
        """Of each round, smaller index first, ascending."""
        self.pair()

    def score(self, seats: tuple[int, ...], returns: tuple[float, ...] | None) -> None:
        """Count a game."""
        first, second = returns or (0.0, 0.0)
        self.half_points[seats[0]] += 1 + (first > second) - (first < second)
        self.half_points[seats[1]] += 1 + (second > first) - (second < first)

    def pair(self) -> None:
        """Make the pairings of another round; all games of the rounds before have been counted."""
        bots = list(range(self._num_bots))
        nobody = self._num_bots
        if len(bots) % 2:
            bots.append(nobody)
        pairs = [(i, j) for i in bots for j in bots if i < j]
        costs = {pair: self._cost(*pair, nobody) for pair in pairs}
        found = sorted(_cheapest_matching(costs))
        for i, j in found:
            if j == nobody:
                self._rested[i] += 1
                self.half_points[i] += 2 * self._games
            else:
                self._met[frozenset((i, j))] += 1
        self.pairings.append([pair for pair in found if pair[1] != nobody])

    def _cost(self, i: int, j: int, nobody: int) -> int:
        """Of two bots that meet, or of one that rests."""
        if j == nobody:
            repeats, distance = self._rested[i], self.half_points[i] - min(self.half_points)
        else:
            repeats, distance = self._met[frozenset((i, j))], self.half_points[i] - self.half_points[j]
        most = 2 * self._games * (len(self.pairings) + 1)  # no distance is greater
        chance = seed_for(self._seed, STREAM, len(self.pairings), i, j) >> (64 - _CHANCE_BITS)
        by_distance = ((self._num_bots * most * most) << _CHANCE_BITS) * self._num_bots
        return repeats * repeats * by_distance + ((distance * distance * self._num_bots) << _CHANCE_BITS) + chance


def _cheapest_matching(costs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Pairs that have everybody in them once, of the least total cost, which are whole numbers of any size."""
    try:
        networkx = import_module("networkx")
    except ImportError:
        raise TournamentError("a Swiss tournament needs networkx: pip install 'playout[swiss]'") from None
    graph = networkx.Graph()
    graph.add_weighted_edges_from((i, j, -cost) for (i, j), cost in costs.items())
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return [(min(pair), max(pair)) for pair in matching]
