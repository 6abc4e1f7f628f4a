"""All chips in the last round, without search."""

from __future__ import annotations

from .common.bid_plans import PlannedBids


class MiserBot(PlannedBids):
    """Keeps its chips for round 3, and then bids all on the cheapest plan."""

    NAME = "miser"
    SUMMARY = "for bidding_3d_ttt, without search: all chips in the last round"
    SHARES = (0.0, 0.0, 1.0)


BOT = MiserBot
