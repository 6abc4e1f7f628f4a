"""All chips on one line of boards, without search."""

from __future__ import annotations

from .common.bid_plans import PlannedBids


class FocusBot(PlannedBids):
    """Bids on the cheapest plan, a line of three boards, in every round and on nothing else."""

    NAME = "focus"
    SUMMARY = "for bidding_3d_ttt, without search: all chips on one line of boards"


BOT = FocusBot
