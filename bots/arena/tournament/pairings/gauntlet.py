"""Gauntlet: the first bots, the challengers, meet all others."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

from cext.arguments import whole_number_in

from ....errors import TournamentError
from .base import Entrants, Pairing


class Gauntlet(Pairing):
    """Every challenger plays against all selections of the other bots. The others do not play among themselves."""

    NAME = "gauntlet"

    def check(self, entrants: Entrants) -> Entrants:
        if entrants.num_bots < entrants.num_players:
            raise TournamentError(
                f"a gauntlet of {entrants.num_players} players needs as many bots, not {entrants.bots}"
            )
        most = entrants.num_bots - entrants.num_players + 1
        return replace(
            entrants, challengers=whole_number_in("challengers", entrants.challengers, 1, most, TournamentError)
        )

    def num_selections(self, entrants: Entrants) -> int:
        others = entrants.num_bots - entrants.challengers
        return entrants.challengers * math.comb(others, entrants.num_players - 1)

    def selections(self, entrants: Entrants) -> tuple[tuple[int, ...], ...]:
        bots = range(entrants.num_bots)
        others = combinations(bots[entrants.challengers :], entrants.num_players - 1)
        return tuple((first, *rest) for rest in others for first in bots[: entrants.challengers])


PAIRING = Gauntlet()
