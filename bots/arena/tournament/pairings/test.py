"""Test: two bots play each other until a question about them is answered."""

from __future__ import annotations

from ....errors import TournamentError
from .base import Entrants, check_two_players
from .round_robin import RoundRobin


class TwoBotTest(RoundRobin):
    """Two bots play each other. An SPRT may end the tournament early."""

    NAME = "test"
    is_test = True

    def check(self, entrants: Entrants) -> Entrants:
        check_two_players(self.NAME, entrants)
        if entrants.num_bots != 2:
            raise TournamentError(f"a test is between two bots, not {entrants.num_bots}; valid: two bots")
        return entrants


PAIRING = TwoBotTest()
