"""Bots with fixed ideas of what to expect or to do, named by the paths of their classes."""

import math

import numpy as np

import bots
from mcts.parameters import Choice, Real

SAYINGS = {
    "nothing": None, "nan": math.nan, "infinity": math.inf, "text": "0", "true": True, "huge": 10**5000,
    "complex": 0j, "list": [0], "float32": np.float32(0), "below": -1e300,
}  # fmt: skip


class Says(bots.Bot):
    """Plays the first legal action and always expects the same."""

    PARAMETERS = {"value": Real(50.0, -1e9, 1e9)}  # noqa: RUF012

    def choose(self, view, limit=None):
        return view.legal_actions()[0]

    def expected_return(self, player):
        return self.parameters["value"]


class Strange(Says):
    """Says what is no value, or a value of another type."""

    PARAMETERS = {"saying": Choice("nan", tuple(SAYINGS))}  # noqa: RUF012

    def expected_return(self, player):
        return SAYINGS[self.parameters["saying"]]


class Forgetful(Says):
    """Says its value in every second decision only."""

    def new_game(self, game, player, seed):
        super().new_game(game, player, seed)
        self.decisions = 0

    def choose(self, view, limit=None):
        self.decisions += 1
        return super().choose(view, limit)

    def expected_return(self, player):
        return self.parameters["value"] if self.decisions % 2 else None


class Breaks(Says):
    """Fails when it is asked what it expects."""

    def expected_return(self, player):
        raise RuntimeError("no opinion")


class Spender(bots.Bot):
    """Bids 37 chips on the tile in the middle of bidding_3d_ttt in the first round, and nothing later."""

    def choose(self, view, limit=None):
        return view.string_to_action("bid(E5:37)" if view.to_dict()["round"] == 1 else "bid()")
