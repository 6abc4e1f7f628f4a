"""The graph of results between bots: which bots they compare, and where they are one-sided."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components, shortest_path

from .rankings import Rankings

Group = tuple[int, ...]
"""Indices of bots, ascending."""


@dataclass(frozen=True)
class ResultGraph:
    """Bots, with an edge from one to another if it did at least as well in some game."""

    components: tuple[Group, ...]
    """Bots that met, directly or through other bots. Results compare only bots of the same component."""
    groups: tuple[Group, ...]
    """The strongly connected groups of bots, those that scored against most others first. Of two groups of the same
    component, at least one never scored against the other, and the likelihood has no maximum (Ford, "Solution of a
    ranking problem from binary comparisons", 1957)."""

    def notes(self, labels: Sequence[str]) -> list[str]:
        """Return sentences about bots that never met, and about one-sided results.

        Args:
            labels: labels of the bots.
        """

        def named(groups: Sequence[Group], between: str) -> str:
            return between.join("{" + ", ".join(labels[bot] for bot in group) + "}" for group in groups)

        found = []
        if len(self.components) > 1:
            found.append(
                f"No results connect {named(self.components, ' with ')}: these bots never met in whole blocks, not "
                "even through other bots. Each group has its own list of ratings. Ratings of different lists cannot be "
                "compared. Let bots of different groups play each other, or anchor one bot in each group."
            )
        for component in self.components:
            groups = [group for group in self.groups if group[0] in component]
            if len(groups) > 1:
                found.append(_one_sided([[labels[bot] for bot in group] for group in groups]))
        return found


def _one_sided(groups: Sequence[Sequence[str]]) -> str:
    """Return the sentence about groups of names, each of which never scored against those before it."""
    *_, before, last = [", ".join(group) for group in groups]
    if len(groups) > 2:
        chain = " > ".join(f"{{{', '.join(group)}}}" for group in groups)
        return f"{chain}: all games against bots further left were lost, so these ratings are only bounds."
    if len(groups[1]) > 1:
        return f"{last} lost all their games to {before}: their ratings are only bounds."
    return f"{last} lost all its games to {before}: its rating is only a bound."


def result_graph(
    num_bots: int, rankings: Rankings, anchored: Collection[int] = (), both_ways: bool = False
) -> ResultGraph:
    """Return the graph of the results of a tournament.

    Args:
        num_bots: indices are in [0, num_bots).
        rankings: the games.
        anchored: bots with given ratings, which are compared without results.
        both_ways: True if every game bounds the difference of its bots from both sides, as returns do.
    """
    scored = np.zeros((num_bots, num_bots), dtype=bool)
    for game in rankings.games:
        for one, other in permutations(game, 2):
            if both_ways or one.rank <= other.rank:
                scored[one.bot, other.bot] = True
    for one_bot, other_bot in permutations(anchored, 2):
        scored[one_bot, other_bot] = True
    reached = np.isfinite(shortest_path(scored, unweighted=True)).sum(axis=1)
    groups = sorted(_parts(scored, "strong"), key=lambda group: (-int(reached[group[0]]), group))
    return ResultGraph(tuple(sorted(_parts(scored, "weak"))), tuple(groups))


def _parts(edges: NDArray[np.bool_], connection: str) -> list[Group]:
    """Return the weakly or strongly connected bots of a graph [bots, bots]."""
    count, labels = connected_components(edges, connection=connection)
    return [tuple(np.flatnonzero(labels == label).tolist()) for label in range(count)]
