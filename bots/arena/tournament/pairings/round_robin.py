"""Round robin: all selections of bots meet."""

from __future__ import annotations

import math
from itertools import combinations, combinations_with_replacement

from .base import Entrants, Pairing


class RoundRobin(Pairing):
    """All selections of bots play a block in every cycle.

    A bot meets itself only if there are fewer bots than players. Every game then has two different bots, unless there
    is only one bot.
    """

    NAME = "round_robin"

    def num_selections(self, entrants: Entrants) -> int:
        bots, seats = entrants.num_bots, entrants.num_players
        return math.comb(bots if bots >= seats else bots + seats - 1, seats)

    def selections(self, entrants: Entrants) -> tuple[tuple[int, ...], ...]:
        bots, seats = range(entrants.num_bots), entrants.num_players
        if len(bots) >= seats:
            return tuple(combinations(bots, seats))
        repeated = combinations_with_replacement(bots, seats)
        return tuple(chosen for chosen in repeated if len(set(chosen)) > 1 or len(bots) == 1)


PAIRING = RoundRobin()
