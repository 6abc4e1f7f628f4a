"""Who scored against whom: whether results say anything of how bots compare, and of which bots."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .rankings import Rankings

Group = tuple[int, ...]
"""Indices of bots, ascending."""


@dataclass(frozen=True)
class ResultGraph:
    """Bots, with an arrow from one to another where it did at least as well in some game."""

    components: tuple[Group, ...]
    """Bots that met, by way of others if need be. More than one: nothing compares them with each other."""
    groups: tuple[Group, ...]
    """Bots between which results flow both ways; those that scored against most others first. More than one: of two
    groups, one never scored against the other, and the likelihood has no maximum."""
    above: tuple[Group, ...]
    """Groups that scored against others, and nobody outside against them."""
    below: tuple[Group, ...]
    """Groups against which others scored, and which scored against nobody outside."""

    def group_of(self, bot: int) -> Group:
        """The group that a bot is in."""
        return next(group for group in self.groups if bot in group)

    def explain(self, labels: Sequence[str]) -> str | None:
        """Why bots cannot all be rated, naming them; None where they can."""

        def named(groups: Sequence[Group], between: str) -> str:
            return between.join("{" + ", ".join(labels[bot] for bot in group) + "}" for group in groups)

        if len(self.components) > 1:
            return (
                f"The results do not connect {named(self.components, ' with ')}: these never met in whole blocks, not "
                "even by way of others, and nothing tells how they compare. Let some of them meet, or anchor one bot "
                "of each."
            )
        if len(self.groups) > 1:
            return (
                f"One-sided results: {named(self.groups, ' > ')}, and nobody ever scored against anybody further left. "
                "No rating fits them best: the further apart, the better."
            )
        return None


def result_graph(num_bots: int, rankings: Rankings, anchored: Collection[int] = ()) -> ResultGraph:
    """The graph of a tournament's results.

    Args:
        num_bots: indices are in [0, num_bots).
        rankings: the games.
        anchored: bots whose ratings are given: how they compare with each other needs no results.
    """
    scored = np.zeros((num_bots, num_bots), dtype=bool)
    for game in rankings.games:
        for one, other in permutations(game, 2):
            if one.rank <= other.rank:
                scored[one.bot, other.bot] = True
    for one_bot, other_bot in permutations(anchored, 2):
        scored[one_bot, other_bot] = True
    reach = _reach(scored)
    groups = _classes(reach & reach.T)
    groups.sort(key=lambda group: (-int(reach[group[0]].sum()), group))
    components = sorted(_classes(_reach(scored | scored.T)))
    beats = [group for group in groups if reach[group[0]].sum() > len(group)]
    beaten = [group for group in groups if reach[:, group[0]].sum() > len(group)]
    above = tuple(group for group in beats if group not in beaten)
    below = tuple(group for group in beaten if group not in beats)
    return ResultGraph(tuple(components), tuple(groups), above, below)


def _reach(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who can be reached from whom along edges; everyone from itself."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def _classes(alike: NDArray[np.bool_]) -> list[Group]:
    """The classes of an equivalence [bots, bots]."""
    return list({tuple(np.flatnonzero(row).tolist()) for row in alike})
